"""A text window on the screen; the file named as its argument always holds what was typed into it."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPlainTextEdit

TITLE = "test editor"


def main(file: Path) -> int:
    application = QApplication([])
    field = QPlainTextEdit()
    field.setWindowTitle(TITLE)
    field.setGeometry(60, 60, 500, 300)
    field.textChanged.connect(lambda: file.write_text(field.toPlainText(), encoding="utf-8"))
    field.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
