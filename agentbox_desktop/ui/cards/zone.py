"""What every answer zone is to the card that holds it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Item
from agentbox_desktop.core.keys import CardAction
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ui.theme import Theme


class AnswerZone(QWidget):
    """The part of a card that is answered on. It has a height for every width and lays itself out."""

    decided = Signal(object)  # a Decision
    edited = Signal()  # what `draft` gives is another
    height_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    def show_item(self, item: Item, draft: Draft) -> None:
        """Show what `item` asks, and what the person had begun."""
        raise NotImplementedError

    def height_at(self, width: int) -> int:
        raise NotImplementedError

    def act(self, action: CardAction, key: str) -> bool:
        """Do what a key means here; False where it means nothing."""
        raise NotImplementedError

    def answer_field(self) -> QWidget:
        """What gets the keyboard when the person calls for the card."""
        raise NotImplementedError

    def set_live(self, live: bool) -> None:
        """Whether keys count."""

    def draft(self, whole: Draft) -> Draft:
        """`whole` with what was begun here."""
        return whole
