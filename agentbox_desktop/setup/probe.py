"""A small MCP client, run as a program of its own: prints how many tools a server offers.

    python probe.py CLIENT COMMAND [ARGUMENT …]

The daemon takes the process that started a bridge for an agent, whose descendants may not act for the person.
Were that the process of `agentbox setup`, which is passed over as a launcher, the person's own shell would be
taken for an agent; this one is gone when it has its answer.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, Any

PROTOCOL = "2025-06-18"


def main(client_name: str, command: Sequence[str]) -> int:
    try:
        server = subprocess.Popen(command, text=True, encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        sys.stderr.write(f"{command[0]} can't be started: {error.strerror}.\n")
        return 1
    assert server.stdin is not None and server.stdout is not None
    try:
        sys.stdout.write(f"{_Session(server.stdin, server.stdout).count_tools(client_name)}\n")
    except (BrokenPipeError, EOFError):
        return 1  # the server has said why on the standard error that it shares with this process
    except (ValueError, KeyError):
        sys.stderr.write(f"{command[0]} does not speak MCP.\n")
        return 1
    finally:
        server.communicate()
    return 0


class _Session:
    """The few messages that it takes."""

    def __init__(self, to_server: IO[str], from_server: IO[str]) -> None:
        self._input, self._output = to_server, from_server
        self._requests = 0

    def count_tools(self, client_name: str) -> int:
        information = {"name": client_name, "version": "setup"}
        self._request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": information})
        self._send({"method": "notifications/initialized"})
        count, cursor = 0, None
        while True:
            page = self._request("tools/list", {"cursor": cursor} if cursor else {})
            count, cursor = count + len(page["tools"]), page.get("nextCursor")
            if not cursor:
                return count

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        while line := self._output.readline():
            message = json.loads(line)
            if message.get("id") == self._requests:
                result: dict[str, Any] = message["result"]
                return result
        raise EOFError

    def _send(self, message: dict[str, Any]) -> None:
        self._input.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._input.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
