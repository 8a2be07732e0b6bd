"""Real grabs on X11, on a connection of our own beside Qt's.

A grab is for one exact state of the modifiers, so each is made with every combination of the locks. A keyboard
that is remapped (another layout, xmodmap) moves keys to other codes: then it is made anew.
"""

from collections.abc import Callable
from itertools import combinations

from PySide6.QtCore import QObject, QSocketNotifier
from Xlib import XK, X, error
from Xlib.display import Display
from Xlib.protocol import event as x_event

from agentbox_desktop.platform.hotkeys.combination import Combination, parse

_KEYSYMS = {
    "space": "space", "enter": "Return", "esc": "Escape", "tab": "Tab", "backspace": "BackSpace", "insert": "Insert",
    "delete": "Delete", "home": "Home", "end": "End", "pageup": "Page_Up", "pagedown": "Page_Down", "left": "Left",
    "right": "Right", "up": "Up", "down": "Down", "pause": "Pause", "print": "Print",
}
_MODIFIER_KEYS = {"alt": ("Alt_L", "Alt_R"), "super": ("Super_L", "Super_R")}
_LOCK_KEYS = ("Num_Lock", "Scroll_Lock")
_MODIFIER_BITS = (X.ShiftMask, X.LockMask, X.ControlMask, X.Mod1Mask, X.Mod2Mask, X.Mod3Mask, X.Mod4Mask, X.Mod5Mask)


class X11Hotkeys(QObject):
    """One combination at a time. Needs a running Qt event loop to hear the key."""

    def __init__(self, display_name: str | None = None) -> None:
        super().__init__()
        self._display_name = display_name
        self._display: Display | None = None
        self._notifier: QSocketNotifier | None = None
        self._combination: Combination | None = None
        self._pressed: Callable[[], object] | None = None
        self._grabbed: list[tuple[int, int]] = []  # (key code, modifiers)

    def grab(self, combination: str, pressed: Callable[[], object]) -> str | None:
        """Take `combination` instead of the one before; a sentence that says why not, or None."""
        self.release()
        try:
            wanted = parse(combination)
            display = self._connected()
        except ValueError as problem:
            return str(problem)
        except (error.DisplayError, OSError) as problem:
            return f"The X server can't be reached for the key: {problem}"
        self._combination, self._pressed = wanted, pressed
        problem_words = self._take(display, wanted)
        if problem_words:
            self._combination = self._pressed = None
        self._drain()  # what came while the server was asked is in the connection's own queue, and wakes nobody
        return problem_words

    def release(self) -> None:
        """Give the key back; a second call does nothing."""
        self._combination = self._pressed = None
        if self._display is not None and self._grabbed:
            self._let_go(self._display)

    def close(self) -> None:
        """Give the key back and close the connection."""
        self.release()
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier = None
        if self._display is not None:
            self._display.close()
            self._display = None

    def _connected(self) -> Display:
        if self._display is None:
            self._display = Display(self._display_name)
            self._notifier = QSocketNotifier(self._display.fileno(), QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._drain)
        return self._display

    def _take(self, display: Display, wanted: Combination) -> str | None:
        codes = _key_codes(display, wanted.key)
        if not codes:
            return f"The keyboard has no key for {wanted}."
        masks = _modifier_masks(display)
        missing = [name for name in wanted.modifiers if not masks.get(name)]
        if missing:
            return f"The keyboard has no {missing[0].capitalize()} key for {wanted}."
        held = 0
        for name in wanted.modifiers:
            held |= masks[name]
        refusal = error.CatchError(error.BadAccess)
        for code in codes:
            for locks in _subsets([X.LockMask, *(masks[name] for name in _LOCK_KEYS if masks.get(name))]):
                display.screen().root.grab_key(code, held | locks, True, X.GrabModeAsync, X.GrabModeAsync,
                                               onerror=refusal)
                self._grabbed.append((code, held | locks))
        display.sync()
        if refusal.get_error() is not None:
            self._let_go(display)
            return f"{wanted} is taken by another program."
        return None

    def _let_go(self, display: Display) -> None:
        ignored = error.CatchError(error.BadAccess, error.BadValue)  # those that were never granted
        for code, modifiers in self._grabbed:
            display.screen().root.ungrab_key(code, modifiers, onerror=ignored)
        self._grabbed = []
        display.sync()

    def _drain(self) -> None:
        display = self._display
        if display is None:
            return
        remapped = False
        try:
            while display.pending_events():
                event = display.next_event()
                if event.type == X.MappingNotify:
                    remapped = self._note_mapping(display, event) or remapped
                elif event.type == X.KeyPress and self._pressed is not None:
                    self._pressed()
            if remapped and self._combination is not None:
                self._let_go(display)
                self._take(display, self._combination)
        except error.ConnectionClosedError:
            # The X server is gone, and with it every window: Qt ends the process. Only stop listening here.
            if self._notifier is not None:
                self._notifier.setEnabled(False)

    def _note_mapping(self, display: Display, event: x_event.MappingNotify) -> bool:
        """Whether keys or modifiers stand elsewhere now."""
        if event.request == X.MappingPointer:
            return False
        display.refresh_keyboard_mapping(event)
        return True


def _key_codes(display: Display, key: str) -> list[int]:
    """Every key that gives `key` without Shift; the main key comes before one on the keypad."""
    keysym = XK.string_to_keysym(_KEYSYMS.get(key, key.upper() if key[0] == "f" and len(key) > 1 else key))
    plain = [code for code, index in display.keysym_to_keycodes(keysym) if index == 0]
    return list(dict.fromkeys(plain))


def _modifier_masks(display: Display) -> dict[str, int]:
    """The bits that `ctrl`, `alt`, `shift`, `super` and the locks have on this keyboard."""
    mapping = display.get_modifier_mapping()

    def mask_of(*names: str) -> int:
        codes = {code for name in names for code, _ in display.keysym_to_keycodes(XK.string_to_keysym(name))}
        return next((bit for bit, held in zip(_MODIFIER_BITS, mapping, strict=True) if codes & set(held) - {0}), 0)

    return {
        "ctrl": X.ControlMask, "shift": X.ShiftMask,
        **{name: mask_of(*keys) for name, keys in _MODIFIER_KEYS.items()},
        **{name: mask_of(name) for name in _LOCK_KEYS},
    }


def _subsets(bits: list[int]) -> list[int]:
    """Every sum of some of `bits`, none of them included."""
    distinct = list(dict.fromkeys(bits))
    return [sum(chosen) for size in range(len(distinct) + 1) for chosen in combinations(distinct, size)]
