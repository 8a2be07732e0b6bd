"""The summon key on a real X server: it is heard wherever the keyboard is, and given back."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from Xlib import XK, X
from Xlib.display import Display as XConnection
from Xlib.ext import xtest

from agentbox_desktop.platform.hotkeys.x11 import X11Hotkeys
from tests.helpers.display import Display
from tests.helpers.editor import Editor

SUMMON = "ctrl+alt+space"


@pytest.fixture(scope="module")
def display() -> Iterator[Display]:
    with Display(800, 600) as screen:
        yield screen


@pytest.fixture
def hotkeys(qapp: object, display: Display) -> Iterator[X11Hotkeys]:
    made = X11Hotkeys(display.name)
    yield made
    made.close()


def counting() -> tuple[list[int], Any]:
    pressed: list[int] = []
    return pressed, lambda: pressed.append(1)


def test_it_is_heard_while_another_program_has_the_keyboard(
    hotkeys: X11Hotkeys, display: Display, qtbot: QtBot, tmp_path: Any
) -> None:
    pressed, press = counting()
    with Editor(display, tmp_path / "typed") as editor:
        assert hotkeys.grab(SUMMON, press) is None
        display.type("before ")
        display.key(SUMMON)
        qtbot.waitUntil(lambda: len(pressed) == 1)
        display.type("after")
        editor.wait_for_text("before after")
    assert len(pressed) == 1


@pytest.mark.parametrize("lock", ["Num_Lock", "Caps_Lock"])
def test_locks_make_no_difference(hotkeys: X11Hotkeys, display: Display, qtbot: QtBot, lock: str) -> None:
    pressed, press = counting()
    assert hotkeys.grab(SUMMON, press) is None
    display.key(lock)
    try:
        display.key(SUMMON)
        qtbot.waitUntil(lambda: len(pressed) == 1)
    finally:
        display.key(lock)
    display.key(SUMMON)
    qtbot.waitUntil(lambda: len(pressed) == 2)


def test_other_keys_are_not_heard(hotkeys: X11Hotkeys, display: Display, qtbot: QtBot) -> None:
    pressed, press = counting()
    assert hotkeys.grab(SUMMON, press) is None
    display.key("space", "ctrl+space", "alt+space", "ctrl+alt+shift+space", "ctrl+alt+a")
    display.key(SUMMON)
    qtbot.waitUntil(lambda: len(pressed) == 1)


def test_a_taken_key_is_said_and_the_program_that_has_it_keeps_it(
    qapp: object, hotkeys: X11Hotkeys, display: Display, qtbot: QtBot
) -> None:
    first, press_first = counting()
    second, press_second = counting()
    assert hotkeys.grab(SUMMON, press_first) is None
    other = X11Hotkeys(display.name)
    assert other.grab(SUMMON, press_second) == "Ctrl+Alt+Space is taken by another program."
    display.key(SUMMON)
    qtbot.waitUntil(lambda: len(first) == 1)
    hotkeys.release()
    assert other.grab(SUMMON, press_second) is None
    display.key(SUMMON)
    qtbot.waitUntil(lambda: len(second) == 1)
    assert len(first) == 1
    other.close()


def test_another_combination_replaces_the_first(hotkeys: X11Hotkeys, display: Display, qtbot: QtBot) -> None:
    old, press_old = counting()
    new, press_new = counting()
    assert hotkeys.grab(SUMMON, press_old) is None
    assert hotkeys.grab("super+f9", press_new) is None
    display.key(SUMMON, "super+F9")
    qtbot.waitUntil(lambda: len(new) == 1)
    assert old == []


def test_it_follows_a_key_that_is_moved(hotkeys: X11Hotkeys, display: Display, qtbot: QtBot) -> None:
    pressed, press = counting()
    assert hotkeys.grab("ctrl+alt+q", press) is None
    with_q, with_j = key_code(display, "q"), key_code(display, "j")
    remap(display, with_q, "j")
    remap(display, with_j, "q")
    try:
        qtbot.waitUntil(lambda: {code for code, _ in hotkeys._grabbed} == {with_j})
        tap(display, with_q)
        tap(display, with_j)
        qtbot.waitUntil(lambda: bool(pressed))
        assert len(pressed) == 1
    finally:
        remap(display, with_q, "q")
        remap(display, with_j, "j")


@pytest.mark.parametrize(("combination", "wrong"), [
    ("ctrl+alt", "is no key"), ("a", "needed for typing"), ("ctrl+f24", "The keyboard has no key for Ctrl+F24."),
])
def test_what_can_not_be_taken_is_said(hotkeys: X11Hotkeys, combination: str, wrong: str) -> None:
    assert wrong in (hotkeys.grab(combination, lambda: None) or "")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # python-xlib leaves its sockets open
def test_no_x_server_is_said(qapp: object) -> None:
    assert "can't be reached" in (X11Hotkeys(":9999").grab(SUMMON, lambda: None) or "")


def key_code(display: Display, name: str) -> int:
    connection = XConnection(display.name)
    try:
        return int(connection.keysym_to_keycode(XK.string_to_keysym(name)))
    finally:
        connection.close()


def remap(display: Display, code: int, name: str) -> None:
    command = ["xmodmap", "-e", f"keycode {code} = {name} {name.upper()}"]
    subprocess.run(command, env=display.environment(), check=True, capture_output=True, timeout=10)


def tap(display: Display, code: int) -> None:
    """Press a key by its place on the keyboard, with Ctrl and Alt held."""
    held = [key_code(display, name) for name in ("Control_L", "Alt_L")]
    connection = XConnection(display.name)
    try:
        for kind, codes in ((X.KeyPress, [*held, code]), (X.KeyRelease, [code, *held])):
            for each in codes:
                xtest.fake_input(connection, kind, each)
        connection.sync()
    finally:
        connection.close()
