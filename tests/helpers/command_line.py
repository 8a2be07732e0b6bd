"""The command `agentbox` as a program of its own, whose daemon a test replaces."""

import asyncio
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agentbox_desktop.core.places import Places, resolve
from tests.helpers.waiting import DEADLINE_S

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    output: str
    errors: str


@dataclass(frozen=True, slots=True)
class CommandLine:
    """`agentbox` on the PATH of a shell, with a home of its own; what it would start as its daemon is `starter`."""

    home: Path

    @property
    def places(self) -> Places:
        return resolve({"AGENTBOX_HOME": str(self.home)}, sys.platform, os.getuid())

    @property
    def starter(self) -> Path:
        return self.home / "python"

    @property
    def environment(self) -> dict[str, str]:
        """A clean environment, so that the agent that may run these tests does not show."""
        return {
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.home), "LANG": "C.UTF-8",
            "AGENTBOX_HOME": str(self.home),
        }

    def daemon_is(self, program: str) -> None:
        """What runs instead of Python when a daemon is started: a program in Python."""
        _write_program(self.starter, f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n{program}")

    async def start(
        self, *words: str, output: int = asyncio.subprocess.PIPE, inherited: tuple[int, ...] = (), **environment: str
    ) -> asyncio.subprocess.Process:
        """`agentbox words…`; `inherited` are descriptors left open for it."""
        return await asyncio.create_subprocess_exec(
            self.home / "bin" / "agentbox", *words, env=self.environment | environment, stdin=asyncio.subprocess.PIPE,
            stdout=output, stderr=asyncio.subprocess.PIPE, pass_fds=inherited, limit=32 * 1024 * 1024)

    async def run(self, *words: str, **environment: str) -> Ran:
        return await finished(await self.start(*words, **environment))

    async def shell(self, script: str, deadline_s: float = DEADLINE_S) -> Ran:
        """Run a script in a real shell."""
        return await finished(await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", script, env=self.environment, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE), deadline_s)


@contextmanager
def command_line() -> Iterator[CommandLine]:
    """Its folder has a short name, because a socket's path may have no long one. The daemon never comes up."""
    home = Path(tempfile.mkdtemp(prefix="abx-"))
    command = CommandLine(home)
    command.places.run.mkdir(mode=0o700)
    (home / "bin").mkdir()
    _write_program(home / "bin" / "agentbox", f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
sys.executable = {str(command.starter)!r}
from agentbox_desktop.cli.main import main
sys.exit(main())
""")
    command.daemon_is("sys.exit(0)")
    try:
        yield command
    finally:
        shutil.rmtree(home)


async def finished(process: asyncio.subprocess.Process, deadline_s: float = DEADLINE_S) -> Ran:
    """Wait for its end; one that does not end is ended, and fails the test."""
    try:
        async with asyncio.timeout(deadline_s):
            output, errors = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    assert process.returncode is not None
    return Ran(process.returncode, (output or b"").decode(), errors.decode())


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
