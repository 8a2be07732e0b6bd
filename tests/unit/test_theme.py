"""The tokens: what can be read and told apart, in both themes and again in high contrast."""

import re
from itertools import product

import pytest
from PySide6.QtGui import QColor

from agentbox_desktop.ui.theme import HIGH_CONTRAST, TOKENS, TYPE, Motion, Theme

THEMES = [Theme(dark, high_contrast=high) for dark, high in product((True, False), (False, True))]
NAMES = ["dark", "dark, high contrast", "light", "light, high contrast"]

GROUNDS = ("ground", "surface", "raised", "sunk", "hover", "selected", "added_line", "deleted_line")
INKS = ("ink", "ink2", "ink3")
LEVELS = ("info", "success", "warning", "error", "urgent")
# Syntax colours and links stand where code and prose do, and on the lines of a diff; never on hover and selected.
PROSE_GROUNDS = ("ground", "surface", "raised", "sunk", "added_line", "deleted_line")
CONTROL_GROUNDS = ("ground", "surface", "raised")

themes = pytest.mark.parametrize("theme", THEMES, ids=NAMES)


def luminance(color: QColor) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def too_faint(theme: Theme, pairs: "product[tuple[str, str]]", least: float) -> dict[str, float]:
    ratios = {f"{text} on {ground}": contrast(theme.color(text), theme.color(ground)) for text, ground in pairs}
    return {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < least}


@themes
def test_text_is_readable_on_every_ground_it_stands_on(theme: Theme) -> None:
    assert too_faint(theme, product(INKS, GROUNDS), 4.5) == {}
    assert too_faint(theme, product((*LEVELS, "accent"), PROSE_GROUNDS), 4.5) == {}
    assert too_faint(theme, product(("on_accent",), ("accent",)), 4.5) == {}
    assert too_faint(theme, product(("ink",), ("added_word", "deleted_word")), 4.5) == {}


@themes
def test_edges_of_controls_and_glyphs_are_told_apart(theme: Theme) -> None:
    assert too_faint(theme, product(("edge",), CONTROL_GROUNDS), 3.0) == {}
    assert too_faint(theme, product((*LEVELS, "accent"), GROUNDS), 3.0) == {}


@themes
def test_every_identity_is_readable_and_none_is_red(theme: Theme) -> None:
    for number in range(500):
        color = theme.identity(f"agent {number}\nproject")
        assert 25 < color.hslHue() < 335
        for ground in ("surface", "raised"):
            assert contrast(color, theme.color(ground)) >= 4.5


def test_an_identity_stays_and_differs_from_others() -> None:
    theme = Theme(dark=True)
    assert theme.identity("Claude Code\nshop") == theme.identity("Claude Code\nshop")
    assert len({theme.identity(f"agent {number}").name() for number in range(40)}) > 30


def test_high_contrast_is_higher_for_all_text() -> None:
    for dark, (ink, ground) in product((True, False), product((*INKS, *LEVELS, "accent"), ("surface", "ground"))):
        plain, high = Theme(dark), Theme(dark, high_contrast=True)
        assert contrast(high.color(ink), high.color(ground)) > contrast(plain.color(ink), plain.color(ground))


def test_only_tokens_have_a_high_contrast() -> None:
    assert set(HIGH_CONTRAST) <= set(TOKENS)


def test_a_name_that_is_no_token_is_refused() -> None:
    with pytest.raises(KeyError):
        Theme(dark=True).hex("grey")


@themes
def test_the_style_sheet_has_no_colour_of_its_own(theme: Theme) -> None:
    ours = {theme.hex(name) for name in TOKENS}
    assert set(re.findall(r"#[0-9A-Fa-f]{6}\b", theme.stylesheet())) <= ours


def test_pages_get_every_token() -> None:
    variables = Theme(dark=False).css_variables()
    assert "--ink2:#454D5C;" in variables
    assert "--added-line:#DFF3E8;" in variables
    assert variables.count("--") == len(TOKENS) + 2 * len(TYPE)


def test_type_grows_with_the_font_scale(qapp: object) -> None:
    plain, large = Theme(dark=True), Theme(dark=True, font_scale=1.5)
    assert plain.font("body").pixelSize() == 15
    assert large.font("body").pixelSize() == round(15 * 1.5)
    assert (plain.line_height("body"), large.line_height("body")) == (22, 33)


def test_nothing_moves_with_reduced_motion() -> None:
    assert [Theme(dark=True).motion_ms(motion) for motion in Motion] == [120, 90]
    assert [Theme(dark=True, reduced_motion=True).motion_ms(motion) for motion in Motion] == [0, 0]
