"""Who is calling: the agent's process found among a caller's ancestors, and the labels beside it.

Source of the rules: the project's contract on identity; a label is only ever shown, never trusted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SHELL_SESSION = "shell"

_LAUNCHERS = frozenset(
    "sh bash zsh fish dash ash ksh mksh tcsh csh nu busybox cmd powershell pwsh env npx npx.js npx-cli.js uv uvx "
    "timeout sudo setsid make gmake tmux screen agentbox agentbox_desktop".split()
)
_LAUNCHER_TITLES = ("tmux: ", "npm exec ", "npx ")  # what they call themselves in the process table
_INTERPRETERS = re.compile(r"node|nodejs|python[0-9.]*w?")
_NEVER_AGENTS = frozenset(
    # terminal emulators
    "gnome-terminal-server gnome-terminal kgx ptyxis konsole yakuake xterm uxterm urxvt rxvt st alacritty kitty "
    "wezterm wezterm-gui foot footclient ghostty tilix terminator xfce4-terminal lxterminal mate-terminal qterminal "
    "deepin-terminal terminology guake tilda terminal iterm2 warp hyper tabby windowsterminal conhost openconsole "
    # remote and local logins, session and service managers
    "sshd sshd-session dropbear login su systemd init launchd upstart runit s6-svscan dinit openrc-run supervisord "
    "cron crond atd gdm gdm-session-worker sddm sddm-helper lightdm xinit startx gnome-session-binary "
    "gnome-session-service gnome-shell ksmserver startplasma-x11 startplasma-wayland plasmashell xfce4-session "
    "cinnamon-session mate-session lxqt-session loginwindow explorer winlogon services svchost userinit "
    "containerd-shim containerd-shim-runc-v2 docker-init tini dumb-init sessionleader relay".split()
)
_SERVICE_MANAGERS = frozenset({"systemd", "init", "launchd"})  # what a process without a parent is given to
_COMM_CHARS = 15  # Linux keeps no more of a process's name
_NEVER_AGENTS_CUT = frozenset(name[:_COMM_CHARS] for name in _NEVER_AGENTS if len(name) > _COMM_CHARS)
_SAME_START_S = 2.0  # a start time is counted from the boot, and the boot time moves when the clock is set


@dataclass(frozen=True, slots=True)
class Process:
    """One process: `started` is Unix seconds, and with `pid` names it for as long as the machine runs.

    `session_id` and `has_terminal` are POSIX's, where they are known.
    """

    pid: int
    started: float
    name: str
    executable: str = ""
    arguments: tuple[str, ...] = ()
    session_id: int = 0
    has_terminal: bool = True

    @property
    def key(self) -> str:
        """The session key of an agent that is this process."""
        return f"proc-{self.pid}-{int(self.started * 1000)}"

    def is_same(self, other: "Process") -> bool:
        """Whether both are one process; a pid alone may have been given to another one since."""
        return self.pid == other.pid and abs(self.started - other.started) < _SAME_START_S


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller as the door stamped it. `executable` and `pid` are verified; the rest are labels."""

    session: str
    executable: str = ""
    pid: int = 0
    agent: str = ""
    project: str = ""
    branch: str = ""
    session_label: str = ""
    door: str = "cli"

    @property
    def name(self) -> str:
        """What a person calls this caller: its label, else its program."""
        return self.agent or self.executable.rsplit("/", 1)[-1].rsplit("\\", 1)[-1] or "shell"


def agent_process(ancestors: Sequence[Process]) -> Process | None:
    """The agent among `ancestors` (nearest first, the bridge itself left out); None where there is none.

    The nearest that is no launcher. Where a terminal, a login, a session or service manager or pid 1
    comes first, it is the outermost launcher below that.
    """
    outermost: Process | None = None
    for process in ancestors:
        if process.pid == 1 or _is_never_agent(process):
            return outermost
        if not _is_launcher(process):
            return process
        outermost = process
    return outermost


def is_adopted(ancestors: Sequence[Process]) -> bool:
    """Whether whoever started this has ended and left it to the system: `( … & )`, `setsid -f`, a double fork.

    A terminal's shell stands below its terminal, a login or tmux, and is not; nor is what the first process of a
    container runs.
    """
    for process in ancestors:
        if _program(process.name) in _SERVICE_MANAGERS:
            return True
        if not _is_launcher(process) or _program(process.name).startswith(("tmux", "screen")):
            return False
    return False


def _is_never_agent(process: Process) -> bool:
    name = _program(process.name).split("(", 1)[0]  # WSL's init is init(Debian)
    if len(name) == _COMM_CHARS and name in _NEVER_AGENTS_CUT:
        return True
    return name in _NEVER_AGENTS or _program(process.executable) in _NEVER_AGENTS


def _is_launcher(process: Process) -> bool:
    if process.name.lower().startswith(_LAUNCHER_TITLES):
        return True
    return not _LAUNCHERS.isdisjoint({_program(process.name), _program(process.executable), _script(process)})


def _script(process: Process) -> str:
    """What an interpreter runs: the file's name, or the module's top package; empty where it is none."""
    first, second = (*process.arguments[1:3], "", "")[:2]
    if not _INTERPRETERS.fullmatch(_program(process.executable) or _program(process.name)):
        return ""
    return second.split(".", 1)[0] if first == "-m" else _program(first)


def _program(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe").removeprefix("-")
