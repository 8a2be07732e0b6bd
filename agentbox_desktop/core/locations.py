"""Where things are kept, as plain strings, from the environment alone.

The command line and the daemon have to agree to the letter, so this is the one resolver of both. It stands on
`os.path` only, because a verb that takes tens of milliseconds can afford neither pathlib nor dataclasses;
`places` gives the daemon the same as paths. A test holds it to platformdirs.
"""

import os.path
from collections.abc import Mapping

APP = "agentbox"
SOCKET_PATH_MAX = 100  # bytes; sun_path is 108 on Linux and 104 on macOS
DOOR_FILE = "door.json"
LOG_FILE = "daemon.log"


class Locations:
    """The five folders, and the socket's path."""

    __slots__ = ("cache", "config", "data", "log", "run", "socket")

    def __init__(self, config: str, data: str, run: str, cache: str, log: str, socket: str) -> None:
        self.config = config
        self.data = data
        self.run = run
        self.cache = cache
        self.log = log
        self.socket = socket

    @property
    def door_file(self) -> str:
        """Windows: the loopback port and token."""
        return os.path.join(self.run, DOOR_FILE)

    @property
    def log_file(self) -> str:
        return os.path.join(self.log, LOG_FILE)


def resolve(environment: Mapping[str, str], platform: str, uid: int, instance: str = "") -> Locations:
    """The locations for this user. `platform` is `sys.platform`; `instance` names a separate second one.

    `AGENTBOX_HOME` puts all under one folder. A relative one is refused with ValueError.
    """
    home = environment.get("AGENTBOX_HOME", "")
    if home:
        if not os.path.isabs(home):
            raise ValueError(f"AGENTBOX_HOME must be an absolute path, but is {home!r}.")
        root = os.path.join(home, "instances", instance) if instance else home
        folders = [os.path.join(root, name) for name in ("config", "data", "run", "cache", "log")]
    else:
        name = f"{APP}-{instance}" if instance else APP
        folders = _user_folders(environment, platform, uid, name)
    config, data, run, cache, log = folders
    socket = os.path.join(run, "agentbox.sock")
    if len(os.fsencode(socket)) > SOCKET_PATH_MAX:
        socket = os.path.join(_short_runtime(environment, uid), f"{APP}-{_digest(socket)}.sock")
    return Locations(config, data, run, cache, log, socket)


def _user_folders(environment: Mapping[str, str], platform: str, uid: int, name: str) -> list[str]:
    join = os.path.join
    home = environment.get("HOME") or environment.get("USERPROFILE") or "/"
    if platform == "win32":
        local = join(environment.get("LOCALAPPDATA") or join(home, "AppData", "Local"), name)
        return [join(local, part) for part in ("config", "data", "run", "cache", "log")]
    if platform == "darwin":
        support = join(home, "Library", "Application Support", name)
        caches = join(home, "Library", "Caches", name)
        logs = join(home, "Library", "Logs", name)
        return [join(support, "config"), join(support, "data"), join(caches, "run"), caches, logs]
    state = _xdg(environment, "XDG_STATE_HOME", join(home, ".local", "state"))
    runtime = _xdg(environment, "XDG_RUNTIME_DIR", _short_runtime(environment, uid))
    return [
        join(_xdg(environment, "XDG_CONFIG_HOME", join(home, ".config")), name),
        join(_xdg(environment, "XDG_DATA_HOME", join(home, ".local", "share")), name),
        join(runtime, name),
        join(_xdg(environment, "XDG_CACHE_HOME", join(home, ".cache")), name),
        join(state, name, "log"),
    ]


def _xdg(environment: Mapping[str, str], variable: str, default: str) -> str:
    value = environment.get(variable, "")
    return value if os.path.isabs(value) else default


def _short_runtime(environment: Mapping[str, str], uid: int) -> str:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and len(os.fsencode(runtime)) < SOCKET_PATH_MAX - 40:
        return runtime
    temporary = environment.get("TMPDIR", "")
    if len(os.fsencode(temporary)) > SOCKET_PATH_MAX - 60 or not os.path.isabs(temporary):
        temporary = "/tmp"
    return os.path.join(temporary, f"{APP}-{uid}")


def _digest(path: str) -> str:
    import hashlib  # costs a millisecond or two, and only very long paths need it

    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
