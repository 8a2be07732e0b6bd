"""What a verb prints: the answer alone on standard output, all else on standard error."""

import json
import sys

from agentbox_desktop.cli.failures import Failure
from agentbox_desktop.cli.lines import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from typing import Any


def write(text: str) -> None:
    """Write a line to standard output, past every buffer when this returns.

    Text is made harmless where a terminal would act on it; a program gets it as it is. Raises BrokenPipeError,
    and Failure where it can't be written, because an answer nobody got must not count as delivered.
    """
    if sys.stdout is None:  # closed by the caller, who wants the exit status alone
        return
    if sys.stdout.isatty():
        text = harmless(text)
    data = f"{text}\n".encode(sys.stdout.encoding, "backslashreplace")
    try:
        write_all(sys.stdout.fileno(), data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"The answer could not be written to standard output: {error.strerror}.") from None


def write_json(value: "Any") -> None:
    """Write a value as one line of ASCII, which no terminal acts on."""
    write(json.dumps(value))


def say(message: str) -> None:
    """A message for the person, on standard error."""
    if sys.stderr is None:
        return
    try:
        print(harmless(message), file=sys.stderr)
    except BrokenPipeError:  # nobody reads messages; the exit status says enough
        return


def harmless(text: str) -> str:
    """`text` without anything a terminal would act on."""
    if text.isascii() and text.isprintable():
        return text
    from agentbox_desktop.core.text import visible

    return visible(text)


def harmless_line(text: str) -> str:
    """The same, on one line."""
    if text.isascii() and text.isprintable():
        return text
    from agentbox_desktop.core.text import one_line

    return one_line(text)
