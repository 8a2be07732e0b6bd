"""RegisterEventHotKey of Carbon's event manager on macOS: it needs no permission for accessibility."""

import ctypes
import ctypes.util
from collections.abc import Callable

from agentbox_desktop.platform.hotkeys.combination import parse

# Carbon's Events.h and HIToolbox's CarbonEvents.h
_MODIFIERS = {"super": 0x0100, "shift": 0x0200, "alt": 0x0800, "ctrl": 0x1000}
_ERROR_TAKEN = -9878  # eventHotKeyExistsErr
_CLASS_KEYBOARD = int.from_bytes(b"keyb", "big")
_HOT_KEY_PRESSED = 5
_SIGNATURE = int.from_bytes(b"AgBx", "big")
_KEY_CODES = {
    "a": 0x00, "s": 0x01, "d": 0x02, "f": 0x03, "h": 0x04, "g": 0x05, "z": 0x06, "x": 0x07, "c": 0x08, "v": 0x09,
    "b": 0x0B, "q": 0x0C, "w": 0x0D, "e": 0x0E, "r": 0x0F, "y": 0x10, "t": 0x11, "1": 0x12, "2": 0x13, "3": 0x14,
    "4": 0x15, "6": 0x16, "5": 0x17, "9": 0x19, "7": 0x1A, "8": 0x1C, "0": 0x1D, "o": 0x1F, "u": 0x20, "i": 0x22,
    "p": 0x23, "enter": 0x24, "l": 0x25, "j": 0x26, "k": 0x28, "n": 0x2D, "m": 0x2E, "tab": 0x30, "space": 0x31,
    "backspace": 0x33, "esc": 0x35, "f5": 0x60, "f6": 0x61, "f7": 0x62, "f3": 0x63, "f8": 0x64, "f9": 0x65,
    "f11": 0x67, "f13": 0x69, "f16": 0x6A, "f14": 0x6B, "f10": 0x6D, "f12": 0x6F, "f15": 0x71, "insert": 0x72,
    "home": 0x73, "pageup": 0x74, "delete": 0x75, "f4": 0x76, "end": 0x77, "f2": 0x78, "pagedown": 0x79, "f1": 0x7A,
    "left": 0x7B, "right": 0x7C, "down": 0x7D, "up": 0x7E, "f17": 0x40, "f18": 0x4F, "f19": 0x50, "f20": 0x5A,
}


class _EventType(ctypes.Structure):
    _fields_ = (("event_class", ctypes.c_uint32), ("kind", ctypes.c_uint32))


class _HotKeyId(ctypes.Structure):
    _fields_ = (("signature", ctypes.c_uint32), ("number", ctypes.c_uint32))


_Handler = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MacHotkeys:
    """One combination at a time, heard on the main thread, whose event loop Qt runs."""

    def __init__(self) -> None:
        self._carbon = ctypes.CDLL(ctypes.util.find_library("Carbon") or "")
        self._carbon.GetApplicationEventTarget.restype = ctypes.c_void_p
        self._carbon.InstallEventHandler.argtypes = [
            ctypes.c_void_p, _Handler, ctypes.c_ulong, ctypes.POINTER(_EventType), ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
        ]
        self._carbon.RegisterEventHotKey.argtypes = [
            ctypes.c_uint32, ctypes.c_uint32, _HotKeyId, ctypes.c_void_p, ctypes.c_uint32,
            ctypes.POINTER(ctypes.c_void_p),
        ]
        self._carbon.UnregisterEventHotKey.argtypes = [ctypes.c_void_p]
        self._handler = _Handler(self._heard)  # kept: Carbon holds no reference to it
        self._installed = False
        self._key: ctypes.c_void_p | None = None
        self._pressed: Callable[[], object] | None = None

    def grab(self, combination: str, pressed: Callable[[], object]) -> str | None:
        """Take `combination` instead of the one before; a sentence that says why not, or None."""
        self.release()
        try:
            wanted = parse(combination)
        except ValueError as problem:
            return str(problem)
        if wanted.key not in _KEY_CODES:
            return f"A Mac's keyboard has no key for {wanted}."
        self._install()
        modifiers = 0
        for name in wanted.modifiers:
            modifiers |= _MODIFIERS[name]
        key = ctypes.c_void_p()
        status = self._carbon.RegisterEventHotKey(
            _KEY_CODES[wanted.key], modifiers, _HotKeyId(_SIGNATURE, 1), self._carbon.GetApplicationEventTarget(), 0,
            ctypes.byref(key),
        )
        if status == _ERROR_TAKEN:
            return f"{wanted} is taken by another program."
        if status != 0:
            return f"macOS refused {wanted} (error {status})."
        self._key, self._pressed = key, pressed
        return None

    def release(self) -> None:
        if self._key is not None:
            self._carbon.UnregisterEventHotKey(self._key)
            self._key = self._pressed = None

    def _install(self) -> None:
        if not self._installed:
            kind = _EventType(_CLASS_KEYBOARD, _HOT_KEY_PRESSED)
            self._carbon.InstallEventHandler(
                self._carbon.GetApplicationEventTarget(), self._handler, 1, ctypes.byref(kind), None, None
            )
            self._installed = True

    def _heard(self, next_handler: int, event: int, data: int) -> int:
        if self._pressed is not None:
            self._pressed()
        return 0
