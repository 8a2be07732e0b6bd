"""Keys that work in the whole desktop. The adapter for the display there is, chosen when it is first needed."""

import sys

from agentbox_desktop.platform.hotkeys.combination import default_combination
from agentbox_desktop.ports import Hotkeys

__all__ = ["default_combination", "system_hotkeys"]


def system_hotkeys(display: str) -> Hotkeys:
    """`display` is a `Display.kind`: x11, wayland, windows, macos or offscreen."""
    if sys.platform == "win32":
        from agentbox_desktop.platform.hotkeys.windows import WindowsHotkeys

        return WindowsHotkeys()
    match display:
        case "x11":
            from agentbox_desktop.platform.hotkeys.x11 import X11Hotkeys

            return X11Hotkeys()
        case "macos":
            from agentbox_desktop.platform.hotkeys.macos import MacHotkeys

            return MacHotkeys()
        case "wayland":
            reason = "Wayland lets no program take a key; bind one to `agentbox summon` in the desktop's settings."
        case _:
            reason = "There is no display, so there is no key either."
    from agentbox_desktop.platform.hotkeys.null import NullHotkeys

    return NullHotkeys(reason)
