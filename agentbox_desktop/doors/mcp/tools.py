"""The tools as they are described to a model: which there are, and the schemas of what they take and give."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from agentbox_desktop.doors.operation import Operation, Tool

TOOLSETS = ("desktop",)
CORE_PROFILE = "core"
PROFILES = ("full", CORE_PROFILE)
_ALWAYS_LOAD = "anthropic/alwaysLoad"
_SCHEMAS = frozenset({"items", "additionalProperties"})
_SCHEMA_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})


def offered(operations: Sequence[Operation], profile: str) -> dict[str, Operation]:
    """The operations that are tools in this profile, by name."""
    return {operation.name: operation for operation in operations
            if operation.tool is not None and (operation.tool.core or profile != CORE_PROFILE)}


def describe(operation: Operation, tool: Tool) -> dict[str, Any]:
    """An entry of `tools/list`."""
    entry: dict[str, Any] = {
        "name": operation.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": schema(operation.input),
        "outputSchema": schema(operation.output),
        "annotations": annotations(tool),
    }
    if tool.always_load:
        entry["_meta"] = {_ALWAYS_LOAD: True}
    return entry


def annotations(tool: Tool) -> dict[str, bool]:
    """The MCP hints. No tool reaches beyond this machine and its person."""
    return {"readOnlyHint": tool.read_only, "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent, "openWorldHint": False}


def schema_document(operations: Sequence[Operation]) -> dict[str, Any]:
    """What `agentbox schema` prints: `{"tools": {name: {title, description, input, output, annotations}}}`."""
    tools = {}
    for operation in operations:
        if operation.tool is not None:
            tools[operation.name] = {
                "title": operation.tool.title, "description": operation.tool.description,
                "input": schema(operation.input), "output": schema(operation.output),
                "annotations": annotations(operation.tool),
            }
    return {"tools": tools}


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a shape in one piece: no references, no generated titles, no null beside what may be absent.

    It is the schema of what is accepted for an output too, because a result leaves out what is null.
    """
    raw = model.model_json_schema(by_alias=True, mode="validation")
    cleaned: dict[str, Any] = _clean(raw, raw.get("$defs", {}))
    return cleaned


def _clean(node: Any, definitions: Mapping[str, Any]) -> Any:
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        return _clean({**definitions[name], **siblings}, definitions)
    cleaned: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("title", "$defs"):
            continue
        if key == "properties":
            cleaned[key] = {name: _clean(child, definitions) for name, child in value.items()}
        elif key in _SCHEMAS:
            cleaned[key] = _clean(value, definitions)
        elif key in _SCHEMA_LISTS:
            cleaned[key] = [_clean(child, definitions) for child in value]
        else:
            cleaned[key] = value
    return _without_null(cleaned)


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """Null stands for an absent field: where it is the default, absence says the same, and only that is offered."""
    branches = node.get("anyOf")
    if branches is None or {"type": "null"} not in branches or node.get("default", ...) is not None:
        return node
    rest = [branch for branch in branches if branch != {"type": "null"}]
    own = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
    return {**rest[0], **own} if len(rest) == 1 else {"anyOf": rest, **own}
