"""MCP over HTTP: off until the person turns it on, and then only for who has the token."""

import json
import stat
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.helpers.desk import Desk
from tests.helpers.waiting import wait_until

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test-client", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def call(port: int, method: str, params: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
    """The status and the JSON of one stateless request."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}).encode()
    named = {"Mcp-Name": params["name"]} if "name" in params else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/mcp/desktop", body, {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Method": method,
        "MCP-Protocol-Version": "2026-07-28", **named, **headers})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            text = response.read().decode()
            lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
            return response.status, json.loads(lines[-1] if lines else text)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, {}


@pytest.fixture
def serving(own_headless: Desk) -> tuple[Desk, int, str]:
    """A desk whose person has just turned HTTP on, its port and its token."""
    desk = own_headless
    assert desk.log("http_started") == []
    assert not (desk.home / "data" / "http-token").exists()
    desk.configure("[mcp]\nhttp = true\n[undo]\ngrace_s = 0\n")
    started = wait_until(lambda: desk.log("http_started"), "HTTP to be on")
    token_file = desk.home / "data" / "http-token"
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    return desk, started[0]["port"], token_file.read_text().strip()


def test_a_question_over_http(serving: tuple[Desk, int, str]) -> None:
    desk, port, token = serving
    status, listed = call(port, "tools/list", {}, Authorization=f"Bearer {token}")
    assert status == 200
    assert {tool["name"] for tool in listed["result"]["tools"]} >= {"ask_user", "notify_user"}
    status, sent = call(port, "tools/call", {"name": "notify_user", "arguments": {"title": "Hi", "level": "error"}},
                        Authorization=f"Bearer {token}")
    assert status == 200
    assert sent["result"]["structuredContent"]["id"] == desk.wait_for_pending("Hi")["id"]


@pytest.mark.parametrize(("headers", "status"), [
    ({}, 401),
    ({"Authorization": "Bearer wrong"}, 401),
    ({"Host": "evil.example"}, 421),
    ({"Origin": "https://evil.example"}, 403),
])
def test_who_is_kept_out(serving: tuple[Desk, int, str], headers: dict[str, str], status: int) -> None:
    _desk, port, token = serving
    with_token = headers if status == 401 else {"Authorization": f"Bearer {token}", **headers}
    assert call(port, "tools/list", {}, **with_token)[0] == status


def test_turned_off_again_it_is_gone(serving: tuple[Desk, int, str]) -> None:
    desk, port, token = serving
    desk.configure("[mcp]\nhttp = false\n")

    def refused() -> bool:
        try:
            call(port, "tools/list", {}, Authorization=f"Bearer {token}")
        except (urllib.error.URLError, ConnectionError):
            return True
        return False

    wait_until(refused, "nobody to listen any more")
