"""The local socket: who may connect, what they say first, and which door they are led to."""

import asyncio
import json
import re
import secrets
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.events import Event
from agentbox_desktop.core.failures import where
from agentbox_desktop.core.limits import LINE_BYTES, PATH_CHARS, TIMEOUT_MAX_S
from agentbox_desktop.core.places import Places
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.lines import Lines
from agentbox_desktop.ports import Log, Peers, StoreFailed
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.identity import Identity

PROTOCOL = 1
_HELLO_S = 5.0
_CLIENT = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class Hello:
    """What a client says of itself, checked for form; nothing in it is trusted."""

    role: str
    client: str
    cwd: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    toolset: str = "desktop"
    profile: str = "full"
    call_limit_s: float | None = None


@dataclass(frozen=True, slots=True)
class Visitor:
    """A client that was let in."""

    hello: Hello
    caller: Caller
    pid: int


Door = Callable[[Lines, Visitor], Awaitable[None]]


class Listener:
    def __init__(self, places: Places, doors: dict[str, Door], identity: Identity, peers: Peers,
                 deadlines: DeadlineService, log: Log, write_private: Callable[[Path, str], None]) -> None:
        self._places = places
        self._doors = doors
        self._identity = identity
        self._peers = peers
        self._deadlines = deadlines
        self._log = log
        self._write_private = write_private
        self._token = ""
        self._server: asyncio.Server | None = None
        self._open: dict[Lines, asyncio.Task[Any]] = {}

    async def start(self) -> None:
        """Listen: a Unix socket 0600, or on Windows a loopback port whose token only this user can read."""
        if sys.platform == "win32":
            self._token = secrets.token_urlsafe(32)
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LINE_BYTES)
            port = self._server.sockets[0].getsockname()[1]
            self._write_private(self._places.door_file, json.dumps({"port": port, "token": self._token}))
            return
        self._places.socket.unlink(missing_ok=True)  # the lock is ours, so nobody listens there any more
        self._server = await asyncio.start_unix_server(self._accept, self._places.socket, limit=LINE_BYTES)
        self._places.socket.chmod(0o600)

    async def stop(self, reason: str) -> None:
        """Say bye, and end every connection."""
        if self._server is not None:
            self._server.close()
        for lines in self._open:
            lines.write_last({"agentbox": "bye", "reason": reason})
        for task in self._open.values():
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)
        (self._places.door_file if sys.platform == "win32" else self._places.socket).unlink(missing_ok=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = Lines(reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._open[lines] = task
        try:
            await self._serve(lines)
        except Refused as refused:
            self._log.warning(Event.CLIENT_REFUSED, code=refused.code)
            await lines.write({"agentbox": "refused", "message": refused.message, "code": refused.code})
        except StoreFailed as failed:
            await lines.write({"agentbox": "refused", "message": failed.message, "code": "store"})
        except asyncio.CancelledError:
            pass  # ours alone: `stop` and the hello's deadline end a connection this way
        except Exception as error:  # noqa: BLE001 - a broken connection must not end the daemon; it is logged
            self._log.error(Event.CALL_FAILED, what="connection", error=type(error).__name__, where=where(error))
            sentence = "AgentBox failed at this connection; `agentbox logs` says where."
            await lines.write({"agentbox": "refused", "message": sentence, "code": "failed"})
        finally:
            del self._open[lines]
            writer.close()

    async def _serve(self, lines: Lines) -> None:
        pid = self._peers.admit(lines.writer.get_extra_info("socket"))
        hello = await self._hello(lines)
        if hello is None:
            return
        caller = await self._identity.stamp(
            {"role": hello.role, "client": hello.client, "cwd": hello.cwd, "labels": hello.labels}, pid, hello.role)
        self._log.info(Event.CLIENT_CONNECTED, role=hello.role, session=caller.session, executable=caller.executable)
        try:
            await self._doors[hello.role](lines, Visitor(hello, caller, pid))
            await self._identity.hung_up(hello.client)
        finally:
            self._identity.release(hello.client)
            self._log.info(Event.CLIENT_GONE, role=hello.role, session=caller.session)

    async def _hello(self, lines: Lines) -> Hello | None:
        """The client's first line; None where it left without one."""
        task = asyncio.current_task()
        assert task is not None
        self._deadlines.at(("hello", lines), _HELLO_S, lambda: self._end(task))
        try:
            line = await lines.read()
        finally:
            self._deadlines.cancel(("hello", lines))
        if line is None:
            return None
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            raise Refused("The first line must be a hello: a JSON object with agentbox, role and client.", "invalid")
        if self._token and not secrets.compare_digest(str(said.get("token", "")), self._token):
            raise Refused("The hello's token is not the one in run/door.json.", "invalid")
        return self._checked(said)

    @staticmethod
    def _end(task: "asyncio.Task[Any]") -> None:
        task.cancel()

    def _checked(self, said: dict[str, Any]) -> Hello:
        if type(said.get("agentbox")) is not int or said["agentbox"] != PROTOCOL:
            raise Refused(f"This AgentBox speaks protocol {PROTOCOL}, the client {said.get('agentbox')!r}; "
                          "update the older of the two.", "invalid")
        role, client = said.get("role"), said.get("client")
        if not isinstance(role, str) or role not in self._doors:
            raise Refused(f"role must be one of {', '.join(self._doors)}, not {role!r}.", "invalid")
        if not isinstance(client, str) or not _CLIENT.fullmatch(client):
            raise Refused("client must be a random name of 8 to 64 letters, digits, - and _.", "invalid")
        labels, cwd, limit = said.get("labels", {}), said.get("cwd", ""), said.get("call_limit_s")
        if not isinstance(labels, dict) or not all(isinstance(label, str) for label in labels.values()):
            raise Refused("labels must be an object of text.", "invalid")
        if not isinstance(cwd, str) or len(cwd) > PATH_CHARS:
            raise Refused(f"cwd must be a path of at most {PATH_CHARS} characters.", "invalid")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float)
                                  or not 0 <= limit <= TIMEOUT_MAX_S):
            raise Refused(f"call_limit_s must be from 0 to {TIMEOUT_MAX_S} seconds.", "invalid")
        return Hello(
            role=role, client=client, cwd=cwd, labels=labels,
            toolset=str(said.get("toolset") or "desktop"), profile=str(said.get("profile") or "full"),
            call_limit_s=None if limit is None else float(limit))

