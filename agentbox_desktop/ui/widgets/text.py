"""Plain text of exact line heights: wrapped, held to a number of lines, and honest about what does not fit."""

from html import escape

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from agentbox_desktop.core import text as hostile
from agentbox_desktop.ui.theme import Theme


def tooltip(text: str) -> str:
    """`text` for a tooltip as it is: Qt takes what looks like HTML for HTML, and an agent may have written it."""
    return f"<p style='white-space:pre-wrap'>{escape(hostile.visible(text))}</p>"


class TextLabel(QWidget):
    """Text in one role and one tone. `lines` holds it to so many; `cut_at` says whether that hides something."""

    def __init__(
        self, theme: Theme, role: str, tone: str = "ink", lines: int | None = None, weight: QFont.Weight | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._role, self._tone, self._lines = theme, role, tone, lines
        self._font = theme.font(role)
        if weight is not None:
            self._font.setWeight(weight)
        self._text = ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def cut_at(self, width: int) -> bool:
        """Whether some of the text would not be shown at `width`."""
        return self.lines_at(width)[1]

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """Show `text`, its invisible characters made visible."""
        self._text = hostile.visible(text)
        self.setAccessibleName(self._text)
        self._refresh()

    def set_tone(self, tone: str) -> None:
        self._tone = tone
        self.update()

    def set_lines(self, lines: int | None) -> None:
        """Hold the text to `lines`; None shows all of it."""
        self._lines = lines
        self._refresh()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(1, len(self.lines_at(width)[0])) * self._theme.line_height(self._role)

    def sizeHint(self) -> QSize:
        widest = max((QFontMetricsF(self._font).horizontalAdvance(line) for line in self._text.split("\n")), default=0)
        width = int(widest) + 2
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.line_height(self._role))

    def paintEvent(self, event: QPaintEvent) -> None:
        lines, _ = self.lines_at(self.width())
        height, metrics = self._theme.line_height(self._role), QFontMetricsF(self._font)
        base = (height - metrics.height()) / 2 + metrics.ascent()
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.color(self._tone if self.isEnabled() else "ink3"))
        for number, line in enumerate(lines):
            painter.drawText(QPointF(0, number * height + base), line)
        painter.end()

    def _refresh(self) -> None:
        self.updateGeometry()
        self.update()

    def lines_at(self, width: int) -> tuple[list[str], bool]:
        """The lines that are drawn at `width`, and whether the last of them had to be elided."""
        lines: list[str] = []
        limit = self._lines
        metrics = QFontMetricsF(self._font)
        for paragraph in self._text.split("\n"):
            for start, length in _wrapped(paragraph, self._font, width):
                if limit is not None and len(lines) == limit:
                    lines[-1] = metrics.elidedText(lines[-1] + "…", Qt.TextElideMode.ElideRight, width)
                    return lines, True
                lines.append(paragraph[start : start + length])
        return lines, False


def _wrapped(paragraph: str, font: QFont, width: int) -> list[tuple[int, int]]:
    """(start, length) of each line of `paragraph` at `width`; a word that is too long is broken."""
    if not paragraph:
        return [(0, 0)]
    layout = QTextLayout(paragraph, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    spans: list[tuple[int, int]] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        spans.append((line.textStart(), line.textLength()))
    layout.endLayout()
    return spans
