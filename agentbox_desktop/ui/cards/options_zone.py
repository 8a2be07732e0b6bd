"""Answering by choosing: the options, what the one pointed at would give, and a button where several may be chosen."""

from dataclasses import replace

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Content, Decision, Item
from agentbox_desktop.core.keys import CardAction
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ui.cards.keyed_button import KeyedButton, Look
from agentbox_desktop.ui.cards.option_list import OptionList
from agentbox_desktop.ui.cards.preview import PreviewPane
from agentbox_desktop.ui.cards.zone import AnswerZone
from agentbox_desktop.ui.focus_ring import REACH
from agentbox_desktop.ui.theme import Theme

_GAP = 12
_LEAST_LIST = 116  # two rows and a half: enough to see that there are more


class OptionsZone(AnswerZone):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._content: Content | None = None
        self._list = OptionList(theme, self)
        self._list.chosen.connect(self._choose)
        self._list.pointed.connect(self._show_preview)
        self._preview: PreviewPane | None = None  # most questions have none
        self._previews = False
        self._send = KeyedButton(theme, "Send", "↵", Look.FILLED, self)
        self._send.clicked.connect(self._send_ticked)

    def show_item(self, item: Item, draft: Draft) -> None:
        self._content = item.content
        self._list.set_content(item.content, draft.chosen)
        self._send.setVisible(item.content.multi)
        self._note_ticks()
        previewed = [number for number, option in enumerate(item.content.options) if option.preview]
        self._previews = bool(previewed)
        if self._previews and self._preview is None:
            self._preview = PreviewPane(self.theme, self)
        if self._preview:
            self._preview.setVisible(self._previews)
        if previewed:
            default = self._default_number()
            self._show_preview(default if default in previewed else previewed[0])
        self._arrange()

    def height_at(self, width: int) -> int:
        return self._list.height_at(width + 2 * REACH) - 2 * REACH + self._below_list()

    def act(self, action: CardAction, key: str) -> bool:
        match action:
            case CardAction.CHOOSE if int(key) <= len(self._list.rows):
                self._list.rows[int(key) - 1].click()
            case CardAction.NEXT:
                self._list.move_focus(1)
            case CardAction.PREVIOUS:
                self._list.move_focus(-1)
            case CardAction.DEFAULT:
                self._send_default()
            case _:
                return False
        return True

    def answer_field(self) -> QWidget:
        default = self._default_number()
        return self._list if default is None else self._list.rows[default]

    def set_live(self, live: bool) -> None:
        self._list.set_live(live)
        self._send.set_live(live)

    def draft(self, whole: Draft) -> Draft:
        return replace(whole, chosen=self._list.ticked())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _choose(self, number: int) -> None:
        if not self._content:
            return
        if self._content.multi:
            self._note_ticks()
            self.edited.emit()
        else:
            self.decided.emit(Decision(answers=(self._content.options[number].label,)))

    def _send_default(self) -> None:
        """The key for "what is chosen, or the default": the row with the keyboard is what is chosen."""
        if not self._content or self._content.multi:
            self._send_ticked()
        elif (number := self._list.focused()) is not None:
            self._choose(number)
        elif self._content.default:
            self.decided.emit(Decision(answers=self._content.default))

    def _send_ticked(self) -> None:
        if not self._content:
            return
        labels = tuple(self._content.options[number].label for number in self._list.ticked())
        answers = labels or self._content.default
        if answers:
            self.decided.emit(Decision(answers=answers))

    def _note_ticks(self) -> None:
        count = len(self._list.ticked())
        has_default = bool(self._content and self._content.default)
        self._send.set_text(f"Send {count}" if count else "Send default" if has_default else "Send")
        self._send.setEnabled(bool(count or has_default))
        self._arrange()

    def _show_preview(self, number: int) -> None:
        if self._preview and self._content and self._previews:
            self._preview.show_option(self._content.options[number])

    def _default_number(self) -> int | None:
        default = (self._content.default if self._content else None) or ()
        options = self._content.options if self._content else ()
        return next((number for number, option in enumerate(options) if option.label in default), None)

    def _below_list(self) -> int:
        height = 0 if self._send.isHidden() else _GAP + self._send.sizeHint().height()
        return height + (_GAP + self._preview.wanted_height() if self._preview and self._previews else 0)

    def _arrange(self) -> None:
        """Where room is short, the preview gives first, and then the options scroll."""
        width, bottom = self.width(), self.height()
        if not self._send.isHidden():
            size = self._send.sizeHint()
            bottom -= size.height()
            self._send.setGeometry(width - size.width(), bottom, size.width(), size.height())
            bottom -= _GAP
        if self._preview and self._previews:
            list_height = min(self._list.height_at(width + 2 * REACH) - 2 * REACH,
                              max(_LEAST_LIST, bottom - _GAP - self._preview.least_height()))
            height = min(self._preview.wanted_height(), bottom - list_height - _GAP)
            bottom -= max(0, height)
            self._preview.setGeometry(0, bottom, width, max(0, height))
            bottom -= _GAP
        self._list.setGeometry(-REACH, -REACH, width + 2 * REACH, bottom + 2 * REACH)
