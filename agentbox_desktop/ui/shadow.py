"""The soft shadow under a window of ours, for desktops that blend windows."""

from functools import cache

from PySide6.QtCore import QMargins, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

_OFFSET_Y = 12
_BLUR = 32
_RADIUS = 10
_STRENGTH = {True: 0.45, False: 0.18}  # dark theme, light theme
_CORNER = 72  # px of the drawn sample that are a corner; the pixel between two corners is stretched

MARGINS = QMargins(_BLUR, _BLUR - _OFFSET_Y, _BLUR, _BLUR + _OFFSET_Y)


def paint_shadow(painter: QPainter, window: QRect, dark: bool) -> None:
    """Draw the shadow of a frame that stands `MARGINS` inside `window`; moved down, it fills the window evenly."""
    sample = _sample(dark)
    columns, rows = _slices(window.left(), window.width()), _slices(window.top(), window.height())
    for left, width, source_left, source_width in columns:
        for top, height, source_top, source_height in rows:
            painter.drawPixmap(QRect(left, top, width, height), sample,
                               QRect(source_left, source_top, source_width, source_height))


def _slices(start: int, length: int) -> list[tuple[int, int, int, int]]:
    """(place, length, place in the sample, length there) of the near corner, the middle, and the far corner.

    A window that is smaller than two corners has no middle, and less of each corner: those halves fit together.
    """
    near = min(_CORNER, (length + 1) // 2)
    far = min(_CORNER, length - near)
    return [(start, near, 0, near), (start + near, length - near - far, _CORNER, 1),
            (start + length - far, far, 2 * _CORNER + 1 - far, far)]


@cache
def _sample(dark: bool) -> QPixmap:
    """The shadow of a small frame: rounded rectangles laid over each other, fading as a blurred edge does."""
    size = 2 * _CORNER + 1
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    for inset in range(2 * _BLUR):
        share = (inset + 1) / (2 * _BLUR)
        painter.setBrush(QColor.fromRgbF(0, 0, 0, _STRENGTH[dark] * share * share * (3 - 2 * share)))
        radius = max(_RADIUS, _RADIUS + _BLUR - inset)
        painter.drawRoundedRect(QRectF(inset, inset, size - 2 * inset, size - 2 * inset), radius, radius)
    painter.end()
    return QPixmap.fromImage(image)
