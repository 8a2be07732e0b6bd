"""The streamable HTTP transport behind a token: the SDK's session manager under uvicorn, on the loop that runs."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Awaitable, Callable, Generator
from uuid import uuid4

import uvicorn
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from agentbox_desktop.core.events import Event
from agentbox_desktop.doors.mcp.server import Context, Peer, ToolServer
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.ports import Log

OnDelivered = Callable[[McpSession, str], Awaitable[None]]
OnLost = Callable[[str], None]

_BODY_BYTES = 4 * 1024 * 1024  # a call with every limit used is smaller
_MAX_SESSIONS = 1000
_CALLS = "agentbox.calls"  # in a request's scope: the keys of the calls that it made


class HttpServer:
    """Serves `path` on a bound socket until it is stopped."""

    def __init__(self, tools: ToolServer, session: McpSession, token: str, path: str, listening: socket.socket,
                 on_delivered: OnDelivered, on_lost: OnLost, log: Log) -> None:
        host, self.port = listening.getsockname()[:2]
        names = [f"{name}:{self.port}" for name in dict.fromkeys((host, "127.0.0.1", "localhost"))]
        self._manager = StreamableHTTPSessionManager(
            tools.serving(Peer(session, _new_key)), max_request_body_size=_BODY_BYTES, max_sessions=_MAX_SESSIONS,
            security_settings=TransportSecuritySettings(
                allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]))
        self._gate = Gate(self._manager, session, token, path, on_delivered, on_lost)
        config = uvicorn.Config(
            self._gate, lifespan="off", ws="none", log_config=None, log_level="critical", access_log=False,
            server_header=False, timeout_graceful_shutdown=1)
        self._uvicorn = _Uvicorn(config)
        self._listening = listening
        self._log = log
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """The socket listens already: who connects from now on is served as soon as the task runs."""
        self._running = asyncio.create_task(self._run(), name="http")

    async def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._gate.close()
        if self._running is not None:
            await asyncio.wait({self._running})
        await _end_watcher()

    async def _run(self) -> None:
        try:
            async with self._manager.run():
                await self._uvicorn.serve(sockets=[self._listening])
        except Exception as error:  # noqa: BLE001 - the daemon goes on without HTTP, and says so
            self._log.error(Event.HTTP_FAILED, error=type(error).__name__)
        finally:
            self._listening.close()


async def _end_watcher() -> None:
    """End the task with which sse_starlette looks for a shutdown twice a second for as long as the loop runs."""
    watchers = [task for task in asyncio.all_tasks()
                if getattr(task.get_coro(), "__qualname__", "") == "_shutdown_watcher"]
    for watcher in watchers:
        watcher.cancel()
    await asyncio.gather(*watchers, return_exceptions=True)


class _Uvicorn(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Signals are the daemon's, not this server's."""
        yield


class Gate:
    """Lets requests with the token through, as one user, and reports what was answered to the end."""

    def __init__(self, manager: StreamableHTTPSessionManager, session: McpSession, token: str, path: str,
                 on_delivered: OnDelivered, on_lost: OnLost) -> None:
        self._manager = manager
        self._session = session
        self._token = token.encode()
        self._path = path
        self._on_delivered = on_delivered
        self._on_lost = on_lost
        self._user = AuthenticatedUser(AccessToken(token=token, client_id=session.client, scopes=[]))
        self._requests: set[asyncio.Task[object]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"{scope['type']} is not served")  # with lifespan and websockets off, there is none
        if not self._is_authorized(scope):
            refusal = PlainTextResponse("Authorization: Bearer TOKEN is required", 401, {"WWW-Authenticate": "Bearer"})
            return await refusal(scope, receive, send)
        if scope["path"] != self._path:
            return await PlainTextResponse(f"There is only {self._path} here", 404)(scope, receive, send)
        scope["user"] = self._user
        scope[_CALLS] = []
        request = asyncio.current_task()
        assert request is not None
        self._requests.add(request)
        try:
            await self._pass_on(scope, receive, send)
        finally:
            self._requests.discard(request)

    def close(self) -> None:
        """End what is under way: a parked call would keep the server up until its time to close ran out."""
        for request in self._requests:
            request.cancel()

    def _is_authorized(self, scope: Scope) -> bool:
        sent = [value for name, value in scope["headers"] if name == b"authorization"]
        kind, _, token = (sent[0] if len(sent) == 1 else b"").partition(b" ")
        return kind.lower() == b"bearer" and secrets.compare_digest(token.strip(), self._token)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """HTTP has no acknowledgement: a call is delivered when its response was sent whole to a client still there."""
        gone = whole = False

        async def watched_receive() -> Message:
            nonlocal gone
            message = await receive()
            gone = gone or (message["type"] == "http.disconnect" and not whole)
            return message

        async def watched_send(message: Message) -> None:
            nonlocal whole
            await send(message)
            whole = message["type"] == "http.response.body" and not message.get("more_body", False)

        try:
            await self._manager.handle_request(scope, watched_receive, watched_send)
            if whole and not gone:
                for key in scope[_CALLS]:
                    await self._on_delivered(self._session, key)
        finally:
            for key in scope[_CALLS]:
                self._on_lost(key)  # nothing is left to lose of one that was delivered


def _new_key(context: Context) -> str:
    """A name for this request's call. Clients that share a token count their requests alike, so it is a new one."""
    key = f"http:{uuid4().hex}"
    if context.request is not None:
        context.request.scope[_CALLS].append(key)
    return key
