"""A level is a bar and a glyph, never a flood of colour."""

from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from agentbox_desktop.core.items import Level
from agentbox_desktop.ui import icons
from agentbox_desktop.ui.theme import Theme


def level_color(theme: Theme, level: Level) -> QColor:
    return theme.color(level.value)


def level_glyph(theme: Theme, level: Level, size: int = 16, ratio: float = 1.0) -> QPixmap:
    """The sign of `level` in its colour; `size` in logical pixels."""
    return icons.pixmap(level.value, level_color(theme, level), size, ratio)


class LevelGlyph(QLabel):
    """The sign of a level, with its word for those who can't see it."""

    def __init__(self, theme: Theme, level: Level, size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(size, size)
        self.setPixmap(level_glyph(theme, level, size, self.devicePixelRatioF()))
        self.setAccessibleName(level.value)
