"""No window of ours takes a key or a click that was not meant for it."""

import threading
from pathlib import Path

from tests.helpers.agent import Agent
from tests.helpers.desk import Desk, card_title
from tests.helpers.display import Display
from tests.helpers.editor import Editor
from tests.helpers.editor_process import TITLE as EDITOR_TITLE
from tests.helpers.person import Person
from tests.helpers.waiting import hold_true

CARDS = 20
LAST_OPTION = 78  # its middle, from the lower edge of a card
TYPED = "the quick brown fox 1234567890 jumps y n over the lazy dog " * 6


def test_twenty_cards_appear_and_every_key_stays_in_the_editor(
    own_agent: Agent, own_desk: Desk, own_display: Display, tmp_path: Path
) -> None:
    desk, display, bridge = own_desk, own_display, own_agent.connect()
    with Editor(display, tmp_path / "typed.txt") as editor:
        typing = threading.Thread(target=display.type, args=(TYPED, 30))
        typing.start()
        for number in range(CARDS):
            bridge.call("ask_user", title=f"Question {number}", options=["yes", "no", "later"])
            bridge.call("notify_user", title=f"Notice {number}", level="warning").result()
            if number % 4 == 3:
                title = f"Question {number // 4}"
                desk.wait_for_card(title)
                desk.cli("dismiss", desk.wait_for_pending(title)["id"])  # the next one comes up
        assert typing.is_alive(), "the cards were to appear while somebody types"
        typing.join()
        editor.wait_for_text(TYPED)
        assert display.has_keyboard(editor.window)
    waiting = {item["title"] for item in desk.pending() if item["kind"] == "question"}
    assert waiting == {f"Question {number}" for number in range(CARDS // 4, CARDS)}


def test_a_click_in_the_first_half_second_answers_nothing(agent: Agent, desk: Desk, person: Person) -> None:
    bridge = agent.connect()
    for number in range(3):
        title = f"Now {number}?"
        call = bridge.call("ask_user", title=title, options=["a", "b"])
        card = desk.wait_for_card(title)
        for _ in range(3):
            person.display.click(card.x + card.width // 2, card.y + card.height - 100)
        assert not call.future.done()
        assert [item["state"] for item in desk.pending()] == ["seen"]
        person.summon(title)
        person.press("1")
        assert call.result()["answer"] == "a"


def test_a_card_that_comes_up_under_the_pointer_waits_for_it_to_move(agent: Agent, desk: Desk, person: Person) -> None:
    bridge = agent.connect()
    first = bridge.call("ask_user", title="First?", options=["a", "b"])
    second = bridge.call("ask_user", title="Second?", options=["a", "b"])
    card = person.reach("First?")
    option = (card.x + card.width // 2, card.y + card.height - LAST_OPTION)
    person.display.click(*option)
    assert first.result()["outcome"] == "answered"
    person.reach("Second?")  # its half second is over, and the pointer has not moved
    person.display.click()
    hold_true(lambda: not second.future.done() and person.shows("Second?"), "the click counts for nothing", 0.5)
    person.display.move(option[0] + 30, option[1])
    person.display.move(*option)
    person.display.click()
    assert second.result()["outcome"] == "answered"


def test_a_new_card_keeps_away_from_the_pointer(agent: Agent, desk: Desk, person: Person) -> None:
    person.display.move(person.display.width // 2, person.display.height // 2)
    agent.connect().call("ask_user", title="Where?", options=["a", "b"])
    card = desk.wait_for_card("Where?")
    x, y = person.display.pointer()
    assert not card.holds(x, y)


def test_an_urgent_notice_comes_first_and_the_question_comes_back(agent: Agent, desk: Desk, person: Person) -> None:
    bridge = agent.connect()
    bridge.call("ask_user", title="Which region?", options=["a", "b"])
    desk.wait_for_card("Which region?")
    bridge.call("notify_user", title="The disk is failing", level="urgent").result()
    person.summon("The disk is failing")
    person.press("Escape")
    desk.wait_for_card("Which region?")


def test_a_card_stands_above_a_window_that_is_raised_later(agent: Agent, desk: Desk, display: Display,
                                                           tmp_path: Path) -> None:
    agent.connect().call("ask_user", title="Above?", options=["a", "b"])
    desk.wait_for_card("Above?")
    with Editor(display, tmp_path / "typed.txt"):
        stack = [window.title for window in display.windows() if window.title]
        assert stack.index(card_title("Above?")) > stack.index(EDITOR_TITLE)
