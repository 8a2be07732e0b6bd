"""The MCP door: what a client of either protocol era sees, over a real socket."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.limits import LINE_BYTES
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.instructions import INSTRUCTIONS
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.mcp.tools import schema_document
from agentbox_desktop.doors.operations.asking import AskingOperations
from tests.services.door_fakes import ERAS, LEGACY, MODERN, Door, tool_call, until


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    async with Door().listening(tmp_path) as door:
        yield door


def text_of(result: Any) -> str:
    assert len(result.content) == 1
    text: str = result.content[0].text
    return text


@pytest.mark.parametrize("era", ERAS)
async def test_tools_are_listed_with_all_that_a_model_needs(door: Door, era: str) -> None:
    async with door.client(era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == ["echo", "park", "refuse", "fail"]
    echo = tools["echo"]
    assert (echo.title, echo.description) == ("Echo", "Gives back.")
    assert echo.meta == {"anthropic/alwaysLoad": True}
    assert tools["park"].meta is None
    hints = echo.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
        True, False, True, False)
    assert tools["refuse"].annotations.destructive_hint is True
    assert echo.input_schema == {
        "type": "object", "additionalProperties": False,
        "properties": {"text": {"type": "string", "default": ""}, "note": {"type": "string"}}}
    assert echo.output_schema == {
        "type": "object", "additionalProperties": False, "required": ["text"],
        "properties": {"text": {"type": "string"}, "note": {"type": "string"}}}


@pytest.mark.parametrize("era", ERAS)
async def test_the_core_profile_lists_and_calls_its_own_tools_only(door: Door, era: str) -> None:
    door.session = replace(door.session, profile="core")
    async with door.client(era) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["echo", "park"]
        refused = await client.call_tool("fail", {})
    assert refused.is_error
    assert text_of(refused).startswith("There is no tool 'fail'")


@pytest.mark.parametrize("era", ERAS)
async def test_a_result_is_structured_and_the_same_json_as_text(door: Door, era: str) -> None:
    async with door.client(era) as client:
        result = await client.call_tool("echo", {"text": "grüße ⟨U+202E⟩"})
    assert not result.is_error
    assert result.structured_content == {"text": "grüße ⟨U+202E⟩"}
    assert json.loads(text_of(result)) == result.structured_content


@pytest.mark.parametrize("era", ERAS)
async def test_refusals_are_one_sentence_and_the_connection_goes_on(door: Door, era: str) -> None:
    async with door.client(era) as client:
        refused = await client.call_tool("refuse", {})
        invalid = await client.call_tool("echo", {"txt": "x"})
        unknown = await client.call_tool("ehco", {})
        fine = await client.call_tool("echo", {"text": "still here"})
    assert (refused.is_error, text_of(refused)) == (True, "That is not to be had; ask for less.")
    assert (invalid.is_error, text_of(invalid)) == (True, "txt is not an argument of this tool; leave it out.")
    assert (unknown.is_error, text_of(unknown)) == (True, "There is no tool 'ehco'; did you mean echo?")
    assert fine.structured_content == {"text": "still here"}


@pytest.mark.parametrize("era", ERAS)
async def test_a_failure_inside_is_logged_without_its_words_and_ends_nothing(door: Door, era: str) -> None:
    async with door.client(era) as client:
        failed = await client.call_tool("fail", {})
        fine = await client.call_tool("echo", {"text": "on"})
    assert failed.is_error
    assert "failed inside AgentBox (RuntimeError)" in text_of(failed)
    assert fine.structured_content == {"text": "on"}
    [(event, fields)] = door.log.of("error")
    assert event == Event.CALL_FAILED
    assert fields["tool"] == "fail"
    assert "words of a person" not in repr(fields)


async def test_the_handshake_names_the_server_and_instructs(door: Door) -> None:
    async with door.client(LEGACY) as client:
        assert client.server_info is not None
        info = client.server_info
        assert (info.name, info.title, info.version) == ("agentbox", "AgentBox Desktop", "1.2.3")
        assert client.instructions is not None
        for word in ("ask_user", "confirm_action", "notify_user", "retract", "pending", "hour"):
            assert word in client.instructions


@pytest.mark.parametrize("era", ERAS)
async def test_the_manual_and_the_schemas_are_resources(door: Door, era: str) -> None:
    async with door.client(era) as client:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        manual = (await client.read_resource("agentbox://manual/agent")).contents[0]
        schema = json.loads((await client.read_resource("agentbox://schema")).contents[0].text)
        with pytest.raises(MCPError, match="There is no resource"):
            await client.read_resource("agentbox://nothing")
    assert listed == ["agentbox://manual/agent", "agentbox://schema"]
    assert (manual.text, manual.mime_type) == ("# The manual", "text/markdown")
    assert list(schema["tools"]) == ["echo", "park", "refuse", "fail"]
    assert schema["tools"]["park"]["input"]["required"] == ["title"]
    assert schema["tools"]["refuse"]["annotations"]["destructiveHint"] is True


@pytest.mark.parametrize(("field", "value"), [("toolset", "sight"), ("profile", "tiny")])
async def test_an_unknown_toolset_or_profile_is_refused(door: Door, field: str, value: str) -> None:
    session = replace(door.session, **{field: value})
    with pytest.raises(Refused, match=f"{field} must be .*'{value}' was sent"):
        await door.door.serve(asyncio.StreamReader(), None, session)  # type: ignore[arg-type]


def test_the_shipped_manual_is_short_and_names_every_tool() -> None:
    manual = (Path(__file__).parents[2] / "resources" / "manual" / "agent.md").read_text(encoding="utf-8")
    assert len(manual) / 4 < 2000  # a token of English is about four characters
    for operation in AskingOperations(None).operations():  # type: ignore[arg-type]
        if operation.tool is not None:
            assert f"`{operation.name}`" in manual
            assert operation.name in INSTRUCTIONS


def test_every_shipped_tool_is_described_without_references_or_generated_titles() -> None:
    tools = schema_document(AskingOperations(None).operations())["tools"]  # type: ignore[arg-type]
    assert list(tools) == ["notify_user", "retract", "ask_user", "confirm_action"]
    text = json.dumps(tools)
    assert "$ref" not in text
    assert '"null"' not in text
    ask = tools["ask_user"]["input"]
    assert ask["properties"]["title"] == {"type": "string", "minLength": 1, "maxLength": 200,
                                          "description": ask["properties"]["title"]["description"]}
    assert set(tools["ask_user"]["output"]["required"]) == {"id", "outcome", "seen"}


def test_the_sdk_is_not_loaded_before_the_first_client() -> None:
    program = ("import sys, agentbox_desktop.doors.mcp.door, agentbox_desktop.doors.http\n"
               "sys.exit(bool({'mcp', 'mcp_types', 'uvicorn', 'starlette'} & set(sys.modules)))")
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])


# --- who is calling, and how long the client waits


@pytest.mark.parametrize("era", ERAS)
async def test_the_clients_own_name_is_the_label_where_the_hello_gave_none(door: Door, era: str) -> None:
    async with door.client(era, "claude-code") as client:
        await client.call_tool("echo", {})
    door.session = replace(door.session, caller=replace(door.session.caller, agent="Ada"))
    async with door.client(era, "claude-code") as client:
        await client.call_tool("echo", {})
    assert [call.caller.agent for call in door.operations.calls] == ["claude-code", "Ada"]
    assert {call.caller.session for call in door.operations.calls} == {"proc-1-1"}


@pytest.mark.parametrize(("limit_s", "name", "cut_s"), [
    (None, "codex-mcp-client", 270), (None, "Gemini-CLI", 570), (None, "claude-code", None), (None, "", None),
    (0, "codex", None), (3600, "codex", 3570), (60, "x", 30), (61, "x", 31), (10, "x", 5)])
def test_a_wait_returns_before_the_client_cuts_it(
    door_session: McpSession, limit_s: float | None, name: str, cut_s: float | None
) -> None:
    assert replace(door_session, call_limit_s=limit_s).cut_s(name) == cut_s


@pytest.fixture
def door_session() -> McpSession:
    return Door().session


@pytest.mark.parametrize("era", ERAS)
async def test_the_cut_and_the_bound_reach_the_service(door: Door, era: str) -> None:
    async with door.client(era, "codex-mcp-client") as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}))
        await until(lambda: "a" in door.operations.parked, "parked")
        door.operations.parked["a"].set_result("yes")
        assert (await waiting).structured_content == {"answer": "yes"}
        await client.call_tool("echo", {})
    parked, echoed = door.operations.calls
    assert (parked.cut_s, echoed.cut_s, echoed.bound_s) == (270, None, None)


async def test_a_call_without_a_token_is_bounded_and_one_with_a_token_is_not(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(tool_call(1, "park", title="mute"), tool_call(2, "park", "t", title="heard"))
        await until(lambda: len(door.operations.parked) == 2, "both parked")
    bounds = {call.key: call.bound_s for call in door.operations.calls}
    assert bounds == {"bridge-1:1": 25 * 60, "bridge-1:2": None}


# --- keeping alive, cancelling, ending


@pytest.mark.parametrize("era", ERAS)
async def test_progress_comes_at_once_and_then_rises_by_the_minute(door: Door, era: str) -> None:
    heard: list[tuple[float, str | None]] = []

    async def progress(value: float, _total: float | None, message: str | None) -> None:
        heard.append((value, message))

    async with door.client(era) as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}, progress_callback=progress))
        await until(lambda: len(heard) == 1 and door.operations.parked, "the first progress")
        for count in (2, 3):
            door.time.advance(59)
            assert len(heard) == count - 1
            door.time.advance(1)
            await until(lambda: len(heard) == count, "a tick")  # noqa: B023 - awaited within the turn
        door.operations.parked["a"].set_result("late")
        assert (await waiting).structured_content == {"answer": "late"}
    assert heard == [(0, "waiting for the person"), (60, "waiting for the person (1 min)"),
                     (120, "waiting for the person (2 min)")]
    assert len(door.deadlines) == 0


async def test_no_progress_for_a_call_without_a_token(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(tool_call(1, "park", title="a"))
        await until(lambda: door.operations.parked, "parked")
        assert len(door.deadlines) == 0
        door.operations.parked["a"].set_result("x")
        assert (await lines.receive())["id"] == 1


@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_reaches_the_service_and_is_not_answered(door: Door, era: str) -> None:
    async with door.client(era) as client:
        waiting = asyncio.create_task(client.call_tool("park", {"title": "a"}))
        await until(lambda: door.operations.parked, "parked")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await until(lambda: door.operations.cancelled == ["a"], "cancelled")
        assert (await client.call_tool("echo", {"text": "on"})).structured_content == {"text": "on"}
    assert len(door.deadlines) == 0


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_hangs_up_detaches_all_its_calls(door: Door, era: str) -> None:
    async with door.lines() as lines:
        if era == LEGACY:
            await lines.initialize()
        await lines.send(*(tool_call(n, "park", f"t{n}", era, title=str(n)) for n in range(20)))
        await until(lambda: len(door.operations.parked) == 20, "parked")
    await until(lambda: len(door.operations.cancelled) == 20, "detached")
    await asyncio.wait_for(asyncio.gather(*door.connections), 2)
    assert len(door.deadlines) == 0


@pytest.mark.parametrize("era", ERAS)
async def test_when_the_daemon_ends_a_connection_parked_calls_are_not_answered(door: Door, era: str) -> None:
    async with door.lines() as lines:
        if era == LEGACY:
            await lines.initialize()
        await lines.send(tool_call(1, "park", None, era, title="a"), tool_call(2, "park", "t", era, title="b"))
        assert (await lines.receive())["method"] == "notifications/progress"
        await until(lambda: len(door.operations.parked) == 2, "parked")
        door.connections[0].cancel()
        await asyncio.wait_for(asyncio.gather(*door.connections), 2)
        assert await lines.reader.read() == b""
    assert sorted(door.operations.cancelled) == ["a", "b"]


@pytest.mark.parametrize("era", ERAS)
async def test_two_hundred_parked_calls_each_get_their_own_answer(door: Door, era: str) -> None:
    async with door.client(era) as client:
        calls = [asyncio.create_task(client.call_tool("park", {"title": str(n)})) for n in range(200)]
        await until(lambda: len(door.operations.parked) == 200, "parked")
        assert (await client.call_tool("echo", {"text": "in between"})).structured_content == {"text": "in between"}
        for title, future in reversed(list(door.operations.parked.items())):
            future.set_result(f"answer {title}")
        results = await asyncio.gather(*calls)
    assert [result.structured_content for result in results] == [{"answer": f"answer {n}"} for n in range(200)]
    assert len({call.key for call in door.operations.calls}) == 201


# --- the lines themselves


async def test_an_acknowledgement_names_the_call_it_is_for(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(tool_call(7, "echo"), tool_call("7", "echo"))
        await lines.answer("7")
        await lines.send({"agentbox": "delivered", "id": 7}, {"agentbox": "delivered", "id": "7"}, {"agentbox": "new"})
        await lines.send({"jsonrpc": "2.0", "id": 8, "method": "ping"})
        assert (await lines.answer(8))["result"] == {}
    assert door.delivered == [("proc-1-1", "bridge-1:7"), ("proc-1-1", 'bridge-1:"7"')]
    assert [call.key for call in door.operations.calls] == ["bridge-1:7", 'bridge-1:"7"']


async def test_an_acknowledgement_that_fails_is_logged_and_ends_nothing(tmp_path: Path) -> None:
    async def refuse(_session: McpSession, _key: str) -> None:
        raise Refused("no such call", "not_found")

    async with Door(on_delivered=refuse).listening(tmp_path) as door, door.lines() as lines:
        await lines.initialize()
        await lines.send({"agentbox": "delivered", "id": 1}, {"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert (await lines.answer(2))["result"] == {}
    assert door.log.of("warning")[0][0] == Event.CALL_REFUSED


@pytest.mark.parametrize(("line", "code", "request_id"), [
    (b"not json", -32700, None),
    (b"\xff\xfe{}", -32700, None),
    (b"[" * 100_000, -32700, None),
    (b'[{"jsonrpc": "2.0", "id": 5, "method": "ping"}]', -32600, None),
    (b'{"id": 6, "method": "ping"}', -32600, 6),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    (b'"words"', -32600, None),
    (b"x" * (LINE_BYTES + 5), -32600, None),
])
async def test_a_malformed_line_is_answered_and_the_connection_goes_on(
    door: Door, line: bytes, code: int, request_id: object
) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(line, b"", {"jsonrpc": "2.0", "id": 9, "method": "ping"})
        refused = await lines.receive()
        assert (refused["error"]["code"], refused["id"]) == (code, request_id)
        assert await lines.receive() == {"jsonrpc": "2.0", "id": 9, "result": {}}


async def test_unknown_methods_and_bad_parameters_are_protocol_errors(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/destroy"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"arguments": {}}},
            {"jsonrpc": "2.0", "method": "notifications/unheard_of"},
            {"jsonrpc": "2.0", "id": 3, "method": "prompts/list"})
        assert (await lines.answer(1))["error"]["code"] == -32601
        assert (await lines.answer(2))["error"]["code"] == -32602
        assert (await lines.answer(3))["result"]["prompts"] == []


async def test_a_call_before_the_handshake_is_refused(door: Door) -> None:
    async with door.lines() as lines:
        await lines.send(tool_call(1, "echo"))
        assert (await lines.answer(1))["error"]["code"] == -32602
    assert door.operations.calls == []


@pytest.mark.parametrize("era", ERAS)
async def test_four_mebibytes_of_arguments_come_through(door: Door, era: str) -> None:
    text = "ü⟨" * (4 * 2**20 // 5)
    async with door.client(era) as client:
        result = await client.call_tool("echo", {"text": text})
    assert result.structured_content == {"text": text}


async def test_half_a_surrogate_pair_leaves_as_it_came(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\\ud83d"}}}')
        answer = await lines.answer(1)
        await lines.send(tool_call(2, "echo", text="on"))
        assert (await lines.answer(2))["result"]["structuredContent"] == {"text": "on"}
    assert answer["result"]["structuredContent"] == {"text": "\ud83d"}


async def test_a_line_without_its_end_is_not_taken_for_a_message(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        lines.writer.write(json.dumps(tool_call(1, "echo")).encode())
        lines.writer.write_eof()
        assert await asyncio.wait_for(lines.reader.read(), 5) == b""
    assert door.operations.calls == []


async def test_a_client_that_only_stops_sending_is_told_of_no_failure(door: Door) -> None:
    async with door.lines() as lines:
        await lines.initialize()
        await lines.send(tool_call(1, "park", title="a"))
        await until(lambda: door.operations.parked, "parked")
        lines.writer.write_eof()
        assert await asyncio.wait_for(lines.reader.read(), 5) == b""
    assert door.operations.cancelled == ["a"]


async def test_an_era_is_chosen_once(door: Door) -> None:
    async with door.client(MODERN) as client:
        assert client.protocol_version == MODERN
        assert (await client.call_tool("echo", {"text": "x"})).structured_content == {"text": "x"}
    async with door.client("auto") as client:
        assert client.protocol_version == MODERN
    async with door.client(LEGACY) as client:
        assert client.protocol_version < MODERN
