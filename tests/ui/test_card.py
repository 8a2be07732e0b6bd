"""What a card shows, keeps and says, whatever an agent sends."""

from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextBrowser, QWidget

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Decision, Kind, Level, Option, Preview, PreviewKind
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ui.cards.card import CardWindow
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.cards.option_row import OptionRow
from tests.ui.windows import Desk, click, item, named, press, turns, until, words


@pytest.fixture
async def desk(qapp: object) -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.close()


def place_in(card: CardWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(card, QPoint()), widget.size())


async def test_a_card_asks_the_desktop_to_be_above_and_not_to_be_activated(desk: Desk) -> None:
    card = await desk.show(item("Name?"))
    wanted = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
    assert card.windowFlags() & wanted == wanted
    assert card.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert card.testAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
    assert not card.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus, "summon has to be able to"


async def test_summon_gives_the_keyboard_to_the_answer(desk: Desk) -> None:
    card = await desk.show(item("Name?"))
    assert desk.presenter.summon()
    await until(card.isActiveWindow)
    assert card.focusWidget() is named(card, "Your answer", QLineEdit)


async def test_closing_the_window_puts_the_card_off(desk: Desk) -> None:
    asked = item("Push?", Kind.CONFIRM)
    card = await desk.show(asked)
    card.close()
    await until(lambda: ("later", asked.id) in desk.person.acts)
    assert card.isVisible()


async def test_the_body_scrolls_and_the_answers_stay_on_a_card_of_70_percent(desk: Desk) -> None:
    body = "\n\n".join(f"Paragraph {number}, with words." for number in range(3000))
    card = await desk.show(item("Fine?", body=body[: 256 * 1024], options=("yes", "no")))
    available = card.screen().availableGeometry()
    assert card.frame().height() <= 0.7 * available.height()
    for name in ("yes", "no"):
        assert card.rect().contains(place_in(card, named(card, name, OptionRow)))
    assert "Show all" in words(card)


async def test_nine_options_of_80_wide_characters_are_shown_whole(desk: Desk) -> None:
    options = tuple(Option(f"{number}" + "W" * 79, "W" * 200) for number in range(1, 10))
    card = await desk.ready(item("Which?", options=options))
    assert card.frame().height() <= 0.7 * card.screen().availableGeometry().height()
    rows = [row for row in card.findChildren(OptionRow) if not row.isHidden()]
    assert len(rows) == 9
    for row in rows:
        assert row.height() >= row.height_at(row.width()), "nothing is cut inside a row"
    await press(card, "9")
    await until(lambda: desk.person.decisions)
    assert desk.person.decisions == [Decision(answers=(options[8].label,))]


async def test_hostile_text_is_made_visible_everywhere(desk: Desk) -> None:
    evil = "a\u202eb\u200bc"
    caller = Caller("s", agent=evil, project=evil, branch=evil)
    card = await desk.show(item(f"line\nline {evil}", caller=caller, body=f"<script>{evil}</script>",
                                options=(Option(evil, evil), "plain"), default=(evil,)), waiting=(caller,))
    said = words(card) + card.windowTitle() + "".join(
        child.toolTip() for child in card.findChildren(QWidget)) + card.findChildren(QTextBrowser)[0].toPlainText()
    assert "\u202e" not in said and "\u200b" not in said
    assert "line ⏎ line a⟨U+202E⟩b⟨U+200B⟩c" in said
    assert "<script>" in said


async def test_the_agents_own_label_is_answered_not_what_is_shown_of_it(desk: Desk) -> None:
    card = await desk.ready(item("Which?", options=("a\u202eb", "c")))
    await press(card, "1")
    await until(lambda: desk.person.decisions)
    assert desk.person.decisions == [Decision(answers=("a\u202eb",))]


async def test_the_default_and_its_time_are_in_the_footer(desk: Desk) -> None:
    card = await desk.show(item(options=("Go", "Hold"), default=("Hold",), timeout_s=117))
    assert "Applies ‘Hold’ in 1:57" in words(card)
    desk.clock.advance(1)
    await until(lambda: "Applies ‘Hold’ in 1:56" in words(card))
    named(card, "Hold, default", OptionRow)


async def test_a_preview_follows_what_is_pointed_at_in_a_pane_that_does_not_move(desk: Desk) -> None:
    card = await desk.ready(item(options=(
        Option("diff", preview=Preview(PreviewKind.DIFF, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n")),
        Option("text", preview=Preview(PreviewKind.MARKDOWN, "only **words**")), Option("none"))))
    assert card.frame().width() == 640
    assert "Preview of diff" in words(card)
    before = card.frame()
    card.findChildren(OptionRow)[1].setFocus()
    await until(lambda: "Preview of text" in words(card))
    assert any("only words" in page.toPlainText() for page in card.findChildren(QTextBrowser))
    card.findChildren(OptionRow)[2].setFocus()
    await until(lambda: "No preview for none" in words(card))
    assert card.frame() == before


async def test_an_image_that_cant_be_shown_says_why(desk: Desk) -> None:
    card = await desk.show(item(options=("a", "b"), image="/nowhere/at all.png"))
    assert "The image /nowhere/at all.png can't be shown: no such file or directory." in words(card)


async def test_what_is_begun_is_handed_on_and_restored(desk: Desk) -> None:
    asked = item("Name?")
    card = await desk.ready(asked)
    await press(card, *"abc")
    await until(lambda: desk.person.drafts)
    assert desk.person.drafts[-1] == (asked.id, Draft(text="abc"))
    card = await desk.show(item("Other?", options=("x", "y"), multi=True), draft=Draft(reply="not yet", chosen=(1,)))
    assert named(card, "Reply in words", QPlainTextEdit).toPlainText() == "not yet"
    assert [row.isChecked() for row in card.findChildren(OptionRow)[:2]] == [False, True]
    named(card, "Send 1", KeyedButton)


async def test_a_draft_is_flushed_when_the_card_goes(desk: Desk) -> None:
    asked = item(options=("x", "y"), multi=True)
    card = await desk.ready(asked)
    await press(card, "2")
    await desk.show(item("Urgent", Kind.NOTICE, Level.URGENT))
    await until(lambda: (asked.id, Draft(chosen=(1,))) in desk.person.drafts)


async def test_the_same_card_shown_again_keeps_what_is_typed(desk: Desk) -> None:
    asked = item("Name?")
    card = await desk.ready(asked)
    await press(card, *"abc")
    card = await desk.show(asked, caller_gone=True)
    assert named(card, "Your answer", QLineEdit).text() == "abc"
    assert "The agent that asked is no longer connected; your answer is kept for it." in words(card)
    await press(card, "d")
    assert named(card, "Your answer", QLineEdit).text() == "abcd"


async def test_a_line_that_appears_makes_a_click_under_way_wait(desk: Desk) -> None:
    asked = item(options=("x", "y"))
    card = await desk.ready(asked)
    await desk.show(asked, caller_gone=True)
    await click(named(card, "x", OptionRow))
    await turns()
    assert not desk.person.acts
