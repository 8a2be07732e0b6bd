"""What the option that is pointed at would give: Markdown, a diff or an image, in a pane of one height."""


from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Option, PreviewKind
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.cards.picture import Picture
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.body import BodyView
from agentbox_desktop.ui.widgets.text import TextLabel

_WANTED, _LEAST = 224, 96
_PADDING = 12
_HEAD = 28


class PreviewPane(QWidget):
    """Its height is the same for every option: a pane that grew would move the options under the pointer."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._option: Option | None = None
        self._head = TextLabel(theme, "meta", "ink2", lines=1, parent=self)
        self._body = BodyView(theme, parent=self)
        self._picture = Picture(theme, "Preview", _WANTED, self)

    def wanted_height(self) -> int:
        return _WANTED

    def least_height(self) -> int:
        return _LEAST

    def show_option(self, option: Option) -> None:
        if option == self._option:
            return
        self._option = option
        preview = option.preview
        what = "Preview of" if preview else "No preview for"
        self._head.set_text(f"{what} {one_line(option.label)}")
        self._body.setVisible(preview is not None and preview.kind is not PreviewKind.IMAGE)
        self._picture.setVisible(preview is not None and preview.kind is PreviewKind.IMAGE)
        if preview:
            match preview.kind:
                case PreviewKind.MARKDOWN:
                    self._body.set_markdown(preview.content)
                case PreviewKind.DIFF:
                    self._body.set_diff(preview.content)
                case PreviewKind.IMAGE:
                    self._picture.set_path(preview.content)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._head.setGeometry(_PADDING, 6, self.width() - 2 * _PADDING, self._theme.line_height("meta"))
        inner = QRect(_PADDING, _HEAD, self.width() - 2 * _PADDING, max(0, self.height() - _HEAD - 6))
        self._body.setGeometry(inner)
        self._picture.setGeometry(inner)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("hairline"), 1))
        painter.setBrush(self._theme.color("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
