"""A screen of a test's own, with a window manager, and the person's hands on it.

Xvfb takes a free display number by itself; openbox makes focus and stacking work as on a desktop; xdotool
moves the pointer and types.
"""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from PySide6.QtGui import QImage
from Xlib import X, error
from Xlib.display import Display as XConnection

from tests.helpers.children import end
from tests.helpers.waiting import DEADLINE_S, wait_until

AGENTBOX_CLASS = "agentbox"


@dataclass(frozen=True, slots=True)
class Window:
    """A window that is on the screen. Position and size are pixels of the screen, without any frame."""

    id: int
    title: str
    wm_class: str
    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height // 2

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Display:
    """A virtual display for as long as the block lasts; `window_manager` None starts none."""

    def __init__(self, width: int = 1920, height: int = 1080, window_manager: str | None = "openbox") -> None:
        self.width, self.height = width, height
        self._server, self.name = _start_server(width, height)
        self._x = XConnection(self.name)
        self._window_manager = self._start_window_manager(window_manager) if window_manager else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._x.close()
        if self._window_manager is not None:
            end(self._window_manager)
        end(self._server)

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """`base` (this process's own unless given) for a program that should appear here."""
        variables = dict(os.environ if base is None else base) | {"DISPLAY": self.name}
        return {key: value for key, value in variables.items() if key not in {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}}

    # What is on the screen

    def windows(self, title: str | None = None, wm_class: str | None = None) -> list[Window]:
        """The mapped windows with exactly this title and class, from the bottom of the stack up."""
        found: list[Window] = []
        self._collect(self._x.screen().root, 0, 0, found)
        return [
            window for window in found
            if (title is None or window.title == title) and (wm_class is None or window.wm_class == wm_class)
        ]

    def wait_for_window(self, title: str, wm_class: str | None = None, deadline_s: float = DEADLINE_S) -> Window:
        found = wait_until(lambda: self.windows(title, wm_class), f"a window titled {title!r}", deadline_s)
        return found[-1]

    def wait_for_no_window(self, title: str, deadline_s: float = DEADLINE_S) -> None:
        wait_until(lambda: not self.windows(title), f"no window titled {title!r}", deadline_s)

    def active_window(self) -> Window | None:
        """The window that the window manager says has the keyboard."""
        property_ = self._property(self._x.screen().root, "_NET_ACTIVE_WINDOW")
        identity = int(property_[0]) if property_ is not None and len(property_) else 0
        return next((window for window in self.windows() if window.id == identity), None)

    def has_keyboard(self, window: Window) -> bool:
        """Whether `window` is the active one, wherever it has been moved to since."""
        active = self.active_window()
        return active is not None and active.id == window.id

    def screenshot(self, path: Path) -> Path:
        """Write the whole screen to `path` as PNG."""
        root = self._x.screen().root
        image = root.get_image(0, 0, self.width, self.height, X.ZPixmap, 0xFFFFFFFF)
        picture = QImage(image.data, self.width, self.height, self.width * 4, QImage.Format.Format_RGB32)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not picture.save(str(path)):
            raise OSError(f"No PNG could be written to {path}.")
        return path

    # The person's hands

    def move(self, x: int, y: int) -> None:
        if self.pointer() != (x, y):  # xdotool would wait for a change that never comes
            self._xdotool("mousemove", "--sync", str(x), str(y))

    def pointer(self) -> tuple[int, int]:
        answer = self._x.screen().root.query_pointer()
        return answer.root_x, answer.root_y

    def click(self, x: int | None = None, y: int | None = None, button: int = 1) -> None:
        """Click where the pointer is, or at `x`, `y`."""
        if x is not None and y is not None:
            self.move(x, y)
        self._xdotool("click", str(button))

    def key(self, *chords: str) -> None:
        """Press keys by X name, such as `Return`, `2`, `ctrl+alt+space`."""
        self._xdotool("key", *chords)

    def type(self, text: str, delay_ms: int = 12) -> None:
        self._xdotool("type", "--delay", str(delay_ms), "--", text)

    def _xdotool(self, *arguments: str) -> None:
        command = ["xdotool", *arguments]
        subprocess.run(command, env=self.environment(), check=True, timeout=60, capture_output=True)

    def _collect(self, parent: Any, x: int, y: int, found: list[Window]) -> None:
        """Add the mapped windows below `parent`, whose inner corner is at `x`, `y`."""
        try:
            children = parent.query_tree().children
        except error.BadWindow:
            return  # gone between two requests
        for child in children:
            try:
                if child.get_attributes().map_state != X.IsViewable:
                    continue
                place = child.get_geometry()
                left, top = x + place.x + place.border_width, y + place.y + place.border_width
                title, wm_class = self._title(child), child.get_wm_class()
            except error.XError:
                continue
            if title or wm_class:
                name = wm_class[1] if wm_class else ""
                found.append(Window(child.id, title, name, left, top, place.width, place.height))
            self._collect(child, left, top, found)

    def _title(self, window: Any) -> str:
        value = self._property(window, "_NET_WM_NAME")
        if value is not None:
            return bytes(value).decode("utf-8", "replace")
        legacy = window.get_wm_name()
        return legacy if isinstance(legacy, str) else (legacy or b"").decode("latin-1")

    def _property(self, window: Any, name: str) -> Any:
        found = window.get_full_property(self._x.intern_atom(name), X.AnyPropertyType)
        return None if found is None else found.value

    def _start_window_manager(self, command: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [command], env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        root = self._x.screen().root
        wait_until(
            lambda: self._property(root, "_NET_SUPPORTING_WM_CHECK") is not None, f"{command} to manage {self.name}"
        )
        return process


def _start_server(width: int, height: int) -> tuple["subprocess.Popen[bytes]", str]:
    read_end, write_end = os.pipe()
    # Without -noreset the server would forget everything each time its last client leaves.
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
               "-noreset"]
    server = subprocess.Popen(
        command, pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(write_end)
    with os.fdopen(read_end, encoding="ascii") as announced:
        number = announced.readline().strip()
    if not number:
        raise OSError(f"Xvfb did not start (exit {server.wait()}).")
    return server, f":{number}"
