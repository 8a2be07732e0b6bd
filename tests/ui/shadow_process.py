"""A window with a shadow above one that fills the screen; each press is written into the file named as its argument."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from agentbox_desktop.ui.floating import FloatingWindow
from agentbox_desktop.ui.theme import Theme

FRAME = QRect(300, 200, 200, 100)
HIGHER = QRect(300, 200, 200, 140)
TITLE, TITLE_BELOW = "above", "below"


class Above(FloatingWindow):
    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        return False


class Pressed(QWidget):
    def __init__(self, pressed: Callable[[], object]) -> None:
        super().__init__()
        self._pressed = pressed

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed()


def main(file: Path) -> int:
    application = QApplication([])

    def report(word: str) -> None:
        with file.open("a") as opened:
            opened.write(f"{word}\n")

    below = Pressed(lambda: report("below"))
    below.setWindowTitle(TITLE_BELOW)
    below.setWindowFlags(Qt.WindowType.FramelessWindowHint)
    below.setGeometry(0, 0, 800, 590)
    below.show()

    def pressed() -> None:
        report("frame")
        above.set_frame(HIGHER)

    above = Above(Theme(dark=True, composited=True), time.monotonic, Pressed(pressed))
    above.setWindowTitle(TITLE)
    above.set_frame(FRAME)
    above.show()
    report("started")
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
