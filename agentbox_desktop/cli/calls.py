"""Requests to the daemon that outlive it: after a lost connection the same request is sent again."""

import time

from agentbox_desktop.cli.client import Connection, ConnectionLost, Door, NobodyListens, hello, labels, random_name
from agentbox_desktop.cli.failures import DaemonQuit, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from argparse import Namespace
    from typing import Any

_PATIENCE_S = 10.0
_SHORT_LIFE_S = 5.0
_LOSSES_IN_A_ROW = 25


class Calls:
    """The requests of one run of a verb. `client` and a request's id name a call for the daemon."""

    def __init__(self, arguments: "Namespace", starts: bool = True) -> None:
        """`starts`: start the daemon where none answers; otherwise that is NobodyListens."""
        self._door = Door(arguments.instance)
        self._hello = hello("cli", random_name(), labels(arguments))
        self._starts = starts
        self._connection: Connection | None = None
        self._requests = 0

    def request(self, method: str, params: "dict[str, Any]", waits: bool = False) -> "dict[str, Any]":
        """The result. `waits`: for a person, so for as long as it takes; other requests have 10 s.

        Raises Refused, DaemonQuit, Failure.
        """
        self._requests += 1
        request = {"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params}
        losses = 0
        while losses < _LOSSES_IN_A_ROW:
            dialled_at = time.monotonic()
            try:
                connection = self._connected(None if waits else _PATIENCE_S)
                connection.send(request)
                return connection.answer(self._requests)
            except ConnectionLost:
                self.close()
            except DaemonQuit:
                if waits or not self._starts:
                    raise
                self.close()  # this verb came as the old one left, and wants the next
            losses = losses + 1 if time.monotonic() - dialled_at < _SHORT_LIFE_S else 1
            time.sleep(min(0.02 * 1.5**losses, 2.0) if losses > 1 else 0)
        raise Failure("AgentBox keeps stopping; `agentbox logs` may say why.")

    def acknowledge(self) -> None:
        """Tell the daemon that the answer to the last request has reached the caller: it need keep it no longer."""
        if self._connection is not None:
            try:
                self._connection.send({"agentbox": "delivered", "id": self._requests})
            except ConnectionLost:
                return  # then it stays in the daemon's outbox, and the same question asked again finds it there

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self, patience_s: float | None) -> Connection:
        if self._connection is None:
            try:
                dialled = self._door.dial()
            except NobodyListens:
                if not self._starts:
                    raise
                from agentbox_desktop.cli.spawn import start

                dialled = start(self._door)
            self._connection = Connection(dialled, self._hello, patience_s)
        return self._connection
