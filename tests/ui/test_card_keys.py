"""Every key of the table on every kind of card, and what keeps a slip from counting."""

from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from agentbox_desktop.core.items import Decision, Item, Kind, Level
from agentbox_desktop.core.keys import CardAction
from agentbox_desktop.core.screen import Card, Screen
from agentbox_desktop.ui.cards.card import CardWindow
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.cards.option_row import OptionRow
from agentbox_desktop.ui.widgets.pill import IdentityPill
from tests.ui.windows import Desk, click, decided, hold, item, let_go, move_pointer, named, press, turns, until, words

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
async def desk(qapp: object) -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.close()


def regions(**content: object) -> Item:
    return item(options=("us-east", "eu-west", "ap-south"), **content)


async def decision(desk: Desk) -> Decision:
    await until(lambda: desk.person.decisions)
    return desk.person.decisions[-1]


async def test_a_digit_answers_at_once_with_what_was_painted(desk: Desk) -> None:
    asked = regions()
    card = await desk.ready(asked)
    await press(card, Key.Key_2)
    assert await decision(desk) == Decision(answers=("eu-west",))
    assert desk.person.acts[-1][1:3] == (asked.id, asked.digest)


async def test_a_digit_without_an_option_does_nothing(desk: Desk) -> None:
    card = await desk.ready(regions())
    await press(card, Key.Key_7)
    await turns()
    assert not desk.person.acts


async def test_one_decision_is_handed_on_once(desk: Desk) -> None:
    card = await desk.ready(regions())
    await press(card, Key.Key_1, Key.Key_2)
    await decision(desk)
    await turns()
    assert desk.person.decisions == [Decision(answers=("us-east",))]


async def test_enter_sends_the_default_and_without_one_nothing(desk: Desk) -> None:
    card = await desk.ready(regions())
    await press(card, Key.Key_Return)
    await turns()
    assert not desk.person.acts
    card = await desk.ready(regions(default=("ap-south",)))
    await press(card, Key.Key_Enter)
    assert await decision(desk) == Decision(answers=("ap-south",))


async def test_enter_on_a_row_that_has_the_keyboard_chooses_it(desk: Desk) -> None:
    card = await desk.ready(regions(default=("ap-south",)))
    await press(card, Key.Key_Up, Key.Key_Return)
    assert await decision(desk) == Decision(answers=("eu-west",))


async def test_several_are_ticked_by_digits_and_sent_together(desk: Desk) -> None:
    card = await desk.ready(regions(multi=True))
    await press(card, Key.Key_1, Key.Key_3, Key.Key_1, Key.Key_2)
    assert not desk.person.decisions
    named(card, "Send 2", KeyedButton)
    await press(card, Key.Key_Return)
    assert await decision(desk) == Decision(answers=("eu-west", "ap-south"))


async def test_nothing_ticked_sends_the_default_of_several_or_nothing(desk: Desk) -> None:
    card = await desk.ready(regions(multi=True))
    await press(card, Key.Key_Return)
    await turns()
    assert not desk.person.acts
    assert not named(card, "Send", KeyedButton).isEnabled()
    card = await desk.ready(regions(multi=True, default=("us-east", "ap-south")))
    await press(card, Key.Key_Return)
    assert await decision(desk) == Decision(answers=("us-east", "ap-south"))


@pytest.mark.parametrize(("key", "confirmed"), [(Key.Key_Y, True), (Key.Key_N, False)])
async def test_yes_and_no_have_their_keys(desk: Desk, key: Key, confirmed: bool) -> None:
    card = await desk.ready(item("Push?", Kind.CONFIRM))
    await press(card, key)
    assert await decision(desk) == Decision(confirmed=confirmed)


async def test_enter_never_means_yes_wherever_the_keyboard_is(desk: Desk) -> None:
    card = await desk.ready(item("Push?", Kind.CONFIRM))
    for name in ("No", "Yes"):
        named(card, name, KeyedButton).setFocus()
        await press(card, Key.Key_Return, Key.Key_Enter)
    await turns()
    assert not desk.person.acts


async def test_one_line_is_sent_by_enter(desk: Desk) -> None:
    card = await desk.ready(item("Name?"))
    await press(card, *"1y?c/")
    assert named(card, "Your answer", QLineEdit).text() == "1y?c/", "in a field, keys are letters"
    await press(card, Key.Key_Return)
    assert await decision(desk) == Decision(answers=("1y?c/",))


async def test_several_lines_are_sent_by_control_and_enter(desk: Desk) -> None:
    card = await desk.ready(item("Why?", multiline=True))
    await press(card, Key.Key_A, Key.Key_Return, Key.Key_B)
    assert not desk.person.decisions
    await press(card, Key.Key_Return, modifiers=CTRL)
    assert await decision(desk) == Decision(answers=("a\nb",))


async def test_an_empty_field_sends_the_default_and_says_so(desk: Desk) -> None:
    card = await desk.ready(item("Name?", default=("2026.12",)))
    assert "Left empty, your answer is ‘2026.12’." in words(card)
    await press(card, Key.Key_Return)
    assert await decision(desk) == Decision(answers=("2026.12",))


async def test_an_empty_field_without_a_default_sends_nothing(desk: Desk) -> None:
    card = await desk.ready(item("Name?"))
    await press(card, Key.Key_Space, Key.Key_Return)
    await turns()
    assert not desk.person.decisions


@pytest.mark.parametrize("kind", [Kind.QUESTION, Kind.CONFIRM])
async def test_a_reply_in_words_takes_the_place_of_the_choice(desk: Desk, kind: Kind) -> None:
    card = await desk.ready(item("Push?", kind, **({"options": ("a", "b")} if kind is Kind.QUESTION else {})))
    await press(card, "/")
    await press(card, *"no y")
    assert named(card, "Reply in words", QPlainTextEdit).toPlainText() == "no y"
    await press(card, Key.Key_Return, modifiers=CTRL)
    assert await decision(desk) == Decision(reply="no y")


async def test_a_strict_question_takes_no_reply(desk: Desk) -> None:
    card = await desk.ready(regions(strict=True))
    await press(card, "/")
    await turns()
    assert "Reply in words" not in words(card)


async def test_escape_closes_the_reply_first_and_then_puts_the_card_off(desk: Desk) -> None:
    asked = regions()
    card = await desk.ready(asked)
    await press(card, "/")
    await press(card, *"so")
    await press(card, Key.Key_Escape)
    await turns()
    assert not desk.person.acts
    await press(card, Key.Key_Escape)
    await until(lambda: ("later", asked.id) in desk.person.acts)


async def test_shift_escape_dismisses(desk: Desk) -> None:
    card = await desk.ready(regions())
    await press(card, Key.Key_Escape, modifiers=SHIFT)
    assert await decision(desk) == Decision(dismissed=True)


async def test_an_urgent_notice_is_dismissed_by_escape_or_its_button(desk: Desk) -> None:
    card = await desk.ready(item("Down", Kind.NOTICE, Level.URGENT))
    await press(card, Key.Key_Escape)
    assert await decision(desk) == Decision(dismissed=True)
    card = await desk.ready(item("Down again", Kind.NOTICE, Level.URGENT))
    await click(named(card, "Dismiss", KeyedButton))
    await until(lambda: len(desk.person.decisions) == 2)


async def test_c_copies_everything_that_is_shown(desk: Desk) -> None:
    card = await desk.ready(item("Region?\u202e", body="**why** not", options=("us", "eu"), default=("eu",)))
    await press(card, Key.Key_C)
    copied = QGuiApplication.clipboard().text()
    assert copied == ("claude-code · checkout-api\n\nRegion?⟨U+202E⟩\n\n**why** not\n\n1. us\n2. eu\n\nDefault: eu")
    assert "Copied" in words(card)


async def test_the_sheet_lists_the_keys_of_this_card_and_any_key_closes_it(desk: Desk) -> None:
    card = await desk.ready(regions())
    await press(card, "?")
    assert "copy everything shown" in words(card) and "1 – 3" in words(card)
    await press(card, Key.Key_2)
    assert "copy everything shown" not in words(card)
    await turns()
    assert not desk.person.acts, "the key that closes the sheet decides nothing"


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Down, Key.Key_F5])
async def test_the_sheet_says_how_to_leave_it_and_who_asks_stays_in_sight(desk: Desk, key: Key) -> None:
    card = await desk.ready(item("Push?", Kind.CONFIRM))
    await press(card, "?")
    way_out = named(card, "Esc or any key closes")
    assert way_out.geometry().bottom() < way_out.parentWidget().height()
    pill = next(iter(card.findChildren(IdentityPill)))
    assert pill.visibleRegion().boundingRect() == pill.rect()
    await press(card, Key.Key_Shift)
    assert way_out.isVisible()
    await press(card, key)
    await turns()
    assert not way_out.isVisible() and not desk.person.acts


async def test_the_sheet_lists_only_keys_that_mean_something_now(desk: Desk) -> None:
    async def listed(card: CardWindow) -> str:
        card._act(CardAction.KEYS, "")
        await turns()
        shown = words(card._face.sheet) if card._face.sheet else ""
        await press(card, Key.Key_Escape)
        return shown

    card = await desk.ready(item("Push?", Kind.CONFIRM))
    shown = await listed(card)
    assert "reply in words" in shown and "send what is typed" not in shown and "undo" not in shown
    card.open_reply()
    shown = await listed(card)
    assert "send what is typed" in shown and "copy everything shown" not in shown, "a letter is typed into the reply"
    asked = regions(strict=True)
    card = await desk.ready(asked)
    undo = (decided(regions(), Decision(answers=("us-east",)), desk.clock.now()),)
    await desk.show_screen(Screen(Card(asked), undo=undo))
    shown = await listed(card)
    assert "undo the last answer" in shown and "reply in words" not in shown


async def test_the_tabulator_goes_in_reading_order(desk: Desk) -> None:
    card = await desk.ready(regions(body="[a link](https://example.com)"))
    stops = []
    for _ in range(7):
        await press(card, Key.Key_Tab)
        focused = card.focusWidget()
        assert focused is not None
        stops.append(focused.accessibleName())
    rows = ["us-east", "eu-west", "ap-south", "Reply in words", "Later", "All keys"]
    start = stops.index("us-east")
    assert stops[start:] == rows[: len(stops) - start]


async def test_no_key_counts_in_the_first_300_ms(desk: Desk) -> None:
    card = await desk.show(regions())
    desk.presenter.summon()
    await until(card.isActiveWindow)
    for advance_s in (0.1, 0.19):
        desk.clock.advance(advance_s)
        await press(card, Key.Key_1, Key.Key_Return, Key.Key_Escape)
    await turns()
    assert not desk.person.acts
    desk.clock.advance(0.02)
    await press(card, Key.Key_1)
    assert await decision(desk) == Decision(answers=("us-east",))


async def test_keycaps_are_dim_until_keys_count(desk: Desk) -> None:
    card = await desk.show(regions())
    assert "Key 1, not yet" in words(card)
    desk.presenter.summon()
    await until(card.isActiveWindow)
    desk.clock.advance(1)
    await until(lambda: "Key 1, not yet" not in words(card))


async def test_the_next_card_starts_the_time_anew_though_the_keyboard_stays(desk: Desk) -> None:
    card = await desk.ready(regions())
    following = item("And the size?", options=("s", "m"))
    await desk.show(following)
    await press(card, Key.Key_1)
    await turns()
    assert not desk.person.acts


async def test_a_held_key_answers_nothing(desk: Desk) -> None:
    card = await desk.show(regions())
    desk.presenter.summon()
    await until(card.isActiveWindow)
    await hold(card, Key.Key_1)
    desk.clock.advance(2)
    await hold(card, Key.Key_1)
    await turns()
    assert not desk.person.acts
    await let_go(card, Key.Key_1)
    await press(card, Key.Key_1)
    assert await decision(desk) == Decision(answers=("us-east",))


async def test_a_click_counts_after_500_ms(desk: Desk) -> None:
    card = await desk.show(regions())
    row = named(card, "eu-west", OptionRow)
    await click(row)
    desk.clock.advance(0.45)
    await click(row)
    await turns()
    assert not desk.person.acts
    desk.clock.advance(0.1)
    await click(row)
    assert await decision(desk) == Decision(answers=("eu-west",))


async def test_a_card_under_the_pointer_waits_for_it_to_move(desk: Desk) -> None:
    from PySide6.QtGui import QCursor

    card = await desk.show(regions())
    QCursor.setPos(card.frame().center())
    card = await desk.show(item("Next?", options=("a", "b", "c")))
    row = named(card, "b", OptionRow)
    desk.clock.advance(60)
    QCursor.setPos(row.mapToGlobal(row.rect().center()))
    card.click_guard.appeared(QCursor.pos(), under_pointer=True)
    desk.clock.advance(60)
    await click(row)
    await turns()
    assert not desk.person.acts
    await move_pointer(row, QPoint(9, 4))
    await click(row)
    assert await decision(desk) == Decision(answers=("b",))


async def test_space_on_a_button_is_guarded_as_well(desk: Desk) -> None:
    card = await desk.show(item("Push?", Kind.CONFIRM))
    desk.presenter.summon()
    await until(card.isActiveWindow)
    named(card, "Yes", KeyedButton).setFocus()
    await press(card, Key.Key_Space)
    await turns()
    assert not desk.person.acts
    desk.clock.advance(1)
    await press(card, Key.Key_Space)
    assert await decision(desk) == Decision(confirmed=True)
