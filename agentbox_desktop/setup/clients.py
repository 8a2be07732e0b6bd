"""The MCP clients that can be set up: where each keeps its settings, what is put there, and its own command for it.

Limits on one tool call, as measured: Claude Code waits as long as progress comes but moves a call to the
background after two minutes unless told not to; Codex and Gemini cut a call at a time that is theirs to set,
whatever they hear; what Cursor does is not known, so nothing is claimed of it.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SERVER = "agentbox"
DAY_S = 24 * 60 * 60

_SESSION_VARIABLES = (
    "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME "
    "XDG_SESSION_TYPE XDG_CURRENT_DESKTOP DBUS_SESSION_BUS_ADDRESS"
).split()


@dataclass(frozen=True, slots=True)
class Bridge:
    """The command that a client is to start."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]

    def entry(self) -> dict[str, object]:
        """As clients write it down."""
        entry: dict[str, object] = {"command": self.command, "args": list(self.arguments)}
        return entry | {"env": dict(self.environment)} if self.environment else entry


@dataclass(frozen=True, slots=True)
class Entry:
    """A value at a key path of a configuration file."""

    file: Path
    keys: tuple[str, ...]
    value: object


class Client(ABC):
    """One MCP client. `call_limit_s`: how long it lets a call take once set up; 0 no limit, None unknown."""

    name: str
    title: str
    program: str
    call_limit_s: int | None

    @abstractmethod
    def settings_folder(self, environment: Mapping[str, str]) -> Path: ...

    @abstractmethod
    def server_file(self, environment: Mapping[str, str]) -> Path:
        """The file that lists the MCP servers."""

    def server_keys(self) -> tuple[str, ...]:
        return ("mcpServers", SERVER)

    def entries(self, environment: Mapping[str, str], bridge: Bridge) -> list[Entry]:
        """All that is to be in the client's files; the server itself first."""
        return [Entry(self.server_file(environment), self.server_keys(), bridge.entry())]

    def registration(self, bridge: Bridge, exists: bool) -> list[list[str]]:
        """The arguments of the client's own commands that register the server; none where it has no such command.

        `exists`: another server of that name is there already.
        """
        return []


class Claude(Client):
    name, title, program, call_limit_s = "claude", "Claude Code", "claude", 0

    def settings_folder(self, environment: Mapping[str, str]) -> Path:
        configured = environment.get("CLAUDE_CONFIG_DIR")
        return Path(configured) if configured else _home(environment) / ".claude"

    def server_file(self, environment: Mapping[str, str]) -> Path:
        if environment.get("CLAUDE_CONFIG_DIR"):
            return self.settings_folder(environment) / ".claude.json"
        return _home(environment) / ".claude.json"

    def entries(self, environment: Mapping[str, str], bridge: Bridge) -> list[Entry]:
        settings = self.settings_folder(environment) / "settings.json"
        stay = Entry(settings, ("env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"), "0")
        return [*super().entries(environment, bridge), stay]

    def registration(self, bridge: Bridge, exists: bool) -> list[list[str]]:
        remove = ["mcp", "remove", "--scope", "user", SERVER]
        variables = _variable_options("--env", bridge)
        add = ["mcp", "add", "--scope", "user", SERVER, *variables, "--", bridge.command, *bridge.arguments]
        return [remove, add] if exists else [add]


class Codex(Client):
    name, title, program, call_limit_s = "codex", "Codex", "codex", DAY_S

    def settings_folder(self, environment: Mapping[str, str]) -> Path:
        configured = environment.get("CODEX_HOME")
        return Path(configured) if configured else _home(environment) / ".codex"

    def server_file(self, environment: Mapping[str, str]) -> Path:
        return self.settings_folder(environment) / "config.toml"

    def server_keys(self) -> tuple[str, ...]:
        return ("mcp_servers", SERVER)

    def entries(self, environment: Mapping[str, str], bridge: Bridge) -> list[Entry]:
        [server] = super().entries(environment, bridge)
        limit = Entry(server.file, (*server.keys, "tool_timeout_sec"), self.call_limit_s)
        if sys.platform != "linux":
            return [server, limit]
        # Codex hides the session from its servers, and without it the bridge finds no socket and no screen.
        return [server, limit, Entry(server.file, (*server.keys, "env_vars"), list(_SESSION_VARIABLES))]

    def registration(self, bridge: Bridge, exists: bool) -> list[list[str]]:
        variables = _variable_options("--env", bridge)
        return [["mcp", "add", SERVER, *variables, "--", bridge.command, *bridge.arguments]]


class Gemini(Client):
    name, title, program, call_limit_s = "gemini", "Gemini CLI", "gemini", DAY_S

    def settings_folder(self, environment: Mapping[str, str]) -> Path:
        return _home(environment) / ".gemini"

    def server_file(self, environment: Mapping[str, str]) -> Path:
        return self.settings_folder(environment) / "settings.json"

    def entries(self, environment: Mapping[str, str], bridge: Bridge) -> list[Entry]:
        [server] = super().entries(environment, bridge)
        return [server, Entry(server.file, (*server.keys, "timeout"), self._timeout_ms)]

    def registration(self, bridge: Bridge, exists: bool) -> list[list[str]]:
        variables = _variable_options("--env", bridge)
        limit = ["--timeout", str(self._timeout_ms)]
        return [["mcp", "add", "--scope", "user", *limit, *variables, SERVER, bridge.command, *bridge.arguments]]

    @property
    def _timeout_ms(self) -> int:
        return DAY_S * 1000


class Cursor(Client):
    name, title, program, call_limit_s = "cursor", "Cursor", "cursor", None

    def settings_folder(self, environment: Mapping[str, str]) -> Path:
        return _home(environment) / ".cursor"

    def server_file(self, environment: Mapping[str, str]) -> Path:
        return self.settings_folder(environment) / "mcp.json"


CLIENTS: Sequence[Client] = (Claude(), Codex(), Gemini(), Cursor())


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())


def _variable_options(option: str, bridge: Bridge) -> list[str]:
    return [part for name, value in bridge.environment.items() for part in (option, f"{name}={value}")]
