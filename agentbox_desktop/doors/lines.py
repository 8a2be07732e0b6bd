"""JSON lines over a stream."""

import asyncio
import json
from typing import Any

from agentbox_desktop.core.refusal import Refused

NESTING_MAX = 100


def is_too_deep(value: Any) -> bool:
    """Whether JSON values are nested deeper than anything meant, and than what checks them by recursion can take."""
    level = [value]
    for _ in range(NESTING_MAX):
        level = [inner for outer in level if isinstance(outer, dict | list)
                 for inner in (outer.values() if isinstance(outer, dict) else outer)]
        if not level:
            return False
    return True


class Lines:
    """Reads and writes whole lines; one writer at a time, so that answers never mix."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._turn = asyncio.Lock()

    async def read(self) -> bytes | None:
        """The next line, or None where the other side has gone. Who does not read what was written is not read."""
        try:
            await self.writer.drain()
            line = await self.reader.readline()
        except ValueError:
            raise Refused("A line is longer than 16 MiB.", "invalid") from None
        except ConnectionError:
            return None
        return line if line.endswith(b"\n") else None

    def write_last(self, message: dict[str, Any]) -> None:
        """Send one object as far as it goes at once: a client that does not read must not hold up a goodbye."""
        if not self.writer.is_closing():
            self.writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    async def write(self, message: dict[str, Any]) -> None:
        """Send one object; a client that has gone is no error here, its reader will notice."""
        async with self._turn:
            if self.writer.is_closing():
                return
            try:
                self.writer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
                await self.writer.drain()
            except ConnectionError:
                self.writer.close()
