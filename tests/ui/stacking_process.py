"""A card, then an undo strip, and last notices over both, beside a window in which the person is typing."""

import asyncio
from pathlib import Path

import qasync
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from agentbox_desktop.core.items import Decision, Kind, Level
from agentbox_desktop.core.screen import Card, Screen
from agentbox_desktop.core.settings import Settings, ThemeSettings
from agentbox_desktop.ui.presenter import Presenter
from tests.ui.windows import FakeClock, FakePerson, decided, item, until

TITLE, TITLE_ELSEWHERE, TITLE_STRIP = "Down", "elsewhere", "Answered: a – AgentBox"


async def main() -> None:
    person, clock = FakePerson(), FakeClock()
    elsewhere = QPlainTextEdit()
    elsewhere.setWindowTitle(TITLE_ELSEWHERE)
    elsewhere.show()
    await until(elsewhere.isActiveWindow)
    settings = Settings(theme=ThemeSettings(mode="dark", reduced_motion=True))
    presenter = Presenter(person, "x11", lambda: settings, clock, Path(), lambda: None, lambda: None)
    urgent = item(TITLE, Kind.NOTICE, Level.URGENT, body="\n\n".join(f"line {number}" for number in range(30)))
    answered = decided(item("Which?", options=("a", "b")), Decision(answers=("a",)), clock.now(), grace_s=60.0)
    presenter.show(Screen(Card(urgent), undo=(answered,)))
    await until(lambda: urgent.id in person.seen_ids)
    notices = tuple(item(f"Notice {number}", Kind.NOTICE, body="words") for number in range(3))
    presenter.show(Screen(Card(urgent), undo=(answered,), toasts=notices, more_toasts=1))
    await asyncio.Event().wait()


if __name__ == "__main__":
    loop = qasync.QEventLoop(QApplication([]))
    with loop:
        loop.run_until_complete(main())
