"""What stands in a toast: who, when, what; held to a few lines until the person wants all of it."""

import re
from datetime import datetime

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPainterPath, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agentbox_desktop.core.items import Item
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.cards.picture import Picture
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.body import BodyView, head_of
from agentbox_desktop.ui.widgets.buttons import button, icon_button
from agentbox_desktop.ui.widgets.level import LevelGlyph, level_color
from agentbox_desktop.ui.widgets.text import TextLabel

WIDTH = 400
_PAD_X, _PAD_Y, _GLYPH, _GLYPH_GAP = 16, 12, 16, 10
_TEXT_WIDTH = WIDTH - 2 * _PAD_X - _GLYPH - _GLYPH_GAP
_SLACK = 4  # the close button is higher and wider than the line and the column that it stands in
_PICTURE_HEIGHT = 160
_BAR, _RADIUS = 3, 10
_OBJECT = "\ufffc"  # stands for an image in a document's plain text
_TITLE_LINES, _BODY_LINES = 2, 3


class ToastFace(QWidget):
    """`body_height`: how high the whole body may be before it scrolls."""

    dismissed = Signal()
    toggled = Signal()  # it was unfolded, or folded again
    height_changed = Signal()

    def __init__(self, theme: Theme, item: Item, body_height: int) -> None:
        super().__init__()
        self._theme, self._item, self._body_height = theme, item, body_height
        self._whole: BodyView | None = None
        self.is_unfolded = False
        self._build()
        self._lay_out()

    def toggle(self) -> None:
        """Unfold the whole text, or fold it again."""
        self.is_unfolded = not self.is_unfolded
        self._title.set_lines(None if self.is_unfolded else _TITLE_LINES)
        if self.is_unfolded and self._whole is None and self._item.content.body:
            self._whole = self._whole_body()
        self._summary.setVisible(not self.is_unfolded and bool(self._summary.text()))
        if self._whole is not None:
            self._whole.setVisible(self.is_unfolded)
        self._label_fold()
        self.toggled.emit()
        self.height_changed.emit()

    def height_at_width(self) -> int:
        return self._row.totalHeightForWidth(WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS - 1, _RADIUS - 1)
        painter.setClipPath(outline)
        painter.fillRect(0, 0, _BAR + 1, self.height(), level_color(self._theme, self._item.level))
        painter.end()

    def _build(self) -> None:
        theme, content = self._theme, self._item.content
        self._meta = TextLabel(theme, "meta", "ink2", lines=1)
        self._meta.set_text(_meta(self._item))
        self._close = icon_button(theme, "close", "Dismiss")
        self._close.clicked.connect(self.dismissed)
        self._title = TextLabel(theme, "body", lines=_TITLE_LINES, weight=QFont.Weight.DemiBold)
        self._title.set_text(one_line(content.title))
        words, formed = _summary_of(content.body, theme)
        self._summary = TextLabel(theme, "controls", "ink2", lines=_BODY_LINES)
        self._summary.set_text(words)
        self._fold = button("", "quiet")
        self._fold.clicked.connect(self.toggle)
        self._label_fold()
        hides = formed or self._title.cut_at(_TEXT_WIDTH) or self._summary.cut_at(_TEXT_WIDTH)
        self._fold.setVisible(hides)
        self._summary.setVisible(bool(words))

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self._meta, 1, Qt.AlignmentFlag.AlignVCenter)
        first.addWidget(self._close)
        self._column = QVBoxLayout()
        self._column.setSpacing(2)
        self._column.addLayout(first)
        self._column.addWidget(self._title)
        self._column.addWidget(self._summary)
        if self._item.content.image:
            self._column.addSpacing(6)
            self._column.addWidget(self._picture())
        self._column.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)
        glyph = QVBoxLayout()
        glyph.setContentsMargins(0, _SLACK, 0, 0)
        glyph.addWidget(LevelGlyph(self._theme, self._item.level, _GLYPH))
        glyph.addStretch()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(_PAD_X, _PAD_Y - _SLACK, _PAD_X - _SLACK, _PAD_Y)
        self._row.setSpacing(_GLYPH_GAP)
        self._row.addLayout(glyph)
        self._row.addLayout(self._column, 1)

    def _label_fold(self) -> None:
        self._fold.setText("Less" if self.is_unfolded else "More")
        self._fold.setAccessibleName("Show less" if self.is_unfolded else "Show the whole notice")

    def _whole_body(self) -> BodyView:
        whole = BodyView(self._theme)
        whole.setFixedWidth(_TEXT_WIDTH)
        whole.setMaximumHeight(self._body_height)
        whole.set_markdown(self._item.content.body)
        whole.content_height_changed.connect(self.height_changed)
        self._column.insertWidget(self._column.indexOf(self._summary), whole)
        return whole

    def _picture(self) -> Picture:
        picture = Picture(self._theme, "Image of the notice", _PICTURE_HEIGHT)
        picture.set_path(self._item.content.image)
        picture.setFixedSize(_TEXT_WIDTH, picture.height_at(_TEXT_WIDTH))
        return picture


def _meta(item: Item) -> str:
    at = datetime.fromtimestamp(item.created_at).astimezone()
    parts = (item.caller.name, item.caller.project, f"{at:%H:%M}")
    return " · ".join(one_line(part) for part in parts if part)


def _summary_of(body: str, theme: Theme) -> tuple[str, bool]:
    """The words of `body` without form, and whether more than form is missing: a picture, a link, a table, the end."""
    head = head_of(body)
    from agentbox_desktop.ui.markdown.render import render  # the parser takes 60 ms to import

    html = render(body if head is None else head, theme)
    document = QTextDocument()
    document.setHtml(html)
    words = re.sub(" {2,}", " ", document.toPlainText().replace(_OBJECT, ""))
    formed = head is not None or any(tag in html for tag in ("<a ", "<img ", "<table "))
    return "\n".join(line.strip() for line in words.split("\n") if line.strip()), formed
