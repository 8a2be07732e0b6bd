"""The way out of every choice: an answer in words instead."""


from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.keys import CardAction, Where
from agentbox_desktop.ui.cards.keyed_button import KeyedButton, Look
from agentbox_desktop.ui.cards.keymap import keycap_of
from agentbox_desktop.ui.cards.text_field import TextField
from agentbox_desktop.ui.theme import Theme

_GAP = 8


class ReplyHatch(QWidget):
    sent = Signal(str)
    closed = Signal()
    edited = Signal()
    height_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = TextField(theme, "Reply in words", least_lines=2, most_lines=8, parent=self)
        self.field.setPlaceholderText("Reply in words instead of choosing")
        self._send = KeyedButton(theme, "Send reply", keycap_of(CardAction.SUBMIT, Where.OPTIONS), Look.FILLED, self)
        self._close = KeyedButton(theme, "Close", "Esc", parent=self)
        self.field.textChanged.connect(self._note_words)
        self.field.height_changed.connect(self.height_changed)
        self._send.clicked.connect(self.send)
        self._close.clicked.connect(self.closed)
        self._note_words()

    def words(self) -> str:
        return self.field.toPlainText()

    def set_words(self, words: str) -> None:
        self.field.set_words(words)
        self._send.setEnabled(bool(words.strip()))

    def send(self) -> None:
        """What is written, if anything is."""
        if self.words().strip():
            self.sent.emit(self.words())

    def height_at(self, width: int) -> int:
        return self.field.wanted_height() + _GAP + self._send.sizeHint().height()

    def set_live(self, live: bool) -> None:
        self._send.set_live(live)
        self._close.set_live(live)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        send, close = self._send.sizeHint(), self._close.sizeHint()
        top = self.height() - send.height()
        self.field.setGeometry(0, 0, self.width(), top - _GAP)
        self._send.setGeometry(self.width() - send.width(), top, send.width(), send.height())
        self._close.setGeometry(self.width() - send.width() - _GAP - close.width(), top, close.width(), close.height())

    def _note_words(self) -> None:
        self._send.setEnabled(bool(self.words().strip()))
        self.edited.emit()
