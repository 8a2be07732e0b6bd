"""`agentbox mcp` between a client that speaks exact lines and a scripted daemon that dies."""

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.helpers.command_line import CommandLine, command_line, finished
from tests.helpers.fake_daemon import FakeDaemon, Message, park
from tests.helpers.waiting import DEADLINE_S

INITIALIZE: Message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
INITIALIZED: Message = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: object, **arguments: Any) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "ask_user"} | arguments}


def answer_all(request: Message) -> Message:
    return {"result": {"of": request["id"]}}


class Client:
    """An MCP client: the bridge is its child."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.process, self.errors = process, process.stderr
        self._input, self._output = process.stdin, process.stdout

    async def send(self, message: Message | list[Message] | bytes) -> None:
        self._input.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        await self._input.drain()

    async def line(self, deadline_s: float = DEADLINE_S) -> bytes:
        async with asyncio.timeout(deadline_s):
            return await self._output.readline()

    async def receive(self, deadline_s: float = DEADLINE_S) -> Any:
        return json.loads(await self.line(deadline_s))

    async def end(self, deadline_s: float = 2.0) -> int:
        """End of input; the bridge's status, which it has to give within two seconds."""
        self._input.close()
        return await self.ended(deadline_s)

    async def ended(self, deadline_s: float = 2.0) -> int:
        async with asyncio.timeout(deadline_s):
            return await self.process.wait()


@pytest.fixture
def command() -> Iterator[CommandLine]:
    with command_line() as ours:
        yield ours


@pytest.fixture
async def daemon(command: CommandLine) -> AsyncIterator[FakeDaemon]:
    fake = FakeDaemon(command.places.socket)
    await fake.start()
    yield fake
    await fake.kill()


@pytest.fixture
async def client(command: CommandLine, daemon: FakeDaemon) -> AsyncIterator[Client]:
    ours = Client(await command.start("mcp"))
    await daemon.until(lambda: bool(daemon.hellos))
    yield ours
    if ours.process.returncode is None:
        ours.process.kill()
    await ours.process.communicate()


async def test_the_hello_has_what_an_agent_says_of_itself_and_nothing_else(
    command: CommandLine, daemon: FakeDaemon
) -> None:
    bridge = Client(await command.start(
        "mcp", "--profile", "core", "--call-limit", "5m", CLAUDE_PROJECT_DIR="/src/shop", CLAUDE_CODE_SESSION_ID="s1",
        AI_AGENT="claude-code", ANTHROPIC_API_KEY="secret"))
    await daemon.until(lambda: bool(daemon.hellos))
    hello = daemon.hellos[0]
    assert len(hello.pop("client")) == 32 and hello.pop("cwd")
    assert hello == {"agentbox": 1, "role": "mcp", "toolset": "desktop", "profile": "core", "call_limit_s": 300,
                     "labels": {"agent": "claude-code", "project": "shop", "session": "s1"}}
    assert await bridge.end() == 0


async def test_lines_pass_unchanged_both_ways(client: Client, daemon: FakeDaemon) -> None:
    odd = [b'{"id" : 1,\t"method":"x", "params":{"b":1,"a":"\\u00fc \xc3\xbc"}}\r\n', b"no json {\n",
           b'[{"id":2,"method":"ping"},{"id":3,"method":"ping"}]\n']
    for line in odd:
        await client.send(line)
    await daemon.until(lambda: len(daemon.lines) == 3)
    assert daemon.lines == odd
    await daemon.say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}})
    assert (await client.receive())["error"]["code"] == -32700
    await daemon.say({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}})
    assert (await client.receive())["params"] == {"progress": 1}
    assert daemon.delivered == []


async def test_what_is_said_before_the_daemon_is_up_comes_to_it_in_order(command: CommandLine) -> None:
    bridge = Client(await command.start("mcp"))
    for message in (INITIALIZE, INITIALIZED, call(1)):
        await bridge.send(message)
    await bridge.send(b"no json\n")
    daemon = FakeDaemon(command.places.socket, answer_all)
    await daemon.start()
    assert [(await bridge.receive())["id"] for _ in range(2)] == [0, 1]
    await daemon.until(lambda: b"no json\n" in daemon.lines)
    assert [json.loads(line) for line in daemon.lines[:3]] == [INITIALIZE, INITIALIZED, call(1)]
    assert await bridge.end() == 0
    await daemon.kill()


async def test_an_answer_is_acknowledged_once_it_is_written(client: Client, daemon: FakeDaemon) -> None:
    daemon.respond = answer_all
    await client.send(call("a"))
    assert (await client.receive())["result"] == {"of": "a"}
    await daemon.until(lambda: daemon.delivered == ["a"])


async def test_an_answer_nobody_takes_is_not_acknowledged(command: CommandLine, daemon: FakeDaemon) -> None:
    reading, writing = os.pipe()
    process = await command.start("mcp", output=writing)
    os.close(writing)
    assert process.stdin is not None
    process.stdin.write(json.dumps(call(1)).encode() + b"\n")
    await daemon.until(lambda: len(daemon.requests) == 1)
    os.close(reading)
    await daemon.say({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert (await finished(process, 2.0)).status == 0
    assert daemon.delivered == []


async def test_an_answer_to_a_client_that_is_leaving_stays_in_the_outbox(client: Client, daemon: FakeDaemon) -> None:
    for number in (1, 2):
        await client.send(call(number))
    await client.send(b'{"method":"notifications/cancelled","params":{"requestId":2}}')  # ended by the end of input
    await daemon.until(lambda: len(daemon.requests) == 2)
    ending = asyncio.create_task(client.end())
    await daemon.until(lambda: len(daemon.lines) == 3)
    await daemon.say({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert await ending == 0
    assert (await client.receive())["id"] == 1
    assert daemon.delivered == []


async def test_what_was_asked_just_before_the_end_is_answered(client: Client, daemon: FakeDaemon) -> None:
    daemon.respond = answer_all
    await client.send(b'{"id":1,"method":"tools/list"}')  # and no newline, as from printf
    assert await client.end() == 0
    assert (await client.receive())["result"] == {"of": 1}


async def test_it_ends_with_its_input_though_calls_are_parked(client: Client, daemon: FakeDaemon) -> None:
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 1)
    assert await client.end() == 0


async def test_a_killed_daemon_is_told_everything_again(client: Client, daemon: FakeDaemon) -> None:
    daemon.respond = lambda request: answer_all(request) if request["method"] == "initialize" else park(request)
    await client.send(INITIALIZE)
    assert (await client.receive())["id"] == 0
    await client.send(INITIALIZED)
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 2)
    await daemon.until(lambda: daemon.delivered == [0])
    await daemon.kill()
    daemon.lines.clear()
    await client.send(call(2))  # asked while there is nobody
    daemon.respond = answer_all
    await daemon.start()
    assert [(await client.receive())["result"] for _ in range(2)] == [{"of": 1}, {"of": 2}]
    acknowledged, handshake, initialized, first, second = map(json.loads, daemon.lines[:5])
    assert acknowledged == {"agentbox": "delivered", "id": 0}
    assert handshake | {"id": 0} == INITIALIZE and handshake["id"] != 0
    assert (initialized, first, second) == (INITIALIZED, call(1), call(2))
    assert daemon.hellos[0] == daemon.hellos[1]


async def test_a_handshake_cut_off_by_the_kill_is_answered_to_the_client(client: Client, daemon: FakeDaemon) -> None:
    await client.send(INITIALIZE)
    await daemon.until(lambda: len(daemon.requests) == 1)
    await daemon.kill()
    daemon.respond = answer_all
    await daemon.start()
    assert await client.receive() == {"jsonrpc": "2.0", "id": 0, "result": {"of": 0}}
    assert daemon.requests[1] == INITIALIZE


async def test_a_cancelled_call_is_not_asked_again(client: Client, daemon: FakeDaemon) -> None:
    for number in (1, 2):
        await client.send(call(number))
    await client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    await daemon.until(lambda: len(daemon.lines) == 3)
    await daemon.kill()
    daemon.respond = answer_all
    await daemon.start()
    assert (await client.receive())["result"] == {"of": 2}
    assert [request["id"] for request in daemon.requests] == [1, 2, 2]


async def test_a_request_of_the_daemons_is_no_answer(client: Client, daemon: FakeDaemon) -> None:
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 1)
    question: Message = {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create"}
    await daemon.say(question)
    assert await client.receive() == question
    await client.send({"jsonrpc": "2.0", "id": 1, "result": {"action": "accept"}})
    await daemon.until(lambda: len(daemon.lines) == 2)
    await daemon.kill()
    daemon.respond = answer_all
    await daemon.start()
    assert (await client.receive())["result"] == {"of": 1}
    assert daemon.lines[2:3] == [json.dumps(call(1)).encode() + b"\n"]


async def test_killed_twenty_times_each_call_is_answered_once(client: Client, daemon: FakeDaemon) -> None:
    daemon.respond = lambda request: answer_all(request) if request["method"] == "initialize" else park(request)
    await client.send(INITIALIZE)
    await client.receive()
    for number in range(1, 11):
        await client.send(call(number))
    for _ in range(20):
        await daemon.until(lambda: {request["id"] for request in daemon.requests} >= set(range(1, 11)))
        await daemon.kill()
        daemon.requests.clear()
        await daemon.start()
    await daemon.until(lambda: {request["id"] for request in daemon.requests} >= set(range(1, 11)))
    asked = Counter(request["id"] for request in daemon.requests if request["method"] == "tools/call")
    assert asked == Counter(range(1, 11))
    for number in range(1, 11):
        await daemon.say({"jsonrpc": "2.0", "id": number, "result": {"of": number}})
    await client.send({"jsonrpc": "2.0", "method": "notifications/last"})
    answers = [(await client.receive())["id"] for _ in range(10)]
    assert sorted(answers) == list(range(1, 11))
    await daemon.until(lambda: set(daemon.delivered) >= set(range(1, 11)))
    await daemon.say({"jsonrpc": "2.0", "method": "last"})
    assert (await client.receive())["method"] == "last"


async def test_after_a_goodbye_only_a_request_starts_the_daemon(
    client: Client, daemon: FakeDaemon, command: CommandLine
) -> None:
    mark = command.home / "started"
    command.daemon_is(f"open({str(mark)!r}, 'w').close()")
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 1)
    await daemon.bye()
    await client.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        assert not mark.exists()
        await asyncio.sleep(0.05)
    await client.send(call(2))
    async with asyncio.timeout(DEADLINE_S):
        while not mark.exists():
            await asyncio.sleep(0.01)
    daemon.respond = answer_all
    await daemon.start()
    assert sorted([(await client.receive())["id"] for _ in range(2)]) == [1, 2]


async def test_a_daemon_that_comes_back_after_a_goodbye_is_found(client: Client, daemon: FakeDaemon) -> None:
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 1)
    await daemon.bye()
    daemon.respond = answer_all
    await daemon.start()
    assert (await client.receive())["result"] == {"of": 1}


async def test_a_refused_hello_is_in_the_clients_log_and_in_its_answers(
    client: Client, daemon: FakeDaemon, command: CommandLine
) -> None:
    daemon.refusal = {"agentbox": "refused", "message": "This AgentBox speaks protocol 2.", "code": "invalid"}
    bridge = Client(await command.start("mcp"))
    await bridge.send(INITIALIZE)
    error = (await bridge.receive())["error"]
    assert error["message"] == "This AgentBox speaks protocol 2."
    assert b"This AgentBox speaks protocol 2." in await bridge.errors.readline()
    assert await bridge.end() == 4


async def test_a_daemon_that_cannot_start_is_said_and_tried_again(command: CommandLine) -> None:
    command.daemon_is("sys.exit('The store is from a newer version.')")
    bridge = Client(await command.start("mcp"))
    await bridge.send(INITIALIZE)
    assert (await bridge.receive())["error"]["message"] == "The store is from a newer version."
    daemon = FakeDaemon(command.places.socket, answer_all)
    await daemon.start()
    await bridge.send(INITIALIZE | {"id": 5})
    assert (await bridge.receive())["result"] == {"of": 5}
    assert await bridge.end() == 0
    await daemon.kill()


async def test_an_unknown_toolset_is_refused_before_anything(command: CommandLine, daemon: FakeDaemon) -> None:
    ran = await command.shell("agentbox mcp --toolset room < /dev/null")
    assert ran.status == 2 and "'room'" in ran.errors and daemon.hellos == []


async def test_four_mebibytes_and_what_is_too_long(client: Client, daemon: FakeDaemon) -> None:
    size = 4 * 1024 * 1024
    daemon.respond = lambda request: {"result": {"body": request["params"].get("body", "")}}
    await client.send(call(1, body="ü" * (size // 2)))
    assert (await client.receive(30))["result"]["body"] == "ü" * (size // 2)
    await client.send(call(2, body="x" * (16 * 1024 * 1024)))
    assert "at most 16777216 bytes" in (await client.receive(30))["error"]["message"]
    await client.send(call(3))
    assert (await client.receive())["id"] == 3
    assert [request["id"] for request in daemon.requests] == [1, 3]


async def test_a_line_cut_off_by_a_kill_never_reaches_the_client(client: Client, daemon: FakeDaemon) -> None:
    await client.send(call(1))
    await daemon.until(lambda: len(daemon.requests) == 1)
    for writer in list(daemon._writers):
        writer.write(b'{"jsonrpc":"2.0","id":1,"resu')
        await writer.drain()
    await daemon.kill()
    daemon.respond = answer_all
    await daemon.start()
    assert await client.receive() == {"jsonrpc": "2.0", "id": 1, "result": {"of": 1}}
