"""An urgent notice asks nothing: it is read and dismissed."""


from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Decision, Item
from agentbox_desktop.core.keys import CardAction, Where
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.cards.keymap import keycap_of
from agentbox_desktop.ui.cards.zone import AnswerZone
from agentbox_desktop.ui.theme import Theme


class NoticeZone(AnswerZone):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._dismiss = KeyedButton(theme, "Dismiss", keycap_of(CardAction.DISMISS, Where.NOTICE), parent=self)
        self._dismiss.clicked.connect(lambda: self.decided.emit(Decision(dismissed=True)))

    def show_item(self, item: Item, draft: Draft) -> None:
        """Every notice is dismissed in the same way."""

    def height_at(self, width: int) -> int:
        return self._dismiss.sizeHint().height()

    def act(self, action: CardAction, key: str) -> bool:
        return False

    def answer_field(self) -> QWidget:
        return self._dismiss

    def set_live(self, live: bool) -> None:
        self._dismiss.set_live(live)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._dismiss.sizeHint()
        self._dismiss.setGeometry(self.width() - size.width(), 0, size.width(), size.height())
