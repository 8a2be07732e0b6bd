"""`agentbox setup CLIENT` as it is typed: its words, its exit statuses, and whom it obeys."""

import asyncio
import json
import shutil
import sysconfig
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agentbox_desktop.setup.__main__ import main
from tests.helpers.fake_clients import PROGRAMS, install_program
from tests.helpers.fake_daemon import FakeDaemon

ALLOWED: dict[str, Any] = {"result": {}}
REFUSED = {"error": {"code": -32000, "message": "setup is the person's.", "data": {"code": "person_only"}}}


@dataclass
class Terminal:
    """A person's terminal in which the command is typed; `daemon` says whether it may run."""

    home: Path
    daemon: FakeDaemon
    capsys: pytest.CaptureFixture[str]

    async def type(self, *words: str) -> tuple[int, str, str]:
        """Exit status, output and errors."""
        try:
            status = await asyncio.to_thread(main, words)
        except SystemExit as ended:
            status = int(ended.code or 0)
        output = self.capsys.readouterr()
        return status, output.out, output.err

    def text(self, name: str) -> str:
        return (self.home / name).read_text(encoding="utf-8")


@pytest.fixture
async def terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> AsyncIterator[Terminal]:
    home = Path(tempfile.mkdtemp(prefix="abx-"))  # short, for the socket's path
    programs = home / "programs"
    install_program("claude", programs)
    install_program("agentbox", programs, PROGRAMS["bridge"])
    monkeypatch.setattr(sysconfig, "get_path", lambda _name: str(programs))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("AGENTBOX_HOME", str(home / "agentbox"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    daemon = FakeDaemon(home / "agentbox/run/agentbox.sock", lambda _request: ALLOWED)
    await daemon.start()
    yield Terminal(home, daemon, capsys)
    await daemon.kill()
    shutil.rmtree(home)


async def test_it_registers_connects_and_says_so(terminal: Terminal) -> None:
    status, out, _ = await terminal.type("claude")
    assert status == 0
    assert terminal.daemon.requests[0]["params"] == {"verb": "setup"}
    server: dict[str, Any] = json.loads(terminal.text(".claude.json"))["mcpServers"]["agentbox"]
    assert server["command"] == str(terminal.home / "programs" / "agentbox")
    assert server["args"] == ["mcp", "--call-limit", "0"]
    assert server["env"] == {"AGENTBOX_HOME": str(terminal.home / "agentbox")}
    assert "4 tools" in out and ".claude.json (new)" in out

    status, out, _ = await terminal.type("claude")
    assert status == 0 and "already set up; nothing was changed" in out


async def test_a_named_instance_is_registered_with_its_name(terminal: Terminal) -> None:
    named = FakeDaemon(terminal.home / "agentbox/instances/second/run/agentbox.sock", lambda _request: ALLOWED)
    await named.start()
    try:
        await terminal.type("claude", "--instance", "second")
    finally:
        await named.kill()
    server = json.loads(terminal.text(".claude.json"))["mcpServers"]["agentbox"]
    assert server["args"] == ["mcp", "--instance", "second", "--call-limit", "0"]


async def test_dry_run_prints_a_diff_and_writes_nothing(terminal: Terminal) -> None:
    status, out, _ = await terminal.type("claude", "--dry-run")
    assert status == 0
    assert f"+++ {terminal.home / '.claude.json'}" in out and '"agentbox"' in out
    assert "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS" in out
    assert not (terminal.home / ".claude.json").exists() and not (terminal.home / ".claude").exists()


async def test_undo_puts_back_and_then_has_nothing_to_do(terminal: Terminal) -> None:
    own = '{"mcpServers": {}}'
    (terminal.home / ".claude.json").write_text(own, encoding="utf-8")
    await terminal.type("claude")
    status, out, _ = await terminal.type("claude", "--undo")
    assert status == 0 and "is as it was" in out
    assert terminal.text(".claude.json") == own and not (terminal.home / ".claude/settings.json").exists()
    status, out, _ = await terminal.type("claude", "--undo")
    assert status == 0 and "nothing to undo" in out


async def test_json_is_one_object(terminal: Terminal) -> None:
    _, out, _ = await terminal.type("claude", "--json")
    assert json.loads(out) == {
        "client": "claude", "changed": True, "tools": 4, "diff": None,
        "files": [str(terminal.home / ".claude.json"), str(terminal.home / ".claude/settings.json")],
    }


async def test_an_agent_is_refused_before_anything_is_read(terminal: Terminal) -> None:
    terminal.daemon.respond = lambda _request: REFUSED
    status, _, err = await terminal.type("claude")
    assert (status, err) == (4, "agentbox setup: setup is the person's.\n")
    assert not (terminal.home / ".claude.json").exists()


async def test_a_client_that_is_not_installed(terminal: Terminal) -> None:
    status, _, err = await terminal.type("codex")
    assert (status, err) == (4, "agentbox setup: Codex is not installed: there is no `codex` on PATH.\n")


async def test_an_unknown_client_names_the_four(terminal: Terminal) -> None:
    status, _, err = await terminal.type("emacs")
    assert status == 2
    assert all(name in err for name in ("claude", "codex", "gemini", "cursor"))
    assert terminal.daemon.requests == []
