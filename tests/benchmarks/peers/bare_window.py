"""The least that PySide6 can show: one empty window, until it is ended."""

import sys

from PySide6.QtWidgets import QApplication, QWidget

CLASS = "bare-window"


def main() -> int:
    application = QApplication([CLASS])
    window = QWidget()
    window.resize(520, 300)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
