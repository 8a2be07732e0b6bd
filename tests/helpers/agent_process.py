"""An agent, as a program of its own: it starts `agentbox mcp` as its child and does what its stdin says.

    python agent_process.py

Each line in and out is one JSON object. A command has an `id`, a `do` and its arguments; the line with the same
`id` answers it with `result` or `error`. While a command runs, lines with its `id` and `progress` may come.
Commands run side by side, so a parked call does not keep the next one waiting.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import psutil
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation, RequestParamsMeta

ERAS = {"handshake": "legacy", "stateless": "2026-07-28", "auto": "auto"}
Say = Callable[[dict[str, Any]], None]


class SdkBridge:
    """A bridge with the SDK's own client on it, kept open by a task until it is closed or killed."""

    def __init__(self, command: list[str], era: str, client_name: str) -> None:
        before = {child.pid for child in psutil.Process().children()}
        self._before = before
        self._closing = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
        identity = Implementation(name=client_name, version="1.0")
        self._client = Client(server, mode=ERAS[era], client_info=identity, cache=None)
        self._task = asyncio.create_task(self._keep())
        self.pid = 0

    async def open(self) -> dict[str, Any]:
        client = await self._ready
        new = [child.pid for child in psutil.Process().children() if child.pid not in self._before]
        self.pid = new[-1]
        server = client.server_info
        return {
            "pid": self.pid, "protocol": client.protocol_version, "instructions": client.instructions,
            "server": server.model_dump(mode="json", exclude_none=True) if server else None,
        }

    async def call(self, tool: str, arguments: dict[str, Any], meta: dict[str, Any] | None, heard: Say) -> Any:
        async def report(progress: float, total: float | None, message: str | None) -> None:
            heard({"value": progress, "total": total, "message": message})

        extra: RequestParamsMeta | None = RequestParamsMeta(**meta) if meta else None  # type: ignore[typeddict-item]
        return _plain(await self._client.call_tool(tool, arguments, progress_callback=report, meta=extra))

    async def list_tools(self) -> Any:
        return _plain(await self._client.list_tools())

    async def list_resources(self) -> Any:
        return _plain(await self._client.list_resources())

    async def read_resource(self, uri: str) -> Any:
        return _plain(await self._client.read_resource(uri))

    async def close(self) -> None:
        self._closing.set()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        try:
            async with self._client as client:
                self._ready.set_result(client)
                await self._closing.wait()
        except Exception as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)


class RawBridge:
    """A bridge that is sent exact lines; every line it writes is reported as it is."""

    def __init__(self, command: list[str], heard: Say) -> None:
        self._command, self._heard = command, heard
        self.pid = 0

    async def open(self) -> dict[str, Any]:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=32 * 1024 * 1024
        )
        self.pid = self._process.pid
        self._reader = asyncio.create_task(self._read())
        return {"pid": self.pid}

    async def send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()

    async def close(self) -> int:
        """End of input; the bridge's exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        status = await self._process.wait()
        await self._reader
        return status

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self._heard({"line": line.decode().rstrip("\n")})


class Agent:
    """The agent's bridges, by name, and the commands for them."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._bridges: dict[str, SdkBridge | RawBridge] = {}
        self._running: dict[int, asyncio.Task[None]] = {}

    def begin(self, command: dict[str, Any]) -> None:
        number = command.pop("id")
        task = asyncio.create_task(self._answer(number, command))
        self._running[number] = task
        task.add_done_callback(lambda _: self._running.pop(number))

    async def _answer(self, number: int, command: dict[str, Any]) -> None:
        try:
            self._say({"id": number, "result": await self._run(number, command)})
        except MCPError as error:
            self._say({"id": number, "error": error.error.message, "code": error.error.code})
        except asyncio.CancelledError:
            self._say({"id": number, "error": "cancelled", "code": 0})
        except Exception as error:  # noqa: BLE001 - the test is told, whatever it was
            self._say({"id": number, "error": f"{type(error).__name__}: {error}", "code": 0})

    async def _run(self, number: int, command: dict[str, Any]) -> Any:
        action: Callable[..., Awaitable[Any]] = getattr(self, "do_" + command.pop("do"))
        return await action(number=number, **command)

    async def do_connect(self, number: int, name: str, command: list[str], era: str, client: str) -> Any:
        bridge: SdkBridge | RawBridge
        if era == "raw":
            bridge = RawBridge(command, lambda heard: self._say({"bridge": name, **heard}))
        else:
            bridge = SdkBridge(command, era, client)
        opened = await bridge.open()
        self._bridges[name] = bridge
        return opened

    async def do_call(
        self, number: int, name: str, tool: str, arguments: dict[str, Any], meta: dict[str, Any] | None = None
    ) -> Any:
        return await self._sdk(name).call(
            tool, arguments, meta, lambda progress: self._say({"id": number, "progress": progress})
        )

    async def do_list_tools(self, number: int, name: str) -> Any:
        return await self._sdk(name).list_tools()

    async def do_list_resources(self, number: int, name: str) -> Any:
        return await self._sdk(name).list_resources()

    async def do_read_resource(self, number: int, name: str, uri: str) -> Any:
        return await self._sdk(name).read_resource(uri)

    async def do_cancel(self, number: int, of: int) -> bool:
        task = self._running.get(of)
        return task is not None and task.cancel()

    async def do_send(self, number: int, name: str, line: str) -> None:
        bridge = self._bridges[name]
        assert isinstance(bridge, RawBridge), f"{name} is no raw bridge"
        await bridge.send(line)

    async def do_kill(self, number: int, name: str) -> None:
        psutil.Process(self._bridges[name].pid).kill()

    async def do_close(self, number: int, name: str) -> Any:
        return await self._bridges.pop(name).close()

    async def do_close_all(self, number: int) -> None:
        for running, task in list(self._running.items()):
            if running != number:
                task.cancel()
        await asyncio.gather(*(bridge.close() for bridge in self._bridges.values()), return_exceptions=True)
        self._bridges.clear()

    async def do_shell(self, number: int, script: str) -> Any:
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", script, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return {"exit": process.returncode, "out": out.decode(), "err": err.decode()}

    async def close(self) -> None:
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*(bridge.close() for bridge in self._bridges.values()), return_exceptions=True)

    def _sdk(self, name: str) -> SdkBridge:
        bridge = self._bridges[name]
        assert isinstance(bridge, SdkBridge), f"{name} is a raw bridge"
        return bridge


def _plain(result: Any) -> Any:
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def main() -> None:
    agent = Agent(_say)
    commands = asyncio.StreamReader(limit=32 * 1024 * 1024)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    async for line in commands:
        agent.begin(json.loads(line))
    await agent.close()


if __name__ == "__main__":
    asyncio.run(main())
