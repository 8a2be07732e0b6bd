"""Whether the desktop blends windows, so that a shadow and smooth corners can be."""

from PySide6.QtGui import QGuiApplication


def is_composited() -> bool:
    """Always so but on X11, where a program may do it or not; the selection it owns says which (EWMH)."""
    if QGuiApplication.platformName() != "xcb":
        return QGuiApplication.platformName() in ("wayland", "cocoa", "windows")
    from Xlib import X, display, error
    try:
        connection = display.Display()
    except (error.DisplayError, OSError):
        return False
    selection = connection.intern_atom(f"_NET_WM_CM_S{connection.get_default_screen()}")
    owned = connection.get_selection_owner(selection) != X.NONE
    connection.close()
    return bool(owned)
