"""Hostile text made visible: what an agent sends is shown, and nothing in it can act on the reader."""

import re
import unicodedata

_KEPT = frozenset("\n\t")
_EMOJI_JOINER = "\u200d"
_PRESENTATION = "\ufe0e\ufe0f"  # a symbol as text or as a picture; after a letter they would hide in it
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters that draw nothing
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
)


def visible(text: str) -> str:
    """`text` with control, bidirectional-override and zero-width characters as `⟨U+202E⟩`.

    Newlines and tabs stay; CR LF becomes a newline; a joiner inside an emoji sequence stays, because
    without it one picture becomes three. Idempotent.
    """
    if not _SUSPECT.search(text):
        return text
    text = text.replace("\r\n", "\n")
    return _SUSPECT.sub(lambda match: _shown(match, text), text)


def one_line(text: str) -> str:
    """`visible` text on a single line: newlines and tabs are shown as `⏎` and a space."""
    return visible(text).replace("\n", " ⏎ ").replace("\t", " ")


def _shown(match: re.Match[str], text: str) -> str:
    char = match.group()
    if char in _KEPT:
        return char
    if char == _EMOJI_JOINER and _between_pictures(text, match.start()):
        return char
    if char in _PRESENTATION and match.start() and unicodedata.category(text[match.start() - 1])[0] in "SPN":
        return char
    return f"⟨U+{ord(char):04X}⟩"


def _between_pictures(text: str, at: int) -> bool:
    before = text[at - 1] if at else ""
    if before == "\ufe0f" or "\U0001f3fb" <= before <= "\U0001f3ff":
        before = text[at - 2] if at > 1 else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    return _is_picture(before) and _is_picture(after)


def _is_picture(char: str) -> bool:
    return bool(char) and unicodedata.category(char) == "So" and char not in _BLANK_LETTERS
