"""Our icons, tinted: 18 px drawings on a 1.5 px stroke, and the mark of the app with what it has to say."""

from enum import StrEnum
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

from agentbox_desktop.ui import resources
from agentbox_desktop.ui.theme import Theme

SIZE = 18
_RATIOS = (1.0, 2.0)
_MARK_SIZES = (16, 22, 24, 32, 48, 64, 128)


class MarkState(StrEnum):
    """What the app's own icon says."""

    IDLE = "idle"
    WAITING = "waiting"
    URGENT = "urgent"


def pixmap(name: str, color: QColor, size: int = SIZE, ratio: float = 1.0) -> QPixmap:
    """The icon `name` in one colour. `size` is in logical pixels, `ratio` the screen's pixels to one of them."""
    return _tinted(name, color.name(), size, ratio)


def icon(name: str, theme: Theme, token: str = "ink2") -> QIcon:
    """The icon `name` in a token's colour, sharp on ordinary and on dense screens."""
    made = QIcon()
    for ratio in _RATIOS:
        made.addPixmap(_tinted(name, theme.hex(token), SIZE, ratio))
        made.addPixmap(_tinted(name, theme.hex("ink3"), SIZE, ratio), QIcon.Mode.Disabled)
    return made


def mark(theme: Theme, state: MarkState = MarkState.IDLE, count: int = 0) -> QIcon:
    """The app's icon. What waits is a dot with its number at the lower right; urgent has its own colour and sign."""
    made = QIcon()
    for size in _MARK_SIZES:
        made.addPixmap(_mark(size, state, count, theme))
    return made


@cache
def _tinted(name: str, hex_color: str, size: int, ratio: float) -> QPixmap:
    drawing = resources.text(f"icons/{name}.svg").replace("currentColor", hex_color)
    return _render(drawing, round(size * ratio), ratio)


def _render(drawing: str, pixels: int, ratio: float = 1.0) -> QPixmap:
    canvas = QPixmap(QSize(pixels, pixels))
    canvas.fill(Qt.GlobalColor.transparent)
    painter = QPainter(canvas)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    canvas.setDevicePixelRatio(ratio)
    return canvas


def _mark(size: int, state: MarkState, count: int, theme: Theme) -> QPixmap:
    canvas = _render(resources.text("icons/agentbox.svg"), size)
    if state is MarkState.IDLE:
        return canvas
    sign = "!" if state is MarkState.URGENT else str(count) if count < 10 else "9+"
    tone = "urgent" if state is MarkState.URGENT else "warning"
    dark = Theme(dark=True, high_contrast=theme.high_contrast)  # the dot stands on the mark, not on a theme's ground
    dot = QRectF(size * 0.44, size * 0.44, size * 0.56, size * 0.56)
    painter = QPainter(canvas)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setBrush(Qt.GlobalColor.black)
    painter.drawEllipse(dot.adjusted(-size * 0.06, -size * 0.06, size * 0.06, size * 0.06))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(dark.color(tone))
    painter.drawEllipse(dot)
    painter.setPen(QPen(dark.color("on_accent")))
    font = QFont(theme.font("controls"))
    font.setPixelSize(max(8, round(dot.height() * (0.78 if len(sign) == 1 else 0.6))))
    font.setWeight(QFont.Weight.Bold)
    painter.setFont(font)
    painter.drawText(dot, Qt.AlignmentFlag.AlignCenter, sign)
    painter.end()
    return canvas
