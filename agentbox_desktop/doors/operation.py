"""An operation: one thing that can be asked of AgentBox, the same behind every door.

The MCP door offers those marked as tools, the local RPC door offers all; both validate with the same model
and refuse with the same sentence.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.services.calls import Call

_WANTED = {"string_type": "text", "bool_type": "true or false", "float_type": "a number", "list_type": "a list",
           "dict_type": "an object", "finite_number": "a finite number"}
BRANCH = "as "  # begins the name of a union's branch, which is no part of a field's path


class Shape(BaseModel):
    """Base of every input and output: unknown fields are refused, values are taken as they are."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """How an operation appears to a model over MCP. `core`: it is in the short profile."""

    title: str
    description: str
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    always_load: bool = False
    core: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """`handler` takes the call and its checked input. `persons_verb`: the verb of the person's that this is part
    of, refused to agents; empty where everybody may.
    """

    name: str
    input: type[Shape]
    output: type[Shape]
    handler: Callable[[Call, Any], Awaitable[Shape]]
    tool: Tool | None = None
    blocks: bool = False
    persons_verb: str = ""

    async def run(self, call: Call, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result as JSON values. Raises `Refused`, with one sentence, for input that can't be used."""
        try:
            checked = self.input.model_validate(dict(arguments))
        except ValidationError as error:
            raise Refused(sentence(error), "invalid") from None
        result = await self.handler(call, checked)
        return result.model_dump(mode="json", exclude_none=True)


def sentence(error: ValidationError) -> str:
    """The first thing that is wrong, with every other field named: the field, the limit, what was sent."""
    details = error.errors(include_url=False)
    first = _sentence(details[0])
    others = sorted({_path(detail) for detail in details[1:]} - {_path(details[0])})
    return f"{first} Also wrong: {', '.join(others)}." if others else first


def _path(detail: ErrorDetails) -> str:
    words = [part for part in detail["loc"] if not (isinstance(part, str) and part.startswith(BRANCH))]
    path = ""
    for part in words:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path or "the arguments"


def _sentence(detail: ErrorDetails) -> str:
    path, kind, sent, ctx = _path(detail), detail["type"], detail["input"], detail.get("ctx", {})
    count = len(sent) if isinstance(sent, str | list | dict) else 0
    match kind:
        case "string_unicode":
            return f"{path} holds half a character (a lone surrogate); send whole characters."
        case "missing":
            return f"{path} is required."
        case "extra_forbidden":
            return f"{path} is not an argument of this tool; leave it out."
        case "string_too_long":
            return f"{path} is at most {ctx['max_length']} characters; {count} were sent."
        case "string_too_short":
            return f"{path} needs at least {ctx['min_length']} character; {count} were sent."
        case "too_long":
            return f"{path} takes at most {ctx['max_length']} entries; {count} were sent."
        case "too_short":
            return f"{path} needs at least {ctx['min_length']} entries; {count} were sent."
        case "enum" | "literal_error":
            return f"{path} must be {ctx['expected']}; {_short(sent)} was sent."
        case "greater_than_equal":
            return f"{path} must be {ctx['ge']:.12g} or more; {_short(sent)} was sent."
        case "less_than_equal":
            return f"{path} must be {ctx['le']:.12g} or less; {_short(sent)} was sent."
        case "limit" | "value_error":
            return str(detail["msg"]).removeprefix("Value error, ")
        case _:
            wanted = _WANTED.get(kind) or str(detail["msg"]).removeprefix("Input should be ")
            return f"{path} must be {wanted}; {_short(sent)} was sent."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
