"""The real thing: a daemon on a real X server, the command line, and agents in processes of their own.

A module's tests share one desk and one agent, because a daemon and an SDK client cost seconds; a test that kills
something, or leaves something waiting, takes `own_desk`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.agent import Agent
from tests.helpers.desk import Desk
from tests.helpers.display import Display
from tests.helpers.person import Person

SHORT_GRACE = "[undo]\ngrace_s = 0.5\n"


@pytest.fixture(scope="session")
def display() -> Iterator[Display]:
    """One screen for all tests, 1920 x 1080 with openbox."""
    with Display() as screen:
        yield screen


@pytest.fixture(scope="module")
def shared_desk(display: Display, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Desk(tmp_path_factory.mktemp("desk") / "home", display) as running:
        running.configure(SHORT_GRACE)
        running.start()
        yield running


@pytest.fixture(scope="module")
def shared_agent(shared_desk: Desk) -> Iterator[Agent]:
    with Agent(shared_desk) as process:
        yield process


@pytest.fixture
def desk(shared_desk: Desk, display: Display) -> Iterator[Desk]:
    """A running daemon on the screen, the pointer in a corner where no card appears; the module's own."""
    _out_of_the_way(display)
    yield shared_desk
    shared_desk.clear()


@pytest.fixture
def agent(desk: Desk, shared_agent: Agent) -> Iterator[Agent]:
    """An agent on the desk, without a bridge yet; the module's own."""
    yield shared_agent
    shared_agent.close_bridges()


@pytest.fixture
def person(desk: Desk, display: Display) -> Person:
    return Person(desk, display)


@pytest.fixture
def own_display() -> Iterator[Display]:
    """A screen for this test alone: two daemons on one screen would want the same summon key."""
    with Display() as screen:
        yield screen


@pytest.fixture
def own_desk(own_display: Display, tmp_path: Path) -> Iterator[Desk]:
    """A running daemon on a screen, both for this test alone, with the settings of a new user."""
    _out_of_the_way(own_display)
    with Desk(tmp_path / "home", own_display) as running:
        running.start()
        yield running


@pytest.fixture
def own_agent(own_desk: Desk) -> Iterator[Agent]:
    with Agent(own_desk) as process:
        yield process


@pytest.fixture
def bare_desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk without a screen whose daemon is not started yet."""
    with Desk(tmp_path / "home") as stopped:
        yield stopped


@pytest.fixture(scope="module")
def headless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A running daemon without a screen; the module's own."""
    with Desk(tmp_path_factory.mktemp("headless") / "home") as running:
        running.configure(SHORT_GRACE)
        running.start()
        yield running


@pytest.fixture
def own_headless(bare_desk: Desk) -> Desk:
    """A running daemon without a screen, for this test alone."""
    bare_desk.start()
    return bare_desk


def _out_of_the_way(display: Display) -> None:
    display.move(2, display.height - 2)
