"""The command line's door: JSON-RPC 2.0, one object a line, each request answered when it is done."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from difflib import get_close_matches
from typing import Any

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.events import Event
from agentbox_desktop.core.failures import where
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.lines import NESTING_MAX, Lines, is_too_deep
from agentbox_desktop.doors.operation import Operation
from agentbox_desktop.ports import Log, StoreFailed
from agentbox_desktop.services.asking import Asking
from agentbox_desktop.services.calls import Call

_REFUSED = -32000
_AT_ONCE = 1024  # requests of one connection


class RpcDoor:
    def __init__(self, operations: Sequence[Operation], asking: Asking, log: Log) -> None:
        self._operations = {operation.name: operation for operation in operations}
        self._asking = asking
        self._log = log

    async def serve(self, lines: Lines, caller: Caller, client: str,
                    require_person: Callable[[str], Awaitable[None]]) -> None:
        """Answer this client's requests until it goes; what it still waits for is then detached."""
        running: set[asyncio.Task[None]] = set()
        room = asyncio.Semaphore(_AT_ONCE)
        try:
            while (line := await lines.read()) is not None:
                message = _parsed(line)
                if isinstance(message, dict) and "agentbox" in message:
                    await self._control(message, caller, client)
                    continue
                await room.acquire()
                task = asyncio.create_task(self._answer(lines, message, caller, client, require_person))
                running.add(task)
                task.add_done_callback(running.discard)
                task.add_done_callback(lambda _: room.release())
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            self._asking.gone(f"{client}:")

    async def _control(self, message: dict[str, Any], caller: Caller, client: str) -> None:
        if message["agentbox"] == "delivered":
            await self._asking.delivered(caller.session, _call_key(client, message.get("id")))

    async def _answer(self, lines: Lines, message: Any, caller: Caller, client: str,
                      require_person: Callable[[str], Awaitable[None]]) -> None:
        request_id = None if not isinstance(message, dict) or _has_no_id(message) else message["id"]
        try:
            operation, params = self._request(message)
            if operation.persons_verb:
                await require_person(operation.persons_verb)
            result = await operation.run(Call(caller, _call_key(client, request_id)), params)
        except Refused as refused:
            error = _error(refused.message, refused.code)
        except StoreFailed as failed:
            error = _error(failed.message, "store")
        except Exception as failure:  # noqa: BLE001 - one broken call must not end the others; it is logged and said
            self._log.error(Event.CALL_FAILED, session=caller.session, error=type(failure).__name__,
                            where=where(failure))
            error = _error("AgentBox failed at this call; `agentbox logs` says where.", "failed")
        else:
            await lines.write({"jsonrpc": "2.0", "id": request_id, "result": result})
            return
        await lines.write({"jsonrpc": "2.0", "id": request_id, "error": error})

    def _request(self, message: Any) -> tuple[Operation, dict[str, Any]]:
        if message is None:
            raise Refused("The line is not JSON.", "invalid")
        if is_too_deep(message):
            raise Refused(f"The request is nested more than {NESTING_MAX} deep.", "invalid")
        if not isinstance(message, dict) or not isinstance(message.get("method"), str) or _has_no_id(message):
            raise Refused("A request is an object with id (text or a whole number), method and params.", "invalid")
        name, params = message["method"], message.get("params", {})
        if name not in self._operations:
            near = get_close_matches(name, self._operations, n=1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise Refused(f"There is no method {name}{hint}", "invalid")
        if not isinstance(params, dict):
            raise Refused("params must be an object.", "invalid")
        return self._operations[name], params


def _has_no_id(message: dict[str, Any]) -> bool:
    return isinstance(message.get("id"), bool) or not isinstance(message.get("id"), int | str)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _call_key(client: str, request_id: Any) -> str:
    return f"{client}:{json.dumps(request_id)}"


def _error(message: str, code: str) -> dict[str, Any]:
    return {"code": _REFUSED, "message": message, "data": {"code": code}}
