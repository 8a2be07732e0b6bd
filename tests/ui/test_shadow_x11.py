"""On a real X server: a press on a window's shadow is one on what lies below it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.children import end
from tests.helpers.display import Display
from tests.helpers.waiting import wait_until
from tests.ui import shadow_process
from tests.ui.shadow_process import FRAME, HIGHER, TITLE, TITLE_BELOW


@pytest.fixture
def display() -> Iterator[Display]:
    with Display(800, 600) as screen:
        yield screen


@pytest.fixture
def presses(display: Display, tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "presses"
    process = subprocess.Popen([sys.executable, str(shadow_process.__file__), str(file)], env=display.environment())
    display.wait_for_window(TITLE_BELOW)
    display.wait_for_window(TITLE)
    yield file
    end(process)


def click_until(display: Display, file: Path, x: int, y: int, word: str) -> None:
    """Click there until it is heard: the window takes no press in its first half second."""
    def heard() -> bool:
        display.move(x - 5, y)  # a press counts once the pointer has moved
        display.click(x, y)
        return file.read_text().split()[-1] == word

    wait_until(heard, f"a click at {x}, {y} to reach {word}")


def test_the_shadow_leaves_presses_to_the_window_below_also_once_the_frame_is_another(
    display: Display, presses: Path
) -> None:
    middle, under = FRAME.center().x(), FRAME.bottom() + 10
    click_until(display, presses, FRAME.left() - 10, FRAME.center().y(), "below")
    click_until(display, presses, middle, FRAME.center().y(), "frame")
    click_until(display, presses, middle, HIGHER.bottom() + 10, "below")
    click_until(display, presses, middle, under, "frame")
    assert set(presses.read_text().split()) == {"started", "below", "frame"}
