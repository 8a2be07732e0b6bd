"""`kill -9` of the daemon, of the bridge, of both: no question is lost, no answer arrives twice."""

import contextlib
import json
import sqlite3

import pytest

from tests.helpers.agent import Agent
from tests.helpers.desk import Desk
from tests.helpers.waiting import hold_true, wait_until

BRIDGES, CALLS_EACH = 10, 10


def pending_questions(desk: Desk) -> list[str]:
    return sorted(item["title"] for item in desk.pending())


@pytest.mark.timeout(300)
def test_a_hundred_parked_calls_survive_the_daemon(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        bridges = [agent.connect(name=f"bridge {number}") for number in range(BRIDGES)]
        calls = {f"Question {a}-{b}": bridge.call("ask_user", title=f"Question {a}-{b}", options=["yes", "no"])
                 for a, bridge in enumerate(bridges) for b in range(CALLS_EACH)}
        wait_until(lambda: len(own_headless.pending()) == len(calls), "all questions to wait", 30)
        own_headless.kill9()
        own_headless.start()
        wait_until(lambda: _all_back(own_headless), "the bridges to be back", 30)
        assert pending_questions(own_headless) == sorted(calls)  # each is back once
        for number, item in enumerate(own_headless.pending()):
            assert own_headless.cli("answer", item["id"], "1" if number % 2 else "2").exit == 0
        answers = {title: call.result(30) for title, call in calls.items()}
        assert len({result["id"] for result in answers.values()}) == len(calls)
        assert {result["outcome"] for result in answers.values()} == {"answered"}
        wait_until(lambda: _delivered(own_headless) == len(calls), "all acknowledged", 20)
        assert own_headless.pending() == []


def _all_back(desk: Desk) -> bool:
    started = [number for number, line in enumerate(desk.log()) if line["event"] == "daemon_started"][-1]
    back = {line["session"] for line in desk.log()[started:]
            if line["event"] == "client_connected" and line["role"] == "mcp"}
    return len(back) == BRIDGES


def _delivered(desk: Desk) -> int:
    return sum(1 for line in desk.log("item_moved") if line["move"] == "deliver")


def test_an_answer_in_its_grace_at_the_kill_is_delivered_after_it(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        call = agent.connect().call("ask_user", title="Which?", options=["yes", "no"])
        own_headless.answer("Which?", "2")
        own_headless.kill9()
        own_headless.start()
        assert call.result(20)["answer"] == "no"


def test_the_bridge_starts_a_daemon_that_died(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        call = agent.connect().call("ask_user", title="Which?", options=["yes", "no"])
        own_headless.wait_for_pending("Which?")
        own_headless.kill9()
        own_headless.answer("Which?", "1")
        assert call.result(20)["answer"] == "yes"


def test_the_next_call_takes_up_what_a_killed_bridge_had_not_written(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        first = agent.connect(name="first")
        first.call("ask_user", title="Which?", options=["yes", "no"])
        waiting = own_headless.wait_for_pending("Which?")
        first.kill()
        wait_until(lambda: _bridges_gone(own_headless), "the bridge to be gone")
        own_headless.answer("Which?", "2")
        wait_until(lambda: own_headless.pending() == [], "the answer to leave its grace")
        second = agent.connect(name="second")
        result = second.call("ask_user", title="Which?", options=["yes", "no"]).result()
        assert (result["id"], result["answer"]) == (waiting["id"], "no")
        second.call("ask_user", title="Which?", options=["yes", "no"])
        assert own_headless.wait_for_pending("Which?")["id"] != waiting["id"]  # delivered once, then a new question


def _bridges_gone(desk: Desk) -> bool:
    return any(line["role"] == "mcp" for line in desk.log("client_gone"))


def test_fifty_calls_with_one_key_make_one_card(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        bridge = agent.connect()
        calls = [bridge.call("ask_user", title="Once?", options=["yes", "no"], idempotency_key="once")
                 for _ in range(50)]
        own_headless.wait_for_pending("Once?")
        hold_true(lambda: len(own_headless.pending()) == 1, "one question only", 0.5)
        own_headless.answer("Once?", "1")
        results = [call.result() for call in calls]
        assert {(result["id"], result["answer"]) for result in results} == {(results[0]["id"], "yes")}


def test_quit_tells_who_waits_and_the_bridge_only_redials(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        call = agent.connect().call("ask_user", title="Which?", options=["yes", "no"])
        own_headless.wait_for_pending("Which?")
        asked = own_headless.begin("ask", "--title", "From a shell?", "--option", "a", "--option", "b")
        own_headless.wait_for_pending("From a shell?")
        assert own_headless.cli("quit").exit == 0
        told = asked.finish()
        assert told.exit == 4
        assert "ask --id" in told.err or "pending" in told.err
        wait_until(lambda: _no_daemon(own_headless), "the daemon to be gone")
        hold_true(lambda: _no_daemon(own_headless), "nothing starts it again", 1.5)
        own_headless.start()
        assert pending_questions(own_headless) == ["From a shell?", "Which?"]
        own_headless.answer("Which?", "1")
        assert call.result(20)["answer"] == "yes"


def _no_daemon(desk: Desk) -> bool:
    return not any("daemon" in process.cmdline() for process in desk.processes())


def test_the_daemon_stops_cleanly_within_two_seconds(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        agent.connect().call("ask_user", title="Which?", options=["yes", "no"])
        own_headless.wait_for_pending("Which?")
        own_headless.cli("quit")
        wait_until(lambda: _no_daemon(own_headless), "the daemon to be gone", 2.0)
        assert own_headless.log()[-1]["event"] == "daemon_stopped"


def test_a_second_daemon_leaves_at_once(own_headless: Desk) -> None:
    assert own_headless.cli("daemon").exit == 0
    assert own_headless.status()["pid"] == own_headless.pid


def test_two_instances_are_apart(own_headless: Desk) -> None:
    own_headless.cli("notify", "--title", "In the first", "--level", "error")
    second = own_headless.cli("pending", "--json", "--instance", "second")
    assert second.json() == []
    assert own_headless.cli("quit", "--instance", "second").exit == 0
    assert pending_questions(own_headless) == ["In the first"]


def test_the_store_is_readable_after_it_all(own_headless: Desk) -> None:
    own_headless.cli("notify", "--title", "Kept", "--level", "error")
    own_headless.restart()
    database = own_headless.home / "data" / "agentbox.db"
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert json.loads(own_headless.cli("status", "--json").out)["pending"] == 1
