"""Our buttons: what the style sheet needs to know about each is set here and nowhere else."""

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from agentbox_desktop.ui import icons
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.text import tooltip

Look = Literal["", "primary", "quiet", "option"]


def button(text: str, look: Look = "", parent: QWidget | None = None) -> QPushButton:
    """A button of our own words. `primary` is the one filled button that a window may have."""
    made = QPushButton(text, parent)
    made.setAutoDefault(False)
    made.setAccessibleName(text)
    if look:
        made.setProperty("look", look)
    if look == "quiet":
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    return made


def icon_button(theme: Theme, icon: str, name: str, parent: QWidget | None = None) -> QPushButton:
    """A button that is a sign only; `name` is its tooltip and what a screen reader says."""
    made = QPushButton(parent)
    made.setAutoDefault(False)
    made.setProperty("look", "icon")
    made.setIcon(icons.icon(icon, theme))
    made.setIconSize(QSize(icons.SIZE, icons.SIZE))
    made.setFixedSize(24, 24)
    made.setAccessibleName(name)
    made.setToolTip(tooltip(name))
    return made
