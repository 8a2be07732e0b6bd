"""The main job: an agent asks over MCP, a card appears, the person's own hands answer, the agent has it."""

import pytest

from tests.helpers.agent import Agent, Bridge, Era
from tests.helpers.desk import Desk, card_title
from tests.helpers.display import Display
from tests.helpers.person import CLICKS_SLEEP_S, Person
from tests.helpers.waiting import hold_true, wait_until

YES = (60, 76)  # where the Yes button stands, from the card's lower right corner
UNDO = 50  # from the right edge of the strip
ERAS: list[Era] = ["handshake", "stateless"]
REGIONS = ["eu-west", "us-east", "ap-south"]


@pytest.fixture(params=ERAS)
def bridge(agent: Agent, request: pytest.FixtureRequest) -> Bridge:
    return agent.connect(era=request.param)


def test_the_four_tools_are_listed(bridge: Bridge) -> None:
    tools = {tool["name"]: tool for tool in bridge.list_tools()}
    assert set(tools) == {"notify_user", "retract", "ask_user", "confirm_action"}
    for tool in tools.values():
        assert tool["title"]
        assert len(tool["description"]) > 100
        assert tool["inputSchema"]["additionalProperties"] is False
        assert tool["outputSchema"]["type"] == "object"
        assert tool["annotations"]["openWorldHint"] is False


def test_the_short_profile_lists_only_built_tools_of_the_twelve(agent: Agent) -> None:
    listed = {tool["name"] for tool in agent.connect("--profile", "core").list_tools()}
    assert listed == {"notify_user", "ask_user", "confirm_action"}


def test_a_choice_by_summon_and_digit(bridge: Bridge, person: Person) -> None:
    call = bridge.call("ask_user", title="Which region?", options=REGIONS)
    person.summon("Which region?")
    person.press("2")
    result = call.result()
    assert result["outcome"] == "answered"
    assert result["answer"] == "us-east"
    assert result["seen"] is True
    assert "answers" not in result


def test_several_from_the_terminal(bridge: Bridge, desk: Desk) -> None:
    call = bridge.call("ask_user", title="Which regions?", options=REGIONS, multi=True)
    desk.wait_for_card("Which regions?")
    desk.answer("Which regions?", "1,3")
    assert call.result()["answers"] == ["eu-west", "ap-south"]


def test_several_by_keys(bridge: Bridge, person: Person) -> None:
    call = bridge.call("ask_user", title="Which regions?", options=REGIONS, multi=True)
    person.summon("Which regions?")
    person.press("1", "3", "Return")
    assert call.result()["answers"] == ["eu-west", "ap-south"]


def test_free_text(bridge: Bridge, person: Person) -> None:
    call = bridge.call("ask_user", title="Name of the branch?")
    person.summon("Name of the branch?")
    person.display.type("fix/rounding")
    person.press("Return")
    assert call.result()["answer"] == "fix/rounding"


def test_a_reply_instead_of_a_choice(bridge: Bridge, person: Person) -> None:
    call = bridge.call("ask_user", title="Which region?", options=REGIONS)
    person.summon("Which region?")
    person.press("slash")
    person.display.type("none of them yet")
    person.press("ctrl+Return")
    result = call.result()
    assert (result["outcome"], result["reply"]) == ("answered", "none of them yet")
    assert "answer" not in result


def test_no_by_key(bridge: Bridge, person: Person) -> None:
    call = bridge.call("confirm_action", title="Push to origin?", body="`git push origin main`")
    person.summon("Push to origin?")
    person.press("n")
    result = call.result()
    assert (result["outcome"], result["confirmed"]) == ("answered", False)


def test_enter_is_never_a_yes(bridge: Bridge, person: Person) -> None:
    call = bridge.call("confirm_action", title="Delete the branch?")
    person.summon("Delete the branch?")
    person.press("Return", "KP_Enter")
    assert person.desk.wait_for_pending("Delete the branch?")["state"] == "seen"
    person.press("y")
    assert call.result()["confirmed"] is True


def test_a_click_answers(bridge: Bridge, person: Person) -> None:
    call = bridge.call("confirm_action", title="Restart the service?")
    card = person.reach("Restart the service?")
    person.click_low(card, from_right=YES[0], from_bottom=YES[1])
    assert call.result()["confirmed"] is True


def test_retract_takes_the_card_off_the_screen(agent: Agent, desk: Desk) -> None:
    bridge = agent.connect()
    call = bridge.call("ask_user", title="Still needed?", options=["yes", "no"])
    desk.wait_for_card("Still needed?")
    waiting = desk.wait_for_pending("Still needed?")["id"]
    taken = bridge.call("retract", id=waiting).result()
    assert taken == {"retracted": True, "ids": [waiting]}
    desk.wait_for_no_card("Still needed?")
    assert call.result()["outcome"] == "retracted"
    assert bridge.call("retract").result() == {"retracted": False, "ids": []}


def test_undo_within_the_grace(own_desk: Desk, own_agent: Agent, own_display: Display) -> None:
    person, display = Person(own_desk, own_display), own_display
    call = own_agent.connect().call("ask_user", title="Which region?", options=REGIONS)
    waiting = own_desk.wait_for_pending("Which region?")["id"]
    person.summon("Which region?")
    person.press("1")
    own_desk.wait_for_no_card("Which region?")
    strip = wait_until(lambda: display.windows(card_title("Answered: eu-west")), "the undo strip")[-1]
    hold_true(lambda: not call.future.done(), "the answer has not left", CLICKS_SLEEP_S)
    display.click(strip.x + strip.width - UNDO, strip.centre[1])
    person.summon("Which region?")
    person.press("3")
    result = call.result()
    assert (result["id"], result["answer"]) == (waiting, "ap-south")


def test_a_notice_comes_and_goes(agent: Agent, desk: Desk) -> None:
    sent = agent.connect().call("notify_user", title="Build is green", level="success").result()
    assert sent["id"].startswith("itm_")
    wait_until(desk.toasts, "the notice on screen")
    wait_until(lambda: not desk.toasts(), "the notice to leave by itself", 12)


def test_progress_is_reported_at_once(agent: Agent, desk: Desk) -> None:
    call = agent.connect().call("ask_user", title="Which region?", options=REGIONS)
    wait_until(lambda: call.progress, "the first progress")
    assert call.progress[0]["value"] == 0
    desk.answer("Which region?", "1")
    assert call.result()["answer"] == "eu-west"
