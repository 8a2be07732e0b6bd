"""The body of a card, a toast or a preview: Markdown or a diff, folded while it is long, unfolded bit by bit."""

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QByteArray, QElapsedTimer, QPoint, QSignalBlocker, QSize, QSizeF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCursor,
    QDesktopServices,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from agentbox_desktop.ui.markdown.images import image_problem
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.buttons import button
from agentbox_desktop.ui.widgets.image_loader import ImageLoader
from agentbox_desktop.ui.widgets.text import tooltip

FOLDED_LINES = 40
FOLDED_CHARS = 8 * 1024
_FOLD_GAP = 4
_SCROLL_BAR = 10
_READ_FIRST_MS = 400  # how long a link's address has been on screen before a click may open it
_OPENABLE = frozenset({"http", "https"})

_NOT_YET = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
_NOT_YET.fill(Qt.GlobalColor.transparent)

_Slices = Callable[[str], Iterator[str]]


class BodyView(QWidget):
    """As high as its text, up to the maximum height that its owner sets; then the text scrolls.

    Long text starts folded, with a button that shows the rest of it.
    """

    unfolded = Signal()  # all of the text is in the view
    content_height_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, base_folder: str = "") -> None:
        super().__init__(parent)
        self._theme, self._base_folder = theme, base_folder
        self._text = ""
        self._slices_of: _Slices = self._markdown_slices
        self._head: str | None = None  # what is shown of a long text while it is folded
        self._open = False
        self._height = 0.0
        self._unfolding: Iterator[str] | None = None
        self._next_slice = QTimer(self, singleShot=True, interval=0)
        self._next_slice.timeout.connect(self._append_slice)
        self.page = _Page(theme, self)
        self.page.document().documentLayout().documentSizeChanged.connect(self._note_height)
        self._fold = button("Show all", "quiet", self)
        self._fold.clicked.connect(self._toggle)
        self._fold.hide()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusProxy(self.page)

    @property
    def is_folded(self) -> bool:
        """Whether some of the text is not in the view."""
        return self._head is not None and not self._open

    def set_markdown(self, text: str) -> None:
        self._set(text, self._markdown_slices, "Body")

    def set_diff(self, diff: str) -> None:
        self._set(diff, self._diff_slices, "Diff")

    def plain_text(self) -> str:
        """What is in the view now, without its form."""
        return self.page.toPlainText()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.page.height_at(width) + self._fold_height()

    def sizeHint(self) -> QSize:
        width = max(self.width(), 120)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.line_height("body"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        fold = self._fold_height()
        self.page.setGeometry(0, 0, self.width(), self.height() - fold)
        self._fold.setGeometry(0, self.height() - fold + _FOLD_GAP, self._fold.sizeHint().width(), fold - _FOLD_GAP)

    def _fold_height(self) -> int:
        return 0 if self._head is None else self._fold.sizeHint().height() + _FOLD_GAP

    def _set(self, text: str, slices_of: _Slices, name: str) -> None:
        self._text, self._slices_of = text, slices_of
        self._head = head_of(text)
        self._stop()
        self._open = False
        self.page.setAccessibleName(name)
        self._show_now(text if self._head is None else self._head)
        self._label_fold()

    def _toggle(self) -> None:
        self._stop()
        self._open = not self._open
        if self._open:
            self._unfolding = self._slices_of(self._text)
            self.page.clear()
            self._append_slice()
        else:
            self._show_now(self._head or "")
        self._label_fold()

    def _label_fold(self) -> None:
        self._fold.setVisible(self._head is not None)
        if self._head is None:
            self._arrange()
            return
        hidden = self._text.count("\n") - self._head.count("\n")
        more = f"{hidden} more lines" if hidden > 1 else f"{(len(self._text) - len(self._head)) // 1024 + 1} KiB more"
        self._fold.setText("Show less" if self._open else f"Show all ({more})")
        self._fold.setAccessibleName(self._fold.text())
        self._arrange()
        self.updateGeometry()

    def _show_now(self, text: str) -> None:
        self.page.clear()
        for html in self._slices_of(text):
            self.page.append_html(html)
        self.page.finish()
        self.page.moveCursor(QTextCursor.MoveOperation.Start)

    def _append_slice(self) -> None:
        html = next(self._unfolding, None) if self._unfolding is not None else None
        if html is None:
            self._stop()
            self.page.finish()
            self.unfolded.emit()
            return
        self.page.append_html(html)
        self._next_slice.start()

    def _stop(self) -> None:
        self._unfolding = None
        self._next_slice.stop()

    def _markdown_slices(self, text: str) -> Iterator[str]:
        from agentbox_desktop.ui.markdown.render import render_slices  # the parser takes 60 ms to import

        return render_slices(text, self._theme, self._base_folder, max(self.width(), 240) - _SCROLL_BAR)

    def _diff_slices(self, text: str) -> Iterator[str]:
        from agentbox_desktop.ui.markdown.diff import diff_slices

        return diff_slices(text, self._theme)

    def _note_height(self, size: QSizeF) -> None:
        if size.height() != self._height:
            self._height = size.height()
            self.updateGeometry()
            self.content_height_changed.emit()


def head_of(text: str) -> str | None:
    """The beginning of `text` that is shown while it is folded; None where it is short enough to be shown whole."""
    lines = text.split("\n")
    if len(lines) <= FOLDED_LINES and len(text) <= FOLDED_CHARS:
        return None
    return "\n".join(lines[:FOLDED_LINES])[:FOLDED_CHARS]


class _Page(QTextBrowser):
    """A text without a frame that opens nothing but what the person saw and clicked, and loads no file unchecked."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._link = ""
        self._link_shown = QElapsedTimer()
        self._images: dict[str, QUrl] = {}  # the names under which the document asked for them, by path
        self._loader = ImageLoader()
        self._loader.loaded.connect(self._take_image)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(theme.font("body"))
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(round(26 * theme.font_scale))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.highlighted.connect(self._show_address)
        self.anchorClicked.connect(self._clicked)

    def append_html(self, html: str) -> None:
        """Put `html` under what is there, as if both had been one text."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.document().isEmpty() and cursor.block().length() > 1:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        if html.partition("</style>")[2].lstrip().startswith("<table"):
            _close_up(cursor)  # Qt keeps an empty line before every table
            cursor.insertHtml(html.strip())
            return
        start = cursor.position()
        # Qt takes the form of the first paragraph it inserts for that of the line it stands on, and drops it.
        # So the first one is ours, and goes again.
        cursor.insertHtml(f"<p>x</p>{html.strip()}")
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()

    def finish(self) -> None:
        """Take away the room under the last line: a margin, or the empty line that Qt puts after a table."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if cursor.block().length() == 1:
            _close_up(cursor)
        else:
            form = cursor.blockFormat()
            form.setBottomMargin(0)
            cursor.setBlockFormat(form)

    def height_at(self, width: int) -> int:
        """What the text needs at `width` where that leaves no room for a scroll bar."""
        document = self.document()
        present = document.textWidth()
        if width == self.width() or width == present:
            bar = self.horizontalScrollBar()
            return int(document.size().height() + 0.999) + (bar.height() if bar.maximum() else 0)
        with QSignalBlocker(document.documentLayout()):  # the size changes there and back: no news to anybody
            document.setTextWidth(width)
            height = int(document.size().height() + 0.999)
            document.setTextWidth(present)
        return height

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Only a local picture that passes every check; its room is known, so it may come when it is decoded."""
        url = QUrl(name)
        path = url.path() if url.isRelative() else url.toLocalFile()
        if kind != QTextDocument.ResourceType.ImageResource.value or image_problem(path) is not None:
            return QByteArray()
        self._images[path] = url
        self._loader.load(path, QSize(self.screen().size() * self.devicePixelRatioF()))
        self.document().addResource(kind, url, _NOT_YET)  # so that it is not asked for again
        return _NOT_YET

    def _take_image(self, path: str, _room: QSize, image: QImage) -> None:
        kind = QTextDocument.ResourceType.ImageResource.value
        self.document().addResource(kind, self._images[path], image)
        self.viewport().update()

    def _show_address(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address and address != self._link:
            self._link_shown.start()
            QToolTip.showText(QCursor.pos() + QPoint(8, 8), tooltip(address), self)
        self._link = address

    def _clicked(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if url.scheme().lower() not in _OPENABLE:
            return
        if address != self._link or self._link_shown.elapsed() < _READ_FIRST_MS:
            self._show_address(url)
            return
        QDesktopServices.openUrl(url)


def _close_up(cursor: QTextCursor) -> None:
    """Make the empty line that `cursor` is on as good as none."""
    form = QTextBlockFormat()
    form.setLineHeight(0.01, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor.setBlockFormat(form)
