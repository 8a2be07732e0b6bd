"""The person's config.toml: read by the standard library, changed in place so that comments stay."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class TomlSettings:
    """Implements the `SettingsFile` port."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Mapping[str, Any]:
        """The document; empty where there is no file. Raises ValueError for what is no TOML."""
        try:
            if self._path.exists() and not self._path.is_file():
                raise ValueError("it is no regular file")
            return tomllib.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ValueError(error.strerror) from error

    def set(self, path: Sequence[str], value: object) -> None:
        """Write one value at `path` (section, key) and keep every other line as it is."""
        import tomlkit

        section, key = path
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        document = tomlkit.parse(text)
        if section not in document:
            document[section] = tomlkit.table()
        document[section][key] = value
        aside = self._path.with_name(self._path.name + ".new")
        aside.write_text(tomlkit.dumps(document), encoding="utf-8")
        aside.replace(self._path)
