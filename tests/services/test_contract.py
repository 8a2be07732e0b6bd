"""Every limit of every tool, taken from its own schema: accepted at N, refused at N + 1 with the field's name."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from pydantic import ValidationError

from agentbox_desktop.core import limits
from agentbox_desktop.doors.mcp.tools import schema
from agentbox_desktop.doors.operation import Operation, sentence
from agentbox_desktop.doors.operations.asking import AskingOperations
from agentbox_desktop.services.asking import Asking

OPERATIONS = {operation.name: operation for operation in AskingOperations(cast("Asking", None)).operations()}
Case = tuple[str, dict[str, Any], str | None]  # the operation, what is sent, the field that is refused


def cases() -> Iterator[Case]:
    for name, operation in OPERATIONS.items():
        needed = {"title": "t"} if "title" in operation.input.model_fields else {}
        yield name, needed, None
        yield name, {**needed, "nonsense": 1}, "nonsense"
        for field, rule in schema(operation.input)["properties"].items():
            for value, is_good in at_the_limits(rule):
                yield name, {**needed, field: value}, None if is_good else field
        if "body" in operation.input.model_fields:
            yield name, {**needed, "body": "é" * (limits.BODY_BYTES // 2)}, None
            yield name, {**needed, "body": "é" * (limits.BODY_BYTES // 2) + "x"}, "body"
    yield from option_cases()


def at_the_limits(rule: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    """Values at and just beyond each limit that a field's schema states."""
    if "enum" in rule:
        yield from ((value, True) for value in rule["enum"])
        yield "none of these", False
    if "maxLength" in rule:
        yield "x" * rule["maxLength"], True
        yield "x" * (rule["maxLength"] + 1), False
    if rule.get("minLength"):
        yield "", False
    if "maximum" in rule:
        yield rule["maximum"], True
        yield rule["maximum"] + 1, False
    if "minimum" in rule:
        yield rule["minimum"], True
        yield rule["minimum"] - 1, False
    if rule.get("type") == "array":
        yield [str(number) for number in range(rule["maxItems"])], True
        yield [str(number) for number in range(rule["maxItems"] + 1)], False
        yield [str(number) for number in range(rule["minItems"])], True
        yield [str(number) for number in range(rule["minItems"] - 1)], False
    if rule.get("type") == "boolean":
        yield "yes", False


def option_cases() -> Iterator[Case]:
    def with_option(option: Any) -> dict[str, Any]:
        return {"title": "t", "options": ["another", option]}

    for label, is_good in (("l" * limits.OPTION_LABEL_CHARS, True), ("l" * (limits.OPTION_LABEL_CHARS + 1), False)):
        yield "ask_user", with_option(label), None if is_good else "options[1]"
        yield "ask_user", with_option({"label": label}), None if is_good else "options[1].label"
    for field, most in (("description", limits.OPTION_DESCRIPTION_CHARS), ("preview", limits.PREVIEW_BYTES)):
        yield "ask_user", with_option({"label": "l", field: "x" * most}), None
        yield "ask_user", with_option({"label": "l", field: "x" * (most + 1)}), field
    preview = {"kind": "diff", "content": "x" * limits.PREVIEW_BYTES}
    yield "ask_user", with_option({"label": "l", "preview": preview}), None
    yield "ask_user", with_option({"label": "l", "preview": {**preview, "kind": "film"}}), "options[1].preview.kind"


def described(case: Case) -> str:
    name, sent, refused = case
    last = list(sent.items())[-1] if sent else ("nothing", "")
    return f"{name} {last[0]} {str(last[1])[:12]} {len(str(last[1]))} {'refused' if refused else 'taken'}"


@pytest.mark.parametrize("case", list(cases()), ids=described)
def test_accepted_at_the_limit_and_refused_by_name_beyond_it(case: Case) -> None:
    name, sent, refused = case
    operation: Operation = OPERATIONS[name]
    if refused is None:
        operation.input.model_validate(sent)
        return
    with pytest.raises(ValidationError) as error:
        operation.input.model_validate(sent)
    said = sentence(error.value)
    assert refused in said
    assert said.endswith(".")
    assert len(said) < 300


def test_there_are_as_many_cases_as_there_are_limits() -> None:
    found = list(cases())
    assert sum(refused is not None for _, _, refused in found) > 50
    assert {name for name, _, _ in found} == set(OPERATIONS)
