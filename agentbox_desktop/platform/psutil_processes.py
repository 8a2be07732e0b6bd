"""The process table of macOS and Windows, read with psutil."""

import psutil

from agentbox_desktop.core.callers import Process
from agentbox_desktop.platform.processes import ARGUMENT_CHARS, ARGUMENTS, DEEPEST


class PsutilTable:
    """Implements the `Processes` port."""

    def ancestors(self, pid: int) -> list[Process]:
        try:
            parents = psutil.Process(pid).parents()
        except psutil.Error:
            return []
        return [read for parent in parents[:DEEPEST] if (read := self._describe(parent)) is not None]

    def get(self, pid: int) -> Process | None:
        try:
            return self._describe(psutil.Process(pid))
        except psutil.Error:
            return None

    def _describe(self, process: psutil.Process) -> Process | None:
        try:
            with process.oneshot():
                started, name = process.create_time(), process.name()
        except psutil.Error:
            return None
        try:
            executable, arguments = process.exe(), process.cmdline()[:ARGUMENTS]
        except (psutil.Error, OSError):  # another user's
            executable, arguments = "", []
        return Process(process.pid, started, name, executable, tuple(word[:ARGUMENT_CHARS] for word in arguments))
