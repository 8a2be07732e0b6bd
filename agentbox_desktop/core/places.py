"""Where things are kept, as paths: what `locations` resolves, for those who have the time to import pathlib."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentbox_desktop.core import locations


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
        return self.log / locations.LOG_FILE

    @property
    def door_file(self) -> Path:
        """Windows: the loopback port and token."""
        return self.run / locations.DOOR_FILE


def resolve(environment: Mapping[str, str], platform: str, uid: int, instance: str = "") -> Places:
    """The places for this user. `platform` is `sys.platform`; `instance` names a separate second one.

    `AGENTBOX_HOME` puts all under one folder. A relative one is refused with ValueError.
    """
    found = locations.resolve(environment, platform, uid, instance)
    return Places(
        config=Path(found.config), data=Path(found.data), run=Path(found.run), cache=Path(found.cache),
        log=Path(found.log), socket=Path(found.socket),
    )
