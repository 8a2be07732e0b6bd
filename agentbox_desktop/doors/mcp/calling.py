"""A tool call from its name and arguments to a result or one sentence, whatever protocol brought it."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.failures import where
from agentbox_desktop.core.limits import UNHEARD_BOUND_S
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.keepalive import KeepAlive, Report
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.mcp.tools import offered
from agentbox_desktop.doors.operation import Operation
from agentbox_desktop.ports import Log, StoreFailed
from agentbox_desktop.services.calls import Call


class ToolCalls:
    def __init__(self, operations: Sequence[Operation], keep_alive: KeepAlive, log: Log) -> None:
        self._operations = operations
        self._keep_alive = keep_alive
        self._log = log

    async def run(self, session: McpSession, key: str, client_name: str, name: str,
                  arguments: Mapping[str, Any], report: Report | None) -> dict[str, Any]:
        """The tool's result as JSON values. Raises `Refused` for everything that went wrong, with a sentence
        for the model. `report` is None where the client asked for no progress.
        """
        operation = self._find(name, session.profile)
        call = Call(session.caller_named(client_name), key)
        if operation.blocks:
            bound_s = UNHEARD_BOUND_S if report is None else None
            call = Call(call.caller, key, bound_s=bound_s, cut_s=session.cut_s(client_name))
        try:
            if operation.blocks and report is not None:
                async with self._keep_alive.ticking(report):
                    return await operation.run(call, arguments)
            return await operation.run(call, arguments)
        except Refused as refused:
            self._log.info(Event.CALL_REFUSED, tool=name, code=refused.code, session=call.caller.session)
            raise
        except StoreFailed as failed:
            self._log.error(Event.CALL_FAILED, tool=name, session=call.caller.session, error="StoreFailed")
            raise Refused(failed.message, "store") from failed
        except Exception as error:
            self._log.error(Event.CALL_FAILED, tool=name, session=call.caller.session,
                            error=type(error).__name__, where=where(error))
            raise Refused(f"{name} failed inside AgentBox ({type(error).__name__}); nothing was decided. "
                          "Try it once more, and tell the person if it fails again.", "failed") from error

    def _find(self, name: str, profile: str) -> Operation:
        tools = offered(self._operations, profile)
        if name in tools:
            return tools[name]
        near = get_close_matches(name, tools, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the tools are {', '.join(tools)}."
        raise Refused(f"There is no tool {name[:60]!r}; {hint}", "not_found")
