"""MCP's lines on one accepted stream, between the asyncio streams and the SDK's loop."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from agentbox_desktop.core.limits import LINE_BYTES
from agentbox_desktop.doors.lines import NESTING_MAX, is_too_deep
from agentbox_desktop.doors.mcp.server import Peer, ToolServer
from agentbox_desktop.doors.mcp.session import McpSession

OnControl = Callable[[Mapping[str, Any]], Awaitable[None]]


async def serve(tools: ToolServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, session: McpSession,
                on_delivered: Callable[[McpSession, str], Awaitable[None]]) -> None:
    """Serve until the client hangs up or this is cancelled. Then every handler is cancelled and nothing more is
    written: to a client that dials again a parked call has not failed. The streams stay the caller's to close.
    """

    async def control(line: Mapping[str, Any]) -> None:
        if line["agentbox"] == "delivered":
            await on_delivered(session, session.call_key(line.get("id")))

    peer = Peer(session, lambda context: session.call_key(context.request_id))
    outgoing = OutgoingLines(writer)
    incoming = IncomingLines(reader, outgoing, control)
    # A task of its own: cancelled directly, the SDK would first answer every parked call with an error.
    loop = asyncio.create_task(serve_dual_era_loop(tools.shared, incoming, outgoing, lifespan_state=peer))
    try:
        await asyncio.shield(loop)
    finally:
        await outgoing.aclose()
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)


class OutgoingLines(ObjectSendStream[SessionMessage]):
    """Writes messages as lines until it is closed; after that each is refused, as the SDK expects."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._closed = False

    async def send(self, item: SessionMessage) -> None:
        if self._closed or self._writer.is_closing():
            raise anyio.ClosedResourceError
        message = item.message.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        # Half a surrogate pair, which JSON may hold and UTF-8 may not, leaves as JSON's own escape for it.
        self._writer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        try:
            await self._writer.drain()
        except ConnectionError as error:
            raise anyio.BrokenResourceError from error

    async def drained(self) -> None:
        """Returns when what was written has gone out, or never will."""
        try:
            await self._writer.drain()
        except ConnectionError:
            self._closed = True

    async def aclose(self) -> None:
        self._closed = True


class IncomingLines(ObjectReceiveStream[SessionMessage]):
    """Reads messages from lines. Control lines are taken out; what is no message is answered with an error."""

    def __init__(self, reader: asyncio.StreamReader, outgoing: OutgoingLines, on_control: OnControl) -> None:
        self._reader = reader
        self._outgoing = outgoing
        self._on_control = on_control

    async def receive(self) -> SessionMessage:
        while (line := await self._line()) is not None:
            message = await self._message(line)
            if message is not None:
                return message
        await self._outgoing.aclose()  # before the handlers are cancelled: nobody is there to read their errors
        raise anyio.EndOfStream

    async def aclose(self) -> None:
        """Nothing to do: the stream is the caller's."""

    async def _line(self) -> bytes | None:
        """The next whole line; None at the end. One that is too long is read past and refused."""
        too_long = False
        while True:
            await self._outgoing.drained()  # who does not read what was written is not read
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as overrun:
                await self._reader.readexactly(overrun.consumed)
                too_long = True
            except (asyncio.IncompleteReadError, ConnectionError):
                return None
            else:
                if not too_long:
                    return line
                too_long = False
                await self._refuse(None, types.INVALID_REQUEST, f"a line is at most {LINE_BYTES} bytes")

    async def _message(self, line: bytes) -> SessionMessage | None:
        if not line.strip():
            return None
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            await self._refuse(None, types.PARSE_ERROR, "the line is not JSON")
            return None
        if isinstance(value, list):
            await self._refuse(None, types.INVALID_REQUEST, "batches are not served; send one object a line")
            return None
        if not isinstance(value, dict):
            await self._refuse(None, types.INVALID_REQUEST, "the line is no JSON-RPC 2.0 message")
            return None
        if "agentbox" in value:
            await self._on_control(value)
            return None
        if is_too_deep(value):
            await self._refuse(value.get("id"), types.INVALID_REQUEST, f"nested more than {NESTING_MAX} deep")
            return None
        try:
            message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
        except ValidationError:
            await self._refuse(value.get("id"), types.INVALID_REQUEST, "the line is no JSON-RPC 2.0 message")
            return None
        if isinstance(message, types.JSONRPCNotification) and "id" in value:  # a request whose id is none
            await self._refuse(None, types.INVALID_REQUEST, "id must be text or a whole number")
            return None
        return SessionMessage(message)

    async def _refuse(self, request_id: object, code: int, message: str) -> None:
        known = request_id if isinstance(request_id, int | str) and not isinstance(request_id, bool) else None
        error = types.JSONRPCError(jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=message))
        try:
            await self._outgoing.send(SessionMessage(error))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the client is gone; the next read says so
