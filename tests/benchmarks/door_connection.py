"""A persistent connection to the daemon's socket in role `cli`, spoken to in bare lines."""

import json
import os
import socket
from types import TracebackType
from typing import Any, Self

from tests.benchmarks.stage import places
from tests.helpers.desk import Desk
from tests.helpers.waiting import wait_until

_PATIENCE_S = 60.0


class DoorConnection:
    """It belongs to the benchmark's own process, which is the person's: agents are processes of their own."""

    def __init__(self, desk: Desk) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_PATIENCE_S)
        self._socket.connect(str(places(desk).socket))
        self._lines = self._socket.makefile("rb")
        self._requests = 0
        self._send({"agentbox": 1, "role": "cli", "client": os.urandom(16).hex()})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lines.close()
        self._socket.close()

    def send(self, method: str, **params: Any) -> int:
        """Send a request; its id."""
        self._requests += 1
        self._send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params})
        return self._requests

    def receive(self) -> Any:
        """The result in the next answer; AssertionError for a refusal."""
        answer = json.loads(self._lines.readline())
        assert "result" in answer, f"refused: {answer}"
        return answer["result"]

    def call(self, method: str, **params: Any) -> Any:
        self.send(method, **params)
        return self.receive()

    def acknowledge(self, request_id: int) -> None:
        self._send({"agentbox": "delivered", "id": request_id})

    # The person's part

    def pending(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.call("pending")["items"]
        return items

    def wait_for_pending(self, count: int) -> list[dict[str, Any]]:
        return wait_until(
            lambda: items if len(items := self.pending()) == count else [], f"{count} items to wait", _PATIENCE_S)

    def wait_for_seen(self) -> dict[str, Any]:
        """The one item that waits, painted on the screen, with its digest."""
        seen = wait_until(
            lambda: [item for item in self.pending() if item["state"] == "seen"], "the card to be on the screen")
        item: dict[str, Any] = self.call("read_item", id=seen[0]["id"])
        return item

    def answer_all(self) -> None:
        """Answer everything that waits with its first option, without waiting for each; answers come in any order."""
        items = self.pending()
        for item in items:
            self.send("read_item", id=item["id"])
        for item in [self.receive() for _ in items]:
            self.send("answer", id=item["id"], digest=item["digest"], value="1")
        for _ in items:
            self.receive()

    def dismiss_all(self) -> None:
        for item in self.pending():
            self.call("dismiss", id=item["id"])

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(message).encode() + b"\n")
