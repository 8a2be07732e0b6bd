"""Tells when one file has changed, been made or been replaced, without waking up in between."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QTimer

_SETTLED_MS = 100  # an editor may empty the file first and fill it then


class FileWatch:
    """Watches the folder too: editors replace a file by renaming another onto it."""

    def __init__(self, path: Path, changed: Callable[[], None]) -> None:
        self._path = path
        self._settled = QTimer(singleShot=True, interval=_SETTLED_MS)
        self._settled.timeout.connect(changed)
        self._watcher = QFileSystemWatcher([str(path.parent)])
        self._watcher.directoryChanged.connect(self._look)
        self._watcher.fileChanged.connect(self._look)
        self._watch_file()

    def _look(self, _path: str) -> None:
        self._watch_file()
        self._settled.start()

    def _watch_file(self) -> None:
        if self._path.exists() and str(self._path) not in self._watcher.files():
            self._watcher.addPath(str(self._path))
