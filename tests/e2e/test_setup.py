"""`agentbox setup` against the real daemon and bridge."""

import json
from pathlib import Path

from tests.helpers.agent import Agent
from tests.helpers.desk import AGENTBOX, Desk


def cursor_folder(desk: Desk) -> Path:
    folder = Path(desk.environment["HOME"]) / ".cursor"
    folder.mkdir(exist_ok=True)
    return folder


def test_what_is_registered_connects_and_is_taken_back(desk: Desk) -> None:
    folder = cursor_folder(desk)
    report = desk.cli("setup", "cursor", "--json").json()
    assert report["tools"] == 4
    server = json.loads((folder / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]["agentbox"]
    assert server == {"command": str(AGENTBOX), "args": ["mcp"], "env": {"AGENTBOX_HOME": str(desk.home)}}

    assert desk.cli("setup", "cursor", "--undo").exit == 0
    assert list(folder.iterdir()) == []


def test_an_agent_may_not_set_up(desk: Desk, agent: Agent) -> None:
    folder = cursor_folder(desk)
    agent.connect()
    refused = agent.shell(f"{AGENTBOX} setup cursor")
    assert refused.exit == 4 and refused.err.count("\n") == 1
    assert list(folder.iterdir()) == []
    assert desk.cli("setup", "cursor").exit == 0
