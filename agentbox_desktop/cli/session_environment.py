"""The desktop session's variables, for a process that was started without them.

Many MCP clients pass little more than HOME and PATH to their servers, and cron passes no more; without the rest
a bridge would look for another socket than the person's, and start a daemon that has no screen.
"""

import os
import sys
from collections.abc import Iterator, MutableMapping

_RUNTIME = "XDG_RUNTIME_DIR"
_SESSION = (
    _RUNTIME, "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
)
_HIGHEST = 32


def complete(environment: MutableMapping[str, str]) -> None:
    """Add what is missing from the nearest ancestor in a session, else the runtime folder where it usually is."""
    if sys.platform != "linux" or _RUNTIME in environment:
        return
    for variables in _ancestors_environments():
        if _RUNTIME in variables:
            for name in _SESSION:
                if name in variables:
                    environment.setdefault(name, variables[name])
            return
    usual = f"/run/user/{os.getuid()}"  # pam_systemd(8)
    if os.path.isdir(usual) and os.access(usual, os.W_OK):
        environment[_RUNTIME] = usual


def _ancestors_environments() -> Iterator[dict[str, str]]:
    """Of each ancestor from the parent up, as far as they are this user's."""
    pid = os.getppid()
    for _ in range(_HIGHEST):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                entries = file.read().split(b"\0")
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])  # proc(5): the parent follows name and state
        except (OSError, ValueError, IndexError):
            return
        yield {os.fsdecode(name): os.fsdecode(value) for name, _, value in (entry.partition(b"=") for entry in entries)}
