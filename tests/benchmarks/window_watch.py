"""The moments at which windows come to the screen, by the X server's own events."""

import select
import time
from dataclasses import dataclass
from typing import Any

from Xlib import X, error
from Xlib.display import Display as XConnection

_DEADLINE_S = 20.0


@dataclass(frozen=True, slots=True)
class Mapped:
    """`at` is when the event was read, on `time.perf_counter`'s clock."""

    at: float
    window: Any


class WindowWatch:
    """Hears of every window that is mapped on a display from its creation on."""

    def __init__(self, display: str) -> None:
        self._x = XConnection(display)
        self._x.screen().root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self._x.sync()
        self._framed: dict[int, Any] = {}

    def close(self) -> None:
        self._x.close()

    def skip(self) -> None:
        """Let go of what has happened so far."""
        self._x.sync()
        while self._x.pending_events():
            self._note_frame(self._x.next_event())

    def wait_for_mapped(self, wm_class: str) -> Mapped:
        """The next window of this class, when the frame that the window manager gave it is mapped."""
        end = time.perf_counter() + _DEADLINE_S
        while True:
            event = self._next(end)
            at = time.perf_counter()
            self._note_frame(event)
            if event.type == X.MapNotify:
                window = self._framed.get(event.window.id, event.window)
                if self._class(window) == wm_class.lower():
                    return Mapped(at, window)

    def wait_for_pixel(self, window: Any, x: int, colour: str) -> float:
        """When the pixel at `x`, half way down the window, first has this colour (`#RRGGBB`), as for `Mapped.at`."""
        y = window.get_geometry().height // 2
        wanted = bytes.fromhex(colour.removeprefix("#"))[::-1]
        end = time.perf_counter() + _DEADLINE_S
        while time.perf_counter() < end:
            if window.get_image(x, y, 1, 1, X.ZPixmap, 0xFFFFFFFF).data[:3] == wanted:
                return time.perf_counter()
        raise AssertionError(f"Not within {_DEADLINE_S:g} s: a pixel of colour {colour}.")

    def _next(self, end: float) -> Any:
        while not self._x.pending_events():
            if not select.select([self._x.fileno()], [], [], max(0.0, end - time.perf_counter()))[0]:
                raise AssertionError(f"Not within {_DEADLINE_S:g} s: the window.")
        return self._x.next_event()

    def _note_frame(self, event: Any) -> None:
        if event.type == X.ReparentNotify:
            self._framed[event.parent.id] = event.window

    def _class(self, window: Any) -> str:
        try:
            names = window.get_wm_class()
        except error.XError:  # it has gone already
            return ""
        return names[1].lower() if names else ""
