"""The person at the desk: summons a card, waits as long as its guards ask, presses and clicks."""

from dataclasses import dataclass

from agentbox_desktop.platform.hotkeys import default_combination
from tests.helpers.desk import Desk, card_title
from tests.helpers.display import AGENTBOX_CLASS, Display, Window
from tests.helpers.waiting import hold_true, wait_until

KEYS_SLEEP_S = 0.35  # a card that was just given the keyboard takes no key for 0.3 s
CLICKS_SLEEP_S = 0.6  # a card that just appeared takes no click for 0.5 s


@dataclass(frozen=True, slots=True)
class Person:
    desk: Desk
    display: Display

    def summon(self, title: str) -> Window:
        """Press the summon key; the card with this title, when it has the keyboard and takes keys."""
        card = self.desk.wait_for_card(title)
        self.display.key(default_combination("linux"))
        wait_until(lambda: self.display.has_keyboard(card), f"{title!r} to have the keyboard")
        hold_true(lambda: self.display.has_keyboard(card), f"{title!r} keeps the keyboard", KEYS_SLEEP_S)
        return self.desk.wait_for_card(title)

    def press(self, *keys: str) -> None:
        self.display.key(*keys)

    def reach(self, title: str) -> Window:
        """The card with this title, when it takes clicks."""
        self.desk.wait_for_card(title)
        hold_true(lambda: self.shows(title), f"{title!r} stays on screen", CLICKS_SLEEP_S)
        return self.desk.wait_for_card(title)

    def click_low(self, card: Window, from_right: int, from_bottom: int) -> None:
        """Click a place in the card counted from its lower right corner, shadow included."""
        self.display.click(card.x + card.width - from_right, card.y + card.height - from_bottom)

    def shows(self, title: str) -> bool:
        return bool(self.display.windows(card_title(title), AGENTBOX_CLASS))
