"""MCP over HTTP on the loopback address, off unless the person turns it on."""

import asyncio
import hashlib
import os
import secrets
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.events import Event
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.door import McpDoor
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.ports import Log

if TYPE_CHECKING:
    from agentbox_desktop.doors.mcp.http_server import HttpServer

PATH = "/mcp/desktop"
_TOKEN_BYTES = 32
_TOKEN_FILE_BYTES = 4096


class HttpDoor:
    """Serves the MCP door's tools at `http://HOST:PORT/mcp/desktop` to whoever has the token in `token_file`.

    All that use the token are one caller, whose session is `http-` and a digest of the token.
    """

    def __init__(self, door: McpDoor, token_file: Path, log: Log, port: int = 0, host: str = "127.0.0.1") -> None:
        self._door = door
        self._token_file = token_file
        self._log = log
        self.port = port
        self._host = host
        self._server: HttpServer | None = None
        self._changing = asyncio.Lock()

    @property
    def url(self) -> str | None:
        """Where it serves, or None while it is off."""
        return None if self._server is None else f"http://{self._host}:{self._server.port}{PATH}"

    async def start(self) -> None:
        """Listen; nothing where it does already. Raises `Refused` where the port or the token can't be used."""
        async with self._changing:
            if self._server is not None:
                return
            token = read_or_make_token(self._token_file)
            listening = self._listen()
            try:
                self._server = await self._serve(listening, token)
            except BaseException:
                listening.close()
                raise
            self._log.info(Event.HTTP_STARTED, port=self._server.port)

    async def stop(self) -> None:
        """End every request and let go of the port, within 2 s; nothing where it is off."""
        async with self._changing:
            server, self._server = self._server, None
            if server is not None:
                await server.stop()

    def _listen(self) -> socket.socket:
        try:
            return socket.create_server((self._host, self.port))
        except OSError as error:
            raise Refused(f"HTTP can't listen on {self._host} port {self.port}: {error.strerror}. Choose another "
                          "[mcp] port, or 0 for a free one.", "failed") from error

    async def _serve(self, listening: socket.socket, token: str) -> "HttpServer":
        tools = await self._door.tools()
        server_type = await asyncio.to_thread(_import_server)
        identity = f"http-{hashlib.sha256(token.encode()).hexdigest()[:12]}"
        session = McpSession(Caller(identity, door="http"), identity, "desktop", "full", None)
        server = server_type(tools, session, token, PATH, listening, self._door.delivered, self._door.lost, self._log)
        server.start()
        return server


def _import_server() -> "type[HttpServer]":
    from agentbox_desktop.doors.mcp.http_server import HttpServer

    return HttpServer


def read_or_make_token(path: Path) -> str:
    """The token in `path`, made if there is none. Raises `Refused` where others could read or have planted it."""
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | flags, 0o600)
    except FileExistsError:
        return _read_token(path, flags)
    except OSError as error:
        raise Refused(f"The HTTP token can't be written to {path}: {error.strerror}.", "failed") from error
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    return token


def _read_token(path: Path, flags: int) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | flags)
    except OSError as error:
        raise Refused(f"The HTTP token in {path} can't be read: {error.strerror}.", "failed") from error
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or (os.name == "posix" and not _is_private(found)):
            raise Refused(f"{path} must be a file of yours with mode 0600; delete it for a new token.", "failed")
        token = file.read(_TOKEN_FILE_BYTES).decode("ascii", errors="replace").strip()
    if len(token) < _TOKEN_BYTES or not token.isprintable():
        raise Refused(f"{path} holds no usable token; delete it for a new one.", "failed")
    return token


def _is_private(found: os.stat_result) -> bool:
    return found.st_uid == os.getuid() and not found.st_mode & 0o077
