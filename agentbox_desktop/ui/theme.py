"""The design tokens, and all that is derived from them: colours, fonts, the Qt style sheet, CSS variables.

One table feeds both themes, and a test computes the contrast of every pair that can meet on a screen.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from agentbox_desktop.ui import stylesheet

# name: (dark, light)
TOKENS: dict[str, tuple[str, str]] = {
    "ground": ("#0F1115", "#F4F5F7"),
    "surface": ("#171A21", "#FFFFFF"),
    "raised": ("#1F232C", "#F7F8FA"),
    "sunk": ("#0B0D10", "#ECEEF2"),
    "hover": ("#262B36", "#E9ECF2"),
    "selected": ("#232946", "#E6E9FF"),
    "hairline": ("#2A303B", "#DADEE6"),
    "edge": ("#727B8E", "#767E8D"),
    "ink": ("#ECEFF4", "#171A21"),
    "ink2": ("#B4BCCA", "#454D5C"),
    "ink3": ("#939CAD", "#5C6575"),
    "accent": ("#8C9BFF", "#4452D6"),
    "on_accent": ("#0F1115", "#FFFFFF"),
    "info": ("#5AA9E6", "#1B65A6"),
    "success": ("#5CBF8F", "#18704A"),
    "warning": ("#E3A73B", "#8F5A00"),
    "error": ("#F0757A", "#C02F3A"),
    "urgent": ("#FF8A5C", "#AD3E0C"),
    "added_line": ("#16302A", "#DFF3E8"),
    "added_word": ("#1F5A43", "#A9DDC1"),
    "deleted_line": ("#3A1F25", "#FBE3E4"),
    "deleted_word": ("#6B2B36", "#F3B4B8"),
}

# What high contrast changes: quieter inks move towards ink, and decoration becomes a real edge.
HIGH_CONTRAST: dict[str, tuple[str, str]] = {
    "ground": ("#000000", "#FFFFFF"),
    "surface": ("#000000", "#FFFFFF"),
    "hairline": ("#8A93A5", "#6B7382"),
    "edge": ("#B4BCCA", "#454D5C"),
    "ink": ("#FFFFFF", "#000000"),
    "ink2": ("#E3E7EE", "#22262E"),
    "ink3": ("#CBD1DC", "#333A46"),
    "accent": ("#B3BDFF", "#2A36A8"),
    "on_accent": ("#000000", "#FFFFFF"),
    "info": ("#8FC8F5", "#0F4A7D"),
    "success": ("#86DBB1", "#0D5234"),
    "warning": ("#F5C163", "#6B4300"),
    "error": ("#FFA3A6", "#95202A"),
    "urgent": ("#FFB08F", "#832D06"),
}

# role: (size, line height) in pixels
TYPE: dict[str, tuple[int, int]] = {
    "meta": (12, 16),
    "controls": (13, 18),
    "body": (15, 22),
    "card_title": (18, 24),
    "page": (22, 28),
    "code": (13, 20),
    "keycap": (12, 16),
}

MONO_ROLES = frozenset({"code", "keycap"})
SEMIBOLD_ROLES = frozenset({"card_title", "page"})
MONO_FAMILIES = ("SF Mono", "Menlo", "Cascadia Mono", "Consolas", "JetBrains Mono", "Ubuntu Mono",
                 "DejaVu Sans Mono", "Liberation Mono", "monospace")

_PALETTE = {
    QPalette.ColorRole.Window: "surface",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.WindowText: "ink",
    QPalette.ColorRole.Text: "ink",
    QPalette.ColorRole.ButtonText: "ink",
    QPalette.ColorRole.PlaceholderText: "ink3",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "ink",
}

_REDS = 30  # degrees on either side of pure red that no identity gets: red says that something is wrong


class Motion(StrEnum):
    """How long a window takes to come and to go."""

    IN = "in"
    OUT = "out"


_MOTION_MS = {Motion.IN: 120, Motion.OUT: 90}


@dataclass(frozen=True)
class Theme:
    """What everything on screen is drawn with. `font_scale` multiplies every size of type.

    `composited`: the desktop blends windows, so that a window may have a shadow and smooth corners.
    """

    dark: bool
    font_scale: float = 1.0
    reduced_motion: bool = False
    high_contrast: bool = False
    composited: bool = False

    def hex(self, name: str) -> str:
        """The colour of the token `name` as `#RRGGBB`. Raises KeyError for a name that is no token."""
        pair = HIGH_CONTRAST.get(name, TOKENS[name]) if self.high_contrast else TOKENS[name]
        return pair[0] if self.dark else pair[1]

    def color(self, name: str) -> QColor:
        return QColor(self.hex(name))

    def identity(self, caller_name_and_project: str) -> QColor:
        """The hue that this agent in this project always has; no red, so that none looks like an error."""
        digest = hashlib.sha256(caller_name_and_project.encode("utf-8", "surrogatepass")).digest()
        hue = _REDS + int.from_bytes(digest[:4], "big") % (360 - 2 * _REDS)
        if self.dark:
            return QColor.fromHslF(hue / 360, 0.55, 0.82 if self.high_contrast else 0.72)
        return QColor.fromHslF(hue / 360, 0.60, 0.20 if self.high_contrast else 0.26)

    def px(self, role: str) -> int:
        """The size of type of `role` in pixels."""
        return round(TYPE[role][0] * self.font_scale)

    def line_height(self, role: str) -> int:
        """The distance of two base lines of `role` in pixels."""
        return round(TYPE[role][1] * self.font_scale)

    def font(self, role: str) -> QFont:
        """The font of `role`; figures are as wide as each other, so that clocks and counts stand still."""
        font = QFont()
        font.setFamilies([_system_family(QFontDatabase.SystemFont.FixedFont), *MONO_FAMILIES]
                         if role in MONO_ROLES else [_system_family(QFontDatabase.SystemFont.GeneralFont)])
        font.setPixelSize(self.px(role))
        font.setWeight(QFont.Weight.DemiBold if role in SEMIBOLD_ROLES else QFont.Weight.Normal)
        font.setFeature(QFont.Tag("tnum"), 1)
        if role in MONO_ROLES:
            font.setStyleHint(QFont.StyleHint.Monospace)
        return font

    def motion_ms(self, motion: Motion) -> int:
        """Milliseconds; 0 where the person wants nothing to move."""
        return 0 if self.reduced_motion else _MOTION_MS[motion]

    def stylesheet(self) -> str:
        """The Qt style sheet for every control of ours."""
        return stylesheet.build(self.hex, self.px)

    def palette(self) -> QPalette:
        """What Qt draws by itself, such as a window's ground and the boxes of a task list."""
        palette = QPalette()
        for role, name in _PALETTE.items():
            palette.setColor(role, self.color(name))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("ink3"))
        return palette

    def css_variables(self) -> str:
        """A `:root` rule with every token as a CSS variable, for pages shown in a web view."""
        colours = "".join(f"--{name.replace('_', '-')}:{self.hex(name)};" for name in TOKENS)
        types = "".join(f"--{role.replace('_', '-')}-size:{self.px(role)}px;"
                        f"--{role.replace('_', '-')}-line:{self.line_height(role)}px;" for role in TYPE)
        return f":root{{color-scheme:{'dark' if self.dark else 'light'};{colours}{types}}}"


def system_is_dark() -> bool:
    """Whether the desktop asks for dark windows; False where it says nothing. Needs a QGuiApplication."""
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def install(theme: Theme) -> None:
    """Draw the whole application with `theme`. Needs a QApplication; may be called again with another one."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setStyle("Fusion")  # the one style that is drawn alike everywhere
    application.setPalette(theme.palette())
    application.setFont(theme.font("controls"))
    application.setStyleSheet(theme.stylesheet())


@cache
def _system_family(which: QFontDatabase.SystemFont) -> str:
    return QFontDatabase.systemFont(which).family()
