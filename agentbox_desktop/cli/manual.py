"""The manual and the schemas that are shipped beside the code, both generated from the tools themselves.

`schema.json` is `{"tools": {NAME: {title, description, input, output, annotations}}}`; pages are Markdown.
"""

import json
import os.path

from agentbox_desktop.cli.failures import Failure, Misuse

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost the verb the import of typing
    from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FOLDERS = (os.path.join(_PACKAGE, "resources"), os.path.join(os.path.dirname(_PACKAGE), "resources"))


def page(name: str) -> str:
    """A page of the manual, as Markdown."""
    return _resource(os.path.join("manual", f"{name}.md")).rstrip()


def everything() -> str:
    """The agent's page, then every tool in full."""
    return "\n\n".join([page("agent"), *map(tool, _tools())])


def tool(name: str) -> str:
    """One tool in full, as Markdown."""
    found = _tool(name)
    sections = [f"## {name}: {found['title']}", found["description"].strip()]
    for title, shape in (("Arguments", found["input"]), ("Returns", found["output"])):
        lines = _fields(shape)
        sections += [f"### {title}", "\n".join(lines)] if lines else []
    return "\n\n".join(sections)


def schema(name: str | None) -> str:
    """One tool's schema, or all of them, as JSON."""
    return json.dumps(_tools() if name is None else _tool(name), indent=2)


def _fields(shape: "dict[str, Any]") -> list[str]:
    required = shape.get("required", ())
    return [
        f"- `{name}` ({_type(value, shape)}{', required' if name in required else ''})"
        + (f": {value['description']}" if "description" in value else "")
        for name, value in shape.get("properties", {}).items()
    ]


def _type(value: "dict[str, Any]", shape: "dict[str, Any]") -> str:
    """A field's type in words: `2 to 9 of` and `one of` are said, what is nested is named."""
    if "$ref" in value:
        return _type(shape["$defs"][value["$ref"].rsplit("/", 1)[-1]], shape)
    if "enum" in value:
        return " | ".join(json.dumps(choice) for choice in value["enum"])
    choices = value.get("anyOf") or value.get("oneOf")
    if choices:
        named = [_type(choice, shape) for choice in choices if choice.get("type") != "null"]
        return " or ".join(dict.fromkeys(named))
    if value.get("type") == "array":
        return f"list of {_type(value.get('items', {}), shape)}"
    if value.get("properties"):
        return "{" + ", ".join(value["properties"]) + "}"
    return str(value.get("type", "any"))


def _tool(name: str) -> "dict[str, Any]":
    tools = _tools()
    if name not in tools:
        raise Misuse(f"There is no tool {name!r}; the tools are {', '.join(tools)}.")
    found: dict[str, Any] = tools[name]
    return found


def _tools() -> "dict[str, Any]":
    tools: dict[str, Any] = json.loads(_resource("schema.json"))["tools"]
    return tools


def _resource(name: str) -> str:
    """The text of a shipped file: inside the package once built, in the top folder of a checkout."""
    for folder in _FOLDERS:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            continue
    raise Failure(f"The resource {name} is missing; install AgentBox Desktop again.")
