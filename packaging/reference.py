"""Writes what is generated from the code: resources/schema.json and docs/reference/.

    .venv/bin/python packaging/reference.py [--check]

`--check` writes nothing and ends with status 1 where a file is not what the code says.
"""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from agentbox_desktop.cli.main import verbs
from agentbox_desktop.cli.manual import tool as tool_page
from agentbox_desktop.core import limits
from agentbox_desktop.core.exits import Exit
from agentbox_desktop.core.keys import CARD_KEYS
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.doors.mcp.tools import schema_document
from agentbox_desktop.doors.operations.asking import AskingOperations
from agentbox_desktop.services.asking import Asking

ROOT = Path(__file__).parent.parent


def generated() -> Iterator[tuple[str, str]]:
    """Every generated file: its path from the top folder, and its text; the schema first, pages are made of it."""
    described_only = AskingOperations(cast("Asking", None))
    schema = schema_document(described_only.operations())
    yield "resources/schema.json", json.dumps(schema, indent=2) + "\n"
    yield "docs/reference/tools.md", _page("Tools", [tool_page(name) for name in schema["tools"]])
    yield "docs/reference/command-line.md", _page("Command line", [_verbs(), _exits()])
    yield "docs/reference/settings.md", _page("Settings", [_settings()])
    yield "docs/reference/keys.md", _page("Keys on a card", [_keys()])
    yield "docs/reference/limits.md", _page("Limits", [_limits()])


def _page(title: str, sections: list[str]) -> str:
    note = "*Written by `packaging/reference.py` from the code; change it there.*"
    return "\n\n".join([f"# {title}", note, *sections]) + "\n"


def _verbs() -> str:
    sections = []
    for name, verb in verbs().items():
        sections.append(f"## agentbox {name}\n\n{verb.summary}\n\n```\n{verb.parser(name).right_form}\n```\n\n"
                        f"Example: `{verb.example}`")
    return "\n\n".join(sections)


def _exits() -> str:
    meaning = {
        Exit.OK: "answered, yes, or done; also where the caller's own default was applied",
        Exit.NO: "answered no, or declined",
        Exit.USAGE: "the command is wrong; the message shows the right form",
        Exit.NOBODY: "nobody decided: expired, dismissed, retracted, cancelled",
        Exit.FAULT: "AgentBox could not do it, or nobody could ever answer",
    }
    rows = [f"| {status.value} | {meaning[status]} |" for status in Exit]
    return "\n".join(["## Exit codes", "", "| code | meaning |", "|---|---|", *rows])


def _settings() -> str:
    defaults = Settings()
    lines = ["`config.toml` is read when the app starts and again whenever it changes; a value that can't be used "
             "leaves the default and is named in the log."]
    for section in fields(Settings):
        values = getattr(defaults, section.name)
        lines += ["", f"## [{section.name}]", "", "| key | default | bounds | why |", "|---|---|---|---|"]
        for knob in fields(values):
            lines.append(f"| `{knob.name}` | `{_toml(getattr(values, knob.name))}` | {_bounds(knob.metadata)} "
                         f"| {knob.metadata['why']} |")
    return "\n".join(lines)


def _toml(value: object) -> str:
    return json.dumps(value)


def _bounds(metadata: Any) -> str:
    if "choices" in metadata:
        return ", ".join(metadata["choices"])
    return f"{metadata['minimum']} to {metadata['maximum']}" if "minimum" in metadata else ""


def _keys() -> str:
    rows = [f"| {' '.join(f'`{name}`' for name in key.keys)} | {key.hint} "
            f"| {', '.join(sorted(where.value for where in key.where))} |" for key in CARD_KEYS]
    return "\n".join(["| key | does | where |", "|---|---|---|", *rows])


def _limits() -> str:
    names = [name for name in vars(limits) if name.isupper()]
    rows = [f"| `{name}` | {getattr(limits, name):,} |" for name in names]
    return "\n".join(["Characters are Unicode code points, bytes are UTF-8, `_S` is seconds.", "",
                      "| limit | value |", "|---|---|", *rows])


def main(arguments: list[str]) -> int:
    os.environ["COLUMNS"] = "100"  # argparse wraps to the terminal's width
    wrong = 0
    for name, text in generated():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in arguments:
            print(f"{name} is not what the code says; run packaging/reference.py.")
            wrong = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
