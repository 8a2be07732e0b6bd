"""What windows are put together from."""

from agentbox_desktop.ui.widgets.body import BodyView
from agentbox_desktop.ui.widgets.buttons import button, icon_button
from agentbox_desktop.ui.widgets.keycap import Keycap
from agentbox_desktop.ui.widgets.level import LevelGlyph, level_color, level_glyph
from agentbox_desktop.ui.widgets.pill import IdentityPill, identity_key
from agentbox_desktop.ui.widgets.text import TextLabel, tooltip

__all__ = [
    "BodyView", "IdentityPill", "Keycap", "LevelGlyph", "TextLabel", "button", "icon_button", "identity_key",
    "level_color", "level_glyph", "tooltip",
]
