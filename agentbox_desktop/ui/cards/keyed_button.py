"""A button that shows its key. The keycap is dim while the key would do nothing; the button itself always works."""

from enum import Enum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.keycap import Keycap


class Look(Enum):
    """`EDGED`: a control of its own; `FILLED`: the one main act of a window; `FLAT`: words in a footer."""

    EDGED = "edged"
    FILLED = "filled"
    FLAT = "flat"


_PADDING = {Look.EDGED: 14, Look.FILLED: 14, Look.FLAT: 6}
_HEIGHT = {Look.EDGED: 32, Look.FILLED: 32, Look.FLAT: 26}
_GAP = 8


class KeyedButton(QAbstractButton):
    def __init__(self, theme: Theme, text: str, keycap: str = "", look: Look = Look.EDGED,
                 parent: QWidget | None = None, pushed_by_enter: bool = True) -> None:
        super().__init__(parent)
        self.pushed_by_enter = pushed_by_enter
        self._theme = theme
        self._look = look
        self._keycap = Keycap(theme, keycap, self) if keycap else None
        self.setFont(theme.font("controls" if look is not Look.FLAT else "meta"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self._place_keycap()
        self.updateGeometry()
        self.update()

    def set_live(self, live: bool) -> None:
        """Whether the key on the keycap works now."""
        if self._keycap:
            self._keycap.set_live(live)

    def sizeHint(self) -> QSize:
        height = round(_HEIGHT[self._look] * max(1.0, self._theme.font_scale))
        return QSize(self._inner_width() + 2 * _PADDING[self._look], height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_keycap()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, edge, ink = self._tones()
        if ground or edge:
            painter.setPen(QPen(self._theme.color(edge), 1) if edge else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(self._theme.color(ink))
        painter.setFont(self.font())
        left = self._left() + (self._keycap.sizeHint().width() + _GAP if self._keycap else 0)
        painter.drawText(self.rect().adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._words())
        painter.end()

    def _tones(self) -> tuple[str, str, str]:
        """Ground, edge and ink; an empty word is none."""
        hovered = self.underMouse() and self.isEnabled()
        if self._look is Look.FILLED:
            if not self.isEnabled():
                return "raised", "hairline", "ink3"
            return "accent", "ink" if hovered else "accent", "on_accent"
        if self._look is Look.FLAT:
            return ("hover" if hovered else ""), "", "ink" if hovered else "ink2"
        if not self.isEnabled():
            return "", "hairline", "ink3"
        return ("selected" if self.isDown() else "hover" if hovered else "raised"), "edge", "ink"

    def _words(self) -> str:
        return self.text().replace("&&", "&")

    def _inner_width(self) -> int:
        words = QFontMetrics(self.font()).horizontalAdvance(self._words())
        return words + (self._keycap.sizeHint().width() + _GAP if self._keycap else 0)

    def _left(self) -> int:
        return max(_PADDING[self._look], (self.width() - self._inner_width()) // 2)

    def _place_keycap(self) -> None:
        if self._keycap:
            size = self._keycap.sizeHint()
            self._keycap.setGeometry(self._left(), (self.height() - size.height()) // 2, size.width(), size.height())
