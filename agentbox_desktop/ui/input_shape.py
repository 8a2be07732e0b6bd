"""Which part of a window on X11 takes the pointer's presses; what falls on the rest reaches the window below."""

import ctypes
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QWindow

_SET, _INPUT, _UNSORTED = 0, 2, 0  # shapeproto.h: ShapeSet, ShapeInput; X.h: Unsorted


class _Rectangle(ctypes.Structure):
    """xcb_rectangle_t"""

    _fields_ = (("x", ctypes.c_int16), ("y", ctypes.c_int16), ("width", ctypes.c_uint16), ("height", ctypes.c_uint16))


def take_presses_in(window: QWindow, area: QRect) -> None:
    """Let `window` take presses in `area` (its own coordinates) alone, and still paint on all of itself.

    Elsewhere than on X11 this does nothing. Qt has no such call: its mask cuts what is painted too. The request goes
    out on Qt's own connection, behind the ones that made the window, by the library that Qt's plug-in for X11 uses.
    """
    application = QGuiApplication.instance()
    if QGuiApplication.platformName() != "xcb" or not isinstance(application, QGuiApplication):
        return
    native: Any = application.nativeInterface()  # a QX11Application, a class that Qt has only where there is X11
    ratio = window.devicePixelRatio()
    rectangle = _Rectangle(round(area.x() * ratio), round(area.y() * ratio),
                           round(area.width() * ratio), round(area.height() * ratio))
    ctypes.CDLL("libxcb-shape.so.0").xcb_shape_rectangles(
        ctypes.c_void_p(native.connection()), _SET, _INPUT, _UNSORTED, ctypes.c_uint32(int(window.winId())),
        0, 0, 1, ctypes.byref(rectangle))
