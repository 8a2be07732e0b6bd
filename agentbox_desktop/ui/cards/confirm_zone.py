"""A permission: No and Yes, neither of them filled, and no Enter that means yes."""


from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Decision, Item
from agentbox_desktop.core.keys import CardAction, Where
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.cards.keymap import keycap_of
from agentbox_desktop.ui.cards.zone import AnswerZone
from agentbox_desktop.ui.theme import Theme

_GAP = 8


class ConfirmZone(AnswerZone):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._no = self._button("No", CardAction.NO)
        self._yes = self._button("Yes", CardAction.YES)

    def show_item(self, item: Item, draft: Draft) -> None:
        """Every permission looks the same: what is asked stands above."""

    def height_at(self, width: int) -> int:
        return self._no.sizeHint().height()

    def act(self, action: CardAction, key: str) -> bool:
        if action not in (CardAction.YES, CardAction.NO):
            return False
        self._decide(action)
        return True

    def answer_field(self) -> QWidget:
        return self._no

    def set_live(self, live: bool) -> None:
        self._no.set_live(live)
        self._yes.set_live(live)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        half = (self.width() - _GAP) // 2
        self._no.setGeometry(0, 0, half, self.height())
        self._yes.setGeometry(self.width() - half, 0, half, self.height())

    def _button(self, words: str, action: CardAction) -> KeyedButton:
        button = KeyedButton(self.theme, words, keycap_of(action, Where.CONFIRM), parent=self, pushed_by_enter=False)
        button.clicked.connect(lambda: self._decide(action))
        return button

    def _decide(self, action: CardAction) -> None:
        self.decided.emit(Decision(confirmed=action is CardAction.YES))
