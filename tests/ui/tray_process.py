"""A tray icon in a process of its own, which writes what happens to it into the file named as its argument."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from agentbox_desktop.core.screen import Screen
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.tray import Tray, TrayActions


def main(file: Path) -> int:
    application = QApplication([])
    application.setQuitOnLastWindowClosed(False)

    def report(word: str) -> None:
        with file.open("a") as opened:
            opened.write(f"{word}\n")

    tray = Tray(
        Theme(dark=True),
        TrayActions(lambda: report("summon"), lambda: report("logs"), application.quit),
        look_every_ms=100,
    )
    tray.host_changed.connect(lambda there: report("host" if there else "none"))
    tray.start()
    tray.show(Screen(pending=2))
    report("started")
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
