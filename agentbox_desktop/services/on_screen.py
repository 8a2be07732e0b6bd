"""What should be on the screen, worked out anew after each change and handed to the windows once a turn."""

import asyncio

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.failures import where
from agentbox_desktop.core.items import Item, Level, Move, State, defer
from agentbox_desktop.core.limits import TOASTS_AT_ONCE
from agentbox_desktop.core.queue import queue, toasts
from agentbox_desktop.core.screen import Card, Screen
from agentbox_desktop.ports import Clock, Log, Presenter
from agentbox_desktop.services.asking import Asking
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.persons_side import PersonsSide

_REDIAL_S = 5.0  # after a start, callers are given this long to come back before a card says they are gone


class OnScreen:
    def __init__(self, board: Board, asking: Asking, persons_side: PersonsSide, presenter: Presenter,
                 deadlines: DeadlineService, clock: Clock, log: Log) -> None:
        self._board = board
        self._asking = asking
        self._persons_side = persons_side
        self._presenter = presenter
        self._deadlines = deadlines
        self._clock = clock
        self._log = log
        self._due = False
        self._undrawable: set[str] = set()
        self._gone_from = clock.now() + _REDIAL_S
        board.listen(self._moved)
        asking.listen(self.refresh)
        deadlines.at("redialled", _REDIAL_S, self.refresh)

    def resume(self) -> None:
        """Set the clocks of what was put off when the last process ended."""
        for item in self._put_off():
            self._bring_back(item)

    async def summon(self) -> bool:
        """Give the keyboard to the card; where there is none, to the first that was put off. Whether there was one."""
        put_off = self._put_off()
        if not self._cards() and put_off:
            now = self._clock.now()
            await self._board.move(put_off[0].id, Move.DEFER, lambda item: defer(item, now, now))
            self._show()
        return self._presenter.summon()

    def refresh(self) -> None:
        """Show the screen as it should be, in the next turn of the loop."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._show)

    def pending(self) -> list[Item]:
        """What waits for the person in the order it is shown: cards, what was put off, notices that have to be read."""
        notices = [item for item in toasts(self._board.live()) if not item.leaves_by_itself]
        undrawable = [item for item in self._board.live() if item.id in self._undrawable and item.state is State.OPEN]
        return [*self._cards(), *self._put_off(), *notices, *undrawable]

    def screen(self) -> Screen:
        cards, live = self._cards(), list(self._board.live())
        notices = toasts(live)
        undoable = [item for item in live if item.state is State.GRACE]
        return Screen(
            card=self._card(cards) if cards else None,
            undo=tuple(sorted(undoable, key=lambda item: item.grace_until or 0)),
            toasts=tuple(notices[:TOASTS_AT_ONCE]),
            more_toasts=max(0, len(notices) - TOASTS_AT_ONCE),
            pending=len(cards) + len(self._put_off()),
            urgent=any(item.level is Level.URGENT for item in cards),
        )

    def _card(self, cards: list[Item]) -> Card:
        item = cards[0]
        gone = item.asks and not self._asking.is_attached(item.id) and self._clock.now() >= self._gone_from
        return Card(item, gone, self._persons_side.draft_of(item.id), tuple(other.caller for other in cards[1:]))

    def _cards(self) -> list[Item]:
        shown = (item for item in self._board.live() if item.id not in self._undrawable)
        return queue(shown, self._clock.now())

    def _put_off(self) -> list[Item]:
        now = self._clock.now()
        waiting = [item for item in self._board.live()
                   if item.is_card and item.state is State.OPEN and item.queued_at > now]
        return sorted(waiting, key=lambda item: (item.queued_at, item.id))

    def _show(self) -> None:
        """A card that can't be drawn must not hide all the others: it waits in the terminal's list alone."""
        self._due = False
        screen = self.screen()
        try:
            self._presenter.show(screen)
        except Exception as error:  # noqa: BLE001 - whatever an agent's text did to a window is logged and got past
            self._log.error(Event.TASK_FAILED, what="show", error=type(error).__name__, where=where(error))
            if screen.card is not None:
                self._undrawable.add(screen.card.item.id)
                self.refresh()

    def _moved(self, item: Item, move: Move) -> None:
        if item.state is State.CLOSED:
            self._deadlines.cancel(("back", item.id))
        elif move is Move.DEFER:
            self._bring_back(item)
        self.refresh()

    def _bring_back(self, item: Item) -> None:
        self._deadlines.at(("back", item.id), item.queued_at - self._clock.now(), self.refresh)
