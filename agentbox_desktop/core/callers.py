"""Who is calling: the agent's process found among a caller's ancestors, and the labels beside it.

Source of the rules: the project's contract on identity; a label is only ever shown, never trusted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SHELL_SESSION = "shell"

_LAUNCHERS = frozenset(
    "sh bash zsh fish dash env cmd powershell pwsh npx uv uvx timeout sudo setsid make tmux screen".split()
)
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
    "containerd-shim containerd-shim-runc-v2 docker-init tini dumb-init".split()
)


@dataclass(frozen=True, slots=True)
class Process:
    """One process: `started` is Unix seconds, and with `pid` names it for as long as the machine runs."""

    pid: int
    started: float
    name: str
    executable: str = ""
    arguments: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The session key of an agent that is this process."""
        return f"proc-{self.pid}-{int(self.started * 1000)}"


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller as the door stamped it. `executable` and `pid` are verified; the rest are labels."""

    session: str
    executable: str = ""
    pid: int = 0
    agent: str = ""
    project: str = ""
    branch: str = ""
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
        if process.pid == 1 or _plain_name(process) in _NEVER_AGENTS:
            return outermost
        if not _is_launcher(process):
            return process
        outermost = process
    return outermost


def _is_launcher(process: Process) -> bool:
    name = _plain_name(process)
    if name in _LAUNCHERS:
        return True
    if name in {"node", "nodejs"}:
        return any(argument.replace("\\", "/").rsplit("/", 1)[-1] in {"npx", "npx-cli.js", "npx.js"}
                   for argument in process.arguments[1:3])
    return name.startswith("tmux:")


def _plain_name(process: Process) -> str:
    return process.name.lower().removesuffix(".exe").removeprefix("-")
