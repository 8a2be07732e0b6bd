"""The ring around the control that has the keyboard, drawn outside of it where its neighbours leave room."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import isValid

from agentbox_desktop.ui.theme import Theme

_OFFSET, _WIDTH, _RADIUS = 2, 2, 8
REACH = _OFFSET + _WIDTH  # px that the ring takes around a control
_MOVES = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide})


class FocusRing(QWidget):
    """Follows the keyboard among the controls inside `area`, and is nowhere while it is elsewhere."""

    def __init__(self, theme: Theme, area: QWidget) -> None:
        super().__init__(area)
        self._theme, self._area = theme, area
        self._followed: list[QWidget] = []  # the control, and all that holds it up to `area`
        self._ring = QRect()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), _WIDTH))
        half = _WIDTH / 2
        ring = QRectF(self._ring.translated(-self.pos())).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(ring, _RADIUS, _RADIUS)
        painter.end()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        for widget in filter(isValid, self._followed):  # the focus leaves a control that is deleted, too
            widget.removeEventFilter(self)
        stops = new is not None and bool(new.focusPolicy() & Qt.FocusPolicy.TabFocus)
        self._followed = list(_up_to(new, self._area)) if new is not None and stops else []
        for widget in self._followed:
            widget.installEventFilter(self)
        self._place()

    def _place(self) -> None:
        """Around the control, but not beyond the part of it that its scroll area shows."""
        if not self._followed or not self._followed[0].isVisibleTo(self._area):
            self.hide()
            return
        target = self._followed[0]
        grown = QRect(-REACH, -REACH, target.width() + 2 * REACH, target.height() + 2 * REACH)
        self._ring = grown.translated(target.mapTo(self._area, QPoint()))
        shown = self._ring
        for holder in self._followed[1:]:
            if isinstance(holder.parentWidget(), QAbstractScrollArea):
                shown = shown.intersected(QRect(holder.mapTo(self._area, QPoint()), holder.size()))
        self.setGeometry(shown)
        self.raise_()
        self.setVisible(not shown.isEmpty())
        self.update()


def _up_to(widget: QWidget, area: QWidget) -> Iterator[QWidget]:
    """`widget` and what holds it, without `area`; nothing where it is not inside `area`."""
    chain: list[QWidget] = []
    at: QWidget | None = widget
    while at is not None and at is not area:
        chain.append(at)
        at = at.parentWidget()
    return iter(chain) if at is area else iter(())
