"""The daemon's side of the wire, played from a script: for tests of the command line and the bridge alone.

A test holds one in its own loop and decides what it answers, when it dies and when it is back.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.waiting import DEADLINE_S

Message = dict[str, Any]
Respond = Callable[[Message], Message | None]
LINE_BYTES = 16 * 1024 * 1024


def park(request: Message) -> None:
    """Answer nothing: the request waits until the test answers it."""


class FakeDaemon:
    """Listens on `socket`. `respond(request)` gives the members of an answer (`result` or `error`), or None to park.

    `hellos`, `lines`, `requests` and `delivered` (ids) are what clients sent, in order, over every connection.
    """

    def __init__(self, socket: Path, respond: Respond = park) -> None:
        self.socket = socket
        self.respond = respond
        self.refusal: Message | None = None
        self.hellos: list[Message] = []
        self.lines: list[bytes] = []
        self.requests: list[Message] = []
        self.delivered: list[Any] = []
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._changed = asyncio.Event()

    async def start(self) -> None:
        self.socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._accept, self.socket, limit=LINE_BYTES)

    async def kill(self) -> None:
        """As by `kill -9`: connections are cut wherever they are, and the socket file stays behind."""
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def say(self, message: Message) -> None:
        """Send a line to every client that is connected."""
        for writer in list(self._writers):
            await self._write(writer, message)

    async def bye(self, reason: str = "quit") -> None:
        """End on purpose."""
        await self.say({"agentbox": "bye", "reason": reason})
        await self.kill()

    async def until(self, condition: Callable[[], bool], deadline_s: float = DEADLINE_S) -> None:
        """Wait for something a client sends."""
        async with asyncio.timeout(deadline_s):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            await self._converse(reader, writer)
        except ConnectionError:
            pass  # the client was ended by the test
        finally:
            self._tasks.discard(task)
            self._writers.discard(writer)
            self._changed.set()
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hellos.append(json.loads(await reader.readline()))
        self._changed.set()
        if self.refusal is not None:
            await self._write(writer, self.refusal)
            return
        while (line := await reader.readline()).endswith(b"\n"):
            self.lines.append(line)
            await self._take(line, writer)
            self._changed.set()

    async def _take(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        if message.get("agentbox") == "delivered":
            self.delivered.append(message["id"])
        elif "method" in message and "id" in message:
            self.requests.append(message)
            answer = self.respond(message)
            if answer is not None:
                await self._write(writer, {"jsonrpc": "2.0", "id": message["id"], **answer})

    async def _write(self, writer: asyncio.StreamWriter, message: Message) -> None:
        writer.write(json.dumps(message).encode() + b"\n")
        await writer.drain()
