"""One option of a question: its key, its label, what it means, and whether it is ticked or the default."""


from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from agentbox_desktop.core.items import Option
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.keycap import Keycap
from agentbox_desktop.ui.widgets.text import TextLabel

_LEAST_HEIGHT = 44
_PADDING_X, _PADDING_Y, _GAP = 12, 8, 12
_BOX = 16
_TAG = "default"


class OptionRow(QAbstractButton):
    pointed = Signal()  # the pointer or the keyboard focus came here

    def __init__(self, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_default = False
        self._measured: dict[int, tuple[int, int]] = {}
        self._keycap = Keycap(theme, str(number), self)
        self._label = TextLabel(theme, "body", parent=self)
        self._description = TextLabel(theme, "controls", "ink2", parent=self)
        for part in (self._label, self._description):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_option(self, option: Option, is_default: bool, ticks: bool, ticked: bool) -> None:
        """`ticks`: several may be chosen, and the row has a box; `ticked`: it is among them."""
        self._is_default = is_default
        self._measured.clear()
        self.setCheckable(ticks)
        self.setChecked(ticked)
        self._label.set_text(one_line(option.label))
        self._description.set_text(one_line(option.description))
        self._description.setVisible(bool(option.description))
        self.setAccessibleName(self._label.text() + (f", {_TAG}" if is_default else ""))
        self.setAccessibleDescription(self._description.text())
        self.update()

    def set_live(self, live: bool) -> None:
        self._keycap.set_live(live)

    def height_at(self, width: int) -> int:
        """Pixels that the whole text needs at `width`."""
        label, description = self._text_heights(self._text_width(width))
        least = round(_LEAST_HEIGHT * max(1.0, self._theme.font_scale))
        return max(least, label + description + 2 * _PADDING_Y)

    def sizeHint(self) -> QSize:
        return QSize(self._text_left() + self._label.sizeHint().width() + self._tag_width() + _PADDING_X, _LEAST_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        left, width = self._text_left(), self._text_width(self.width())
        label, description = self._text_heights(width)
        top = (self.height() - label - description) // 2
        self._label.setGeometry(left, top, width, label)
        self._description.setGeometry(left, top + label, width, description)
        size = self._keycap.sizeHint()
        self._keycap.move(_PADDING_X, self._first_line().center().y() - size.height() // 2 + 1)
        self._keycap.resize(size)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.pointed.emit()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.pointed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.isChecked() or self.isDown()
        ground = "selected" if chosen else "hover" if self.underMouse() else "surface"
        painter.setPen(QPen(self._theme.color("accent" if self.isChecked() else "edge"), 1))
        painter.setBrush(self._theme.color(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if self.isCheckable():
            self._paint_box(painter)
        if self._is_default:
            self._paint_tag(painter)
        painter.end()

    def _paint_box(self, painter: QPainter) -> None:
        box = QRectF(self._keycap.geometry().right() + _GAP, self._first_line().center().y() - _BOX / 2 + 1, _BOX, _BOX)
        frame = box.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(self._theme.color("accent" if self.isChecked() else "edge"), 1))
        painter.setBrush(self._theme.color("accent") if self.isChecked() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 4, 4)
        if self.isChecked():
            tick = QPen(self._theme.color("on_accent"), 2)
            tick.setCapStyle(Qt.PenCapStyle.RoundCap)
            tick.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(tick)
            corner = box.topLeft()
            painter.drawPolyline([corner + QPointF(4, 8.5), corner + QPointF(7, 11.5), corner + QPointF(12, 5)])

    def _paint_tag(self, painter: QPainter) -> None:
        height = self._theme.line_height("meta") + 4
        line = self._first_line()
        tag = QRectF(self.width() - _PADDING_X - self._tag_width() + _GAP, line.center().y() - height / 2 + 1,
                     self._tag_width() - _GAP, height)
        painter.setPen(QPen(self._theme.color("hairline"), 1))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(tag.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(self._theme.color("ink2"))
        painter.setFont(self._theme.font("meta"))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, _TAG)

    def _first_line(self) -> QRect:
        label = self._label.geometry()
        return QRect(label.left(), label.top(), label.width(), self._theme.line_height("body"))

    def _text_heights(self, width: int) -> tuple[int, int]:
        """Of label and description at `width`; a layout asks for them many times, so they are kept."""
        if width not in self._measured:
            described = bool(self._description.text())
            self._measured[width] = (self._label.heightForWidth(width),
                                     self._description.heightForWidth(width) if described else 0)
        return self._measured[width]

    def _text_left(self) -> int:
        box = _BOX + _GAP if self.isCheckable() else 0
        return _PADDING_X + self._keycap.sizeHint().width() + _GAP + box

    def _text_width(self, width: int) -> int:
        return max(1, width - self._text_left() - self._tag_width() - _PADDING_X)

    def _tag_width(self) -> int:
        if not self._is_default:
            return 0
        return QFontMetrics(self._theme.font("meta")).horizontalAdvance(_TAG) + 12 + _GAP
