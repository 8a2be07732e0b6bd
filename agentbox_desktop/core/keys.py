"""The one table of keys on a focused card: the hints, the `?` sheet and the docs are made from it."""

from dataclasses import dataclass
from enum import StrEnum


class CardAction(StrEnum):
    CHOOSE = "choose"
    YES = "yes"
    NO = "no"
    NEXT = "next"
    PREVIOUS = "previous"
    DEFAULT = "default"
    SUBMIT = "submit"
    REPLY = "reply"
    LATER = "later"
    DISMISS = "dismiss"
    UNDO = "undo"
    COPY = "copy"
    KEYS = "keys"


class Where(StrEnum):
    """The surfaces a key can mean something on; two keys may be alike only where these differ."""

    OPTIONS = "options"
    CONFIRM = "confirm"
    LINE = "line"
    TEXT = "text"
    NOTICE = "notice"
    STRIP = "strip"


_ASKING = frozenset({Where.OPTIONS, Where.CONFIRM, Where.LINE, Where.TEXT})
_CARD = _ASKING | {Where.NOTICE}


@dataclass(frozen=True, slots=True)
class Key:
    """`keys`: names as Qt writes them (`Shift+Esc`); `while_typing`: it works in a text field too."""

    action: CardAction
    keys: tuple[str, ...]
    hint: str
    where: frozenset[Where]
    while_typing: bool = False


CARD_KEYS: tuple[Key, ...] = (
    Key(CardAction.CHOOSE, tuple("123456789"), "choose an option", frozenset({Where.OPTIONS})),
    Key(CardAction.NEXT, ("Down",), "next option", frozenset({Where.OPTIONS})),
    Key(CardAction.PREVIOUS, ("Up",), "previous option", frozenset({Where.OPTIONS})),
    Key(CardAction.YES, ("Y",), "yes", frozenset({Where.CONFIRM})),
    Key(CardAction.NO, ("N",), "no", frozenset({Where.CONFIRM})),
    Key(CardAction.DEFAULT, ("Return",), "send what is chosen, or the default", frozenset({Where.OPTIONS})),
    Key(CardAction.SUBMIT, ("Return",), "send what is typed", frozenset({Where.LINE}), while_typing=True),
    Key(CardAction.SUBMIT, ("Ctrl+Return",), "send what is typed", _ASKING, while_typing=True),
    Key(CardAction.REPLY, ("/",), "reply in words", frozenset({Where.OPTIONS, Where.CONFIRM})),
    Key(CardAction.LATER, ("Esc",), "later", _ASKING, while_typing=True),
    Key(CardAction.DISMISS, ("Esc",), "dismiss", frozenset({Where.NOTICE})),
    Key(CardAction.DISMISS, ("Shift+Esc",), "dismiss", _CARD, while_typing=True),
    Key(CardAction.UNDO, ("U",), "undo the last answer", _CARD | {Where.STRIP}),
    Key(CardAction.COPY, ("C",), "copy everything shown", _CARD),
    Key(CardAction.KEYS, ("?",), "all keys", _CARD, while_typing=False),
)


def keys_for(where: Where) -> list[Key]:
    """The keys that mean something on `where`, in the order they are listed to the person."""
    return [key for key in CARD_KEYS if where in key.where]
