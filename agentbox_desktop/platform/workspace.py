"""Which project a folder belongs to, read from git's own files: no git process, a few small reads."""

import os
import stat
from pathlib import Path

_HIGHEST = 64  # folders looked at on the way up
_FILE_BYTES = 4096
_BRANCH_REF = "ref: refs/heads/"
_SHORT_HASH = 10


class GitWorkspace:
    """Implements the `Workspace` port."""

    def describe(self, folder: str) -> tuple[str, str]:
        start = Path(folder)
        if not folder or not start.is_absolute():
            return "", ""
        for place in [start, *start.parents][:_HIGHEST]:
            marker = place / ".git"
            try:
                kind = marker.stat().st_mode
            except (OSError, ValueError):  # not there, not ours to read, or no path at all
                continue
            if stat.S_ISDIR(kind):
                return place.name, _branch(marker)
            if stat.S_ISREG(kind):
                return _linked(place, marker)
        return "", ""


def _linked(place: Path, marker: Path) -> tuple[str, str]:
    """A worktree or a submodule: its .git is a file that says where git's folder is (gitrepository-layout(5))."""
    text = _first_line(marker)
    if not text.startswith("gitdir: "):
        return place.name, ""
    git_folder = place / text.removeprefix("gitdir: ")
    common = _first_line(git_folder / "commondir")
    if not common:
        return place.name, _branch(git_folder)
    repository = Path(os.path.normpath(git_folder / common))
    hidden = repository.name.startswith(".")  # .git inside the project, or shop.git on its own
    return repository.parent.name if hidden else repository.name.removesuffix(".git"), _branch(git_folder)


def _branch(git_folder: Path) -> str:
    """The branch that is checked out; the short hash of a commit where none is."""
    head = _first_line(git_folder / "HEAD")
    return head.removeprefix(_BRANCH_REF) if head.startswith(_BRANCH_REF) else head[:_SHORT_HASH]


def _first_line(path: Path) -> str:
    """The first line of a small regular file; empty where it can't be read. Never waits on a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return ""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        return file.read(_FILE_BYTES).decode("utf-8", errors="replace").split("\n", 1)[0].strip()
