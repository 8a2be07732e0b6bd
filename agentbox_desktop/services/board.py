"""The live items, and the one way to change one: compute, write to disk, then tell."""

import asyncio
from collections.abc import Callable, Iterable

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.items import Delivery, Item, Move, State
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.ports import Clock, ItemRepository, Log, StoreFailed
from agentbox_desktop.services.tasks import Tasks

Listener = Callable[[Item, Move], None]


class Board:
    """What is open, in its undo grace, or owed to a caller is in memory; the rest is asked of the store."""

    def __init__(self, repository: ItemRepository, clock: Clock, tasks: Tasks, log: Log) -> None:
        self._repository = repository
        self._clock = clock
        self._tasks = tasks
        self._log = log
        self._live: dict[str, Item] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._listeners: list[Listener] = []

    async def load(self) -> None:
        """Take up what was unfinished when the last process ended."""
        self._live = {item.id: item for item in await self._repository.unfinished()}

    def listen(self, listener: Listener) -> None:
        """Call `listener` after each transition is on disk."""
        self._listeners.append(listener)

    def live(self) -> Iterable[Item]:
        return self._live.values()

    async def get(self, item_id: str) -> Item:
        """The item, live or ended; `Refused` where there is none."""
        item = self._live.get(item_id) or await self._repository.get(item_id)
        if item is None:
            raise Refused(f"There is no item {item_id}.", "not_found")
        return item

    async def find(self, prefix: str) -> Item:
        """The one item whose id starts with `prefix` (the `itm_` may be left out); of those that wait, if any does."""
        full = prefix if prefix.startswith("itm_") else f"itm_{prefix}"
        waiting = [item for item in self._live.values() if item.state is State.OPEN and item.id.startswith(full)]
        if len(waiting) == 1:
            return waiting[0]
        found = await self._repository.find(full)
        if not found:
            raise Refused(f"There is no item {prefix}; `agentbox pending` lists what waits.", "not_found")
        if len(found) > 1 and found[0].id != full:
            raise Refused(f"{prefix} fits several items; give more of the id.", "ambiguous")
        return await self.get(found[0].id)

    async def add(self, item: Item, calls: list[tuple[str, str]]) -> Item:
        """A new item, bound in the same commit to the `calls` (session, key) that made it."""
        return await self._tasks.uncut(self._save(item, Move.CREATE, calls), "create")

    async def move(self, item_id: str, move: Move, change: Callable[[Item], Item]) -> Item:
        """Apply `change` to the item as it is now. A caller that is cancelled meanwhile changes nothing of that."""
        return await self._tasks.uncut(self._move(item_id, move, change), move)

    async def forget_before(self, at: float) -> None:
        """Let go of what ended before `at` (Unix seconds), also of answers that nobody fetched in all that time."""
        await self._repository.forget_before(at)
        for item in list(self._live.values()):
            if item.closed_at is not None and item.closed_at < at:
                self._live.pop(item.id)
                self._locks.pop(item.id, None)

    async def _move(self, item_id: str, move: Move, change: Callable[[Item], Item]) -> Item:
        lock = self._locks.setdefault(item_id, asyncio.Lock())
        try:
            async with lock:
                before = await self.get(item_id)
                after = change(before)
                return before if after == before else await self._save(after, move, [])
        finally:
            if item_id not in self._live:
                self._locks.pop(item_id, None)

    async def _save(self, item: Item, move: Move, calls: list[tuple[str, str]]) -> Item:
        try:
            await self._repository.save(item, move, self._clock.now(), calls)
        except StoreFailed as error:
            self._log.error(Event.STORE_WRITE_FAILED, item=item.id, move=move, error=error.message)
            raise
        if item.state is not State.CLOSED or item.delivery is Delivery.OWED:
            self._live[item.id] = item
        else:
            self._live.pop(item.id, None)
            self._locks.pop(item.id, None)
        self._log.info(Event.ITEM_MOVED, item=item.id, kind=item.kind, move=move, session=item.caller.session,
                       outcome=item.outcome)
        for listener in self._listeners:
            listener(item, move)
        return item
