"""Who is calling, in its own hue: the agent, its project and its branch."""

from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.text import tooltip

_PADDING, _DOT, _GAP, _PART_GAP = 9, 8, 7, 8


class IdentityPill(QWidget):
    """The label an agent gives itself; the tooltip has what was verified."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hue = theme.identity("")
        self._parts: list[tuple[str, QFont, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_caller(self, caller: Caller) -> None:
        name, project, branch = one_line(caller.name), one_line(caller.project), one_line(caller.branch)
        self._hue = self._theme.identity(identity_key(caller))
        bold = self._theme.font("meta")
        bold.setWeight(QFont.Weight.DemiBold)
        plain = self._theme.font("meta")
        self._parts = [(name, bold, "ink")]
        self._parts += [(project, plain, "ink2")] if project else []
        self._parts += [(branch, self._theme.font("keycap"), "ink3")] if branch else []
        self.setAccessibleName(", ".join(part for part, _, _ in self._parts))
        self.setToolTip(tooltip(_in_full(caller)))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = 2 * _PADDING + _DOT + _GAP + sum(self._widths()) + self._part_gaps()
        return QSize(width, round(24 * max(1.0, self._theme.font_scale)))

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * _PADDING + _DOT + _GAP + 40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(self._theme.color("hairline"), 1))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._hue)
        painter.drawEllipse(QPointF(_PADDING + _DOT / 2, self.height() / 2), _DOT / 2, _DOT / 2)
        self._paint_parts(painter)
        painter.end()

    def _paint_parts(self, painter: QPainter) -> None:
        left, end = _PADDING + _DOT + _GAP, self.width() - _PADDING
        widths = _shares(self._widths(), end - left - self._part_gaps())
        for (part, font, tone), width in zip(self._parts, widths, strict=True):
            shown = QFontMetrics(font).elidedText(part, Qt.TextElideMode.ElideMiddle, width)
            painter.setFont(font)
            painter.setPen(self._theme.color(tone))
            painter.drawText(QRectF(left, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, shown)
            left += width + _PART_GAP

    def _widths(self) -> list[int]:
        """What each part needs, never a fraction of a pixel less: that would be enough to elide it."""
        return [ceil(QFontMetricsF(font).horizontalAdvance(part)) + 1 for part, font, _ in self._parts]

    def _part_gaps(self) -> int:
        return _PART_GAP * max(0, len(self._parts) - 1)


def identity_key(caller: Caller) -> str:
    """What `Theme.identity` makes this caller's hue of: the same agent in the same project is one."""
    return f"{caller.name}\n{caller.project}"


def _shares(wanted: list[int], room: int) -> list[int]:
    """How much of `room` each part gets: what it wants, and where that is too much the widest give first."""
    given = list(wanted)
    while sum(given) > room and max(given) > 0:
        widest = max(range(len(given)), key=given.__getitem__)
        second = max((width for index, width in enumerate(given) if index != widest), default=0)
        given[widest] -= min(max(1, given[widest] - second), sum(given) - max(room, 0))
    return given


def _in_full(caller: Caller) -> str:
    """What was verified first; then each label whole, because the pill may have to shorten it."""
    process = f" (process {caller.pid})" if caller.pid else ""
    labels = [f"{name}: {one_line(said)}" for name, said in (
        ("Name", caller.name), ("Project", caller.project), ("Branch", caller.branch),
        ("Session label", caller.session_label)) if said]
    return "\n".join([f"Program: {caller.executable or 'unknown'}{process}", f"Session: {caller.session}",
                      "What it says of itself:", *labels])
