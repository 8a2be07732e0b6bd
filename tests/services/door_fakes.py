"""Operations with known behaviour behind a real MCP door on a real Unix socket, and the SDK's client to call them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp import Client
from mcp.shared.message import SessionMessage

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.limits import LINE_BYTES
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.door import McpDoor
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.operation import Operation, Shape, Tool
from agentbox_desktop.services.calls import Call
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.tasks import Tasks

LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = (LEGACY, MODERN)


class FakeTime:
    """A clock and the alarm on it; time passes in `advance` alone."""

    def __init__(self) -> None:
        self._now = 1_000_000.0
        self._due: float | None = None
        self._ring: Callable[[], None] = lambda: None

    def now(self) -> float:
        return self._now

    monotonic = now

    def set(self, delay_s: float | None, ring: Callable[[], None]) -> None:
        self._due, self._ring = None if delay_s is None else self._now + delay_s, ring

    def advance(self, seconds: float) -> None:
        end = self._now + seconds
        while self._due is not None and self._due <= end:
            self._now, self._due = self._due, None
            self._ring()
        self._now = end


class FakeLog:
    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, object]]] = []

    def info(self, event: str, **fields: object) -> None:
        self.lines.append(("info", event, fields))

    def warning(self, event: str, **fields: object) -> None:
        self.lines.append(("warning", event, fields))

    def error(self, event: str, **fields: object) -> None:
        self.lines.append(("error", event, fields))

    def of(self, level: str) -> list[tuple[str, dict[str, object]]]:
        return [(event, fields) for at, event, fields in self.lines if at == level]


class EchoInput(Shape):
    text: str = ""
    note: str | None = None


class EchoOutput(Shape):
    text: str
    note: str | None = None


class ParkInput(Shape):
    title: str


class ParkOutput(Shape):
    answer: str


@dataclass
class FakeOperations:
    """echo answers, park waits for `answer`, refuse refuses, fail raises, quick_help is outside the core profile."""

    calls: list[Call] = field(default_factory=list)
    parked: dict[str, "asyncio.Future[str]"] = field(default_factory=dict)
    cancelled: list[str] = field(default_factory=list)

    def all(self) -> list[Operation]:
        return [
            Operation("echo", EchoInput, EchoOutput, self._echo,
                      Tool("Echo", "Gives back.", read_only=True, idempotent=True, core=True, always_load=True)),
            Operation("park", ParkInput, ParkOutput, self._park, Tool("Park", "Waits.", core=True), blocks=True),
            Operation("refuse", EchoInput, EchoOutput, self._refuse, Tool("Refuse", "No.", destructive=True)),
            Operation("fail", EchoInput, EchoOutput, self._fail, Tool("Fail", "Breaks.")),
            Operation("no_tool", EchoInput, EchoOutput, self._echo),
        ]

    async def _echo(self, call: Call, sent: EchoInput) -> EchoOutput:
        self.calls.append(call)
        return EchoOutput(text=sent.text, note=sent.note)

    async def _park(self, call: Call, sent: ParkInput) -> ParkOutput:
        self.calls.append(call)
        future = self.parked.setdefault(sent.title, asyncio.get_running_loop().create_future())
        try:
            return ParkOutput(answer=await future)
        except asyncio.CancelledError:
            self.cancelled.append(sent.title)
            raise
        finally:
            self.parked.pop(sent.title, None)

    async def _refuse(self, _call: Call, _sent: EchoInput) -> EchoOutput:
        raise Refused("That is not to be had; ask for less.", "invalid")

    async def _fail(self, _call: Call, _sent: EchoInput) -> EchoOutput:
        raise RuntimeError("words of a person that no log may hold")


class Door:
    """The door under test with all around it."""

    def __init__(self, keep_alive_s: float = 60, on_delivered: Any = None) -> None:
        self.time, self.log, self.operations = FakeTime(), FakeLog(), FakeOperations()
        self.tasks = Tasks(self.log)
        self.deadlines = DeadlineService(self.time, self.time, self.log)
        self.delivered: list[tuple[str, str]] = []
        self.lost: list[str] = []
        self.session = McpSession(Caller("proc-1-1", door="mcp"), "bridge-1", "desktop", "full", None)
        self.connections: list[asyncio.Task[None]] = []
        self.door = McpDoor(self.operations.all(), self.deadlines, "1.2.3", manual="# The manual", tasks=self.tasks,
                            log=self.log, on_delivered=on_delivered or self._on_delivered,
                            on_lost=self.lost.append, keep_alive_s=keep_alive_s)
        self.socket = Path()

    async def _on_delivered(self, session: McpSession, key: str) -> None:
        self.delivered.append((session.caller.session, key))

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.connections.append(task)
        try:
            await self.door.serve(reader, writer, self.session)
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()

    @asynccontextmanager
    async def listening(self, folder: Path) -> AsyncIterator["Door"]:
        self.socket = folder / "door.sock"
        server = await asyncio.start_unix_server(self.handle, self.socket, limit=LINE_BYTES)
        try:
            yield self
        finally:
            server.close()
            for task in self.connections:
                task.cancel()
            await asyncio.gather(*self.connections, return_exceptions=True)
            await self.tasks.stop()

    def client(self, era: str, name: str = "", **options: Any) -> Client:
        info = types.Implementation(name=name, version="9") if name else None
        return Client(_transport(self.socket), mode=era, client_info=info, **options)

    @asynccontextmanager
    async def lines(self) -> AsyncIterator["RawLines"]:
        reader, writer = await asyncio.open_unix_connection(self.socket, limit=LINE_BYTES)
        try:
            yield RawLines(reader, writer)
        finally:
            writer.close()
            await writer.wait_closed()


@dataclass
class RawLines:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, *messages: Any) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.writer.write(line + b"\n")
        await self.writer.drain()

    async def receive(self) -> dict[str, Any]:
        line = await asyncio.wait_for(self.reader.readline(), 10)
        received: dict[str, Any] = json.loads(line)
        return received

    async def answer(self, request_id: object) -> dict[str, Any]:
        while True:
            message = await self.receive()
            if message.get("id") == request_id and "method" not in message:
                return message

    async def initialize(self, name: str = "raw") -> None:
        await self.send(
            {"jsonrpc": "2.0", "id": "init", "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                        "clientInfo": {"name": name, "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"})
        await self.answer("init")


ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
}


def tool_call(request_id: object, tool: str, token: object = None, era: str = LEGACY,
              **arguments: Any) -> dict[str, Any]:
    meta: dict[str, Any] = dict(ENVELOPE) if era == MODERN else {}
    if token is not None:
        meta["progressToken"] = token
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


async def until(condition: Callable[[], Any], what: str) -> None:
    """Let the loop run until `condition` holds."""
    end = asyncio.get_running_loop().time() + 10
    while not condition():
        assert asyncio.get_running_loop().time() < end, f"not within 10 s: {what}"
        await asyncio.sleep(0.001)


@asynccontextmanager
async def _transport(path: Path) -> AsyncIterator[Any]:
    """The SDK's stream pair over a Unix socket, as its stdio transport has over pipes."""
    reader, writer = await asyncio.open_unix_connection(path, limit=LINE_BYTES)
    incoming, to_client = anyio.create_memory_object_stream[Any](0)[::-1]
    outgoing, from_client = anyio.create_memory_object_stream[Any](0)

    async def read() -> None:
        async with to_client:
            while line := await reader.readline():
                try:
                    await to_client.send(SessionMessage(types.jsonrpc_message_adapter.validate_json(line)))
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return

    async def write() -> None:
        async with from_client:
            async for message in from_client:
                writer.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await writer.drain()

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
        try:
            yield incoming, outgoing
        finally:
            writer.close()
            group.cancel_scope.cancel()
            for stream in (incoming, outgoing, to_client, from_client):
                stream.close()
