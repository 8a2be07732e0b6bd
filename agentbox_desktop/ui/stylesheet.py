"""The Qt style sheet, generated from the tokens.

Controls are told apart by the dynamic property `look`: a QPushButton is `primary`, `quiet`, `icon` or `option`;
a QLabel is `secondary` or `tertiary`. The focus ring is drawn by `focus_ring`, outside the control.
"""

from collections.abc import Callable


def build(hex_of: Callable[[str], str], px: Callable[[str], int]) -> str:
    """The whole sheet. `hex_of` gives a token's colour, `px` a role's size of type in pixels."""
    return "\n".join(part(hex_of, px) for part in (_text, _buttons, _fields, _scroll_bars, _popups))


def _text(c: Callable[[str], str], px: Callable[[str], int]) -> str:
    return f"""
QLabel {{ color: {c("ink")}; background: transparent; }}
QLabel[look="secondary"] {{ color: {c("ink2")}; }}
QLabel[look="tertiary"] {{ color: {c("ink3")}; }}
QTextBrowser {{ color: {c("ink")}; background: transparent; border: none;
  selection-background-color: {c("accent")}; selection-color: {c("on_accent")}; font-size: {px("body")}px; }}
"""


def _buttons(c: Callable[[str], str], px: Callable[[str], int]) -> str:
    height = round(px("controls") * 32 / 13) - 2
    return f"""
QPushButton {{ color: {c("ink")}; background: {c("raised")}; border: 1px solid {c("edge")}; border-radius: 6px;
  min-height: {height}px; padding: 0 14px; font-size: {px("controls")}px; outline: none; }}
QPushButton:hover {{ background: {c("hover")}; }}
QPushButton:pressed {{ background: {c("selected")}; }}
QPushButton:checked {{ background: {c("selected")}; border-color: {c("accent")}; }}
QPushButton:disabled {{ color: {c("ink3")}; background: transparent; border-color: {c("hairline")}; }}
QPushButton[look="primary"] {{ color: {c("on_accent")}; background: {c("accent")}; border-color: {c("accent")};
  font-weight: 600; }}
QPushButton[look="primary"]:hover, QPushButton[look="primary"]:pressed {{ border-color: {c("ink")}; }}
QPushButton[look="primary"]:disabled {{ color: {c("ink3")}; background: {c("raised")};
  border-color: {c("hairline")}; }}
QPushButton[look="quiet"] {{ color: {c("accent")}; background: transparent; border: none; padding: 0;
  min-height: {round(px("controls") * 24 / 13)}px; border-radius: 4px; }}
QPushButton[look="quiet"]:hover {{ text-decoration: underline; background: transparent; }}
QPushButton[look="quiet"]:disabled {{ color: {c("ink3")}; }}
QPushButton[look="icon"] {{ background: transparent; border: none; padding: 3px; min-height: 18px; min-width: 18px;
  border-radius: 6px; }}
QPushButton[look="icon"]:hover {{ background: {c("hover")}; }}
QPushButton[look="option"] {{ background: {c("surface")}; text-align: left; padding: 8px 12px;
  min-height: 26px; font-size: {px("body")}px; }}
QPushButton[look="option"]:hover {{ background: {c("hover")}; }}
QPushButton[look="option"]:checked {{ background: {c("selected")}; border-color: {c("accent")}; }}
"""


def _fields(c: Callable[[str], str], px: Callable[[str], int]) -> str:
    return f"""
QLineEdit, QPlainTextEdit, QTextEdit[look="field"] {{ color: {c("ink")}; background: {c("surface")};
  border: 1px solid {c("edge")}; border-radius: 6px; padding: 6px 10px; font-size: {px("body")}px;
  selection-background-color: {c("accent")}; selection-color: {c("on_accent")};
  placeholder-text-color: {c("ink3")}; }}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit[look="field"]:focus {{ border-color: {c("accent")}; }}
QLineEdit:disabled, QPlainTextEdit:disabled {{ color: {c("ink3")}; border-color: {c("hairline")}; }}
"""


def _scroll_bars(c: Callable[[str], str], px: Callable[[str], int]) -> str:
    return f"""
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollArea {{ background: transparent; border: none; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; border: none; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; border: none; }}
QScrollBar::handle {{ background: {c("edge")}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {c("ink3")}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; background: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _popups(c: Callable[[str], str], px: Callable[[str], int]) -> str:
    return f"""
QToolTip {{ color: {c("ink")}; background: {c("raised")}; border: 1px solid {c("edge")}; padding: 4px 6px;
  font-size: {px("meta")}px; }}
QMenu {{ color: {c("ink")}; background: {c("raised")}; border: 1px solid {c("hairline")}; padding: 4px;
  font-size: {px("controls")}px; }}
QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; background: transparent; }}
QMenu::item:selected {{ background: {c("selected")}; }}
QMenu::item:disabled {{ color: {c("ink2")}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {c("hairline")}; margin: 4px 8px; }}
"""
