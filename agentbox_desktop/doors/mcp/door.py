"""MCP over an accepted stream. The SDK (half a second, 64 MiB) is loaded when the first client comes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.limits import KEEP_ALIVE_S
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.calling import ToolCalls
from agentbox_desktop.doors.mcp.keepalive import KeepAlive
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.mcp.tools import PROFILES, TOOLSETS
from agentbox_desktop.doors.operation import Operation
from agentbox_desktop.ports import Log, StoreFailed
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.tasks import Tasks

if TYPE_CHECKING:
    from agentbox_desktop.doors.mcp.server import ToolServer

OnDelivered = Callable[[McpSession, str], Awaitable[None]]
OnLost = Callable[[str], None]


class McpDoor:
    """`manual` is the text of the agent's manual. `on_delivered` is told a call's key when its answer has arrived,
    `on_lost` when nobody will say so any more.
    """

    def __init__(self, operations: Sequence[Operation], deadlines: DeadlineService, version: str, *, manual: str,
                 tasks: Tasks, log: Log, on_delivered: OnDelivered, on_lost: OnLost,
                 keep_alive_s: float = KEEP_ALIVE_S) -> None:
        self._operations = operations
        self._calls = ToolCalls(operations, KeepAlive(deadlines, tasks, keep_alive_s), log)
        self._manual = manual
        self._version = version
        self._log = log
        self._on_delivered = on_delivered
        self.lost = on_lost
        self._loading: asyncio.Future[ToolServer] | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, session: McpSession) -> None:
        """Serve one client in the protocol era it opens with, until it hangs up; the streams stay the caller's.

        Raises `Refused` for a toolset or profile that does not exist.
        """
        _check("toolset", session.toolset, TOOLSETS)
        _check("profile", session.profile, PROFILES)
        tools = await self.tools()
        from agentbox_desktop.doors.mcp.connection import serve  # the SDK, loaded by now

        await serve(tools, reader, writer, session, self.delivered)

    async def delivered(self, session: McpSession, key: str) -> None:
        """A client has the answer to the call named `key`."""
        try:
            await self._on_delivered(session, key)
        except (Refused, StoreFailed) as error:
            self._log.warning(Event.CALL_REFUSED, what="delivered", session=session.caller.session,
                              error=type(error).__name__)

    async def tools(self) -> "ToolServer":
        """The server's handlers, loaded in a thread so that the windows stay alive meanwhile."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(asyncio.to_thread(self._load))
        return await asyncio.shield(self._loading)

    def _load(self) -> "ToolServer":
        from agentbox_desktop.doors.mcp import connection, server  # noqa: F401 - the connection's imports too

        return server.ToolServer(self._operations, self._calls, self._manual, self._version)


def _check(field: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise Refused(f"{field} must be {' or '.join(known)}; {value[:60]!r} was sent.", "invalid")
