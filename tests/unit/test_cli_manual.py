"""`agentbox docs` and `agentbox schema`: printed from the generated files, wherever they are installed."""

import json
from pathlib import Path

import pytest

from agentbox_desktop.cli import manual
from agentbox_desktop.cli.main import main

TOOL = {
    "title": "Ask the person", "description": "Ask a question.\n", "annotations": {},
    "input": {
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "description": "One line."},
            "level": {"enum": ["info", "urgent"]},
            "options": {"anyOf": [
                {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Option"}]}},
                {"type": "null"}]},
        },
        "$defs": {"Option": {"type": "object", "properties": {"label": {}, "description": {}}}},
    },
    "output": {"required": ["id"], "properties": {"id": {"type": "string"}}},
}


@pytest.fixture(autouse=True)
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout: the package's own folder has no resources, the folder beside it has."""
    (tmp_path / "manual").mkdir()
    (tmp_path / "manual" / "agent.md").write_text("# For agents\n")
    (tmp_path / "manual" / "setup.md").write_text("# Setting up\n")
    (tmp_path / "schema.json").write_text(json.dumps({"tools": {"ask_user": TOOL}}))
    monkeypatch.setattr(manual, "_FOLDERS", (str(tmp_path / "absent"), str(tmp_path)))


def test_one_tool_as_a_page(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "agent", "ask_user"]) == 0
    assert capfd.readouterr().out == """\
## ask_user: Ask the person

Ask a question.

### Arguments

- `title` (string, required): One line.
- `level` ("info" | "urgent")
- `options` (list of string or {label, description})

### Returns

- `id` (string, required)
"""


@pytest.mark.parametrize(("words", "out"), [
    (["docs", "agent"], "# For agents\n"), (["docs", "setup"], "# Setting up\n")])
def test_pages(words: list[str], out: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capfd.readouterr().out == out


def test_everything(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "agent", "--all"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("# For agents\n\n## ask_user")


def test_schemas(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "ask_user"]) == 0
    assert json.loads(capfd.readouterr().out) == TOOL
    assert main(["schema"]) == 0
    assert json.loads(capfd.readouterr().out) == {"ask_user": TOOL}


@pytest.mark.parametrize("words", [["schema", "ask"], ["docs", "agent", "ask"], ["docs", "setup", "ask"], ["docs"]])
def test_what_there_is_not(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capfd.readouterr().out == ""


def test_a_missing_file_is_said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(manual, "_FOLDERS", ("/nowhere",))
    assert main(["docs", "agent"]) == 4
    assert "install AgentBox Desktop again" in capfd.readouterr().err
