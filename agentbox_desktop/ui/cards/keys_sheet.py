"""The keys of a card, on a sheet that covers it until the next key or click."""

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.keys import Key
from agentbox_desktop.ui.cards.keymap import written
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.keycap import Keycap
from agentbox_desktop.ui.widgets.text import TextLabel

_SIDE, _TOP, _GAP, _COLUMN_GAP = 20, 16, 12, 24
_TITLE = "Keys on this card"
_WAY_OUT = "Esc or any key closes"


class KeysSheet(QWidget):
    closed = Signal()

    def __init__(self, theme: Theme, radius: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._radius = theme, radius
        self._title = TextLabel(theme, "card_title", parent=self)
        self._title.set_text(_TITLE)
        self._lines: list[tuple[Keycap, TextLabel]] = []
        self._way_out = TextLabel(theme, "meta", "ink2", lines=1, parent=self)
        self._way_out.set_text(_WAY_OUT)
        self.setAccessibleName(_TITLE)

    def show_keys(self, keys: list[Key], options: int) -> None:
        """What `keys` mean; of the digits, as many as there are `options`."""
        for cap, words in self._lines:
            cap.deleteLater()
            words.deleteLater()
        self._lines = [self._line(key, options) for key in keys]
        self._arrange()

    def height_at(self, width: int) -> int:
        rows = -(-len(self._lines) // 2)
        lines = self._title.heightForWidth(width) + _GAP + rows * self._row_height() + _GAP + self._way_out_height()
        return 2 * _TOP + lines

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("hairline"))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._radius, self._radius)
        painter.end()

    def _line(self, key: Key, options: int) -> tuple[Keycap, TextLabel]:
        names = key.keys[:options] if len(key.keys) > 1 else key.keys
        shown = written(names[0]) if len(names) == 1 else f"{names[0]} – {names[-1]}"
        cap = Keycap(self._theme, shown, self)
        words = TextLabel(self._theme, "controls", "ink2", parent=self)
        words.set_text(key.hint)
        cap.set_live(True)
        cap.show()
        words.show()
        return cap, words

    def _arrange(self) -> None:
        """Down the left column, then down the right one; the words of a column stand under each other."""
        foot = self._way_out_height()
        self._way_out.setGeometry(_SIDE, self.height() - _TOP - foot, self.width() - 2 * _SIDE, foot)
        title = self._title.heightForWidth(self.width())
        self._title.setGeometry(_SIDE, _TOP, self.width() - 2 * _SIDE, title)
        rows = -(-len(self._lines) // 2)
        column_width = (self.width() - 2 * _SIDE - _COLUMN_GAP) // 2
        for column in range(2):
            lines = self._lines[column * rows : (column + 1) * rows]
            cap_width = max((cap.sizeHint().width() for cap, _ in lines), default=0)
            left = _SIDE + column * (column_width + _COLUMN_GAP)
            for row, (cap, words) in enumerate(lines):
                middle = _TOP + title + _GAP + row * self._row_height() + self._row_height() // 2
                size = cap.sizeHint()
                cap.setGeometry(left, middle - size.height() // 2, size.width(), size.height())
                width = column_width - cap_width - _GAP
                height = words.heightForWidth(width)
                words.setGeometry(left + cap_width + _GAP, middle - height // 2, width, height)

    def _way_out_height(self) -> int:
        return self._theme.line_height("meta")

    def _row_height(self) -> int:
        return round(36 * max(1.0, self._theme.font_scale))
