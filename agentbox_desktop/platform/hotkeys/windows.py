"""RegisterHotKey on Windows; the key arrives as a message of the thread that Qt's own loop reads."""

import ctypes
import sys
from collections.abc import Callable
from ctypes import wintypes

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication

from agentbox_desktop.platform.hotkeys.combination import Combination, parse

assert sys.platform == "win32"

# https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerhotkey
_MODIFIERS = {"alt": 0x0001, "ctrl": 0x0002, "shift": 0x0004, "super": 0x0008}
_NO_REPEAT = 0x4000
_WM_HOTKEY = 0x0312
_ERROR_TAKEN = 1409  # ERROR_HOTKEY_ALREADY_REGISTERED
_ID = 1
_VIRTUAL_KEYS = {
    "space": 0x20, "enter": 0x0D, "esc": 0x1B, "tab": 0x09, "backspace": 0x08, "insert": 0x2D, "delete": 0x2E,
    "home": 0x24, "end": 0x23, "pageup": 0x21, "pagedown": 0x22, "left": 0x25, "up": 0x26, "right": 0x27, "down": 0x28,
    "pause": 0x13, "print": 0x2C,
    **{f"f{number}": 0x6F + number for number in range(1, 25)},
}


class WindowsHotkeys(QAbstractNativeEventFilter):
    """One combination at a time, heard on the thread that grabbed it."""

    def __init__(self) -> None:
        super().__init__()
        self._user32 = ctypes.WinDLL("user32", use_last_error=True)
        self._user32.RegisterHotKey.argtypes = [wintypes.HWND, ctypes.c_int, wintypes.UINT, wintypes.UINT]
        self._user32.RegisterHotKey.restype = wintypes.BOOL
        self._user32.UnregisterHotKey.argtypes = [wintypes.HWND, ctypes.c_int]
        self._user32.UnregisterHotKey.restype = wintypes.BOOL
        self._pressed: Callable[[], object] | None = None

    def grab(self, combination: str, pressed: Callable[[], object]) -> str | None:
        """Take `combination` instead of the one before; a sentence that says why not, or None."""
        self.release()
        try:
            wanted = parse(combination)
        except ValueError as problem:
            return str(problem)
        modifiers = _NO_REPEAT
        for name in wanted.modifiers:
            modifiers |= _MODIFIERS[name]
        if not self._user32.RegisterHotKey(None, _ID, modifiers, _virtual_key(wanted)):
            code = ctypes.get_last_error()
            if code == _ERROR_TAKEN:
                return f"{wanted} is taken by another program."
            return f"Windows refused {wanted}: {ctypes.FormatError(code).strip()}"
        self._pressed = pressed
        application = QCoreApplication.instance()
        assert application is not None
        application.installNativeEventFilter(self)
        return None

    def release(self) -> None:
        if self._pressed is None:
            return
        self._pressed = None
        self._user32.UnregisterHotKey(None, _ID)
        application = QCoreApplication.instance()
        if application is not None:
            application.removeNativeEventFilter(self)

    def nativeEventFilter(
        self, event_type: QByteArray | bytes | bytearray | memoryview[int], message: int
    ) -> tuple[bool, int]:
        sent = wintypes.MSG.from_address(int(message))
        if sent.message == _WM_HOTKEY and sent.wParam == _ID and self._pressed is not None:
            self._pressed()
            return True, 0
        return False, 0


def _virtual_key(wanted: Combination) -> int:
    """Letters and digits are their own virtual key codes, in upper case."""
    return _VIRTUAL_KEYS.get(wanted.key) or ord(wanted.key.upper())
