"""`agentbox mcp`: a pump between an MCP client's pipes and the daemon's socket, which outlives the daemon.

Two threads. The main one reads the client's lines, to the end of its input; the other one keeps a connection to the
daemon, starts the daemon where none is, and writes the daemon's lines to the client. Lines are passed on
unchanged; what has to be said again to a new daemon is kept in `conversation`.
"""

import gc
import os
import socket
import threading
import time
from argparse import Namespace
from collections.abc import Callable

from agentbox_desktop.cli.client import Door, NobodyListens, encode, hello, labels, random_name
from agentbox_desktop.cli.conversation import Conversation, acknowledgement, messages, refusal
from agentbox_desktop.cli.failures import Failure, StartTimedOut
from agentbox_desktop.cli.lines import split, write_all
from agentbox_desktop.cli.output import say
from agentbox_desktop.core.exits import Exit
from agentbox_desktop.core.limits import LINE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost the bridge the import of typing
    from typing import Any

_INPUT, _OUTPUT = 0, 1
_FIRST_DELAY_S, _LAST_DELAY_S, _GROWTH = 0.02, 2.0, 1.4
_SHORT_LIFE_S = 5.0
_STARTING_S = 20.0
_LINGER_S = 1.0
_POLL_S = 0.01


def bridge(arguments: Namespace) -> int:
    """Serve the MCP client on standard input and output until it ends its input; the exit status."""
    gc.enable()  # the console script switched it off, for verbs that are over in no time
    greeting = hello("mcp", random_name(), labels(arguments))
    greeting |= {"toolset": arguments.toolset, "profile": arguments.profile}
    if arguments.call_limit is not None:
        greeting["call_limit_s"] = arguments.call_limit
    return Bridge(Door(arguments.instance), greeting).run()


class Bridge:
    """`greeting` is the hello, the same on each connection, so that the daemon knows its client again."""

    def __init__(self, door: Door, greeting: "dict[str, Any]") -> None:
        self._door = door
        self._greeting = greeting
        self._conversation = Conversation()
        self._socket: socket.socket | None = None
        self._state = threading.Lock()  # the conversation and which socket it is on
        self._sending = threading.Lock()  # whole lines to the daemon, what is repeated before what is new
        self._writing = threading.Lock()  # whole lines to the client
        self._asked = threading.Event()  # the client wants something while there is no daemon
        self._may_start = True
        self._failed = False
        self._client_ended = False

    def run(self) -> int:
        threading.Thread(target=self._serve, daemon=True).start()
        for line in split(lambda size: os.read(_INPUT, size)):
            self._client_ended = not line.endswith(b"\n")  # a last line that was not ended came with the end
            self._from_client(line + b"\n" if self._client_ended else line)
        self._client_ended = True
        deadline = time.monotonic() + _LINGER_S  # what was asked just before the end may still be answered
        while self._conversation.waits_for_answers and not self._failed and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        return Exit.FAULT if self._failed else Exit.OK

    def _from_client(self, line: bytes) -> None:
        if not line.strip():
            return
        if len(line) > LINE_BYTES:
            self._refuse_long(line)
            return
        with self._state:
            connection = self._socket
            asks = self._conversation.from_client(line, reaches_the_daemon=connection is not None)
            if asks and connection is None:
                self._may_start = True
                self._asked.set()
        if connection is not None:
            self._send(connection, line)

    def _refuse_long(self, line: bytes) -> None:
        """The daemon would end the connection over it, and a repeat would end the next one."""
        sentence = f"A message is at most {LINE_BYTES} bytes; this one has {len(line)}."
        self._write(b"".join(refusal(message["id"], sentence) for message in messages(line) if "id" in message))

    def _serve(self) -> None:
        delay = _FIRST_DELAY_S
        while True:
            try:
                connection = self._connected()
                connected_at = time.monotonic()
                self._pump(connection)
            except Failure as failure:
                self._refuse(failure.message)
                self._asked.wait()  # for a client that still hopes; it is tried anew then
                self._asked.clear()
                continue
            lived = time.monotonic() - connected_at
            delay = _FIRST_DELAY_S if lived > _SHORT_LIFE_S else min(delay * _GROWTH, _LAST_DELAY_S)
            self._asked.wait(delay)

    def _connected(self) -> socket.socket:
        """A connection on which everything that a new daemon must know has been said."""
        connection, token = self._dialled()
        with self._sending:
            with self._state:
                lines = [encode({**self._greeting, "token": token} if token else self._greeting)]
                lines += self._conversation.lines_to_repeat()
                self._socket = connection
                self._asked.clear()
                self._failed = False
            self._send_now(connection, b"".join(lines))
        return connection

    def _dialled(self) -> tuple[socket.socket, str]:
        """Dial until somebody answers. Raises Failure where the daemon says that it can't start."""
        delay = _FIRST_DELAY_S
        begun = time.monotonic()
        while True:
            try:
                return self._door.dial()
            except NobodyListens:
                pass
            try:
                if self._may_start:
                    from agentbox_desktop.cli.spawn import start

                    return start(self._door)
            except StartTimedOut:  # a busy machine; what is in flight is worth more patience
                if time.monotonic() - begun > _STARTING_S:
                    raise
            self._asked.wait(delay)
            self._asked.clear()
            delay = min(delay * _GROWTH, _LAST_DELAY_S)

    def _pump(self, connection: socket.socket) -> None:
        """Pass the daemon's lines on until the connection ends. Raises Failure where the daemon refuses the hello."""
        try:
            for line in split(_until_reset(connection)):
                if line.endswith(b"\n"):  # one that was cut off comes whole on the next connection
                    self._from_daemon(connection, line)
        finally:
            with self._state:
                self._socket = None
            connection.close()

    def _from_daemon(self, connection: socket.socket, line: bytes) -> None:
        parsed = messages(line)
        if len(parsed) == 1 and "agentbox" in parsed[0]:
            self._control(parsed[0])
            return
        if len(parsed) == 1 and self._conversation.is_repeated_handshake(parsed[0]):
            return
        with self._sending:  # the acknowledgement goes before whatever the client says next
            self._write(line)
            with self._state:
                answered = [message["id"] for message in parsed if self._conversation.answered(message)]
            if answered and not self._client_ended:  # one that is leaving may not have read it: it stays in the outbox
                self._send_now(connection, b"".join(map(acknowledgement, answered)))

    def _control(self, message: "dict[str, Any]") -> None:
        if message["agentbox"] == "refused" and message.get("code") == "store":
            return  # the disk is full just now: what is in flight is worth another try
        if message["agentbox"] == "refused":
            raise Failure(str(message.get("message")))
        if message["agentbox"] == "bye":
            with self._state:
                self._may_start = False  # the person wants it gone, until somebody asks for something
                self._socket = None

    def _refuse(self, sentence: str) -> None:
        """Nobody will answer: say why where each MCP client looks for it, in its log and in the answers."""
        with self._state:
            refusals = self._conversation.refusals(sentence)
            self._asked.clear()
            self._failed = True
        say(f"agentbox: {sentence}")
        self._write(b"".join(refusals))

    def _send(self, connection: socket.socket, data: bytes) -> None:
        with self._sending:
            self._send_now(connection, data)

    def _send_now(self, connection: socket.socket, data: bytes) -> None:
        try:
            connection.sendall(data)
        except OSError:
            return  # the pump finds the connection ended, and all of this is said again on the next one

    def _write(self, data: bytes) -> None:
        with self._writing:
            try:
                write_all(_OUTPUT, data)
            except OSError:
                os._exit(Exit.OK)  # the client has gone, and the main thread may be in a read that never ends


def _until_reset(connection: socket.socket) -> Callable[[int], bytes]:
    """`connection.recv`, where a reset is an end like any other."""
    def read(size: int) -> bytes:
        try:
            return connection.recv(size)
        except OSError:
            return b""
    return read
