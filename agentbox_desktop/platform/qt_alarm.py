"""One QTimer, set anew each time: unlike a cancelled timer of qasync's, nothing of it is left behind."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer


class QtAlarm:
    """Implements the `Alarm` port."""

    def __init__(self) -> None:
        self._ring: Callable[[], None] = lambda: None
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._rang)

    def _rang(self) -> None:
        self._ring()

    def set(self, delay_s: float | None, ring: Callable[[], None]) -> None:
        self._ring = ring
        if delay_s is None:
            self._timer.stop()
        else:
            self._timer.start(round(delay_s * 1000 + 0.5))
