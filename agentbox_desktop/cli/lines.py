"""Whole lines from, and whole lines to, whatever moves bytes."""

import os
import select
from collections.abc import Callable, Iterator

_CHUNK = 1 << 16


def split(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines that `read(size)` brings, each with its newline.

    Where the last one was cut off, it comes without one. Takes time linear in the length of a line.
    """
    begun: list[bytes] = []
    while chunk := read(_CHUNK):
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            yield b"".join((*begun, end, b"\n"))
            begun.clear()
        if rest:
            begun.append(rest)
    if begun:
        yield b"".join(begun)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, also to a pipe that takes it piecemeal or was set not to block.

    It is past our buffers when this returns; a reader that has gone is BrokenPipeError.
    """
    left = memoryview(data)
    while left:
        try:
            left = left[os.write(descriptor, left):]
        except BlockingIOError:
            select.select([], [descriptor], [])
