"""A field of several lines that is as high as what is in it, between two bounds."""


from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from agentbox_desktop.ui.theme import Theme

_FRAME = 2 * (1 + 6 + 4)  # border, the style sheet's padding, the document's own margin


class TextField(QPlainTextEdit):
    height_changed = Signal()

    def __init__(self, theme: Theme, name: str, least_lines: int, most_lines: int,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bounds = (least_lines, most_lines)
        self._lines = least_lines
        self.setFont(theme.font("body"))
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.document().documentLayout().documentSizeChanged.connect(self._count_lines)

    def set_words(self, words: str) -> None:
        """Hold `words`, which are no news to anybody; typing goes on behind them."""
        with QSignalBlocker(self):
            self.setPlainText(words)
            self.moveCursor(QTextCursor.MoveOperation.End)

    def wanted_height(self) -> int:
        return self._lines * QFontMetrics(self.font()).lineSpacing() + _FRAME

    def sizeHint(self) -> QSize:
        return QSize(200, self.wanted_height())

    def _count_lines(self) -> None:
        """A plain document measures its height in lines."""
        least, most = self._bounds
        lines = max(least, min(round(self.document().size().height()), most))
        if lines != self._lines:
            self._lines = lines
            self.height_changed.emit()
