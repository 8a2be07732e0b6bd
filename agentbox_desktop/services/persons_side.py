"""The person's side: decide, put off, undo; what was seen, and what has been begun."""

from collections.abc import Callable

from agentbox_desktop.core.decisions import check, parse
from agentbox_desktop.core.items import Decision, Item, Move, State, decide, defer, see, undo
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.ports import Clock, ItemRepository
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.lifecycle import Lifecycle


class PersonsSide:
    """What the windows and the person's verbs call; implements the `Person` port."""

    def __init__(self, board: Board, repository: ItemRepository, lifecycle: Lifecycle, clock: Clock,
                 settings: Callable[[], Settings]) -> None:
        self._board = board
        self._repository = repository
        self._lifecycle = lifecycle
        self._clock = clock
        self._settings = settings
        self._drafts: dict[str, Draft] = {}
        board.listen(self._moved)

    async def load(self) -> None:
        """Take up the drafts of the last process."""
        self._drafts = await self._repository.drafts()

    def draft_of(self, item_id: str) -> Draft:
        return self._drafts.get(item_id, Draft())

    async def decide(self, item_id: str, digest: str, decision: Decision) -> None:
        await self._decide(await self._board.get(item_id), digest, decision)

    async def answer(self, item_id: str, digest: str, value: str | None, reply: str | None) -> Item:
        """Decide from a terminal: `value` as `core.decisions.parse` reads it, or a reply in words."""
        item = await self._board.get(item_id)
        decision = Decision(reply=reply) if reply is not None else parse(item, value or "")
        return await self._decide(item, digest, decision)

    async def dismiss(self, item_id: str) -> Item:
        item = await self._board.get(item_id)
        return await self._decide(item, item.digest, Decision(dismissed=True))

    async def later(self, item_id: str) -> None:
        now = self._clock.now()
        until = now + self._settings().cards.later_minutes * 60
        await self._board.move(item_id, Move.DEFER, lambda item: defer(item, now, until))

    async def undo(self, item_id: str) -> None:
        await self._board.move(item_id, Move.UNDO, undo)

    async def seen(self, item_id: str) -> None:
        now = self._clock.now()
        await self._board.move(item_id, Move.SEE, lambda item: see(item, now))

    async def draft(self, item_id: str, draft: Draft) -> None:
        if (await self._board.get(item_id)).state is State.CLOSED:
            return  # it came as the card went
        self._drafts[item_id] = draft
        await self._repository.save_draft(item_id, draft)

    def hover(self, item_id: str, inside: bool) -> None:
        for item in self._board.live():
            if item.id == item_id:
                self._lifecycle.hover(item, inside)

    async def _decide(self, item: Item, digest: str, decision: Decision) -> Item:
        now, grace_s = self._clock.now(), self._settings().undo.grace_s
        return await self._board.move(
            item.id, Move.DECIDE, lambda it: decide(it, check(it, decision), digest, now, grace_s))

    def _moved(self, item: Item, move: Move) -> None:
        if item.closed_at is not None:
            self._drafts.pop(item.id, None)
