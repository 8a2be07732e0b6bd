"""Key combinations as a person writes them: `ctrl+alt+space`."""

from dataclasses import dataclass

MODIFIERS = ("ctrl", "alt", "shift", "super")
_ALSO = {"control": "ctrl", "option": "alt", "meta": "super", "win": "super", "cmd": "super", "command": "super",
         "escape": "esc", "return": "enter", "ins": "insert", "del": "delete", "pgup": "pageup", "pgdown": "pagedown"}
NAMED_KEYS = frozenset(
    "space enter esc tab backspace insert delete home end pageup pagedown left right up down pause print".split()
) | {f"f{number}" for number in range(1, 25)}

# Every one is left alone by the system itself and by its usual desktops:
# Linux: Ctrl+Alt+Esc is taken on KDE and Xfce, Super+Space by GNOME's input sources.
# Windows: Ctrl+Alt is AltGr, which types characters. macOS: Ctrl+Alt+Space is the next input source.
_DEFAULTS = {"win32": "ctrl+shift+f11", "darwin": "ctrl+shift+space"}
_DEFAULT = "ctrl+alt+space"


@dataclass(frozen=True, slots=True)
class Combination:
    """`modifiers` are words of `MODIFIERS`; `key` is one of `NAMED_KEYS`, or a letter or digit in lower case."""

    modifiers: frozenset[str]
    key: str

    def __str__(self) -> str:
        held = [name.capitalize() for name in MODIFIERS if name in self.modifiers]
        return "+".join([*held, self.key.upper() if len(self.key) == 1 else self.key.capitalize()])


def parse(text: str) -> Combination:
    """The combination that `text` names. Raises ValueError with a sentence that says what is wrong with it."""
    words = [_ALSO.get(word, word) for word in (part.strip().lower() for part in text.split("+"))]
    *held, key = words
    unknown = [word for word in held if word not in MODIFIERS]
    if unknown:
        raise ValueError(f"'{unknown[0]}' in '{text}' is no modifier; they are {', '.join(MODIFIERS)}.")
    if key not in NAMED_KEYS and not (len(key) == 1 and key.isascii() and key.isalnum()):
        raise ValueError(f"'{key}' in '{text}' is no key; write a letter, a digit or a name such as space or f9.")
    if not set(held) - {"shift"}:
        raise ValueError(f"'{text}' would take a key that is needed for typing; add ctrl, alt or super.")
    return Combination(frozenset(held), key)


def default_combination(platform: str) -> str:
    """The summon key where the person chose none; `platform` is `sys.platform`."""
    return _DEFAULTS.get(platform, _DEFAULT)
