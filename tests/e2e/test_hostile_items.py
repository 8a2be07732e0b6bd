"""What an agent may send at its worst: shown whole or refused by name; never a crash, a request or a cut."""

import json
import socket
import subprocess
import sys
import threading

import pytest

from agentbox_desktop.core import limits
from tests.helpers.agent import Agent, RawBridge
from tests.helpers.desk import Desk
from tests.helpers.display import Display
from tests.helpers.person import Person
from tests.helpers.waiting import wait_until

WIDE = "漢" * limits.OPTION_LABEL_CHARS


@pytest.mark.parametrize(("tool", "arguments", "named"), [
    ("ask_user", {"title": "t" * 201}, "title is at most 200"),
    ("ask_user", {"title": " \n"}, "title needs"),
    ("ask_user", {}, "title is required"),
    ("ask_user", {"title": "t", "body": "b" * (limits.BODY_BYTES + 1)}, "body is at most 262144"),
    ("ask_user", {"title": "t", "options": ["only one"]}, "options needs at least 2"),
    ("ask_user", {"title": "t", "options": [str(n) for n in range(10)]}, "options takes at most 9"),
    ("ask_user", {"title": "t", "options": ["a", "a"]}, "same label"),
    ("ask_user", {"title": "t", "options": ["a", "b" * 81]}, r"options[1] is at most 80"),
    ("ask_user", {"title": "t", "options": ["a", {"label": "b", "description": "d" * 201}]}, "description is at most"),
    ("ask_user", {"title": "t", "options": ["a", {"label": "b", "preview": "p" * 262145}]}, "preview is at most"),
    ("ask_user", {"title": "t", "timeout_s": -1}, "timeout_s must be 0 or more; -1"),
    ("ask_user", {"title": "t", "timeout_s": "5"}, "timeout_s"),
    ("ask_user", {"title": "t", "options": ["a", "b"], "default": "c"}, "default must be one of"),
    ("ask_user", {"title": "t", "speak": "s" * 241}, "speak is at most 240"),
    ("ask_user", {"title": "t", "colour": "red"}, "colour is not an argument"),
    ("ask_user", {"title": "t", "id": ""}, "id needs"),
    ("ask_user", {"id": "itm_nothing"}, "itm_nothing"),
    ("ask_user", {"title": "t", "idempotency_key": "k" * 201}, "idempotency_key is at most 200"),
    ("ask_user", {"title": "t", "image": "/" + "p" * 4096}, "image is at most 4096"),
    ("notify_user", {"title": "t", "level": "loud"}, "level must be"),
    ("notify_user", {"title": 7}, "title"),
    ("confirm_action", {"title": "t", "timeout_s": 5}, "timeout_s is not an argument"),
    ("retract", {"id": "itm_" + "0" * 26}, "itm_000"),
    ("no_such_tool", {}, "no_such_tool"),
])
def test_refused_by_name(agent: Agent, desk: Desk, tool: str, arguments: dict[str, object], named: str) -> None:
    bridge = _opened(agent)
    bridge.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    result = bridge.receive_answer(2)
    said = json.dumps(result, ensure_ascii=False)
    assert named in said
    assert result.get("result", {}).get("isError") or "error" in result
    assert desk.pending() == []


@pytest.mark.parametrize(("name", "arguments"), [
    ("everything at its limit", {
        "title": "T" * 200, "body": "b" * limits.BODY_BYTES, "options": [
            {"label": f"{n}{WIDE[1:]}", "description": "d" * 200} for n in range(9)]}),
    ("newlines in the title", {"title": "one\ntwo\r\nthree\tfour"}),
    ("a bidirectional override", {"title": "pay \u202e001 ot\u202c", "body": "zero\u200bwidth \u2066isolate\u2069"}),
    ("a script", {"title": "<script>alert(1)</script>", "body": "<script>alert(1)</script><img src=x onerror=a()>"}),
    ("control characters", {"title": "bell\x07 esc\x1b[31m", "body": "\x00\x08\x7f"}),
    ("deep Markdown", {"title": "Deep", "body": ">" * 2000 + " quote\n" + "- " * 500 + "item\n" + "[" * 5000}),
    ("a wide table", {"title": "Table", "body": "|" + "c|" * 200 + "\n|" + "-|" * 200 + "\n|" + "v|" * 200}),
    ("right to left", {"title": "هل تريد المتابعة؟", "options": ["نعم", "لا"]}),
    ("one very long word", {"title": "W" * 200, "options": ["x" * 80, "y" * 80]}),
])
def test_shown_and_answered(agent: Agent, desk: Desk, name: str, arguments: dict[str, object]) -> None:
    bridge = agent.connect()
    call = bridge.call("ask_user", **arguments)
    card = _card(desk)
    assert card["title"] == arguments["title"]
    window = [window for window in desk._screen.windows(wm_class="agentbox") if window.width > 400][-1]
    assert window.height <= desk._screen.height
    assert desk.cli("answer", card["id"], *(["1"] if "options" in arguments else ["words"])).exit == 0
    assert call.result()["outcome"] == "answered"


def _card(desk: Desk) -> dict[str, object]:
    items = wait_until(lambda: [item for item in desk.pending() if item["state"] == "seen"], "the card to be seen", 20)
    return items[0]


def test_half_a_character_is_refused_by_name(agent: Agent, desk: Desk) -> None:
    bridge = _opened(agent)
    line = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_user","arguments":{"title":"%s"}}}'
    bridge.send(line % r"half \ud83d a smiley")
    refused = bridge.receive_answer(2)["result"]
    assert refused["isError"] is True
    assert refused["content"][0]["text"].startswith("title holds half a character")
    assert desk.pending() == []


def _opened(agent: Agent) -> RawBridge:
    bridge = agent.connect_raw()
    bridge.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}})
    bridge.receive_answer(1)
    bridge.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return bridge


def test_a_remote_image_is_never_fetched(agent: Agent, desk: Desk) -> None:
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)

        def listen() -> None:
            try:
                server.accept()
                asked.set()
            except TimeoutError:
                pass

        listening = threading.Thread(target=listen)
        listening.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        body = (f"![a chart]({address}/chart.png)\n\n<img src='{address}/x.png'>\n\n"
                f"[link]({address}/link)\n\n![]({address}/y.svg)")
        call = agent.connect().call("ask_user", title="Look", body=body, options=["a", "b"])
        desk.wait_for_card("Look")
        desk.answer("Look", "1")
        call.result()
        listening.join()
    assert not asked.is_set()


def test_a_short_time_out_is_raised_and_said(agent: Agent) -> None:
    result = agent.connect().call("ask_user", title="Quick?", options=["a", "b"], timeout_s=1).result(15)
    assert result["outcome"] == "expired"
    assert "5" in result["note"]


def test_a_long_text_is_whole_behind_its_fold(agent: Agent, desk: Desk, display: Display) -> None:
    body = "\n\n".join(f"Paragraph {number} of many." for number in range(400)) + "\n\nThe very last line."
    agent.connect().call("ask_user", title="Long", body=body, options=["a", "b"])
    person = Person(desk, display)
    card = person.summon("Long")
    assert card.height <= display.height * 0.75
    person.press("c")  # copies everything shown, folded or not
    copied = wait_until(lambda: clipboard(display), "the copied text")
    assert "Paragraph 0 of many." in copied
    assert "The very last line." in copied


def clipboard(display: Display) -> str:
    """What another program would paste."""
    program = ("import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication([]);"
               "sys.stdout.write(QGuiApplication.clipboard().text())")
    ran = subprocess.run([sys.executable, "-c", program], env=display.environment(), capture_output=True, text=True,
                         check=True, timeout=20)
    return ran.stdout
