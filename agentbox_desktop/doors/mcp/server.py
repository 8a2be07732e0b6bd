"""The SDK's server for our tools and resources. Importing this takes the SDK's half second; see `door`."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.doors.mcp.calling import ToolCalls
from agentbox_desktop.doors.mcp.instructions import INSTRUCTIONS
from agentbox_desktop.doors.mcp.keepalive import Report
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.mcp.tools import describe, offered, schema, schema_document
from agentbox_desktop.doors.operation import Operation

MANUAL_URI = "agentbox://manual/agent"
SCHEMA_URI = "agentbox://schema"


@dataclass(frozen=True, slots=True)
class Peer:
    """Whom a request came from: the SDK's lifespan state of a connection. `call_key` names a request's call."""

    session: McpSession
    call_key: Callable[["Context"], str]


Context = ServerRequestContext[Peer, Any]


class ToolServer:
    """Answers MCP's requests from the operations. `shared` is the SDK's server for every connection with a peer."""

    def __init__(self, operations: Sequence[Operation], calls: ToolCalls, manual: str, version: str) -> None:
        self._operations = operations
        self._calls = calls
        self._version = version
        self._lists: dict[str, types.ListToolsResult] = {}
        self._resources = {
            MANUAL_URI: (_resource(MANUAL_URI, "Agent manual", "How to ask, tell and take back, in one page.",
                                   "text/markdown"), manual),
            SCHEMA_URI: (_resource(SCHEMA_URI, "Schemas", "What every tool takes and gives, as JSON Schema.",
                                   "application/json"), json.dumps(schema_document(operations), indent=1)),
        }

        self.shared = self._build(_no_lifespan)

    def serving(self, peer: Peer) -> Server[Peer]:
        """A server for one peer, for a transport whose requests do not come on a connection of their own."""

        @asynccontextmanager
        async def lifespan(_server: Server[Peer]) -> AsyncIterator[Peer]:
            yield peer

        return self._build(lifespan)

    def _build(self, lifespan: Callable[[Server[Peer]], AbstractAsyncContextManager[Peer]]) -> Server[Peer]:
        server: Server[Peer] = Server(
            "agentbox", title="AgentBox Desktop", version=self._version, instructions=INSTRUCTIONS, lifespan=lifespan,
            get_tool_input_schema=self._input_schema, on_list_tools=self._list_tools, on_call_tool=self._call_tool,
            on_list_resources=self._list_resources, on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource, on_list_prompts=self._list_prompts,
        )
        server.middleware.clear()  # OpenTelemetry spans that nobody collects
        return server

    async def _list_tools(
        self, context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        profile = context.lifespan_context.session.profile
        if profile not in self._lists:
            tools = [types.Tool.model_validate(describe(operation, operation.tool), by_name=False)
                     for operation in offered(self._operations, profile).values() if operation.tool is not None]
            self._lists[profile] = types.ListToolsResult(tools=tools)
        return self._lists[profile]

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        peer = context.lifespan_context
        client = context.session.client_params
        try:
            values = await self._calls.run(
                peer.session, peer.call_key(context), client.client_info.name if client is not None else "",
                params.name, params.arguments or {}, _report(context))
        except Refused as refused:
            return types.CallToolResult(content=[types.TextContent(text=refused.message)], is_error=True)
        text = json.dumps(values, ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=values)

    async def _list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[resource for resource, _text in self._resources.values()])

    async def _list_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def _list_prompts(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[])

    async def _read_resource(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = self._resources.get(params.uri)
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri[:200]!r}; "
                                                 f"there are {' and '.join(self._resources)}.")
        resource, text = found
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=resource.uri, mime_type=resource.mime_type, text=text)])

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        operation = offered(self._operations, "").get(name)
        return None if operation is None else schema(operation.input)


def _no_lifespan(_server: Server[Peer]) -> AbstractAsyncContextManager[Peer]:
    raise RuntimeError("each connection of the shared server brings its own peer")


def _resource(uri: str, title: str, description: str, mime_type: str) -> types.Resource:
    name = uri.removeprefix("agentbox://")
    return types.Resource(uri=uri, name=name, title=title, description=description, mime_type=mime_type)


def _report(context: Context) -> Report | None:
    """Sends progress for this request; None where its client gave no token to send it with."""
    if context.meta is None or "progress_token" not in context.meta:
        return None
    session = context.session

    async def report(waited_s: float, message: str) -> None:
        await session.report_progress(waited_s, message=message)

    return report
