"""The toast column: what is shown is what there is, all of a notice can be read, and its clock is told to wait."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Item, Kind, Level, create
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.toast import GAP, Toast, ToastColumn
from agentbox_desktop.ui.toast_face import WIDTH
from agentbox_desktop.ui.widgets import BodyView, TextLabel

AREA = QRect(100, 50, 1000, 800)
CALLER = Caller("session", "/usr/bin/claude", 7, "Claude Code", "shop", "main")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def column(qtbot: QtBot, clock: Clock) -> Iterator[ToastColumn]:
    made = ToastColumn(Theme(dark=True), lambda: AREA, clock)
    yield made
    made.show((), 0)


def notice(number: int, title: str = "Build is green", body: str = "", level: Level = Level.INFO) -> Item:
    return create(f"itm_{number}", Kind.NOTICE, level, Content(title, body), CALLER, 1_700_000_000 + number, None)


def told(signal: object) -> list[object]:
    heard: list[object] = []
    signal.connect(lambda *values: heard.append(values if len(values) > 1 else values[0]))  # type: ignore[attr-defined]
    return heard


def button(toast: Toast, name: str) -> QPushButton:
    return next(found for found in toast.findChildren(QPushButton) if found.accessibleName() == name)


def words(toast: Toast) -> list[str]:
    return [label.text() for label in toast.findChildren(TextLabel) if label.isVisible()]


def others() -> list[str]:
    return [window.accessibleName() for window in QApplication.topLevelWidgets()
            if window.isVisible() and "more notices" in window.accessibleName()]


def test_it_shows_who_when_and_what(column: ToastColumn) -> None:
    column.show((notice(1, "Disk is full", "Only **2 GiB** left", Level.WARNING),), 0)
    [toast] = column.windows()
    meta, title, body = words(toast)
    assert meta.startswith("Claude Code · shop · ")
    assert (title, body) == ("Disk is full", "Only 2 GiB left")
    assert toast.accessibleName() == "Warning: Disk is full"


def test_toasts_stand_under_each_other_at_the_top_centre(column: ToastColumn) -> None:
    column.show((notice(1), notice(2, body="words"), notice(3)), 0)
    frames = [toast.frame() for toast in column.windows()]
    assert {frame.width() for frame in frames} == {WIDTH}
    assert {frame.left() for frame in frames} == {AREA.left() + (AREA.width() - WIDTH) // 2}
    assert AREA.top() <= frames[0].top() < AREA.top() + 20
    assert [lower.top() - upper.bottom() - 1 for upper, lower in pairwise(frames)] == [GAP, GAP]


def test_what_is_gone_leaves_and_the_rest_moves_up(column: ToastColumn) -> None:
    first, second = notice(1), notice(2)
    column.show((first, second), 0)
    left, stays = column.windows()
    top = left.frame().top()
    column.show((second,), 0)
    assert column.windows() == [stays]
    assert not left.isVisible()
    assert stays.frame().top() == top


def test_the_same_notice_keeps_its_window(column: ToastColumn) -> None:
    column.show((notice(1),), 0)
    [before] = column.windows()
    column.show((notice(1), notice(2)), 1)
    assert column.windows()[0] is before


def test_the_fourth_is_a_number(column: ToastColumn) -> None:
    column.show((notice(1), notice(2), notice(3)), 2)
    assert others() == ["2 more notices wait"]
    column.show((notice(1), notice(2), notice(3)), 1)
    assert others() == ["1 more notices wait"]
    column.show((notice(1),), 0)
    assert others() == []


def test_the_column_stays_on_the_screen_where_it_began(qtbot: QtBot) -> None:
    area = [QRect(0, 0, 1000, 800)]
    column = ToastColumn(Theme(dark=True), lambda: area[0])
    column.show((notice(1),), 0)
    area[0] = QRect(2000, 0, 1000, 800)
    column.show((notice(1), notice(2)), 0)
    assert {toast.frame().left() for toast in column.windows()} == {300}
    column.show((), 0)
    column.show((notice(3),), 0)
    assert column.windows()[0].frame().left() == 2300
    column.show((), 0)


def test_a_painted_toast_is_seen_once(column: ToastColumn, qtbot: QtBot) -> None:
    seen = told(column.seen)
    column.show((notice(1), notice(2)), 0)
    assert seen == []  # nothing is painted yet
    qtbot.waitUntil(lambda: sorted(map(str, seen)) == ["itm_1", "itm_2"])
    column.windows()[0].repaint()
    qtbot.wait(20)
    assert len(seen) == 2


def test_the_close_button_dismisses(column: ToastColumn, qtbot: QtBot, clock: Clock) -> None:
    dismissed, seen = told(column.dismissed), told(column.seen)
    column.show((notice(1),), 0)
    qtbot.waitUntil(lambda: seen == ["itm_1"])
    clock.now += 1.0
    qtbot.mouseClick(button(column.windows()[0], "Dismiss"), Qt.MouseButton.LeftButton)
    assert dismissed == ["itm_1"]


def enter(toast: Toast, inside: bool) -> None:
    here = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(here, here, here) if inside else QEvent(QEvent.Type.Leave))


def test_the_pointer_holds_its_clock(column: ToastColumn) -> None:
    held = told(column.held)
    column.show((notice(1),), 0)
    enter(column.windows()[0], True)
    enter(column.windows()[0], False)
    assert held[-2:] == [("itm_1", True), ("itm_1", False)]


def test_an_unfolded_toast_holds_its_clock_until_it_is_folded(column: ToastColumn) -> None:
    held = told(column.held)
    column.show((notice(1, body="a\n\nb\n\nc\n\nd\n\ne"),), 0)
    [toast] = column.windows()
    toast.face.toggle()
    enter(toast, False)
    assert held[-1] == ("itm_1", True)
    toast.face.toggle()
    assert held[-1] == ("itm_1", False)


@pytest.mark.parametrize(("title", "body", "more"), [
    ("Short", "", False), ("Short", "one line", False), ("Short", "**bold** and `code`", False),
    ("Long " * 39, "", True), ("Short", "word " * 200, True), ("Short", "a\n\nb\n\nc\n\nd", True),
    ("Short", "[log](https://ci.example.org)", True), ("Short", "```\ncode\n```", True),
    ("Short", "![x](https://evil.example/x.png)", False), ("Short", "x" * 9000, True),
])
def test_there_is_a_way_to_the_rest_where_there_is_a_rest(
    column: ToastColumn, title: str, body: str, more: bool
) -> None:
    column.show((notice(1, title, body),), 0)
    [toast] = column.windows()
    assert button(toast, "Show the whole notice").isVisible() is more


def test_code_in_its_words_keeps_the_punctuation_close(column: ToastColumn) -> None:
    column.show((notice(1, body="Promoted to `cdn.staging`."),), 0)
    [toast] = column.windows()
    assert words(toast)[-1] == "Promoted to cdn.staging."


def test_unfolding_shows_all_of_it_and_moves_the_others(column: ToastColumn, qtbot: QtBot) -> None:
    title = "word " * 39 + "last"
    column.show((notice(1, title, "\n\n".join(f"paragraph {number}" for number in range(15))), notice(2)), 0)
    first, second = column.windows()
    qtbot.waitUntil(lambda: first.face.size().isValid() and first.isVisible())
    first.face.toggle()
    [body] = first.findChildren(BodyView)
    assert "paragraph 14" in body.plain_text()
    [label] = [label for label in first.findChildren(TextLabel) if label.text() == title]
    assert not label.cut_at(label.width())
    assert first.frame().bottom() < second.frame().top()
    assert first.frame().height() < AREA.height()
    assert button(first, "Show less").isVisible()


def test_hostile_words_are_shown_as_words(column: ToastColumn) -> None:
    hostile = "<img src=https://evil.example/x.png>\u202e\n" * 3
    column.show((notice(1, hostile, hostile),), 0)
    [toast] = column.windows()
    _, title, body = words(toast)
    assert title.count("<img src=https://evil.example/x.png>⟨U+202E⟩") == 3
    assert "\n" not in title
    assert body.count("<img src=https://evil.example/x.png>⟨U+202E⟩") == 3


def test_it_never_asks_for_the_keyboard(column: ToastColumn) -> None:
    column.show((notice(1),), 0)
    [toast] = column.windows()
    assert toast.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    for flag in (Qt.WindowType.Tool, Qt.WindowType.FramelessWindowHint, Qt.WindowType.WindowStaysOnTopHint):
        assert toast.windowFlags() & flag == flag


def test_another_theme_builds_it_anew(column: ToastColumn) -> None:
    column.show((notice(1),), 2)
    [dark] = column.windows()
    column.set_theme(Theme(dark=False))
    [light] = column.windows()
    assert (dark.isVisible(), light.isVisible(), light.theme.dark) == (False, True, False)
    assert others() == ["2 more notices wait"]


