"""The services as the app puts them together, on a real store, with a clock that a test turns by hand."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Decision, Item, Kind, Level, Option
from agentbox_desktop.core.screen import Screen
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.services.asking import Asking
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.calls import Call
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.lifecycle import Lifecycle
from agentbox_desktop.services.on_screen import OnScreen
from agentbox_desktop.services.persons_side import PersonsSide
from agentbox_desktop.services.tasks import Tasks
from agentbox_desktop.store.database import Database
from agentbox_desktop.store.items import SqlItems
from agentbox_desktop.store.opening import open_store

QUESTION = Content("Which region?", options=(Option("eu"), Option("us")))


class HandClock:
    """A clock and its alarm; `turn` lets time pass and rings what falls due, in order."""

    def __init__(self) -> None:
        self.time = 1_000_000.0
        self._due: float | None = None
        self._ring: Callable[[], None] = lambda: None

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def set(self, delay_s: float | None, ring: Callable[[], None]) -> None:
        self._due = None if delay_s is None else self.time + delay_s
        self._ring = ring

    def turn(self, seconds: float) -> None:
        end = self.time + seconds
        while self._due is not None and self._due <= end:
            self.time, self._due = max(self.time, self._due), None
            self._ring()
        self.time = end


@dataclass
class Lines:
    """A log that keeps what it was told."""

    events: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)

    def info(self, event: str, **fields: object) -> None:
        self.events.append(("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.events.append(("warning", event, fields))

    def error(self, event: str, **fields: object) -> None:
        self.events.append(("error", event, fields))

    def errors(self) -> list[tuple[str, dict[str, object]]]:
        return [(event, fields) for level, event, fields in self.events if level == "error"]


@dataclass
class Windows:
    """A presenter that keeps the last screen."""

    screen: Screen = field(default_factory=Screen)
    display: str = "x11"
    cannot_draw: str = ""  # an item's id

    def show(self, screen: Screen) -> None:
        if screen.card is not None and screen.card.item.id == self.cannot_draw:
            raise ValueError(self.cannot_draw)
        self.screen = screen

    def summon(self) -> bool:
        return self.screen.card is not None


class Parts:
    """One life of the services; `start` a second one on the same file to see what a restart keeps."""

    def __init__(self, path: Path, clock: HandClock | None = None, answerable: bool = True) -> None:
        self.clock = clock or HandClock()
        self.log = Lines()
        self.windows = Windows()
        engine, self.set_aside = open_store(path, self.clock.now())
        self.database = Database(engine)
        self.items = SqlItems(self.database, self.log)
        self.tasks = Tasks(self.log)
        self.deadlines = DeadlineService(self.clock, self.clock, self.log)
        self.settings = Settings()
        self.board = Board(self.items, self.clock, self.tasks, self.log)
        self.lifecycle = Lifecycle(self.board, self.deadlines, self.clock, self.tasks, lambda: self.settings,
                                   there_is_a_screen=True)
        self.asking = Asking(self.board, self.items, self.deadlines, self.clock, self.tasks, lambda: answerable)
        self.person = PersonsSide(self.board, self.items, self.lifecycle, self.clock, lambda: self.settings)
        self._display: OnScreen | None = None
        self._calls: dict[str, Call] = {}

    @property
    def display(self) -> OnScreen:
        assert self._display is not None
        return self._display

    async def start(self) -> "Parts":
        self.database.start()
        self._display = OnScreen(self.board, self.asking, self.person, self.windows, self.deadlines, self.clock,
                                 self.log)
        await self.board.load()
        await self.person.load()
        self.lifecycle.resume()
        self.display.resume()
        return self

    async def stop(self) -> None:
        self.deadlines.stop()
        await self.tasks.stop()
        await self.database.stop()
        assert self.log.errors() == []

    async def settle(self) -> None:
        """Let everything that was started come to rest."""
        for _ in range(3):
            while self.tasks.running:
                await asyncio.gather(*self.tasks.running, return_exceptions=True)
            await asyncio.sleep(0)

    async def turn(self, seconds: float) -> None:
        self.clock.turn(seconds)
        await self.settle()

    async def ask(self, key: str = "c:1", content: Content = QUESTION, session: str = "proc-1-1",
                  kind: Kind = Kind.QUESTION, timeout_s: float | None = None,
                  idempotency_key: str | None = None) -> Item:
        call = Call(Caller(session, agent="claude-code"), key)
        item = await self.asking.put(call, idempotency_key, kind, Level.INFO, content, timeout_s)
        self._calls.setdefault(item.id, call)
        return item

    async def answer(self, item: Item, label: str = "us") -> None:
        """The person chooses an option."""
        await self.person.decide(item.id, item.digest, Decision((label,)))

    def waiting(self, item: Item, call: Call | None = None) -> "asyncio.Task[Item]":
        """The wait of the call that made `item`, unless another is given."""
        return asyncio.create_task(self.asking.wait(call or self._calls[item.id], item))

    async def parked(self, item: Item, call: Call | None = None) -> "asyncio.Task[Item]":
        """The same, once it waits."""
        waiting = self.waiting(item, call)
        while not self.asking.is_attached(item.id):
            await asyncio.sleep(0)
        return waiting
