"""The process table: /proc where there is one (50 µs a process), psutil elsewhere."""

import os
import sys
from functools import cached_property
from pathlib import Path

from agentbox_desktop.core.callers import Process
from agentbox_desktop.ports import Processes

DEEPEST = 64  # of ancestors; a table that changes while it is read may show a loop
ARGUMENTS = 4  # no rule looks further, and an agent's prompt may be among the rest
ARGUMENT_CHARS = 256
_COMMAND_LINE_BYTES = 4096


def process_table() -> Processes:
    """The table of this system."""
    if sys.platform == "linux":
        return ProcTable()
    from agentbox_desktop.platform.psutil_processes import PsutilTable

    return PsutilTable()


class ProcTable:
    """Linux, read from /proc. Another user's process has no executable here, only its name."""

    def __init__(self, root: Path = Path("/proc")) -> None:
        self._root = root

    def ancestors(self, pid: int) -> list[Process]:
        found: list[Process] = []
        read = self._read(pid)
        while read is not None and read[1] > 0 and len(found) < DEEPEST:
            read = self._read(read[1])
            if read is not None:
                found.append(read[0])
        return found

    def get(self, pid: int) -> Process | None:
        read = self._read(pid)
        return None if read is None else read[0]

    def _read(self, pid: int) -> tuple[Process, int] | None:
        """The process and its parent's pid; None where it is gone."""
        folder = self._root / str(pid)
        try:
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        # The name is in brackets and may hold brackets and blanks; the fields after it are those of proc(5) from 3 on.
        name = stat[stat.index("(") + 1 : stat.rindex(")")]
        fields = stat[stat.rindex(")") + 2 :].split()
        parent, ticks = int(fields[1]), int(fields[19])
        started = self._booted + ticks / self._ticks_per_s
        session_id, terminal = int(fields[3]), int(fields[4])
        process = Process(pid, started, name, _executable(folder), _arguments(folder), session_id, terminal != 0)
        return process, parent

    @cached_property
    def _booted(self) -> float:
        lines = (self._root / "stat").read_text(encoding="ascii", errors="replace").splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("btime "))

    @cached_property
    def _ticks_per_s(self) -> int:
        return os.sysconf("SC_CLK_TCK")


def _executable(folder: Path) -> str:
    try:
        path = os.fsencode((folder / "exe").readlink())
        return path.decode("utf-8", "backslashreplace").removesuffix(" (deleted)")
    except OSError:
        return ""


def _arguments(folder: Path) -> tuple[str, ...]:
    try:
        with (folder / "cmdline").open("rb") as file:
            start = file.read(_COMMAND_LINE_BYTES)
    except OSError:
        return ()
    words = start.decode("utf-8", errors="replace").rstrip("\0").split("\0")
    return tuple(word[:ARGUMENT_CHARS] for word in words[:ARGUMENTS]) if start else ()
