"""The HTTP door: real requests on the loopback address, with and without what lets them in."""

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.middleware.bearer_auth import authorization_context

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.http import HttpDoor, read_or_make_token
from tests.services.door_fakes import ERAS, LEGACY, Door, until

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}}
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


class Http:
    """The door, its fakes and a client with its token."""

    def __init__(self, folder: Path) -> None:
        self.fakes = Door()
        self.token_file = folder / "http-token"
        self.door = HttpDoor(self.fakes.door, self.token_file, self.fakes.log)

    @property
    def url(self) -> str:
        assert self.door.url is not None
        return self.door.url

    @property
    def token(self) -> str:
        return self.token_file.read_text().strip()

    @property
    def keys(self) -> list[str]:
        return [key for _session, key in self.fakes.delivered]

    async def post(self, message: Any = INITIALIZE, token: str | None = None, url: str = "", **headers: str) -> Any:
        sent = {**HEADERS, "authorization": f"Bearer {self.token if token is None else token}", **headers}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        async with httpx2.AsyncClient() as client:
            return await client.post(url or self.url, content=body, headers=sent)

    @asynccontextmanager
    async def client(self, era: str) -> AsyncIterator[Client]:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {self.token}"}, timeout=30) as http_client,
            Client(streamable_http_client(self.url, http_client=http_client), mode=era) as client,
        ):
            yield client


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[Http]:
    http = Http(tmp_path)
    await http.door.start()
    try:
        yield http
    finally:
        await http.door.stop()
        await http.fakes.tasks.stop()


@pytest.mark.parametrize("era", ERAS)
async def test_both_eras_list_and_call(http: Http, era: str) -> None:
    async with http.client(era) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["echo", "park", "refuse", "fail"]
        first = await client.call_tool("echo", {"text": "grüße"})
        await client.call_tool("echo", {"text": "again"})
        refused = await client.call_tool("refuse", {})
    assert first.structured_content == {"text": "grüße"}
    assert refused.is_error
    one, two = http.fakes.operations.calls
    assert one.caller.session == two.caller.session
    assert one.caller.session.startswith("http-")
    assert one.caller.door == "http"
    assert one.key != two.key


@pytest.mark.parametrize("era", ERAS)
async def test_a_parked_call_is_kept_alive_and_answered_and_then_counts_as_delivered(http: Http, era: str) -> None:
    heard: list[float] = []

    async def progress(value: float, _total: float | None, _message: str | None) -> None:
        heard.append(value)

    operations = http.fakes.operations
    async with http.client(era) as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}, progress_callback=progress))
        await until(lambda: operations.parked and heard == [0], "the first progress")
        http.fakes.time.advance(60)
        await until(lambda: heard == [0, 60], "a tick")
        assert http.keys == []
        operations.parked["a"].set_result("yes")
        assert (await waiting).structured_content == {"answer": "yes"}
        await until(lambda: http.keys == [operations.calls[0].key], "the delivery")


async def test_a_modern_client_that_closes_its_request_detaches_the_call(http: Http) -> None:
    async with http.client("2026-07-28") as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}))
        await until(lambda: http.fakes.operations.parked, "parked")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await until(lambda: http.fakes.operations.cancelled == ["a"], "detached")
    assert http.keys == []


async def test_who_has_no_token_is_turned_away(http: Http) -> None:
    async with httpx2.AsyncClient() as client:
        bare = await client.post(http.url, content=b"{}", headers=HEADERS)
    assert bare.status_code == 401
    assert bare.headers["www-authenticate"] == "Bearer"
    for wrong in ("-", "x" * 43, http.token[:-1], http.token + "x"):
        assert (await http.post(token=wrong)).status_code == 401
    assert (await http.post()).status_code == 200


async def test_a_foreign_host_or_origin_is_turned_away(http: Http) -> None:
    port = http.url.split(":")[2].split("/")[0]
    assert (await http.post(host="evil.example")).status_code == 421
    assert (await http.post(host=f"evil.example:{port}")).status_code == 421
    assert (await http.post(origin="http://evil.example")).status_code == 403
    assert (await http.post(origin=f"http://localhost:{port}", host=f"localhost:{port}")).status_code == 200


async def test_other_paths_and_too_large_bodies_are_refused(http: Http) -> None:
    assert (await http.post(url=http.url.replace("desktop", "site"))).status_code == 404
    assert (await http.post(b" " * (4 * 2**20 + 1))).status_code == 413
    assert (await http.post(b"{nonsense")).status_code == 400


async def test_a_session_is_nobody_elses(http: Http, tmp_path: Path) -> None:
    opened = await http.post()
    session = opened.headers["mcp-session-id"]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert (await http.post(ping, **{"mcp-session-id": session})).status_code == 200
    assert (await http.post(ping, token="x" * 43, **{"mcp-session-id": session})).status_code == 401
    other = Http(tmp_path / "other")
    other.token_file.parent.mkdir()
    other.fakes = http.fakes
    await other.door.start()
    try:
        assert (await other.post(ping, **{"mcp-session-id": session})).status_code == 404
    finally:
        await other.door.stop()


async def test_the_token_is_the_user_that_the_sdk_ties_a_session_to() -> None:
    from agentbox_desktop.doors.mcp.http_server import Gate

    seen: list[Any] = []

    class Manager:
        async def handle_request(self, scope: Any, _receive: Any, _send: Any) -> None:
            seen.append(scope["user"])

    fakes = Door()
    gate = Gate(Manager(), fakes.session, "secret", "/mcp", fakes.door.delivered, fakes.lost.append)  # type: ignore[arg-type]
    scope = {"type": "http", "path": "/mcp", "headers": [(b"authorization", b"bearer secret")]}
    await gate(scope, None, None)  # type: ignore[arg-type]
    assert authorization_context(seen[0])["client_id"] == fakes.session.client


async def test_it_stops_within_two_seconds_and_starts_again(http: Http) -> None:
    async with http.client(LEGACY) as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}))
        await until(lambda: http.fakes.operations.parked, "parked")
        port = int(http.url.split(":")[2].split("/")[0])
        began = time.monotonic()
        await http.door.stop()
        assert time.monotonic() - began < 2
        assert http.door.url is None
        assert http.fakes.operations.cancelled == ["a"]
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 1)
    await http.door.start()
    assert (await http.post()).status_code == 200


async def test_nothing_of_it_is_left_running(tmp_path: Path) -> None:
    http = Http(tmp_path)
    before = asyncio.all_tasks()
    await http.door.start()
    async with http.client(LEGACY) as client:
        await client.call_tool("echo", {})
    await http.door.stop()
    await until(lambda: asyncio.all_tasks() <= before, "only what ran before")


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    fakes = Door()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        door = HttpDoor(fakes.door, tmp_path / "token", fakes.log, port)
        with pytest.raises(Refused, match=f"port {port}"):
            await door.start()
    assert door.url is None


def test_the_token_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "token"
    token = read_or_make_token(path)
    assert len(token) >= 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_make_token(path) == token
    assert read_or_make_token(tmp_path / "another") != token


@pytest.mark.parametrize("spoil", ["readable", "symlink", "short", "pipe"])
def test_a_token_that_others_could_know_is_refused(tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "token"
    read_or_make_token(path)
    if spoil == "readable":
        path.chmod(0o644)
    elif spoil == "symlink":
        path = tmp_path / "link"
        path.symlink_to(tmp_path / "token")
    elif spoil == "short":
        path.write_text("secret\n")
    else:
        path.unlink()
        os.mkfifo(path, 0o600)
    with pytest.raises(Refused, match=str(path)):
        read_or_make_token(path)
