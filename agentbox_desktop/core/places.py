"""Where things are kept, from the environment alone.

The command line may import nothing but the standard library, and it has to agree with the daemon to the
letter, so this is the one resolver of both. A test holds it to platformdirs.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

APP = "agentbox"
SOCKET_PATH_MAX = 100  # bytes; sun_path is 108 on Linux and 104 on macOS


@dataclass(frozen=True, slots=True)
class Places:
    """The five folders, the socket and the files that both sides of it know."""

    config: Path
    data: Path
    run: Path
    cache: Path
    log: Path
    socket: Path

    @property
    def config_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def database(self) -> Path:
        return self.data / "agentbox.db"

    @property
    def lock(self) -> Path:
        return self.run / "daemon.lock"

    @property
    def log_file(self) -> Path:
        return self.log / "daemon.log"

    @property
    def door_file(self) -> Path:
        """Windows: the loopback port and token."""
        return self.run / "door.json"


def resolve(environment: Mapping[str, str], platform: str, uid: int, instance: str = "") -> Places:
    """The places for this user. `platform` is `sys.platform`; `instance` names a separate second one.

    `AGENTBOX_HOME` puts all under one folder. A relative one is refused with ValueError.
    """
    home = environment.get("AGENTBOX_HOME", "")
    if home:
        root = Path(home)
        if not root.is_absolute():
            raise ValueError(f"AGENTBOX_HOME must be an absolute path, but is {home!r}.")
        if instance:
            root = root / "instances" / instance
        folders = [root / name for name in ("config", "data", "run", "cache", "log")]
    else:
        name = f"{APP}-{instance}" if instance else APP
        folders = _user_folders(environment, platform, uid, name)
    config, data, run, cache, log = folders
    socket = run / "agentbox.sock"
    if len(str(socket).encode()) > SOCKET_PATH_MAX:
        digest = hashlib.sha256(str(socket).encode()).hexdigest()[:16]
        socket = _short_runtime(environment, uid) / f"{APP}-{digest}.sock"
    return Places(config, data, run, cache, log, socket)


def _user_folders(environment: Mapping[str, str], platform: str, uid: int, name: str) -> list[Path]:
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or "/")
    if platform == "win32":
        local = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / name
        return [local / part for part in ("config", "data", "run", "cache", "log")]
    if platform == "darwin":
        support, caches = home / "Library" / "Application Support" / name, home / "Library" / "Caches" / name
        return [support / "config", support / "data", caches / "run", caches, home / "Library" / "Logs" / name]
    state = _xdg(environment, "XDG_STATE_HOME", home / ".local" / "state")
    runtime = _xdg(environment, "XDG_RUNTIME_DIR", _short_runtime(environment, uid))
    return [
        _xdg(environment, "XDG_CONFIG_HOME", home / ".config") / name,
        _xdg(environment, "XDG_DATA_HOME", home / ".local" / "share") / name,
        runtime / name,
        _xdg(environment, "XDG_CACHE_HOME", home / ".cache") / name,
        state / name / "log",
    ]


def _xdg(environment: Mapping[str, str], variable: str, default: Path) -> Path:
    value = environment.get(variable, "")
    return Path(value) if value and PurePath(value).is_absolute() else default


def _short_runtime(environment: Mapping[str, str], uid: int) -> Path:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if runtime and PurePath(runtime).is_absolute() and len(runtime.encode()) < SOCKET_PATH_MAX - 40:
        return Path(runtime)
    temporary = environment.get("TMPDIR", "")
    if len(temporary.encode()) > SOCKET_PATH_MAX - 60 or not PurePath(temporary).is_absolute():
        temporary = "/tmp"
    return Path(temporary) / f"{APP}-{uid}"
