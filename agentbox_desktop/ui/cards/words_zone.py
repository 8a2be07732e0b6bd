"""Answering in words of one's own: one line, or several."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from agentbox_desktop.core.items import Content, Decision, Item
from agentbox_desktop.core.keys import CardAction, Where
from agentbox_desktop.core.limits import ANSWER_BYTES
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.cards.keyed_button import KeyedButton, Look
from agentbox_desktop.ui.cards.keymap import keycap_of, where_of
from agentbox_desktop.ui.cards.text_field import TextField
from agentbox_desktop.ui.cards.zone import AnswerZone
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.text import TextLabel

_GAP = 12
_LINE_HEIGHT = 40
_NAME = "Your answer"


class WordsZone(AnswerZone):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._content = Content(title="")
        self._line = QLineEdit(self)
        self._line.setAccessibleName(_NAME)
        self._line.setMaxLength(ANSWER_BYTES)
        self._text = TextField(theme, _NAME, least_lines=4, most_lines=12, parent=self)
        self._default = TextLabel(theme, "controls", "ink2", parent=self)
        self._sends = {where: self._send_button(where) for where in (Where.LINE, Where.TEXT)}
        self._send = self._sends[Where.LINE]
        self._line.textChanged.connect(self._note_words)
        self._text.textChanged.connect(self._note_words)
        self._text.height_changed.connect(self.height_changed)

    def show_item(self, item: Item, draft: Draft) -> None:
        self._content = item.content
        default = item.content.default
        for field in (self._line, self._text):
            field.setPlaceholderText(one_line(default[0]) if default else "Type your answer")
        with QSignalBlocker(self._line):
            self._line.setText(draft.text)
        self._text.set_words(draft.text)
        self._line.setVisible(not item.content.multiline)
        self._text.setVisible(item.content.multiline)
        self._default.setVisible(default is not None)
        self._default.set_text(f"Left empty, your answer is ‘{one_line(default[0])}’." if default else "")
        self._send = self._sends[where_of(item)]
        for send in self._sends.values():
            send.setVisible(send is self._send)
        self._refresh_send()

    def height_at(self, width: int) -> int:
        below = max(self._send.sizeHint().height(), self._default_height(width))
        return self._field_height() + _GAP + below

    def act(self, action: CardAction, key: str) -> bool:
        if action is not CardAction.SUBMIT:
            return False
        self._submit()
        return True

    def answer_field(self) -> QWidget:
        return self._text if self._content.multiline else self._line

    def set_live(self, live: bool) -> None:
        for send in self._sends.values():
            send.set_live(live)

    def draft(self, whole: Draft) -> Draft:
        return replace(whole, text=self._words())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _send_button(self, where: Where) -> KeyedButton:
        button = KeyedButton(self.theme, "Send", keycap_of(CardAction.SUBMIT, where), Look.FILLED, self)
        button.clicked.connect(self._submit)
        return button

    def _words(self) -> str:
        return self._text.toPlainText() if self._content.multiline else self._line.text()

    def _submit(self) -> None:
        """The words; where there are none, the default, as the line below the field says."""
        words = self._words()
        if words.strip():
            self.decided.emit(Decision(answers=(words,)))
        elif self._content.default is not None:
            self.decided.emit(Decision(answers=self._content.default))

    def _note_words(self) -> None:
        self._refresh_send()
        self.edited.emit()

    def _refresh_send(self) -> None:
        has_words = bool(self._words().strip())
        self._send.set_text("Send" if has_words or self._content.default is None else "Send default")
        self._send.setEnabled(has_words or self._content.default is not None)
        self._arrange()

    def _arrange(self) -> None:
        width, size = self.width(), self._send.sizeHint()
        below = max(size.height(), self._default_height(width))
        field = max(_LINE_HEIGHT, self.height() - _GAP - below)
        self._line.setGeometry(0, 0, width, field)
        self._text.setGeometry(0, 0, width, field)
        self._send.setGeometry(width - size.width(), field + _GAP, size.width(), size.height())
        label = self._default_height(width)
        self._default.setGeometry(0, field + _GAP + max(0, size.height() - label) // 2,
                                  width - size.width() - _GAP, label)

    def _field_height(self) -> int:
        scaled = round(_LINE_HEIGHT * max(1.0, self.theme.font_scale))
        return self._text.wanted_height() if self._content.multiline else scaled

    def _default_height(self, width: int) -> int:
        if self._content.default is None:
            return 0
        return self._default.heightForWidth(max(1, width - self._send.sizeHint().width() - _GAP))
