"""The small widgets: what they say, what they hide, and what a screen reader is told."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Level
from agentbox_desktop.ui import icons, resources
from agentbox_desktop.ui.icons import MarkState
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets import IdentityPill, Keycap, LevelGlyph, TextLabel, button, icon_button, tooltip
from agentbox_desktop.ui.widgets.pill import _shares

THEME = Theme(dark=True)
ICONS = sorted(file.stem for file in resources.path("icons/close.svg").parent.glob("*.svg"))


@pytest.mark.parametrize("width", [40, 90, 200, 400])
def test_text_is_wrapped_within_its_width_and_none_is_lost(qtbot: QtBot, width: int) -> None:
    label = TextLabel(THEME, "body")
    qtbot.addWidget(label)
    text = "Some words, a-very-long-word-that-has-to-be-broken-somewhere-or-other, and\nanother line"
    label.set_text(text)
    lines, cut = label.lines_at(width)
    assert "".join(lines) == text.replace("\n", "")
    assert not cut
    assert label.heightForWidth(width) == len(lines) * THEME.line_height("body")


def test_text_held_to_lines_says_that_it_is_cut(qtbot: QtBot) -> None:
    label = TextLabel(THEME, "controls", lines=2)
    qtbot.addWidget(label)
    label.set_text("word " * 50)
    assert label.cut_at(200)
    assert label.heightForWidth(200) == 2 * THEME.line_height("controls")
    label.set_lines(None)
    assert not label.cut_at(200)


def test_text_is_named_whole_and_its_invisible_characters_are_seen(qtbot: QtBot) -> None:
    label = TextLabel(THEME, "meta", lines=1)
    qtbot.addWidget(label)
    label.set_text("pay\u202egro " + "x" * 500)
    assert label.accessibleName() == "pay⟨U+202E⟩gro " + "x" * 500


def test_a_tooltip_is_text_not_html() -> None:
    assert tooltip("<img src=x>\u202e") == "<p style='white-space:pre-wrap'>&lt;img src=x&gt;⟨U+202E⟩</p>"


def test_the_pill_names_its_caller_and_what_is_verified(qtbot: QtBot) -> None:
    pill = IdentityPill(THEME)
    qtbot.addWidget(pill)
    pill.set_caller(Caller("proc-1-2", "/usr/bin/claude", 12, "Claude <b>", "shop", "main"))
    assert pill.accessibleName() == "Claude <b>, shop, main"
    assert "/usr/bin/claude (process 12)" in pill.toolTip()
    assert "proc-1-2" in pill.toolTip()
    assert pill.sizeHint().height() == 24


@pytest.mark.parametrize("scale", [1.0, 1.1, 1.25, 1.5])
def test_a_pill_of_its_own_width_elides_no_name(qtbot: QtBot, scale: float) -> None:
    pill = IdentityPill(Theme(dark=True, font_scale=scale))
    qtbot.addWidget(pill)
    for name in ("agentbox", "build-deck", "fiji", "Claude Code", "W", "illicit"):
        for branch in ("", "main", "feature/undo"):
            pill.set_caller(Caller("session", "/bin/sh", 1, name, name, branch))
            size = pill.sizeHint()
            pill.resize(size)
            snug = drawn(pill)
            pill.resize(size.width() + 100, size.height())
            words = QRect(0, 4, size.width() - 9, size.height() - 8)  # without the frame's end, which is elsewhere
            assert snug.copy(words) == drawn(pill).copy(words), (name, branch)


@pytest.mark.parametrize("room", [0, 50, 120, 300, 1000])
def test_the_widest_part_of_the_pill_gives_first(room: int) -> None:
    given = _shares([200, 60, 120], room)
    assert sum(given) <= max(room, 0) or given == [200, 60, 120]
    assert given[0] >= given[2] - 1 >= given[1] - 2
    if room >= 380:
        assert given == [200, 60, 120]


def test_a_keycap_is_dim_until_its_key_works(qtbot: QtBot) -> None:
    cap = Keycap(THEME, "Y")
    qtbot.addWidget(cap)
    assert cap.sizeHint().width() >= 20
    assert cap.sizeHint().height() >= 20
    cap.resize(cap.sizeHint())
    dim = brightness(drawn(cap))
    cap.set_live(True)
    assert cap.accessibleName() == "Key Y"
    assert brightness(drawn(cap)) > dim


def drawn(widget: QWidget) -> QImage:
    image = QImage(widget.size(), QImage.Format.Format_RGB32)
    image.fill(THEME.color("surface"))
    widget.render(image, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
    return image


def brightness(image: QImage) -> int:
    return sum(image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("level", list(Level))
def test_a_level_has_a_glyph_in_its_colour_and_a_word(qtbot: QtBot, level: Level) -> None:
    glyph = LevelGlyph(THEME, level)
    qtbot.addWidget(glyph)
    assert glyph.accessibleName() == level.value
    image = glyph.pixmap().toImage()
    strongest = max(
        (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())),
        key=lambda color: color.alpha(),
    )
    assert strongest.name() == THEME.color(level.value).name()


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_draws_something_inside_its_square(qapp: object, name: str) -> None:
    image = icons.pixmap(name, THEME.color("ink"), 36).toImage()
    edge = [image.pixelColor(x, y).alpha() for x in range(36) for y in (0, 35)]
    assert any(image.pixelColor(x, y).alpha() for x in range(36) for y in range(36))
    assert not any(edge)


def test_the_mark_tells_its_states_apart(qapp: object) -> None:
    looks = [icons.mark(THEME, state, count).pixmap(22, 22).toImage() for state, count in (
        (MarkState.IDLE, 0), (MarkState.WAITING, 1), (MarkState.WAITING, 2), (MarkState.WAITING, 12),
        (MarkState.URGENT, 2),
    )]
    assert all(one != other for one, other in pairwise(looks))


def test_buttons_have_names(qtbot: QtBot) -> None:
    plain, sign = button("Send", "primary"), icon_button(THEME, "close", "Dismiss")
    qtbot.addWidget(plain)
    qtbot.addWidget(sign)
    assert (plain.accessibleName(), sign.accessibleName()) == ("Send", "Dismiss")
    assert not plain.autoDefault()


def test_a_missing_resource_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"icons/none\.svg"):
        resources.path("icons/none.svg")
