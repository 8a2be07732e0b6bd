"""A desk: one AgentBox with its own folders, its daemon as a real process, and the command line beside it.

On leaving, the desk fails the test if the daemon complained: a Qt warning, a traceback, an error in its log,
or a process that outlived it.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from agentbox_desktop.core.places import resolve
from tests.helpers.children import end, living_with
from tests.helpers.display import AGENTBOX_CLASS, Display, Window
from tests.helpers.waiting import DEADLINE_S, wait_until

AGENTBOX = Path(sys.executable).with_name("agentbox")
TOAST_TITLE = "AgentBox notice"
START_S = 20.0


def card_title(title: str) -> str:
    """The title of the window that is the card of `title`."""
    return f"{title} – AgentBox"


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended."""

    exit: int
    out: str
    err: str

    def json(self) -> Any:
        """What it printed, as JSON; AssertionError with its complaint where that is none."""
        try:
            return json.loads(self.out)
        except json.JSONDecodeError:
            raise AssertionError(f"No JSON (exit {self.exit}): {self.out!r} {self.err!r}") from None


@dataclass(frozen=True, slots=True)
class Running:
    """A command that goes on, such as a question that waits."""

    process: "subprocess.Popen[str]"

    def finish(self, deadline_s: float = DEADLINE_S) -> Ran:
        out, err = self.process.communicate(timeout=deadline_s)
        return Ran(self.process.returncode, out, err)

    @property
    def runs(self) -> bool:
        return self.process.poll() is None


@dataclass
class Desk:
    """`display` None leaves the daemon without a screen. `home` is its AGENTBOX_HOME."""

    home: Path
    display: Display | None = None
    extra_environment: Mapping[str, str] = field(default_factory=dict)
    allowed_errors: set[str] = field(default_factory=set)
    """Log events at level error that a test brings about on purpose."""

    def __post_init__(self) -> None:
        for folder in (self.home, self._person_home, self._runtime):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._daemon: subprocess.Popen[bytes] | None = None
        self._started: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._started:
            end(process)
        left = self._stop()
        if exception is None:
            assert not left, f"Still running after quit: {left}"
            self.check_quiet()

    # The daemon

    def configure(self, text: str) -> None:
        """Write the person's config.toml."""
        folder = self.home / "config"
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / "config.toml").write_text(text, encoding="utf-8")

    def clear(self) -> None:
        """Put away what a test left waiting, and wait until nothing of it is on screen."""
        for item in self.pending():
            self.cli("dismiss", item["id"])
        if self.display is not None:
            wait_until(lambda: not self._screen.windows(wm_class=AGENTBOX_CLASS), "an empty screen")

    def start(self, *arguments: str) -> None:
        """Start the daemon and wait until one answers: a bridge that lost it may have been quicker."""
        if self._daemon is not None:
            end(self._daemon)  # one that was told to quit
        with self._stderr_file.open("ab") as errors:
            self._daemon = subprocess.Popen(
                [str(AGENTBOX), "daemon", *arguments], env=self.environment, cwd=self._person_home,
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, start_new_session=True,
            )
        wait_until(self._answers, "the daemon to answer", START_S)

    @property
    def pid(self) -> int:
        """The daemon's, whoever started it."""
        return int(self.status()["pid"])

    def kill9(self) -> None:
        """End the daemon as a crash would."""
        daemon = psutil.Process(self.pid)
        daemon.kill()
        if self._daemon is not None and self._daemon.pid == daemon.pid:
            self._daemon.wait()
        else:
            daemon.wait(DEADLINE_S)

    def restart(self) -> None:
        """`kill9` and a new start."""
        self.kill9()
        self.start()

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = self.cli("status", "--json").json()
        return status

    # The command line, as in a terminal of the person's

    @property
    def environment(self) -> dict[str, str]:
        """What a login session would give, and nothing of the developer's own."""
        base = {
            "PATH": f"{AGENTBOX.parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self._person_home),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self._runtime),
            "AGENTBOX_HOME": str(self.home),
            **self.extra_environment,
        }
        return self.display.environment(base) if self.display is not None else base

    def begin(self, *arguments: str, stdin: str | None = None, cwd: Path | None = None) -> Running:
        """Start `agentbox` and go on."""
        return self._begin([str(AGENTBOX), *arguments], stdin, cwd)

    def cli(
        self, *arguments: str, stdin: str | None = None, cwd: Path | None = None, deadline_s: float = 30
    ) -> Ran:
        """Run `agentbox` to its end."""
        return self.begin(*arguments, stdin=stdin, cwd=cwd).finish(deadline_s)

    def shell(self, script: str, cwd: Path | None = None, deadline_s: float = 30) -> Ran:
        """Run a script with a real shell, in which `agentbox` is on PATH."""
        return self._begin(["bash", "-c", script], None, cwd).finish(deadline_s)

    def pending(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.cli("pending", "--json").json()
        return items

    def wait_for_pending(self, title: str, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        """The waiting item with this title, as `agentbox pending` lists it."""
        def found() -> dict[str, Any]:
            return next((item for item in self.pending() if item["title"] == title), {})
        return wait_until(found, f"{title!r} among what waits", deadline_s)

    def answer(self, title: str, *value: str) -> None:
        """Answer what is waiting under `title` with `agentbox answer ID value…`."""
        ran = self.cli("answer", self.wait_for_pending(title)["id"], *value)
        assert ran.exit == 0, f"agentbox answer failed ({ran.exit}): {ran.err}"

    # What the person sees

    def wait_for_card(self, title: str, deadline_s: float = DEADLINE_S) -> Window:
        return self._screen.wait_for_window(card_title(title), AGENTBOX_CLASS, deadline_s)

    def wait_for_no_card(self, title: str, deadline_s: float = DEADLINE_S) -> None:
        self._screen.wait_for_no_window(card_title(title), deadline_s)

    def toasts(self) -> list[Window]:
        return self._screen.windows(TOAST_TITLE, AGENTBOX_CLASS)

    # What the daemon says of itself

    def log(self, event: str | None = None) -> list[dict[str, Any]]:
        """The log's lines, or those of one event, oldest first."""
        file = self.home / "log" / "daemon.log"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [line for line in map(json.loads, lines) if event is None or line["event"] == event]

    @property
    def complaints(self) -> str:
        """Everything that was written to the daemon's standard error, before and after its socket answered."""
        files = [self._stderr_file, self.home / "log" / "daemon.stderr"]
        return "".join(file.read_text(encoding="utf-8", errors="replace") for file in files if file.exists())

    def check_quiet(self) -> None:
        """AssertionError where the daemon complained of anything that the test did not allow."""
        assert not self.complaints, f"The daemon wrote to standard error:\n{self.complaints}"
        bad = [line for line in self.log() if line.get("level") == "error" or line["event"] == "qt_message"]
        unexpected = [line for line in bad if line["event"] not in self.allowed_errors]
        assert not unexpected, f"The daemon logged: {unexpected}"

    def processes(self) -> list[psutil.Process]:
        """All living processes of this desk: its daemon, bridges and commands."""
        return living_with("AGENTBOX_HOME", str(self.home))

    @property
    def _screen(self) -> Display:
        assert self.display is not None, "This desk has no display."
        return self.display

    @property
    def _person_home(self) -> Path:
        return self.home.parent / f"{self.home.name}-person"

    @property
    def _runtime(self) -> Path:
        return self.home.parent / f"{self.home.name}-runtime"

    @property
    def _stderr_file(self) -> Path:
        return self.home.parent / f"{self.home.name}-daemon.stderr"

    def _answers(self) -> bool:
        assert self._daemon is not None
        if self._daemon.poll():
            raise AssertionError(f"The daemon ended with {self._daemon.returncode}: {self.complaints}")
        return _says_status(resolve(self.environment, sys.platform, os.getuid()).socket)

    def _begin(self, command: list[str], stdin: str | None, cwd: Path | None) -> Running:
        process = subprocess.Popen(
            command, env=self.environment, cwd=cwd or self._person_home, text=True,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self._started.append(process)
        if stdin is not None and process.stdin is not None:
            process.stdin.write(stdin)
            process.stdin.close()
            process.stdin = None
        return Running(process)

    def _stop(self) -> list[str]:
        """Quit the daemon, whoever started it; what had to be killed."""
        end_at = time.monotonic() + DEADLINE_S
        while (left := self.processes()) and time.monotonic() < end_at:
            self.cli("quit")  # again where one was only just starting
            psutil.wait_procs(left, timeout=1)
        names = [f"{process.pid} {' '.join(process.cmdline())}" for process in left]
        for process in left:
            process.kill()
        if self._daemon is not None:
            end(self._daemon)
        return names


def _says_status(path: Path) -> bool:
    """Whether a daemon answers at this socket. A verb would start another daemon, and that might come up first."""
    with socket.socket(socket.AF_UNIX) as connection:
        if connection.connect_ex(str(path)) != 0:
            return False
        lines = connection.makefile("rw", encoding="utf-8")
        hello = {"agentbox": 1, "role": "cli", "client": "0" * 32, "cwd": "/", "labels": {}}
        for message in (hello, {"jsonrpc": "2.0", "id": 1, "method": "status", "params": {}}):
            lines.write(json.dumps(message) + "\n")
        lines.flush()
        return "result" in json.loads(lines.readline() or "{}")
