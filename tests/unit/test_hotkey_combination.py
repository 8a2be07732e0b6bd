"""Key combinations, read as a person writes them."""

import pytest

from agentbox_desktop.platform.hotkeys import default_combination, system_hotkeys
from agentbox_desktop.platform.hotkeys.combination import Combination, parse


@pytest.mark.parametrize(("text", "modifiers", "key"), [
    ("ctrl+alt+space", {"ctrl", "alt"}, "space"), ("Ctrl + Alt + Space", {"ctrl", "alt"}, "space"),
    ("control+option+a", {"ctrl", "alt"}, "a"), ("cmd+shift+5", {"super", "shift"}, "5"),
    ("win+F9", {"super"}, "f9"), ("ctrl+escape", {"ctrl"}, "esc"), ("alt+return", {"alt"}, "enter"),
])
def test_what_can_be_read(text: str, modifiers: set[str], key: str) -> None:
    assert parse(text) == Combination(frozenset(modifiers), key)


@pytest.mark.parametrize(("text", "wrong"), [
    ("ctrl+alt", "'alt' in 'ctrl+alt' is no key"), ("hyper+a", "'hyper' in 'hyper+a' is no modifier"),
    ("a", "needed for typing"), ("shift+a", "needed for typing"), ("f5", "needed for typing"),
    ("", "'' in '' is no key"), ("ctrl++", "is no modifier"), ("ctrl+é", "'é' in 'ctrl+é' is no key"),
    ("ctrl+f25", "'f25' in 'ctrl+f25' is no key"),
])
def test_what_can_not_is_said(text: str, wrong: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse(text)
    assert wrong in str(refused.value)


def test_it_is_written_as_on_keycaps() -> None:
    assert str(parse("alt+ctrl+space")) == "Ctrl+Alt+Space"
    assert str(parse("super+f9")) == "Super+F9"
    assert str(parse("ctrl+q")) == "Ctrl+Q"


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin", "freebsd14"])
def test_defaults_keep_off_what_is_taken(platform: str) -> None:
    default = parse(default_combination(platform))
    assert default != parse("ctrl+alt+esc")  # KDE and Xfce
    if platform == "win32":
        assert not {"ctrl", "alt"} <= default.modifiers  # AltGr
    if platform == "darwin":
        assert default != parse("ctrl+alt+space")  # the next input source


@pytest.mark.parametrize("display", ["wayland", "offscreen"])
def test_where_no_key_can_be_taken_it_is_said(display: str) -> None:
    hotkeys = system_hotkeys(display)
    assert hotkeys.grab("ctrl+alt+space", lambda: None)
    hotkeys.release()
