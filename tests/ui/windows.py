"""A presenter on a screen in memory, a person who writes down what they are asked, and hands for clicks and keys."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Decision, Item, Kind, Level, Option, create, decide
from agentbox_desktop.core.screen import Card, Draft, Screen
from agentbox_desktop.core.settings import Settings, ThemeSettings
from agentbox_desktop.ui.cards.card import CardWindow
from agentbox_desktop.ui.floating import FloatingWindow
from agentbox_desktop.ui.presenter import Presenter
from agentbox_desktop.ui.undo import UndoStrip

DEADLINE_S = 5.0
_numbers = count(1)
W = TypeVar("W", bound=QWidget)


class FakeClock:
    """Stands still until it is told; wall clock and steady clock go together."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    def advance(self, seconds: float) -> None:
        self.at += seconds


@dataclass
class FakePerson:
    """What the windows asked for, in order. `refuses` is raised by the next act."""

    acts: list[tuple[object, ...]] = field(default_factory=list)
    seen_ids: list[str] = field(default_factory=list)
    drafts: list[tuple[str, Draft]] = field(default_factory=list)
    refuses: Exception | None = None

    async def decide(self, item_id: str, digest: str, decision: Decision) -> None:
        self._refuse()
        self.acts.append(("decide", item_id, digest, decision))

    async def later(self, item_id: str) -> None:
        self._refuse()
        self.acts.append(("later", item_id))

    async def undo(self, item_id: str) -> None:
        self._refuse()
        self.acts.append(("undo", item_id))

    async def seen(self, item_id: str) -> None:
        self.seen_ids.append(item_id)

    async def draft(self, item_id: str, draft: Draft) -> None:
        self.drafts.append((item_id, draft))

    def call_for_card(self) -> None:
        self.acts.append(("call for card",))

    def hover(self, item_id: str, inside: bool) -> None:
        self.acts.append(("hover", item_id, inside))

    def _refuse(self) -> None:
        if self.refuses:
            refusal, self.refuses = self.refuses, None
            raise refusal

    @property
    def decisions(self) -> list[Decision]:
        return [act[3] for act in self.acts if act[0] == "decide" and isinstance(act[3], Decision)]


class Desk:
    """The presenter under test and the person's hands."""

    def __init__(self, display: str = "x11", mode: str = "dark") -> None:
        self.clock = FakeClock()
        self.person = FakePerson()
        self.settings = Settings(theme=ThemeSettings(mode=mode, reduced_motion=True))
        QCursor.setPos(2, 2)
        self.presenter = Presenter(self.person, display, lambda: self.settings, self.clock, Path(), lambda: None,
                                   self.person.call_for_card)

    async def show(self, item: Item, **card: object) -> CardWindow:
        """Show `item` as the card, painted."""
        return await self.show_screen(Screen(Card(item, **card)))  # type: ignore[arg-type]

    async def show_screen(self, screen: Screen) -> CardWindow:
        before = self.card.card
        self.presenter.show(screen)
        if screen.card and (before is None or before.item.id != screen.card.item.id):
            item_id, times = screen.card.item.id, self.person.seen_ids.count(screen.card.item.id)
            await until(lambda: self.person.seen_ids.count(item_id) > times)
        return self.card

    @property
    def card(self) -> CardWindow:
        return next(window for window in _windows(CardWindow) if window.isVisible() or window.card is None)

    @property
    def strips(self) -> list[UndoStrip]:
        """From the top of the screen."""
        shown = [strip for strip in _windows(UndoStrip) if strip.isVisible()]
        return sorted(shown, key=lambda strip: strip.frame().y())

    async def ready(self, item: Item, **card: object) -> CardWindow:
        """Show `item` and let the guards' time pass, with the keyboard given to the card."""
        window = await self.show(item, **card)
        self.presenter.summon()
        await until(window.isActiveWindow)
        self.clock.advance(1)
        return window

    async def close(self) -> None:
        await self.presenter.close()
        for window in _windows(FloatingWindow):
            window.hide()
            window.deleteLater()
        await turns()


def item(title: str = "Which region?", kind: Kind = Kind.QUESTION, level: Level = Level.INFO,
         caller: Caller | None = None, timeout_s: float | None = None, **content: object) -> Item:
    if "options" in content:
        content["options"] = tuple(
            Option(option) if isinstance(option, str) else option for option in content["options"])  # type: ignore
    return create(f"itm_{next(_numbers):026}", kind, level, Content(title, **content),  # type: ignore[arg-type]
                  caller or Caller("session", agent="claude-code", project="checkout-api"), 1_000_000.0, timeout_s)


def decided(asked: Item, decision: Decision, at: float, grace_s: float = 3.0) -> Item:
    return decide(asked, decision, asked.digest, at, grace_s)


async def click(widget: QWidget) -> None:
    """A press and a release of the mouse as the window system sends them."""
    window = widget.window()
    at = widget.mapTo(window, widget.rect().center())
    await _by_hand(lambda: QTest.mouseClick(
        window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at))


async def move_pointer(widget: QWidget, by: QPoint) -> None:
    window = widget.window()
    at = widget.mapTo(window, widget.rect().center()) + by
    await _by_hand(lambda: QTest.mouseMove(window.windowHandle(), at))


async def press(window: QWidget, *keys: Qt.Key | str,
                modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Keys as the window system sends them."""
    for key in keys:
        await _by_hand(lambda key=key: QTest.keyClick(  # type: ignore[misc]
            window.windowHandle(), key, modifiers))


async def hold(window: QWidget, key: Qt.Key) -> None:
    """A key goes down, or repeats without saying so."""
    await _by_hand(lambda: QTest.keyPress(window.windowHandle(), key))


async def let_go(window: QWidget, key: Qt.Key) -> None:
    await _by_hand(lambda: QTest.keyRelease(window.windowHandle(), key))


def named(window: QWidget, name: str, kind: type[W] = QWidget) -> W:  # type: ignore[assignment]
    """The visible control that a screen reader calls `name`."""
    found = [child for child in window.findChildren(kind) if child.isVisible() and child.accessibleName() == name]
    assert found, f"{name!r} is not among {[child.accessibleName() for child in window.findChildren(kind)]}"
    return found[0]


def words(window: QWidget) -> str:
    """All that a screen reader could say of what is visible."""
    return "\n".join(child.accessibleName() for child in window.findChildren(QWidget) if child.isVisible())


async def until(met: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not met():
        assert time.monotonic() < deadline, "it did not come to be in time"
        await asyncio.sleep(0.005)


async def turns(number: int = 10) -> None:
    """Let what is under way happen, to see that something does not."""
    for _ in range(number):
        await asyncio.sleep(0)


def _windows(kind: type[W]) -> list[W]:
    return [window for window in QApplication.topLevelWidgets() if isinstance(window, kind)]


async def _by_hand(act: Callable[[], object]) -> None:
    """Run `act` outside of every task: QTest runs Qt's events, and those may be steps of tasks."""
    done = asyncio.get_running_loop().create_future()

    def step() -> None:
        try:
            act()
        finally:
            done.set_result(None)

    asyncio.get_running_loop().call_soon(step)
    await done
