"""Waiting for something to become true, instead of for time to pass."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

DEADLINE_S = 10.0
_POLL_S = 0.01


def wait_until(condition: Callable[[], T], what: str, deadline_s: float = DEADLINE_S) -> T:
    """The first true value of `condition`; AssertionError that names `what` after `deadline_s` seconds."""
    end = time.monotonic() + deadline_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"Not within {deadline_s:g} s: {what} (last seen: {value!r}).")
        time.sleep(_POLL_S)


def hold_true(condition: Callable[[], object], what: str, for_s: float) -> None:
    """Checks that `condition` stays true for `for_s` seconds; for what must not happen."""
    end = time.monotonic() + for_s
    while time.monotonic() < end:
        value = condition()
        if not value:
            raise AssertionError(f"Not for all of {for_s:g} s: {what}.")
        time.sleep(_POLL_S)
