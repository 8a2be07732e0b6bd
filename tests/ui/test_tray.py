"""The tray icon: its words in memory, and on a real X server with a tray that comes late and comes again."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from agentbox_desktop.core.screen import Screen
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.tray import Tray, TrayActions
from tests.helpers.children import end
from tests.helpers.display import Display
from tests.helpers.waiting import wait_until
from tests.ui import tray_process


class Called:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.actions = TrayActions(
            lambda: self.names.append("summon"), lambda: self.names.append("logs"), lambda: self.names.append("quit"),
        )


@pytest.fixture
def called() -> Called:
    return Called()


@pytest.fixture
def tray(qtbot: QtBot, called: Called) -> Iterator[Tray]:
    made = Tray(Theme(dark=True), called.actions)
    yield made
    made.stop()


def lines(tray: Tray) -> list[str]:
    return [action.text() for action in tray.menu.actions() if not action.isSeparator()]


def test_the_menu_has_what_there_is_to_do(tray: Tray, called: Called) -> None:
    tray.show(Screen(pending=1))
    for action in tray.menu.actions():
        if action.isEnabled() and not action.isSeparator():
            action.trigger()
    assert called.names == ["summon", "logs", "quit"]


@pytest.mark.parametrize(("screen", "line"), [
    (Screen(), "Nothing is waiting"), (Screen(pending=1), "1 card is waiting"),
    (Screen(pending=12), "12 cards are waiting"),
])
def test_it_says_what_waits(tray: Tray, screen: Screen, line: str) -> None:
    tray.show(screen)
    assert lines(tray)[0] == line
    assert tray.tool_tip == f"AgentBox: {line[0].lower()}{line[1:]}"
    assert tray.menu.actions()[2].isEnabled() is (screen.pending > 0)


def test_the_icon_tells_waiting_and_urgent_apart(tray: Tray) -> None:
    looks = []
    for screen in (Screen(), Screen(pending=1), Screen(pending=1, urgent=True)):
        tray.show(screen)
        looks.append(tray.icon.pixmap(22, 22).toImage())
    assert looks[0] != looks[1] != looks[2] != looks[0]


def test_the_menu_is_popped_up_without_a_loop_of_its_own(tray: Tray, qtbot: QtBot) -> None:
    turns: list[int] = []
    QTimer.singleShot(0, lambda: turns.append(1))
    tray.menu.popup(tray.menu.pos())
    qtbot.waitUntil(lambda: tray.menu.isVisible() and bool(turns))
    tray.menu.hide()


def test_without_a_screen_there_is_no_tray_and_no_looking(tray: Tray) -> None:
    tray.start()
    assert not tray.has_host


# On a real X server


@pytest.fixture
def display() -> Iterator[Display]:
    with Display(800, 600) as screen:
        yield screen


@pytest.fixture
def reported(display: Display, tmp_path: Path) -> Iterator[Path]:
    """What a process with a tray icon writes down: a line for each change, and what its actions were."""
    file = tmp_path / "reported"
    environment = display.environment() | {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
    process = subprocess.Popen([sys.executable, str(tray_process.__file__), str(file)], env=environment)
    wait_until(file.exists, "the tray's process to start")
    yield file
    end(process)


def start_host(display: Display) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["trayer", "--edge", "top", "--align", "left", "--widthtype", "request", "--height", "24"],
        env=display.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


def words(file: Path) -> list[str]:
    return file.read_text().split()


def test_a_tray_that_comes_late_and_comes_again_gets_the_icon(display: Display, reported: Path) -> None:
    assert words(reported) == ["started"]
    host = start_host(display)
    wait_until(lambda: words(reported)[-1:] == ["host"], "the icon to find the tray")
    click_until(display, reported, "summon")
    end(host)
    wait_until(lambda: words(reported)[-1:] == ["none"], "the icon to miss the tray")
    host = start_host(display)
    wait_until(lambda: words(reported)[-1:] == ["host"], "the icon to find the new tray")
    click_until(display, reported, "summon")
    end(host)


def click_until(display: Display, file: Path, word: str) -> None:
    """Click on the icon, which its tray may still be laying out."""
    def heard() -> bool:
        display.click(12, 12)
        return words(file)[-1:] == [word]

    wait_until(heard, f"a click on the icon to {word}")
