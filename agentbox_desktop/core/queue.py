"""Which card is on screen, and who waits behind it."""

from collections.abc import Iterable

from agentbox_desktop.core.items import Item, Level, State


def queue(items: Iterable[Item], now: float) -> list[Item]:
    """The open cards in the order they are shown: urgent ones first, else first come first served.

    An item put off until later is left out until its time, and then stands at the end.
    """
    waiting = [item for item in items if item.is_card and item.state is State.OPEN and item.queued_at <= now]
    return sorted(waiting, key=lambda item: (item.level is not Level.URGENT, item.queued_at, item.id))


def toasts(items: Iterable[Item]) -> list[Item]:
    """The open notices of the toast column, oldest first."""
    waiting = [item for item in items if not item.is_card and item.state is State.OPEN]
    return sorted(waiting, key=lambda item: (item.queued_at, item.id))
