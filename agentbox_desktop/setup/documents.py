"""A client's configuration file, JSON or TOML: read by key path and changed in place, all else kept as it is."""

import json
import os
import re
import tempfile
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError

from agentbox_desktop.core.refusal import Refused

Table = MutableMapping[str, Any]


class Document:
    """The file at `path`; one that does not exist is empty. Refused where it can't be read as what it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._is_toml = ".toml" in path.suffixes  # a backup has one more
        self._root = self._parse()

    def get(self, keys: Sequence[str]) -> object:
        """The value at the key path; None where there is none."""
        value: object = self._root
        for key in keys:
            if not isinstance(value, Mapping) or key not in value:
                return None
            value = value[key]
        return value

    def set(self, keys: Sequence[str], value: object) -> None:
        """Put `value` at the key path; tables on the way are made."""
        table = self._root
        for key in keys[:-1]:
            if not isinstance(table.get(key), MutableMapping):
                table[key] = tomlkit.table() if self._is_toml else {}
            table = table[key]
        table[keys[-1]] = value

    def delete(self, keys: Sequence[str]) -> None:
        """Take the key path away, and tables that are empty without it."""
        tables = [self._root]
        for key in keys[:-1]:
            if not isinstance(tables[-1].get(key), MutableMapping):
                return
            tables.append(tables[-1][key])
        for table, key in zip(reversed(tables), reversed(keys), strict=True):
            table.pop(key, None)
            if table:
                return

    def save(self) -> None:
        """Write the file whole or not at all, in the style that it had."""
        write(self._path, self._dump().encode())

    def _parse(self) -> Table:
        if not self._text.strip():
            return tomlkit.document() if self._is_toml else {}
        try:
            root = tomlkit.parse(self._text) if self._is_toml else json.loads(self._text)
        except (ParseError, json.JSONDecodeError) as error:
            kind = "TOML" if self._is_toml else "JSON without comments"
            raise Refused(f"{self._path} is not {kind} ({error}); repair it, then run this again.", "invalid") from None
        if not isinstance(root, MutableMapping):
            raise Refused(f"{self._path} holds no object; repair it, then run this again.", "invalid")
        return root

    def _dump(self) -> str:
        if self._is_toml:
            return tomlkit.dumps(self._root)
        indent = re.search(r"^[{\[]\n([ \t]+)", self._text)
        ending = "\n" if not self._text or self._text.endswith("\n") else ""
        return json.dumps(self._root, indent=indent[1] if indent else 2, ensure_ascii=False) + ending


def write(path: Path, content: bytes) -> None:
    """Replace the file in one step, its permissions kept; a link is followed. A new one is the user's alone."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
