"""No key for the whole desktop: what there is instead is said once."""

from collections.abc import Callable


class NullHotkeys:
    def __init__(self, reason: str) -> None:
        """`reason`: a sentence for the person."""
        self._reason = reason

    def grab(self, combination: str, pressed: Callable[[], object]) -> str | None:
        return self._reason

    def release(self) -> None:
        return None
