"""On a real X server: what can be decided is never under a notice, and what is raised does not take the keyboard."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentbox_desktop.ui.toast import TITLE as TITLE_TOAST
from agentbox_desktop.ui.toast import TITLE_MORE
from tests.helpers.children import end
from tests.helpers.display import Display
from tests.helpers.waiting import wait_until
from tests.ui.stacking_process import TITLE, TITLE_ELSEWHERE, TITLE_STRIP

REPOSITORY = Path(__file__).parents[2]
TITLE_CARD = f"{TITLE} – AgentBox"


@pytest.fixture
def display() -> Iterator[Display]:
    with Display(800, 600) as screen:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.stacking_process"], env=screen.environment(), cwd=REPOSITORY)
        screen.wait_for_window(TITLE_MORE)
        yield screen
        end(process)


def decidable_is_on_top(display: Display) -> bool:
    titles = [window.title for window in display.windows()]
    ours = [title for title in titles if title in (TITLE_CARD, TITLE_STRIP, TITLE_TOAST, TITLE_MORE)]
    return len(ours) == 6 and set(ours[-2:]) == {TITLE_CARD, TITLE_STRIP}


def test_notices_that_come_stay_below_and_the_person_goes_on_typing(display: Display) -> None:
    wait_until(lambda: decidable_is_on_top(display), "card and strip to be above the notices")
    assert display.has_keyboard(display.wait_for_window(TITLE_ELSEWHERE))


def test_a_notice_that_is_clicked_does_not_stay_above(display: Display) -> None:
    covering = [*display.windows(TITLE_CARD), *display.windows(TITLE_STRIP)]
    free = next((x, y) for toast in display.windows(TITLE_TOAST)
                for x, y in [(toast.x + 20, toast.y + 12)] if not any(window.holds(x, y) for window in covering))
    display.click(*free)
    wait_until(lambda: (active := display.active_window()) and active.title == TITLE_TOAST, "the notice to be active")
    wait_until(lambda: decidable_is_on_top(display), "card and strip to be above the notices again")
