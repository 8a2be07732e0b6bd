"""Times MCP servers from their start to their list of tools, and says how heavy they are then.

    python -m tests.benchmarks.mcp_stopwatch RUNS '{"NAME": ["command", …], …}'

A program of its own: whoever starts a bridge is an agent, and the benchmark is not to be one. The servers take
turns, with a `python -c pass` in each turn. Prints one JSON object: for each name, and for `pass`, its `Server`.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import IO, Any

from tests.benchmarks.measuring import pss_kib, run_s

PASS = "pass"
PASS_COMMAND = (sys.executable, "-c", "pass")
_INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


@dataclass
class Server:
    """What was found of one server, run after run. `pss_kib` is of its process once it has listed its tools."""

    seconds: list[float] = field(default_factory=list)
    pss_kib: list[int] = field(default_factory=list)
    tools: int = 0

    @property
    def median_s(self) -> float:
        return median(self.seconds)


def time_servers(runs: int, commands: Mapping[str, Sequence[str]]) -> dict[str, Server]:
    found = {name: Server() for name in (*commands, PASS)}
    for _ in range(runs):
        for name, command in commands.items():
            _time(command, found[name])
        found[PASS].seconds.append(run_s(PASS_COMMAND, os.environ))
    return found


def _time(command: Sequence[str], server: Server) -> None:
    begun = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        _say(process.stdin, _INITIALIZE)
        _answer(process.stdout, 1)
        _say(process.stdin, _INITIALIZED, _LIST_TOOLS)
        tools = _answer(process.stdout, 2)["tools"]
        server.seconds.append(time.perf_counter() - begun)
        server.pss_kib.append(pss_kib(process.pid))
        server.tools = len(tools)
        process.stdin.close()


def _say(stream: IO[bytes], *messages: Mapping[str, Any]) -> None:
    stream.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    stream.flush()


def _answer(stream: IO[bytes], request_id: int) -> dict[str, Any]:
    for line in stream:
        message = json.loads(line)
        if message.get("id") == request_id:
            result: dict[str, Any] = message["result"]
            return result
    raise AssertionError("The server ended before it answered.")


if __name__ == "__main__":
    print(json.dumps({name: asdict(server) for name, server in
                      time_servers(int(sys.argv[1]), json.loads(sys.argv[2])).items()}))
