"""A folder that only this user can enter."""

import os
import stat
from pathlib import Path


class FolderUnusable(Exception):
    """The folder can't be had; `message` is one sentence for the person."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def check_home(home: Path) -> None:
    """Raises `FolderUnusable` where other users could put another folder in the place of ours.

    The person's own choice of a folder is not changed; one with the sticky bit, such as /tmp, protects what is in it.
    """
    if not home.exists() or not hasattr(os, "getuid"):
        return
    mode = home.stat().st_mode
    if mode & (stat.S_IWGRP | stat.S_IWOTH) and not mode & stat.S_ISVTX:
        raise FolderUnusable(f"Other users can change {home}; close it with: chmod go-w {home}.")


def make_folder(folder: Path) -> None:
    """Make `folder` for this user alone (0700). Raises `FolderUnusable` where it can't be, or is somebody else's."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
        found = folder.stat()
        if hasattr(os, "getuid"):
            if found.st_uid != os.getuid():
                raise FolderUnusable(f"{folder} belongs to another user; remove it, or set AGENTBOX_HOME.")
            if stat.S_IMODE(found.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
                folder.chmod(stat.S_IRWXU)
    except OSError as error:
        raise FolderUnusable(
            f"AgentBox can't use the folder {folder} ({error.strerror}); set AGENTBOX_HOME to one that you can write."
        ) from error
