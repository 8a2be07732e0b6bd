"""The strip that an answered card folds to."""

from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QPoint, QRect

from agentbox_desktop.core.items import Decision, Kind
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Card, Screen
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.undo import UndoStrip, decided_words
from tests.ui.windows import Desk, click, decided, item, named, press, turns, until, words


@pytest.fixture
async def desk(qapp: object) -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.close()


@pytest.mark.parametrize(("decision", "shown"), [
    (Decision(answers=("us-east",)), "Answered: us-east"), (Decision(answers=("a", "b")), "Answered: a, b"),
    (Decision(reply="two\nlines"), "Replied: two ⏎ lines"), (Decision(confirmed=True), "Answered: Yes"),
    (Decision(confirmed=False), "Answered: No"), (Decision(dismissed=True), "Dismissed")])
def test_a_strip_says_what_was_decided(decision: Decision, shown: str) -> None:
    assert decided_words(decision) == shown


async def test_a_strip_is_48_high_beside_the_card_and_the_newest_is_nearest(desk: Desk) -> None:
    first, second = item("A?", options=("a", "b")), item("B?", Kind.CONFIRM)
    undo = (decided(first, Decision(answers=("a",)), desk.clock.now()),
            decided(second, Decision(confirmed=False), desk.clock.now()))
    card = await desk.show_screen(Screen(Card(item("C?", options=("c", "d"))), undo=undo))
    await until(lambda: len(desk.strips) == 2)
    older, newer = desk.strips
    assert (older.item.id, newer.item.id) == (first.id, second.id)
    assert older.frame().height() == newer.frame().height() == 48
    assert older.frame().bottom() < newer.frame().top() and newer.frame().bottom() < card.frame().top()
    assert "Answered: No" in words(newer)


async def test_a_strip_takes_no_click_beside_itself_where_windows_have_shadows(desk: Desk) -> None:
    answered = decided(item("A?", options=("a", "b")), Decision(answers=("a",)), desk.clock.now())
    strip = UndoStrip(Theme(dark=True, composited=True), desk.clock, answered)
    strip.set_frame(QRect(QPoint(100, 100), strip.wanted_size()))
    assert strip.geometry() == strip.frame()


async def test_a_click_takes_the_answer_back_once_it_counts(desk: Desk) -> None:
    asked = item("A?", options=("a", "b"))
    desk.presenter.show(Screen(undo=(decided(asked, Decision(answers=("a",)), desk.clock.now()),)))
    await until(lambda: desk.strips)
    await turns(50)
    undo = named(desk.strips[0], "Undo", KeyedButton)
    await click(undo)
    await turns()
    assert not desk.person.acts
    desk.clock.advance(0.6)
    await click(undo)
    await until(lambda: ("undo", asked.id) in desk.person.acts)


async def test_u_works_on_a_strip_that_was_called_for(desk: Desk) -> None:
    asked = item("A?", options=("a", "b"))
    desk.presenter.show(Screen(undo=(decided(asked, Decision(answers=("a",)), desk.clock.now()),)))
    await until(lambda: desk.strips)
    strip = desk.strips[0]
    assert not strip.isActiveWindow()
    assert desk.presenter.summon()
    await until(strip.isActiveWindow)
    desk.clock.advance(1)
    await press(strip, "u")
    await until(lambda: ("undo", asked.id) in desk.person.acts)


async def test_a_strip_without_the_keyboard_says_which_keys_undo(desk: Desk) -> None:
    asked = item("A?", options=("a", "b"))
    desk.presenter.show(Screen(undo=(decided(asked, Decision(answers=("a",)), desk.clock.now()),)))
    await until(lambda: desk.strips)
    strip = desk.strips[0]
    way = "The summon key, then U, undoes the last answer."
    assert way == strip.accessibleDescription() and way in strip.toolTip()
    assert not strip.isActiveWindow() and "Key U, not yet" in words(strip)
    assert desk.presenter.summon()
    await until(strip.isActiveWindow)
    desk.clock.advance(1)
    await until(lambda: "Key U, not yet" not in words(strip))
    assert strip.accessibleDescription() == "" and way not in strip.toolTip()


async def test_a_refused_undo_is_said_on_the_strip(desk: Desk) -> None:
    asked = item("A?", options=("a", "b"))
    desk.presenter.show(Screen(undo=(decided(asked, Decision(answers=("a",)), desk.clock.now()),)))
    await until(lambda: desk.strips)
    strip = desk.strips[0]
    desk.person.refuses = Refused("Too late.", "ended")
    strip.undone.emit(asked.id)
    await until(lambda: "Too late." in words(strip))


async def test_a_strip_leaves_with_its_item(desk: Desk) -> None:
    asked = item("A?", options=("a", "b"))
    desk.presenter.show(Screen(undo=(decided(asked, Decision(answers=("a",)), desk.clock.now()),)))
    await until(lambda: desk.strips)
    desk.presenter.show(Screen())
    await until(lambda: not desk.strips)
