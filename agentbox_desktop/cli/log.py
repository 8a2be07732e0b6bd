"""The daemon's log, read straight from its file: it tells most when the daemon is not there."""

import json
import os
import time
from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from io import BufferedReader

from agentbox_desktop.cli.client import Door
from agentbox_desktop.cli.output import harmless_line, say, write
from agentbox_desktop.core.exits import Exit

_POLL_S = 0.2
_LEADING = ("at", "level", "event")


def show(arguments: Namespace) -> int:
    """Print the last lines, and with `follow` those that come, until Ctrl-C."""
    path = Door(arguments.instance).locations.log_file
    render = _raw if arguments.json else _readable
    try:
        with open(path, "rb") as file:
            for line in deque(file, maxlen=arguments.count):
                write(render(line))
            position = file.tell()
    except FileNotFoundError:
        say(f"There is no log yet: {path}")
        position = 0
    if arguments.follow:
        for line in _new_lines(path, position):
            write(render(line))
    return Exit.OK


def _new_lines(path: str, position: int) -> Iterator[bytes]:
    """The lines written behind `position`, for ever; after a rotation they come from the new file."""
    file = _opened(path)
    if file is not None:
        file.seek(position)
    begun = b""
    while True:
        for part in file or ():
            begun += part
            if begun.endswith(b"\n"):
                yield begun
                begun = b""
        if file is None or _is_replaced(file, path):
            newer = _opened(path)
            file, begun = (newer, b"") if newer is not None else (file, begun)
        time.sleep(_POLL_S)


def _opened(path: str) -> BufferedReader | None:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        return None


def _is_replaced(file: BufferedReader, path: str) -> bool:
    try:
        return not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _raw(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace").rstrip("\n")


def _readable(line: bytes) -> str:
    """`TIME LEVEL EVENT name=value …`; a line that is no JSON object is shown as it is."""
    text = _raw(line)
    try:
        fields = json.loads(text)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        return harmless_line(text)
    at, level, event = (str(fields.pop(name, "")) for name in _LEADING)
    words = (value if isinstance(value, str) else json.dumps(value) for value in fields.values())
    rest = " ".join(f"{name}={word}" for name, word in zip(fields, words, strict=True))
    return harmless_line(f"{at:27} {level:7} {event:20} {rest}".rstrip())
