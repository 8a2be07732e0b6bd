"""Where the daemon listens, what a client says first, and one connection to it."""

import json
import os
import socket
import sys

from agentbox_desktop.cli.failures import DaemonQuit, Failure
from agentbox_desktop.cli.lines import split
from agentbox_desktop.core.limits import LABEL_CHARS
from agentbox_desktop.core.locations import Locations, resolve
from agentbox_desktop.core.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from argparse import Namespace
    from typing import Any

PROTOCOL = 1


class NobodyListens(Exception):
    """No daemon is at the door."""


class ConnectionLost(Exception):
    """The daemon went away without a word."""


class Door:
    """The local socket of one instance; on Windows a loopback port with a token."""

    def __init__(self, instance: str = "") -> None:
        self.instance = instance
        self.locations = _locations(instance)

    def dial(self) -> tuple[socket.socket, str]:
        """A connected socket, and the token that the hello has to carry ("" where none is needed).

        Raises NobodyListens, and Failure where the door is not this user's.
        """
        return self._dial_loopback() if sys.platform == "win32" else (self._dial_unix(), "")

    def _dial_unix(self) -> socket.socket:
        path = self.locations.socket
        connection = socket.socket(socket.AF_UNIX)
        try:
            if os.stat(os.path.dirname(path)).st_uid != os.getuid():
                raise Failure(f"{path} is in another user's folder, so nothing is sent there.")
            connection.connect(path)
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            connection.close()
            raise NobodyListens from None
        except OSError as error:
            connection.close()
            raise Failure(f"AgentBox's socket {path} can't be used: {error.strerror or error}.") from None
        return connection

    def _dial_loopback(self) -> tuple[socket.socket, str]:
        try:
            with open(self.locations.door_file, encoding="utf-8") as file:
                door = json.load(file)
            connection = socket.create_connection(("127.0.0.1", int(door["port"])), timeout=2)
            connection.settimeout(None)
            return connection, str(door["token"])
        except (OSError, ValueError, KeyError):  # no file, a half-written one, or one left by a daemon that died
            raise NobodyListens from None


class Connection:
    """One object a line, both ways."""

    def __init__(self, dialled: tuple[socket.socket, str], hello: "dict[str, Any]", patience_s: float | None) -> None:
        self._socket, token = dialled
        self._socket.settimeout(patience_s)
        self._lines = split(self._socket.recv)
        self.send({**hello, "token": token} if token else hello)

    def send(self, message: "dict[str, Any]") -> None:
        """Raises ConnectionLost."""
        try:
            self._socket.sendall(encode(message))
        except TimeoutError:
            raise _too_slow(self._socket) from None
        except OSError:
            raise ConnectionLost from None

    def answer(self, request_id: int) -> "dict[str, Any]":
        """The result of the request. Raises Refused, ConnectionLost and, where the daemon says bye, DaemonQuit."""
        while True:
            message = self._receive()
            if message.get("agentbox") == "refused":
                raise Refused(str(message.get("message")), str(message.get("code", "invalid")))
            if message.get("agentbox") == "bye":
                raise DaemonQuit("AgentBox was told to quit.")
            if message.get("id") == request_id and "error" in message:
                error = message["error"]
                raise Refused(str(error.get("message")), str((error.get("data") or {}).get("code", "failed")))
            if message.get("id") == request_id and "result" in message:
                result: dict[str, Any] = message["result"]
                return result

    def close(self) -> None:
        self._socket.close()

    def _receive(self) -> "dict[str, Any]":
        try:
            line = next(self._lines, b"")
        except TimeoutError:
            raise _too_slow(self._socket) from None
        except OSError:
            raise ConnectionLost from None
        if not line.endswith(b"\n"):
            raise ConnectionLost
        try:
            message: dict[str, Any] = json.loads(line)
        except ValueError:
            raise Failure("What listens on AgentBox's socket does not speak its protocol.") from None
        return message


def hello(role: str, client: str, labels: dict[str, str]) -> "dict[str, Any]":
    """A client's first line. `client` is a random name, the same each time this client dials again."""
    return {"agentbox": PROTOCOL, "role": role, "client": client, "cwd": _working_folder(), "labels": labels}


def random_name() -> str:
    """32 hex digits."""
    return os.urandom(16).hex()


def labels(arguments: "Namespace") -> dict[str, str]:
    """What the caller says of itself: the flags, else what an agent tells its children. Never the whole environment."""
    folder = os.environ.get("CLAUDE_PROJECT_DIR", "").rstrip("/\\")
    said = {
        "agent": arguments.agent or os.environ.get("AI_AGENT", ""),
        "project": arguments.project or os.path.basename(folder),
        "session": arguments.session or os.environ.get("CLAUDE_CODE_SESSION_ID", ""),
        "key": arguments.key,
    }
    return {name: value[:LABEL_CHARS] for name, value in said.items() if value}


def encode(message: "dict[str, Any]") -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _locations(instance: str) -> Locations:
    uid = os.getuid() if sys.platform != "win32" else 0
    try:
        return resolve(os.environ, sys.platform, uid, instance)
    except ValueError as error:
        raise Failure(str(error)) from None


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was removed under the caller's feet
        return ""


def _too_slow(connection: socket.socket) -> Failure:
    return Failure(f"AgentBox gave no answer within {connection.gettimeout():g} s; `agentbox logs` may say why.")
