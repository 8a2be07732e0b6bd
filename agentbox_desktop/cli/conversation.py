"""What a new daemon has to be told again of an MCP conversation, so that the client notices nothing."""

import json
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost the bridge the import of typing
    from typing import Any

_REPEATED = "agentbox-repeated-initialize-"
_ANSWERED_KEPT = 256
_UNSENT_KEPT = 64


class Conversation:
    """Follows the messages both ways: what was asked and not answered yet, and the handshake if there was one.

    Works for both eras of the protocol: one that begins with `initialize`, and one without any handshake.
    """

    def __init__(self) -> None:
        self._in_flight: dict[str, bytes] = {}
        self._initialize: dict[str, Any] | None = None
        self._initialized = b""
        self._repeats = 0
        self._answered: deque[Any] = deque(maxlen=_ANSWERED_KEPT)
        self._unsent: deque[bytes] = deque(maxlen=_UNSENT_KEPT)  # what asks for nothing and came while nobody was there

    @property
    def waits_for_answers(self) -> bool:
        return bool(self._in_flight)

    def from_client(self, line: bytes, reaches_the_daemon: bool = True) -> bool:
        """Note a line of the client's; whether it asks for anything."""
        asks = is_kept = False
        for message in messages(line):
            method = message.get("method")
            if not isinstance(method, str):
                continue  # the client's answer to a request of the daemon's
            if "id" in message:
                asks = True
                self._in_flight[_key(message["id"])] = line
                if method == "initialize":
                    self._initialize = message
            elif method == "notifications/initialized":
                is_kept = True
                self._initialized = line
            elif method == "notifications/cancelled":
                params = message.get("params")
                self._in_flight.pop(_key(params.get("requestId")) if isinstance(params, dict) else "", None)
        if not (asks or is_kept or reaches_the_daemon):
            self._unsent.append(line)
        return asks

    def is_repeated_handshake(self, message: "dict[str, Any]") -> bool:
        """Whether this answers an `initialize` of ours, which the client must not see."""
        request_id = message.get("id")
        return "method" not in message and isinstance(request_id, str) and request_id.startswith(_REPEATED)

    def answered(self, message: "dict[str, Any]") -> bool:
        """Note that the client has been given `message`; whether it is an answer, to be acknowledged."""
        if "method" in message or message.get("id") is None:
            return False
        self._in_flight.pop(_key(message["id"]), None)
        self._answered.append(message["id"])
        return True

    def lines_to_repeat(self) -> list[bytes]:
        """What a new daemon is sent first, in order.

        An acknowledgement may have been lost with the old one, so the latest are sent once more; the daemon
        takes one for a call that it does not know, or knows to be delivered, for nothing.
        """
        lines = [acknowledgement(answered) for answered in self._answered if _key(answered) not in self._in_flight]
        in_flight = dict(self._in_flight)
        if self._initialize is not None:
            self._repeats += 1  # an id of its own, so that its answer is told from every other
            repeat = {**self._initialize, "id": f"{_REPEATED}{self._repeats}"}
            lines.append(in_flight.pop(_key(self._initialize["id"]), b"") or _line(repeat))
            if self._initialized:
                lines.append(self._initialized)
        lines += dict.fromkeys(in_flight.values())  # a batch stands under each of its ids
        lines += self._unsent
        self._unsent.clear()
        return lines

    def refusals(self, sentence: str) -> list[bytes]:
        """An error for every request in flight, which is then no longer."""
        lines = [refusal(json.loads(key), sentence) for key in self._in_flight]
        if self._initialize is not None and _key(self._initialize["id"]) in self._in_flight:
            self._initialize = None  # for its client there was none
        self._in_flight.clear()
        return lines


def messages(line: bytes) -> "list[dict[str, Any]]":
    """The messages of a line: one, those of a batch, or none where the line is no JSON."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return [message for message in (parsed if isinstance(parsed, list) else [parsed]) if isinstance(message, dict)]


def acknowledgement(request_id: object) -> bytes:
    """The line that says: the answer to this request has been written to the client."""
    return _line({"agentbox": "delivered", "id": request_id})


def refusal(request_id: object, sentence: str) -> bytes:
    """An error as the answer to a request that could not reach the daemon."""
    return _line({"jsonrpc": "2.0", "id": request_id, "error": {"code": -32000, "message": sentence}})


def _line(message: "dict[str, Any]") -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _key(request_id: object) -> str:
    return json.dumps(request_id)  # tells 1 from "1"
