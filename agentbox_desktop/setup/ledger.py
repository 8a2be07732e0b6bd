"""What setup did to a client's files: the backups beside them and a manifest, so that it can be taken back."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agentbox_desktop.setup.clients import Entry
from agentbox_desktop.setup.documents import Document, write

SUFFIX = ".before-agentbox"


@dataclass(frozen=True, slots=True)
class Touched:
    """A file that setup changed. `written`: the digest of what it left, "" where it left no file.

    `existed` False: there was no file before, so there is no backup. `exact`: nobody else changed it since
    the backup was made, so putting that back is all there is to undo.
    """

    path: str
    existed: bool
    keys: tuple[tuple[str, ...], ...]
    written: str
    exact: bool

    @property
    def file(self) -> Path:
        return Path(self.path)

    @property
    def backup(self) -> Path:
        return self.file.with_name(self.file.name + SUFFIX)


class Ledger:
    """The manifest of one client, at `file`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.touched = self._read()

    def back_up(self, entries: Sequence[Entry]) -> list[Touched]:
        """Copy each file beside itself before it is changed; an earlier setup's copy stays the one to go back to."""
        kept = {touched.path: touched for touched in self.touched}
        files = list(dict.fromkeys(entry.file for entry in entries))
        return [self._back_up(file, entries, kept.get(str(file))) for file in files]

    def record(self, touched: Sequence[Touched]) -> None:
        """Write down what the files are now."""
        now = [Touched(one.path, one.existed, one.keys, digest(one.file), one.exact) for one in touched]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write(self._file, json.dumps([asdict(one) for one in now], indent=2).encode())
        self.touched = now

    def discard(self, touched: Sequence[Touched]) -> None:
        """Remove the backups of a setup that failed, those of an earlier one excepted."""
        earlier = {one.path for one in self.touched}
        for one in touched:
            if one.path not in earlier:
                one.backup.unlink(missing_ok=True)

    def undo(self) -> list[tuple[Path, bool]]:
        """Put every file back; with each, whether it is byte for byte as it was.

        One that was changed by somebody else meanwhile keeps those changes: only our own entries are taken
        back in it, and its backup stays.
        """
        restored = [(touched.file, put_back(touched)) for touched in self.touched]
        self._file.unlink(missing_ok=True)
        self.touched = []
        return restored

    def _back_up(self, file: Path, entries: Sequence[Entry], earlier: Touched | None) -> Touched:
        keys = tuple(entry.keys for entry in entries if entry.file == file)
        if earlier is not None:
            exact = earlier.exact and digest(file) == earlier.written
            return Touched(earlier.path, earlier.existed, keys, earlier.written, exact)
        touched = Touched(str(file), file.exists(), keys, digest(file), exact=True)
        if touched.existed:
            shutil.copy2(file, touched.backup)
        return touched

    def _read(self) -> list[Touched]:
        if not self._file.exists():
            return []
        records: list[dict[str, Any]] = json.loads(self._file.read_text(encoding="utf-8"))
        return [Touched(**record | {"keys": tuple(map(tuple, record["keys"]))}) for record in records]


def put_back(touched: Touched) -> bool:
    """Make the file what it was; False where only our entries could be taken back."""
    if touched.exact and digest(touched.file) == touched.written:
        if touched.existed:
            write(touched.file, touched.backup.read_bytes())
            touched.backup.unlink()
        else:
            touched.file.unlink(missing_ok=True)
        return True
    if touched.file.exists():
        _take_out_entries(touched)
    return False


def digest(file: Path) -> str:
    """Of the file's bytes; "" where there is none."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""


def _take_out_entries(touched: Touched) -> None:
    before = Document(touched.backup) if touched.existed else None
    document = Document(touched.file)
    for keys in touched.keys:
        old = before.get(keys) if before else None
        if old is None:
            document.delete(keys)
        else:
            document.set(keys, old)
    document.save()
