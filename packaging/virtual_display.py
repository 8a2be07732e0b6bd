"""A screen for a machine that has none: Xvfb with a window manager, for as long as it is needed."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from failure import BootstrapFailed

SIZE = "1280x800x24"


def has_display() -> bool:
    """Whether windows can appear before a person here."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("WAYLAND_DISPLAY")) or _x_server_answers(os.environ.get("DISPLAY", ""))


@contextmanager
def virtual_display() -> Iterator[str]:
    """A display's name, such as `:3`; its server and window manager end with the block."""
    read_end, write_end = os.pipe()
    server = _start(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SIZE, "-nolisten", "tcp"], pass_fds=[write_end]
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end, encoding="ascii") as announced:
            number = announced.readline().strip()
        if not number:
            raise BootstrapFailed("The virtual display (Xvfb) did not start.")
        display = f":{number}"
        window_manager = _start(["openbox"], env=os.environ | {"DISPLAY": display})
        try:
            yield display
        finally:
            _end(window_manager)
    finally:
        _end(server)


def _x_server_answers(display: str) -> bool:
    """Whether `display` is no variable that outlived its server; a remote one is taken at its word."""
    if not display.startswith(":"):
        return bool(display)
    number = display[1:].partition(".")[0]
    with socket.socket(socket.AF_UNIX) as connection:
        for address in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):
            if connection.connect_ex(address) == 0:
                return True
    return False


def _start(
    command: list[str], pass_fds: list[int] | None = None, env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command, pass_fds=pass_fds or (), env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
    except FileNotFoundError:
        raise BootstrapFailed(f"{command[0]} is not installed, and without a display it is needed.") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
