"""The windows match the screen they are told, and what the person does reaches the services."""

from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Decision, Item, Kind, Level
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Card, Draft, Screen
from agentbox_desktop.core.settings import Settings, ThemeSettings
from agentbox_desktop.ports import StoreFailed
from agentbox_desktop.ui.cards.card import CardWindow
from agentbox_desktop.ui.cards.option_row import OptionRow
from tests.ui.windows import Desk, click, decided, item, named, press, turns, until, words


@pytest.fixture
async def desk(qapp: object) -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.close()


def regions() -> Item:
    return item(options=("us-east", "eu-west"))


async def test_a_card_counts_as_seen_once_it_is_painted_and_leaves_with_the_screen(desk: Desk) -> None:
    asked = regions()
    card = await desk.show(asked)
    assert desk.person.seen_ids == [asked.id] and card.isVisible()
    desk.presenter.show(Screen())
    assert not card.isVisible() and not desk.presenter.summon()


async def test_offscreen_nothing_is_shown_and_nothing_counts_as_seen(qapp: object) -> None:
    desk = Desk(display="offscreen")
    desk.presenter.show(Screen(Card(regions())))
    await turns(50)
    assert not desk.person.seen_ids and desk.presenter.display == "offscreen"
    assert not desk.presenter.summon()
    await desk.close()


async def test_an_urgent_card_takes_the_place_and_the_first_comes_back_with_its_draft(desk: Desk) -> None:
    first, urgent = item("Name?"), item("Down", Kind.NOTICE, Level.URGENT)
    card = await desk.ready(first)
    await press(card, *"abc")
    place = card.frame()
    await desk.show(urgent)
    assert card.frame().top() == place.top() and card.frame().center().x() == place.center().x()
    await until(lambda: desk.person.drafts)
    item_id, draft = desk.person.drafts[-1]
    assert (item_id, draft) == (first.id, Draft(text="abc"))
    await desk.show(first, draft=draft)
    assert named(card, "Your answer", QLineEdit).text() == "abc"


async def test_one_window_serves_every_card(desk: Desk) -> None:
    card = await desk.show(regions())
    for following in (item("Push?", Kind.CONFIRM), item("Name?"), item("Why?", multiline=True), regions()):
        assert await desk.show(following) is card


async def test_who_waits_is_in_the_footer(desk: Desk) -> None:
    waiting = (Caller("a", agent="codex", project="billing-web"), Caller("b", agent="claude-code"))
    card = await desk.show(regions(), waiting=waiting)
    assert "2 more wait: codex · billing-web, claude-code" in words(card)
    card = await desk.show_screen(Screen(Card(card.card.item if card.card else regions())))
    assert "more wait" not in words(card)


@pytest.mark.parametrize("failure", [Refused("It ended.", "ended"), StoreFailed("The disk is full.")])
async def test_a_failed_answer_is_said_on_the_card_which_stays_answerable(desk: Desk, failure: Exception) -> None:
    card = await desk.ready(regions())
    desk.person.refuses = failure
    await press(card, "1")
    await until(lambda: str(failure.args[0]) in words(card))
    desk.clock.advance(1)
    await press(card, "2")
    await until(lambda: desk.person.decisions)
    assert desk.person.decisions == [Decision(answers=("eu-west",))]
    assert str(failure.args[0]) not in words(card)


async def test_a_failure_is_not_said_on_the_card_of_another_item(desk: Desk) -> None:
    card = await desk.ready(regions())
    desk.person.refuses = Refused("It ended.", "ended")
    await press(card, "1")
    await desk.show(item("Other?", options=("x", "y")))
    await turns()
    assert "It ended." not in words(card)


async def test_what_nobody_expected_reaches_the_loops_handler(desk: Desk) -> None:
    import asyncio

    caught: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: caught.append(context["exception"]))
    card = await desk.ready(regions())
    desk.person.refuses = KeyError("bug")
    await press(card, "1")
    await until(lambda: caught)
    assert isinstance(caught[0], KeyError)


async def test_a_card_that_was_undone_can_be_answered_again(desk: Desk) -> None:
    asked = regions()
    card = await desk.ready(asked)
    await press(card, "1")
    await until(lambda: desk.person.decisions)
    await desk.show_screen(Screen(undo=(decided(asked, desk.person.decisions[0], desk.clock.now()),)))
    assert not card.isVisible()
    card = await desk.ready(asked)
    await press(card, "2")
    await until(lambda: len(desk.person.decisions) == 2)


async def test_u_on_a_card_undoes_the_last_answer(desk: Desk) -> None:
    first, second, asked = regions(), regions(), regions()
    undo = tuple(decided(one, Decision(answers=("us-east",)), desk.clock.now()) for one in (first, second))
    card = await desk.ready(asked)
    await desk.show_screen(Screen(Card(asked), undo=undo))
    await press(card, "u")
    await until(lambda: ("undo", second.id) in desk.person.acts)


async def test_a_card_and_a_strip_come_beside_the_notices(desk: Desk) -> None:
    notices = tuple(item(f"Done {number}", Kind.NOTICE, body="word " * 40) for number in range(3))
    desk.presenter.show(Screen(toasts=notices))
    asked = regions()
    card = await desk.show_screen(Screen(Card(asked), toasts=notices))
    undo = (decided(regions(), Decision(answers=("us-east",)), desk.clock.now()),)
    desk.presenter.show(Screen(Card(asked), undo=undo, toasts=notices))
    await until(lambda: {notice.id for notice in notices} <= set(desk.person.seen_ids))
    frames = desk.presenter._toasts.frames()
    assert len(frames) == 3
    for window in (card, desk.strips[0]):
        assert not any(window.frame().intersects(frame) for frame in frames)


async def test_a_strip_stays_where_it_is_when_a_notice_comes(desk: Desk) -> None:
    asked = item("Why?", body="word\n\n" * 6, multiline=True)
    undo = (decided(regions(), Decision(answers=("us-east",)), desk.clock.now()),)
    await desk.show_screen(Screen(Card(asked), undo=undo))
    place = desk.strips[0].frame()
    notice = item("Done", Kind.NOTICE, body="word " * 60)
    desk.presenter.show(Screen(Card(asked), undo=undo, toasts=(notice,)))
    await until(lambda: notice.id in desk.person.seen_ids)
    assert desk.strips[0].frame() == place
    assert any(place.intersects(frame) for frame in desk.presenter._toasts.frames())


async def test_a_toast_is_dismissed_as_what_it_shows(desk: Desk) -> None:
    notice = item("Done", Kind.NOTICE)
    desk.presenter.show(Screen(toasts=(notice,)))
    await until(lambda: notice.id in desk.person.seen_ids)
    desk.clock.advance(1)
    desk.presenter._toasts.dismissed.emit(notice.id)
    await until(lambda: desk.person.decisions)
    assert desk.person.acts[-1] == ("decide", notice.id, notice.digest, Decision(dismissed=True))


async def restyled(desk: Desk, asked: Item) -> CardWindow:
    """The window that shows `asked` once the light theme has been chosen."""
    before = desk.card
    desk.settings = Settings(theme=ThemeSettings(mode="light", reduced_motion=True))
    desk.presenter.restyle()
    await until(lambda: desk.person.seen_ids.count(asked.id) == 2)
    assert desk.card is not before and desk.card.isVisible() and not desk.card.theme.dark
    return desk.card


@pytest.mark.parametrize(("multiline", "field"), [(False, QLineEdit), (True, QPlainTextEdit)])
async def test_other_looks_keep_what_is_typed_and_typing_goes_on(
    desk: Desk, multiline: bool, field: type[QLineEdit | QPlainTextEdit]
) -> None:
    def typed(window: CardWindow) -> str:
        found = named(window, "Your answer", field)
        return found.text() if isinstance(found, QLineEdit) else found.toPlainText()

    asked = item("Name?", multiline=multiline)
    card = await desk.ready(asked, draft=Draft(text="x"))
    await press(card, *"abc")
    before = typed(card)
    card = await restyled(desk, asked)
    assert typed(card) == before == "xabc"
    assert (asked.id, Draft(text="xabc")) in desk.person.drafts
    await until(card.isActiveWindow)
    await press(card, "d")
    assert typed(card) == "xabcd"


async def test_other_looks_keep_ticks_and_an_open_reply(desk: Desk) -> None:
    asked = item(options=("us-east", "eu-west"), multi=True)
    card = await desk.ready(asked)
    await press(card, "2", "/")
    card = await restyled(desk, asked)
    assert [row.isChecked() for row in card.findChildren(OptionRow)] == [False, True]
    reply = named(card, "Reply in words", QPlainTextEdit)
    await until(lambda: card.isActiveWindow() and reply.hasFocus())
    await press(card, *"no")
    card.set_card(Card(asked, caller_gone=True))
    assert card.as_begun() == Card(asked, caller_gone=True, draft=Draft(reply="no", chosen=(1,)))


async def test_other_looks_take_no_keyboard_that_the_card_did_not_have(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = regions()
    card = await desk.show(asked)
    another = QWidget()
    another.show()
    another.activateWindow()
    await until(lambda: not card.isActiveWindow())
    taken: list[CardWindow] = []
    monkeypatch.setattr(CardWindow, "take_keyboard", taken.append)
    await restyled(desk, asked)
    assert not taken


async def test_the_tray_calls_for_a_card_through_the_services(desk: Desk) -> None:
    desk.presenter._tray.show(Screen(pending=1))
    next(action for action in desk.presenter._tray.menu.actions() if action.text().startswith("Show")).trigger()
    assert desk.person.acts == [("call for card",)]


async def test_a_queued_card_that_comes_up_under_the_pointer_waits_for_it_to_move(desk: Desk) -> None:
    from PySide6.QtGui import QCursor

    card = await desk.show(regions())
    row: QWidget = named(card, "eu-west", OptionRow)
    QCursor.setPos(row.mapToGlobal(row.rect().center()))
    await desk.show(item("Next?", options=("a", "b")))
    desk.clock.advance(60)
    await click(named(card, "b", OptionRow))
    await turns()
    assert not desk.person.acts
