"""The test's side of an agent: a process of its own, so that the test itself is nobody's agent.

    agent = Agent(desk)
    bridge = agent.connect()
    waiting = bridge.call("ask_user", title="Where?", options=["us", "eu"])   # parked
    desk.answer("Where?", "2")
    assert waiting.result()["answer"] == "eu"
"""

import json
import queue
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from tests.helpers.children import end
from tests.helpers.desk import AGENTBOX, Desk, Ran
from tests.helpers.waiting import DEADLINE_S

Era = Literal["handshake", "stateless", "auto"]
PROGRAM = Path(__file__).with_name("agent_process.py")


class CallFailed(Exception):
    """What the agent's client raised instead of giving a result. `code` is JSON-RPC's, 0 where there is none."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message, self.code = message, code


@dataclass
class Waiting:
    """A command under way in the agent."""

    number: int
    future: "Future[Any]" = field(default_factory=Future)
    progress: list[dict[str, Any]] = field(default_factory=list)

    def raw(self, deadline_s: float = DEADLINE_S) -> Any:
        """What the client gave, as JSON values; CallFailed where it raised."""
        return self.future.result(deadline_s)


@dataclass
class Call(Waiting):
    """A tool call under way."""

    agent: "Agent | None" = None

    def result(self, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The structured result. AssertionError for a refusal, or where the text is not the same JSON."""
        raw = self.raw(deadline_s)
        assert not raw.get("isError"), f"refused: {raw['content']}"
        structured: dict[str, Any] = raw["structuredContent"]
        assert json.loads(raw["content"][0]["text"]) == structured
        return structured

    def refusal(self, deadline_s: float = DEADLINE_S) -> str:
        """The one sentence of a refusal; AssertionError where it was none."""
        raw = self.raw(deadline_s)
        assert raw.get("isError"), f"not refused: {raw}"
        text: str = raw["content"][0]["text"]
        return text

    def cancel(self) -> None:
        """Stop waiting, as a client does when its user presses Escape."""
        assert self.agent is not None
        self.agent.do("cancel", of=self.number)


@dataclass(frozen=True, slots=True)
class Bridge:
    """A connected `agentbox mcp` of an agent, with the SDK's client on it. `opened`: what the server said."""

    agent: "Agent"
    name: str
    opened: dict[str, Any]

    @property
    def pid(self) -> int:
        return int(self.opened["pid"])

    def call(self, tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> Call:
        """Begin a tool call."""
        call = Call(self.agent.next_number(), agent=self.agent)
        self.agent.send(call, "call", name=self.name, tool=tool, arguments=arguments, meta=meta)
        return call

    def list_tools(self) -> list[dict[str, Any]]:
        tools: list[dict[str, Any]] = self.agent.do("list_tools", name=self.name)["tools"]
        return tools

    def list_resources(self) -> list[dict[str, Any]]:
        resources: list[dict[str, Any]] = self.agent.do("list_resources", name=self.name)["resources"]
        return resources

    def read_resource(self, uri: str) -> str:
        text: str = self.agent.do("read_resource", name=self.name, uri=uri)["contents"][0]["text"]
        return text

    def kill(self) -> None:
        """`kill -9` of the bridge."""
        self.agent.do("kill", name=self.name)

    def close(self) -> None:
        self.agent.do("close", name=self.name)


@dataclass(frozen=True, slots=True)
class RawBridge:
    """A bridge that is spoken to in exact lines."""

    agent: "Agent"
    name: str
    pid: int
    heard: "queue.Queue[str]"

    def send(self, line: str | dict[str, Any]) -> None:
        text = line if isinstance(line, str) else json.dumps(line)
        self.agent.do("send", name=self.name, line=text)

    def receive(self, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The next line that the bridge wrote."""
        line: dict[str, Any] = json.loads(self.heard.get(timeout=deadline_s))
        return line

    def receive_answer(self, number: int | str, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The answer to the request with this id; notifications before it are skipped."""
        while True:
            line = self.receive(deadline_s)
            if line.get("id") == number and "method" not in line:
                return line

    def kill(self) -> None:
        """`kill -9` of the bridge."""
        self.agent.do("kill", name=self.name)

    def close(self) -> int:
        """End of input; the bridge's exit status."""
        status: int = self.agent.do("close", name=self.name)
        return status


class Agent:
    """A process that is an agent on `desk`."""

    def __init__(self, desk: Desk, cwd: Path | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM)], env=desk.environment, cwd=cwd or desk.home,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )
        self._numbers = iter(range(1, sys.maxsize))
        self._waiting: dict[int, Waiting] = {}
        self._lines: dict[str, queue.Queue[str]] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
            self._process.stdin = None
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._reader.join()
        end(self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    def connect(
        self, *options: str, era: Era = "handshake", client: str = "test-agent", name: str = "",
        deadline_s: float = 30,
    ) -> Bridge:
        """Start `agentbox mcp options…` as the agent's child and open an MCP session of that era over it."""
        name = name or f"bridge {self.next_number()}"
        command = [str(AGENTBOX), "mcp", *options]
        opened = self.do("connect", deadline_s=deadline_s, name=name, command=command, era=era, client=client)
        return Bridge(self, name, opened)

    def connect_raw(self, *options: str, name: str = "") -> RawBridge:
        """Start `agentbox mcp options…` and say nothing yet."""
        name = name or f"bridge {self.next_number()}"
        heard = self._lines[name] = queue.Queue()
        command = [str(AGENTBOX), "mcp", *options]
        opened = self.do("connect", name=name, command=command, era="raw", client="")
        return RawBridge(self, name, opened["pid"], heard)

    def shell(self, script: str, deadline_s: float = 30) -> Ran:
        """Run a script as the agent would: its shell is a descendant of the agent's process."""
        return Ran(**self.do("shell", deadline_s=deadline_s, script=script))

    def close_bridges(self) -> None:
        """End every bridge that still runs, as an agent does that ends a session."""
        self.do("close_all", deadline_s=30)

    def kill(self) -> None:
        """`kill -9` of the agent itself."""
        self._process.kill()
        self._process.wait()

    def do(self, action: str, deadline_s: float = DEADLINE_S, **arguments: Any) -> Any:
        """Have the agent do something and wait for it."""
        waiting = Waiting(self.next_number())
        self.send(waiting, action, **arguments)
        return waiting.raw(deadline_s)

    def next_number(self) -> int:
        return next(self._numbers)

    def send(self, waiting: Waiting, action: str, **arguments: Any) -> None:
        assert self._process.stdin is not None
        line = json.dumps({"id": waiting.number, "do": action, **arguments})
        with self._lock:
            self._waiting[waiting.number] = waiting
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._hear(json.loads(line))
        for waiting in self._waiting.values():
            if not waiting.future.done():
                waiting.future.set_exception(CallFailed("The agent's process ended.", 0))

    def _hear(self, line: dict[str, Any]) -> None:
        if "bridge" in line:
            self._lines[line["bridge"]].put(line["line"])
            return
        waiting = self._waiting[line["id"]]
        if "progress" in line:
            waiting.progress.append(line["progress"])
        elif "error" in line:
            waiting.future.set_exception(CallFailed(line["error"], line["code"]))
        else:
            waiting.future.set_result(line["result"])
