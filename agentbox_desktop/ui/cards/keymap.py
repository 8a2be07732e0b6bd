"""From a key that was pressed to what it means on a card, and back to how it is written; the table is core's."""

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from agentbox_desktop.core.items import Item, Kind
from agentbox_desktop.core.keys import CardAction, Key, Where, keys_for

_NO_LETTER = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_DRAWN = {"Return": "↵", "Down": "↓", "Up": "↑", "Shift": "⇧"}


def where_of(item: Item) -> Where:
    """The surface that `item` is answered on."""
    if item.kind is Kind.NOTICE:
        return Where.NOTICE
    if item.kind is Kind.CONFIRM:
        return Where.CONFIRM
    if item.content.options:
        return Where.OPTIONS
    return Where.TEXT if item.content.multiline else Where.LINE


def find(event: QKeyEvent, where: Where, typing: bool) -> tuple[CardAction, str] | None:
    """What `event` means on `where`, and the name of the key. While `typing`, most keys are letters."""
    for key in keys_for(where):
        if typing and not key.while_typing:
            continue
        for name in key.keys:
            if _is(event, name):
                return key.action, name
    return None


def keys_now(item: Item, typing: bool, reply_is_open: bool, can_undo: bool) -> list[Key]:
    """The keys that mean something on the card of `item` as it stands."""
    where = where_of(item)
    in_words = reply_is_open or where in (Where.LINE, Where.TEXT)
    idle = {action for action, idles in (
        (CardAction.SUBMIT, not in_words), (CardAction.REPLY, item.content.strict), (CardAction.UNDO, not can_undo),
    ) if idles}
    return [key for key in keys_for(where) if key.action not in idle and (key.while_typing or not typing)]


def keycap_of(action: CardAction, where: Where) -> str:
    """What the keycap for `action` on `where` says; empty where no key does it."""
    return next((written(key.keys[0]) for key in keys_for(where) if key.action is action), "")


def written(name: str) -> str:
    """The name of a key as it stands on a keycap, such as `⇧ Esc` or `Ctrl ↵`."""
    return " ".join(_DRAWN.get(part, part) for part in name.split("+"))


def _is(event: QKeyEvent, name: str) -> bool:
    """Single characters go by what is typed, whatever the layout; the others by key and modifiers."""
    if len(name) == 1:
        return event.text().upper() == name and not event.modifiers() & _NO_LETTER
    key = Qt.Key.Key_Return if event.key() == Qt.Key.Key_Enter else Qt.Key(event.key())
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(name) == QKeySequence(QKeyCombination(modifiers, key))
