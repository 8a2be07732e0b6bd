"""Callers that wait: tool calls parked over real bridges, which are the children of an agent's process."""

from collections import Counter
from typing import Any

from tests.helpers.agent import Agent, RawBridge
from tests.helpers.waiting import DEADLINE_S

_QUESTION = {"options": ["us-east", "eu-west"], "body": "The database of this region is moved first."}


class McpCaller:
    """One bridge with a handshake-era client on it that asks for progress."""

    def __init__(self, agent: Agent, name: str) -> None:
        self._bridge: RawBridge = agent.connect_raw(name=name)
        self._name = name
        self._calls = 0
        self._open()

    def list_tools(self) -> list[dict[str, Any]]:
        self._bridge.send({"jsonrpc": "2.0", "id": "tools", "method": "tools/list"})
        tools: list[dict[str, Any]] = self._bridge.receive_answer("tools")["result"]["tools"]
        return tools

    def park(self) -> int:
        """Ask a question; the call's id."""
        self._calls += 1
        arguments = {"title": f"Which region? ({self._name}, {self._calls})", **_QUESTION}
        params = {"name": "ask_user", "arguments": arguments, "_meta": {"progressToken": self._calls}}
        self._bridge.send({"jsonrpc": "2.0", "id": self._calls, "method": "tools/call", "params": params})
        return self._calls

    def wait_for_progress(self, calls: int) -> None:
        """Wait until this many calls were told that they wait."""
        heard: set[int] = set()
        while len(heard) < calls:
            line = self._bridge.receive()
            assert line.get("method") == "notifications/progress", f"not progress: {line}"
            heard.add(line["params"]["progressToken"])

    def wait_for_answer(self, call: int) -> None:
        _check(self._bridge.receive_answer(call))

    def answers(self, count: int, deadline_s: float = DEADLINE_S) -> "Counter[int]":
        """How often each call was answered, when `count` answers have come."""
        answered: Counter[int] = Counter()
        while answered.total() < count:
            line = self._bridge.receive(deadline_s)
            if "method" not in line:
                _check(line)
                answered[line["id"]] += 1
        return answered

    def late_answers(self) -> int:
        """How many more answers have come by now."""
        late = 0
        while not self._bridge.heard.empty():
            late += "method" not in self._bridge.receive()
        return late

    def _open(self) -> None:
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self._bridge.send({"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params})
        assert "result" in self._bridge.receive_answer("open", 30)
        self._bridge.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


def _check(line: dict[str, Any]) -> None:
    result = line.get("result", {})
    assert result.get("structuredContent", {}).get("outcome") == "answered", f"no answer: {line}"
