"""What the bridge repeats to a new daemon."""

import json
from typing import Any

import pytest

from agentbox_desktop.cli.conversation import Conversation, messages


def line(**members: Any) -> bytes:
    return json.dumps(members).encode() + b"\n"


def repeated(conversation: Conversation) -> list[dict[str, Any]]:
    return [json.loads(sent) for sent in conversation.lines_to_repeat()]


INITIALIZE = line(jsonrpc="2.0", id=0, method="initialize", params={"protocolVersion": "2025-06-18"})
INITIALIZED = line(jsonrpc="2.0", method="notifications/initialized")


def test_an_unanswered_request_is_repeated_to_the_letter() -> None:
    conversation = Conversation()
    sent = b'{"id" : 7,  "method":"tools/call", "params":{}}\n'
    assert conversation.from_client(sent)
    assert conversation.lines_to_repeat() == [sent]


def test_an_answered_request_is_acknowledged_again_instead() -> None:
    conversation = Conversation()
    conversation.from_client(line(id=7, method="tools/call"))
    assert conversation.answered({"id": 7, "result": {}})
    assert repeated(conversation) == [{"agentbox": "delivered", "id": 7}]
    assert not conversation.waits_for_answers


def test_an_id_that_is_in_flight_again_is_not_acknowledged() -> None:
    conversation = Conversation()
    request = line(id=7, method="tools/call")
    conversation.from_client(request)
    conversation.answered({"id": 7, "result": {}})
    conversation.from_client(request)
    assert conversation.lines_to_repeat() == [request]


def test_the_handshake_comes_first_under_an_id_of_its_own() -> None:
    conversation = Conversation()
    conversation.from_client(INITIALIZE)
    conversation.answered({"id": 0, "result": {}})
    conversation.from_client(INITIALIZED)
    request = line(id=1, method="tools/call")
    conversation.from_client(request)
    _, handshake, *rest = conversation.lines_to_repeat()
    again = json.loads(handshake)
    assert again["method"] == "initialize" and again["params"] == {"protocolVersion": "2025-06-18"}
    assert again["id"] not in (0, 1)
    assert rest == [INITIALIZED, request]
    assert conversation.is_repeated_handshake({"id": again["id"], "result": {}})
    assert not conversation.is_repeated_handshake({"id": 0, "result": {}})


def test_each_repeated_handshake_has_another_id() -> None:
    conversation = Conversation()
    conversation.from_client(INITIALIZE)
    conversation.answered({"id": 0, "result": {}})
    assert repeated(conversation)[-1]["id"] != repeated(conversation)[-1]["id"]


def test_a_handshake_still_in_flight_is_repeated_as_it_was() -> None:
    conversation = Conversation()
    conversation.from_client(INITIALIZE)
    assert conversation.lines_to_repeat() == [INITIALIZE]


def test_a_handshake_still_in_flight_stays_before_all_that_was_said_after_it() -> None:
    conversation = Conversation()
    request = line(id=1, method="tools/list")
    for sent in (INITIALIZE, INITIALIZED, request):
        conversation.from_client(sent, reaches_the_daemon=False)
    assert conversation.lines_to_repeat() == [INITIALIZE, INITIALIZED, request]


def test_what_nobody_was_there_to_hear_is_said_once() -> None:
    conversation = Conversation()
    changed, broken = line(method="notifications/roots/list_changed"), b"{ no json\n"
    conversation.from_client(changed)
    for sent in (changed, broken):
        conversation.from_client(sent, reaches_the_daemon=False)
    assert conversation.lines_to_repeat() == [changed, broken]
    assert conversation.lines_to_repeat() == []


def test_without_a_handshake_none_is_invented() -> None:
    conversation = Conversation()
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    request = line(id=1, method="tools/call", params={"_meta": meta})
    conversation.from_client(request)
    assert conversation.lines_to_repeat() == [request]


def test_a_cancelled_request_is_forgotten() -> None:
    conversation = Conversation()
    conversation.from_client(line(id="a", method="tools/call"))
    conversation.from_client(line(method="notifications/cancelled", params={"requestId": "a"}))
    assert conversation.lines_to_repeat() == []


@pytest.mark.parametrize("requested", [1, "1"])
def test_a_number_and_its_digits_are_two_ids(requested: object) -> None:
    conversation = Conversation()
    conversation.from_client(line(id=1, method="tools/call"))
    conversation.from_client(line(id="1", method="tools/call"))
    conversation.answered({"id": requested, "result": {}})
    assert [sent["id"] for sent in repeated(conversation) if "method" in sent] == [1 if requested == "1" else "1"]


def test_a_request_of_the_daemons_and_its_answer_are_nothing_of_the_clients() -> None:
    conversation = Conversation()
    request = line(id=1, method="tools/call")
    conversation.from_client(request)
    assert not conversation.answered({"id": 1, "method": "elicitation/create"})
    assert not conversation.from_client(line(id=1, result={}))
    assert conversation.lines_to_repeat() == [request]


def test_a_batch_is_repeated_once_and_until_its_last_answer() -> None:
    conversation = Conversation()
    batch = json.dumps([{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}]).encode() + b"\n"
    assert conversation.from_client(batch)
    assert conversation.lines_to_repeat() == [batch]
    conversation.answered({"id": 1, "result": {}})
    assert batch in conversation.lines_to_repeat()
    conversation.answered({"id": 2, "result": {}})
    assert batch not in conversation.lines_to_repeat()


def test_refusals_answer_everything_in_flight_and_leave_no_handshake() -> None:
    conversation = Conversation()
    conversation.from_client(INITIALIZE)
    conversation.from_client(line(id="x", method="tools/list"))
    refusals = [json.loads(refusal) for refusal in conversation.refusals("The disk is full.")]
    assert [(refusal["id"], refusal["error"]["message"]) for refusal in refusals] == [
        (0, "The disk is full."), ("x", "The disk is full.")]
    assert conversation.lines_to_repeat() == []


@pytest.mark.parametrize("bad", [b"{", b"\xff\n", b"[" * 200_000, b"7\n", b'"x"\n', b"null\n"])
def test_what_is_no_message_is_none(bad: bytes) -> None:
    assert messages(bad) == []
    assert not Conversation().from_client(bad)
