"""Clients that give up, are cut, or come back: the question stays, and its answer finds them."""

import time

from tests.helpers.agent import Agent
from tests.helpers.desk import Desk
from tests.helpers.waiting import hold_true, wait_until

OPTIONS = ["yes", "no"]


def test_cancel_and_ask_again_gets_the_answer_given_in_between(agent: Agent, desk: Desk) -> None:
    bridge = agent.connect()
    call = bridge.call("ask_user", title="Which?", options=OPTIONS)
    waiting = desk.wait_for_pending("Which?")
    hold_true(lambda: not call.future.done(), "the call waits", 5)
    call.cancel()
    wait_until(call.future.done, "the client to have cancelled")
    desk.wait_for_card("Which?")  # detached, not gone
    desk.answer("Which?", "2")
    again = bridge.call("ask_user", title="Which?", options=OPTIONS).result()
    assert (again["id"], again["answer"]) == (waiting["id"], "no")
    assert desk.pending() == []


def test_asked_again_before_the_answer_there_is_still_one_card(agent: Agent, desk: Desk) -> None:
    bridge = agent.connect()
    first = bridge.call("ask_user", title="Which?", options=OPTIONS)
    waiting = desk.wait_for_pending("Which?")
    first.cancel()
    wait_until(first.future.done, "the client to have cancelled")
    second = bridge.call("ask_user", title="Which?", options=OPTIONS)
    hold_true(lambda: [item["id"] for item in desk.pending()] == [waiting["id"]], "one card", 0.5)
    desk.answer("Which?", "1")
    assert second.result()["answer"] == "yes"


def test_a_client_with_a_limit_gets_pending_in_time_and_resumes_by_id(agent: Agent, desk: Desk) -> None:
    bridge = agent.connect("--call-limit", "4")
    begun = time.monotonic()
    pending = bridge.call("ask_user", title="Which?", options=OPTIONS).result()
    assert time.monotonic() - begun < 4
    assert pending["outcome"] == "pending"
    assert pending["id"] in pending["note"]
    resumed = bridge.call("ask_user", id=pending["id"])
    desk.answer("Which?", "2")
    result = resumed.result()
    if result["outcome"] == "pending":  # the answer was in its grace when this call had to return
        result = bridge.call("ask_user", id=pending["id"]).result()
    assert (result["id"], result["answer"]) == (pending["id"], "no")


def test_codex_by_its_name_gets_its_limit(agent: Agent, desk: Desk) -> None:
    from agentbox_desktop.core.callers import Caller
    from agentbox_desktop.doors.mcp.session import McpSession

    unknown = McpSession(Caller("s"), "client", "desktop", "full", None)
    assert unknown.cut_s("codex-mcp-client") == 270
    assert unknown.cut_s("gemini-cli-mcp-client") == 570
    assert unknown.cut_s("claude-code") is None


def test_a_killed_agent_leaves_its_question(own_agent: Agent, own_desk: Desk) -> None:
    own_agent.connect().call("ask_user", title="Which name?")
    card = own_desk.wait_for_card("Which name?")
    own_agent.kill()
    wait_until(lambda: [line for line in own_desk.log("client_gone") if line["role"] == "mcp"], "the bridge to be gone")
    assert own_desk.wait_for_card("Which name?").id == card.id


def test_a_person_is_not_asked_twice_by_a_rerun_script(desk: Desk) -> None:
    words = ("ask", "--title", "Deploy?", "--option", "now", "--option", "later")
    first = desk.begin(*words)
    waiting = desk.wait_for_pending("Deploy?")
    first.process.kill()
    first.process.wait()
    desk.answer("Deploy?", "1")
    again = desk.cli(*words, "--json").json()
    assert (again["id"], again["answer"]) == (waiting["id"], "now")
