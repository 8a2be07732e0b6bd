"""What should be on the screen right now, as one value: the windows are made to match it."""

from dataclasses import dataclass, field

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Item


@dataclass(frozen=True, slots=True)
class Draft:
    """What the person has begun: typed words, a begun reply, and the numbers (from 0) of options ticked."""

    text: str = ""
    reply: str = ""
    chosen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The card in the middle. `waiting`: the callers behind it, in order. Times are Unix seconds."""

    item: Item
    caller_gone: bool = False
    draft: Draft = field(default_factory=Draft)
    waiting: tuple[Caller, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """`undo`: decided items whose strip still offers to undo, oldest first; `more_toasts`: not shown yet."""

    card: Card | None = None
    undo: tuple[Item, ...] = ()
    toasts: tuple[Item, ...] = ()
    more_toasts: int = 0
    pending: int = 0
    urgent: bool = False
