"""Which display there is for this process, found out before Qt is: Qt ends the process where it can't connect."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

OFFSCREEN = "offscreen"


@dataclass(frozen=True, slots=True)
class Display:
    """`kind`: x11, wayland, windows, macos, or offscreen where nobody can see a thing; `qt_platform` is Qt's plugin."""

    kind: str
    qt_platform: str


def find_display(environment: Mapping[str, str], platform: str) -> Display:
    """The display of `environment`; X11, or XWayland, before Wayland itself, where no window can be kept above."""
    asked = environment.get("QT_QPA_PLATFORM", "").split(":")[0]
    if asked in (OFFSCREEN, "minimal"):
        return Display(OFFSCREEN, OFFSCREEN)
    if platform == "darwin":
        return Display("macos", "cocoa")
    if platform == "win32":
        return Display("windows", "windows")
    if environment.get("DISPLAY") and _x_answers(environment["DISPLAY"]):
        return Display("wayland" if environment.get("WAYLAND_DISPLAY") else "x11", "xcb")
    if environment.get("WAYLAND_DISPLAY"):
        return Display("wayland", "wayland")
    return Display(OFFSCREEN, OFFSCREEN)


def _x_answers(name: str) -> bool:
    """Whether the X server takes our connection (it may have gone, or refuse us)."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(name.encode(), None)
    answers = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return answers
