"""The agent's side: put something before the person, wait for it, take it back, have the answer once."""

import asyncio
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from agentbox_desktop.core.ids import new_id
from agentbox_desktop.core.items import (
    Content,
    Delivery,
    Item,
    Kind,
    Level,
    Move,
    Outcome,
    State,
    create,
    deliver,
    expire,
    give_up,
    lapse,
    renew,
    retract,
)
from agentbox_desktop.core.limits import PERMISSION_REPLAY_S
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.ports import Clock, ItemRepository
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.calls import Call
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Iterator


class Asking:
    """Items by call: a repeated call finds its item, a detached question is taken up again, an answer leaves once."""

    def __init__(self, board: Board, repository: ItemRepository, deadlines: DeadlineService, clock: Clock,
                 tasks: Tasks, somebody_can_answer: Callable[[], bool]) -> None:
        self._board = board
        self._repository = repository
        self._deadlines = deadlines
        self._clock = clock
        self._tasks = tasks
        self._somebody_can_answer = somebody_can_answer
        self._waits: dict[str, set[asyncio.Future[Item]]] = {}
        self._claims: dict[str, str] = {}  # a call's key, and the item whose answer it has not acknowledged
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._attachment_changed: list[Callable[[], None]] = []
        board.listen(self._moved)

    def listen(self, attachment_changed: Callable[[], None]) -> None:
        """Call `attachment_changed` when a question gets its first waiting caller, or loses its last."""
        self._attachment_changed.append(attachment_changed)

    def is_attached(self, item_id: str) -> bool:
        """Whether a caller waits for this item now."""
        return item_id in self._waits

    async def put(self, call: Call, idempotency_key: str | None, kind: Kind, level: Level, content: Content,
                  timeout_s: float | None = None) -> Item:
        """The item of this call: a new one, the one a repeat of it made, or a detached question with this content."""
        session = call.caller.session
        names = [(session, f"call:{call.key}")] if call.key else []
        if idempotency_key is not None:
            names.append((session, f"key:{idempotency_key}"))
        digest = content.digest(kind)
        async with self._turn(session):
            found = await self._repeated(names, kind, digest)
            if found is None and (found := await self._detached(session, kind, digest)) is not None:
                found = await self._renewed(found, timeout_s)
            item = found or await self._made(call, names, kind, level, content, timeout_s)
            if found is not None:
                await self._repository.bind(names, found.id, self._clock.now())
            self._claim(call, item)
        return item

    async def resume(self, call: Call, item_id: str, kind: Kind, timeout_s: float | None = None) -> Item:
        """An earlier question of this session, to be waited for again; `timeout_s` None leaves its clock as it is."""
        item = await self._own(call, item_id)
        if item.kind is not kind:
            raise Refused(f"id {item_id} is a {item.kind}; wait for it with the tool that asked it.", "invalid")
        if await self._lapsed(item):
            return await self.put(call, None, item.kind, item.level, item.content, timeout_s)
        if timeout_s is not None:
            item = await self._renewed(item, timeout_s)
        if call.key:
            await self._repository.bind([(call.caller.session, f"call:{call.key}")], item.id, self._clock.now())
        self._claim(call, item)
        return item

    async def wait(self, call: Call, item: Item) -> Item:
        """The item when it has ended; still open where the call has to return before that (see `Call`)."""
        ended = False
        try:
            item = await self._ended(call, item)
            ended = item.state is State.CLOSED
            if not ended and call.key:  # what the caller acknowledges now is not the answer
                await self._repository.unbind(call.caller.session, f"call:{call.key}")
        finally:
            if not ended:
                self._claims.pop(call.key, None)
        return item

    async def _ended(self, call: Call, item: Item) -> Item:
        age_s = await self._age_s(call) if call.cut_s is not None or call.bound_s is not None else 0.0
        item = await self._board.get(item.id)
        if item.state is State.CLOSED:
            return item
        with self._parked(item.id) as ended:
            if call.cut_s is not None:
                self._deadlines.at(ended, max(0.0, call.cut_s - age_s), lambda: self._let_go(item.id, ended))
            elif call.bound_s is not None:
                self._deadlines.at(ended, max(0.0, call.bound_s - age_s), lambda: self._start_bound(item.id, ended))
            return await ended

    async def retract(self, call: Call, item_id: str | None) -> list[str]:
        """Take back what this session still has open; the ids of what was taken back."""
        session, now = call.caller.session, self._clock.now()
        if item_id is not None:
            candidates = [await self._own(call, item_id)]
        else:
            candidates = [item for item in self._board.live() if item.caller.session == session]
        taken = [item.id for item in candidates if item.state is State.OPEN]
        await asyncio.gather(*(
            self._board.move(taken_id, Move.RETRACT, lambda it: retract(it, now)) for taken_id in taken))
        return taken

    async def delivered(self, session: str, key: str) -> None:
        """The caller says that it has the answer to this call; the same call again would be a new one."""
        item_id = await self._repository.bound(session, f"call:{key}")
        if item_id is not None:
            item = await self._board.get(item_id)
            if item.asks and item.state is not State.CLOSED:
                return  # it has not been told yet
            await self._repository.unbind(session, f"call:{key}")
            if item.delivery is Delivery.OWED:
                await self._board.move(item.id, Move.DELIVER, deliver)
        self._claims.pop(key, None)

    def gone(self, key: str) -> None:
        """Nobody will acknowledge this call any more, or any of a client's where `key` ends with a colon."""
        for claimed in [name for name in self._claims if name == key or (key.endswith(":") and name.startswith(key))]:
            del self._claims[claimed]

    async def _made(self, call: Call, names: list[tuple[str, str]], kind: Kind, level: Level, content: Content,
                    timeout_s: float | None) -> Item:
        now = self._clock.now()
        item = create(new_id("itm", now), kind, level, content, call.caller, now, timeout_s)
        await self._board.add(item, names)
        if item.asks and not self._somebody_can_answer():
            return await self._board.move(item.id, Move.GIVE_UP, lambda it: give_up(it, now))
        return item

    async def _renewed(self, item: Item, timeout_s: float | None) -> Item:
        """The item with the time-out of the call that takes it up; what is decided stays as it is."""
        if item.state is not State.OPEN:
            return item
        now = self._clock.now()
        return await self._board.move(item.id, Move.RENEW, lambda it: renew(it, now, timeout_s))

    def _claim(self, call: Call, item: Item) -> None:
        """Until the caller has the answer, or is gone, no other call may take this item up."""
        if call.key and item.asks:
            self._claims[call.key] = item.id

    async def _age_s(self, call: Call) -> float:
        """Seconds since this call was first made: a repeat after a lost connection is no younger."""
        made = await self._repository.called_at(call.caller.session, f"call:{call.key}")
        return 0.0 if made is None else max(0.0, self._clock.now() - made)

    async def _repeated(self, names: list[tuple[str, str]], kind: Kind, digest: str) -> Item | None:
        for session, name in names:
            item_id = await self._repository.bound(session, name)
            if item_id is None:
                continue
            item = await self._board.get(item_id)
            same = item.kind is kind and item.digest == digest
            if name.startswith("key:"):
                if not same:
                    raise Refused("idempotency_key was used before for something else; send a new key.", "invalid")
            elif not same:
                continue  # a client that counts its ids anew
            if not await self._lapsed(item):
                return item
        return None

    async def _detached(self, session: str, kind: Kind, digest: str) -> Item | None:
        for item in list(self._board.live()):
            if (item.caller.session, item.kind, item.digest) != (session, kind, digest) or not item.asks:
                continue
            if self.is_attached(item.id) or item.id in self._claims.values() or await self._lapsed(item):
                continue
            return item
        return None

    async def _lapsed(self, item: Item) -> bool:
        """Whether `item` is a permission too old to be handed over now; if so it is marked, and never will be."""
        old = item.closed_at is not None and item.closed_at < self._clock.now() - PERMISSION_REPLAY_S
        if item.kind is not Kind.CONFIRM or not old or item.outcome is not Outcome.ANSWERED:
            return False
        if item.delivery is Delivery.OWED:
            await self._board.move(item.id, Move.LAPSE, lapse)
        return True

    async def _own(self, call: Call, item_id: str) -> Item:
        item = await self._board.get(item_id)
        if item.caller.session != call.caller.session:
            raise Refused(f"id {item_id} is not of this session.", "not_found")
        return item

    def _let_go(self, item_id: str, ended: "asyncio.Future[Item]") -> None:
        self._tasks.start(self._return_open(item_id, ended), f"cut {item_id}")

    async def _return_open(self, item_id: str, ended: "asyncio.Future[Item]") -> None:
        item = await self._board.get(item_id)
        if not ended.done():
            ended.set_result(item)

    def _start_bound(self, item_id: str, ended: "asyncio.Future[Item]") -> None:
        self._tasks.start(self._bound(item_id, ended), f"bound {item_id}")

    async def _bound(self, item_id: str, ended: "asyncio.Future[Item]") -> None:
        """This wait is over. Where others wait too the question goes on without it; else it ends."""
        now = self._clock.now()
        item = await self._board.get(item_id)
        if item.state is not State.OPEN:
            return
        if len(self._waits.get(item_id, ())) > 1:
            ended.set_result(expire(item, now, use_default=False))
        else:
            await self._board.move(item_id, Move.EXPIRE, lambda it: expire(it, now, use_default=False))

    def _turn(self, session: str) -> asyncio.Lock:
        """One creation at a time in a session: of identical calls the first makes the item, the rest find it."""
        return self._turns.setdefault(session, asyncio.Lock())

    @contextmanager
    def _parked(self, item_id: str) -> "Iterator[asyncio.Future[Item]]":
        ended: asyncio.Future[Item] = asyncio.get_running_loop().create_future()
        waits = self._waits.setdefault(item_id, set())
        waits.add(ended)
        if len(waits) == 1:
            self._tell_attachment()
        try:
            yield ended
        finally:
            self._deadlines.cancel(ended)
            waits.discard(ended)
            if not waits and self._waits.get(item_id) is waits:
                del self._waits[item_id]
                self._tell_attachment()

    def _moved(self, item: Item, move: Move) -> None:
        if item.state is State.CLOSED:
            for ended in self._waits.get(item.id, ()):
                if not ended.done():
                    ended.set_result(item)

    def _tell_attachment(self) -> None:
        for listener in self._attachment_changed:
            listener()
