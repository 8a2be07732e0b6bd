"""What keeps a slip from deciding: a click or a key counts only once the person can have meant this card.

Both guards take a clock that gives seconds and never steps, and know nothing of windows.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint

Clock = Callable[[], float]

CLICKS_AFTER_S = 0.5  # from when the content appeared or changed
KEYS_AFTER_S = 0.3  # from when the window was given the keyboard, or its content changed
_MOVED_PX = 3  # a hand that presses a button shakes the pointer by less


class ClickGuard:
    """Tells whether a press of a mouse button counts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: float | None = None
        self._came_up_under: QPoint | None = None

    def appeared(self, pointer: QPoint, under_pointer: bool) -> None:
        """New content was painted; `under_pointer`: the window covers `pointer` without the person's doing."""
        self._since = self._clock()
        self._came_up_under = QPoint(pointer) if under_pointer else None

    def shifted(self) -> None:
        """What can be pressed may have moved, with the content as it was."""
        if self._since is not None:
            self._since = self._clock()

    def gone(self) -> None:
        """Nothing that can be decided is painted now."""
        self._since = None

    def moved(self, pointer: QPoint) -> None:
        if self._came_up_under is not None and (pointer - self._came_up_under).manhattanLength() >= _MOVED_PX:
            self._came_up_under = None

    def allows(self, pointer: QPoint) -> bool:
        """Whether a press at `pointer` counts now."""
        self.moved(pointer)
        return (self._since is not None and self._came_up_under is None
                and self._clock() - self._since >= CLICKS_AFTER_S)


class KeyGuard:
    """Tells whether a key decides. Keys are any hashable that names a physical or logical key."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: float | None = None
        self._held: set[int] = set()

    @property
    def live(self) -> bool:
        """Whether a fresh key would count now; keycaps are dimmed until then."""
        return self.wait_s() == 0

    def wait_s(self) -> float | None:
        """Seconds until keys count; None while the keyboard is elsewhere."""
        if self._since is None:
            return None
        return max(0.0, self._since + KEYS_AFTER_S - self._clock())

    def given(self) -> None:
        """The window has the keyboard, from now on or with other content than before."""
        self._since = self._clock()

    def taken(self) -> None:
        """The keyboard went elsewhere, or nothing that can be decided is painted."""
        self._since = None
        self._held.clear()

    def press(self, key: int, auto_repeat: bool) -> bool:
        """Whether this press counts: a fresh one, of a key that was not down before keys counted."""
        if auto_repeat or key in self._held:
            return False
        if not self.live:
            self._held.add(key)
            return False
        return True

    def release(self, key: int, auto_repeat: bool) -> None:
        if not auto_repeat:
            self._held.discard(key)
