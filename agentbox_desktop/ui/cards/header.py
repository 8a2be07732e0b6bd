"""The first row of a card: who asks, how grave it is, and since when it waits."""

from datetime import datetime

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Item, Level
from agentbox_desktop.ui.cards.words import age
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.level import level_color, level_glyph
from agentbox_desktop.ui.widgets.pill import IdentityPill
from agentbox_desktop.ui.widgets.text import tooltip

_GLYPH, _GAP = 16, 6
_QUIET = frozenset({Level.INFO})  # the level of nearly every question; a sign on each would say nothing


class Header(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pill = IdentityPill(theme, self)
        self._level = Level.INFO
        self._age = ""

    def wanted_height(self) -> int:
        return self._pill.sizeHint().height()

    def set_item(self, item: Item) -> None:
        self._level = item.level
        self._pill.set_caller(item.caller)
        since = datetime.fromtimestamp(item.created_at).astimezone()
        self.setToolTip(tooltip(f"Asked at {since:%H:%M:%S} on {since:%Y-%m-%d}"))
        self._place_pill()
        self.update()

    def set_age(self, seconds: float) -> None:
        words = age(seconds)
        if words != self._age:
            self._age = words
            self.setAccessibleName(f"{self._level.value}, asked {words}" + ("" if words == "now" else " ago"))
            self._place_pill()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pill()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font("meta"))
        painter.setPen(self._theme.color("ink3"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._age)
        if self._level not in _QUIET:
            left = self.width() - self._right_width()
            glyph = level_glyph(self._theme, self._level, _GLYPH, self.devicePixelRatioF())
            painter.drawPixmap(left, (self.height() - _GLYPH) // 2, glyph)
            painter.setPen(level_color(self._theme, self._level))
            words = QRect(left + _GLYPH + _GAP, 0, self.width(), self.height())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._level.value.capitalize())
        painter.end()

    def _place_pill(self) -> None:
        size = self._pill.sizeHint()
        width = min(size.width(), self.width() - self._right_width() - 2 * _GAP)
        self._pill.setGeometry(0, (self.height() - size.height()) // 2, max(0, width), size.height())

    def _right_width(self) -> int:
        metrics = QFontMetrics(self._theme.font("meta"))
        clock = metrics.horizontalAdvance(self._age)
        if self._level in _QUIET:
            return clock
        return _GLYPH + _GAP + metrics.horizontalAdvance(self._level.value.capitalize()) + 2 * _GAP + clock
