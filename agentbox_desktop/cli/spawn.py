"""Start the daemon so that it is nobody's child, and wait until it answers or says why it can't."""

import os
import socket
import sys
import threading
import time
from collections.abc import Mapping

from agentbox_desktop.cli.client import Door, NobodyListens
from agentbox_desktop.cli.failures import StartFailed, StartTimedOut

START_S = 5.0
_POLL_S = 0.01
_SILENT_S = 1.0
_PASSED_ON = frozenset(
    "HOME USER LOGNAME PATH LANG LANGUAGE TZ TMPDIR DISPLAY XAUTHORITY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS "
    "AGENTBOX_HOME QT_QPA_PLATFORM QT_SCALE_FACTOR DESKTOP_SESSION GDK_SCALE "
    # Windows
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA USERPROFILE USERNAME "
    "USERDOMAIN HOMEDRIVE HOMEPATH TEMP TMP".split()
)
_PASSED_ON_PREFIXES = ("LC_", "XDG_")


def start(door: Door) -> tuple[socket.socket, str]:
    """A daemon that answers at `door`, dialled.

    One that finds another in its place ends without a word: the winner of a race is dialled then, and after one
    that is just quitting the next is started.
    Raises StartFailed with what the daemon said, StartTimedOut after 5 s.
    """
    errors, started = _launched(door), time.monotonic()
    deadline = started + START_S
    while True:
        ended = errors.ended  # read before dialling: a daemon that is up closes its standard error too
        try:
            return door.dial()
        except NobodyListens:
            if ended and errors.text:
                raise StartFailed(errors.text) from None
            if ended and time.monotonic() > started + _SILENT_S:
                errors, started = _launched(door), time.monotonic()
        if time.monotonic() > deadline:
            said = errors.text or f"its log is {door.locations.log_file}"
            raise StartTimedOut(f"AgentBox did not come up within {START_S:g} s; {said}")
        time.sleep(_POLL_S)


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What the daemon may know of its starter's environment: where the person's desktop is, and no more.

    No loader, Python or Qt plugin variable may change what it runs, and no token or key of an agent goes along.
    """
    return {
        name: value for name, value in environment.items()
        if name.upper() in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }


class _Errors:
    """What the daemon writes to its standard error, read by a thread till the daemon closes it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._chunks: list[bytes] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def text(self) -> str:
        """The last line so far: the sentence, or the point of a traceback."""
        lines = b"".join(self._chunks).decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    @property
    def ended(self) -> bool:
        """Whether nothing more can come."""
        return not self._reader.is_alive()

    def _read(self) -> None:
        while chunk := os.read(self._descriptor, 4096):
            self._chunks.append(chunk)
        os.close(self._descriptor)


def _launched(door: Door) -> _Errors:
    try:
        return _Errors(_launch(_command(door.instance), clean_environment(os.environ)))
    except OSError as error:
        raise StartFailed(f"AgentBox can't be started: {error.strerror}.") from None


def _command(instance: str) -> list[str]:
    command = [sys.executable, "-m", "agentbox_desktop", "daemon"]
    return [*command, "--instance", instance] if instance else command


if sys.platform == "win32":

    def _launch(command: list[str], environment: Mapping[str, str]) -> int:
        """Start `command` detached; a descriptor of its standard error comes back."""
        import subprocess

        process = subprocess.Popen(
            command, env=environment, cwd=environment.get("SYSTEMROOT", "C:\\"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            creationflags=subprocess.CREATE_NO_WINDOW | subprocess.DETACHED_PROCESS,
        )
        assert process.stderr is not None
        return os.dup(process.stderr.fileno())

else:

    def _launch(command: list[str], environment: Mapping[str, str]) -> int:
        """Start `command` detached; a descriptor of its standard error comes back.

        A session leader forks once more and ends: the daemon is then no child of the agent that happened to
        need it first, and lives on when that agent's group is killed.
        """
        reading, writing = os.pipe()
        leader = os.fork()
        if leader == 0:
            _become(command, environment, writing)
        os.close(writing)
        os.waitpid(leader, 0)
        return reading

    def _become(command: list[str], environment: Mapping[str, str], errors: int) -> None:
        """In the forked child: become the daemon. Never returns."""
        try:
            os.setsid()
            if os.fork() > 0:
                os._exit(0)
            os.chdir("/")
            os.dup2(errors, 2)
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 1)
            for descriptor in (0, 1, 2):  # a duplicate onto itself, where the caller had closed one, stays private
                os.set_inheritable(descriptor, True)
            # what a caller left open on purpose, such as the pipe its parent reads to the end, must not live on in us
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            os.execve(command[0], command, environment)
        except OSError as error:
            os.write(2, f"AgentBox can't be started: {command[0]}: {error.strerror}.\n".encode())
        finally:
            os._exit(127)
