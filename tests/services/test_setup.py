"""`agentbox setup`: what it writes for each client, that it shows it first, and that it can be taken back."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.setup.clients import CLIENTS, Bridge, Client
from agentbox_desktop.setup.connection import count_tools
from agentbox_desktop.setup.installation import install, missing, preview, program_of
from agentbox_desktop.setup.ledger import Ledger
from tests.helpers.fake_clients import install_program

BY_NAME = {client.name: client for client in CLIENTS}
NAMES = list(BY_NAME)

# What a person may have in the files already; each must come through a setup and an undo unharmed.
OWN = {
    "claude": {
        ".claude.json": '{\n  "numStartups": 7,\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}',
        ".claude/settings.json": '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "é"\n\t}\n}\n',
    },
    "codex": {".codex/config.toml": '# mine\nmodel = "o3"  # keep\n\n[mcp_servers.other]\ncommand = "x"\n'},
    "gemini": {".gemini/settings.json": '{\n  "theme": "Dark"\n}\n'},
    "cursor": {".cursor/mcp.json": '{\n    "mcpServers": {}\n}\n'},
}


@dataclass
class Place:
    """A person's home with one client installed."""

    client: Client
    home: Path

    def __post_init__(self) -> None:
        programs = self.home / "programs"
        self.bridge = Bridge(str(install_program("bridge", programs)), ("mcp", "--call-limit", "9"), {"HOME_OF": "é"})
        if self.client.registration(self.bridge, exists=False):
            install_program(self.client.name, programs)
        self.environment = {"HOME": str(self.home), "PATH": str(programs)}
        self.ledger = Ledger(self.home / "data" / "manifest.json")

    def write_own(self) -> None:
        for name, text in OWN[self.client.name].items():
            (self.home / name).parent.mkdir(exist_ok=True)
            (self.home / name).write_text(text, encoding="utf-8")

    def install(self) -> None:
        install(self.client, self.program, self.environment, self.bridge, self.ledger)

    @property
    def program(self) -> str:
        return program_of(self.client, self.environment)

    @property
    def is_set_up(self) -> bool:
        return not missing(self.client, self.environment, self.bridge)

    def files(self) -> dict[str, bytes]:
        """All of the client's files, backups too."""
        return {
            str(file.relative_to(self.home)): file.read_bytes() for file in self.home.rglob("*")
            if file.is_file() and file.parent.name not in {"programs", "data"}
        }


@pytest.fixture(params=NAMES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    client: Client = BY_NAME[request.param]
    if client.name == "cursor":
        client.settings_folder({"HOME": str(tmp_path)}).mkdir()
    return Place(client, tmp_path)


def only(name: str, home: Path) -> Place:
    place = Place(BY_NAME[name], home)
    place.write_own()
    return place


def test_first_setup_registers_and_undo_leaves_no_file(place: Place) -> None:
    place.install()
    assert place.is_set_up
    assert count_tools(place.bridge, place.environment, place.client.name) == 4

    restored = place.ledger.undo()
    assert all(exact for _, exact in restored)
    assert place.files() == {}


def test_what_was_there_stays_and_comes_back_byte_for_byte(place: Place) -> None:
    place.write_own()
    before = place.files()
    place.install()
    assert place.is_set_up
    for name, content in before.items():
        assert place.files()[name + ".before-agentbox"] == content

    assert all(exact for _, exact in place.ledger.undo())
    assert place.files() == before


def test_a_second_setup_changes_nothing(place: Place) -> None:
    place.write_own()
    place.install()
    after = place.files()
    assert place.is_set_up
    place.install()
    assert place.files() == after
    place.ledger.undo()
    assert {name: text.decode() for name, text in place.files().items()} == OWN[place.client.name]


def test_preview_shows_the_change_and_writes_nothing(place: Place) -> None:
    place.write_own()
    before = place.files()
    diff = preview(place.client, place.program, place.environment, place.bridge)
    assert place.files() == before
    server_file = place.client.server_file(place.environment)
    assert f"+++ {server_file}" in diff
    assert place.bridge.command in diff

    place.install()
    added = [line[1:] for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")]
    written = "\n".join(content.decode() for name, content in place.files().items() if "before-agentbox" not in name)
    assert added and all(line in written for line in added)


def test_undo_after_other_changes_takes_out_only_our_entries(place: Place) -> None:
    place.write_own()
    place.install()
    server_file = place.client.server_file(place.environment)
    key = "changed_since" if server_file.suffix == ".json" else "model"
    text = server_file.read_text(encoding="utf-8")
    if server_file.suffix == ".json":
        server_file.write_text(json.dumps(json.loads(text) | {key: "yes"}), encoding="utf-8")
    else:
        server_file.write_text(text.replace('"o3"', '"yes"'), encoding="utf-8")

    restored = dict(Ledger(place.home / "data" / "manifest.json").undo())
    assert restored[server_file] is False
    left = server_file.read_text(encoding="utf-8")
    assert "agentbox" not in left.replace(str(place.home), "")
    parsed = json.loads(left) if server_file.suffix == ".json" else tomllib.loads(left)
    assert parsed[key] == "yes"


def test_a_moved_bridge_is_registered_anew(place: Place) -> None:
    place.write_own()
    before = place.files()
    place.install()
    place.bridge = Bridge("/elsewhere/agentbox", ("mcp",), {})
    assert not place.is_set_up
    place.install()
    assert place.is_set_up
    place.ledger.undo()
    assert place.files() == before


def test_claude_keeps_calls_in_the_foreground(tmp_path: Path) -> None:
    place = only("claude", tmp_path)
    place.install()
    settings = json.loads((tmp_path / ".claude/settings.json").read_text(encoding="utf-8"))
    assert settings == {"model": "opus", "env": {"A": "é", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}
    assert "\n\t\t\"A\": \"é\"" in (tmp_path / ".claude/settings.json").read_text(encoding="utf-8")


def test_claude_configured_elsewhere(tmp_path: Path) -> None:
    place = only("claude", tmp_path)
    place.environment["CLAUDE_CONFIG_DIR"] = str(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    before = {name: (tmp_path / name).read_bytes() for name in OWN["claude"]}
    place.install()
    assert json.loads((tmp_path / "elsewhere/.claude.json").read_text())["mcpServers"]["agentbox"]["type"] == "stdio"
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_codex_waits_a_day_and_keeps_comments(tmp_path: Path) -> None:
    place = only("codex", tmp_path)
    place.install()
    text = (tmp_path / ".codex/config.toml").read_text(encoding="utf-8")
    server = tomllib.loads(text)["mcp_servers"]["agentbox"]
    assert server["tool_timeout_sec"] == 86400
    assert "XDG_RUNTIME_DIR" in server["env_vars"] and "DISPLAY" in server["env_vars"]
    assert "# mine" in text and "# keep" in text


def test_gemini_waits_a_day(tmp_path: Path) -> None:
    place = only("gemini", tmp_path)
    place.install()
    settings = json.loads((tmp_path / ".gemini/settings.json").read_text(encoding="utf-8"))
    assert settings["mcpServers"]["agentbox"]["timeout"] == 86_400_000
    assert settings["theme"] == "Dark"


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    place = only("cursor", tmp_path)
    file, target = tmp_path / ".cursor/mcp.json", tmp_path / "dotfiles.json"
    file.rename(target)
    file.symlink_to(target)
    target.chmod(0o640)
    place.install()
    assert file.is_symlink() and "agentbox" in target.read_text(encoding="utf-8")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", NAMES)
def test_a_client_that_is_not_installed_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not installed"):
        program_of(BY_NAME[name], {"HOME": str(tmp_path), "PATH": str(tmp_path)})


@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
def test_a_client_that_refuses_leaves_all_as_it_was(name: str, tmp_path: Path) -> None:
    place = only(name, tmp_path)
    spoil = "import os, sys\n"
    spoil += f"open({str(place.client.server_file(place.environment))!r}, 'w').write('half')\n"
    install_program(name, tmp_path / "programs", spoil + "sys.exit('no room for servers')")
    before = place.files()
    with pytest.raises(Refused, match=r"no room for servers\. Nothing was changed\."):
        place.install()
    assert place.files() == before
    assert place.ledger.touched == []


def test_a_file_that_cannot_be_read_is_named_and_left(place: Place) -> None:
    place.write_own()
    file = place.client.server_file(place.environment)
    file.write_text("{ // a comment\n", encoding="utf-8")
    with pytest.raises(Refused, match=str(file)):
        missing(place.client, place.environment, place.bridge)


def test_a_bridge_that_dies_is_told_with_its_own_words(tmp_path: Path) -> None:
    program = install_program("dying", tmp_path, "import sys\nsys.exit('the store is from a newer version')")
    with pytest.raises(Refused, match="the store is from a newer version"):
        count_tools(Bridge(str(program), (), {}), {}, "claude")
    with pytest.raises(Refused, match="can't be started"):
        count_tools(Bridge(str(tmp_path / "nowhere"), (), {}), {}, "claude")
