"""A key as it looks on a keyboard; dim for as long as pressing it would do nothing."""


from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from agentbox_desktop.ui.theme import Theme

_LEAST = 20
_PADDING = 5
_DIM = 0.45


class Keycap(QWidget):
    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._text, self._live = theme, text, False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._describe()

    @property
    def live(self) -> bool:
        return self._live

    def text(self) -> str:
        return self._text

    def set_live(self, live: bool) -> None:
        """Whether pressing this key does something now."""
        self._live = live
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("keycap"))
        least = round(_LEAST * max(1.0, self._theme.font_scale))
        return QSize(max(least, metrics.horizontalAdvance(self._text) + 2 * _PADDING + 1), least)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self._live else _DIM)
        painter.setPen(QPen(self._theme.color("edge"), 1))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(self._theme.color("ink2"))
        painter.setFont(self._theme.font("keycap"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()

    def _describe(self) -> None:
        self.setAccessibleName(f"Key {self._text}" if self._live else f"Key {self._text}, not yet")
