"""Keeps a parked call alive at its client: progress at once, and then at a steady pace."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from agentbox_desktop.core.limits import KEEP_ALIVE_S
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.tasks import Tasks

Report = Callable[[float, str], Awaitable[None]]  # sends the seconds waited, which have to rise, and a message


class KeepAlive:
    def __init__(self, deadlines: DeadlineService, tasks: Tasks, interval_s: float = KEEP_ALIVE_S) -> None:
        self._deadlines = deadlines
        self._tasks = tasks
        self._interval_s = interval_s

    @asynccontextmanager
    async def ticking(self, report: Report) -> AsyncIterator[None]:
        """Report while the block runs. A client that does not read is not sent a second report."""
        await report(0, _message(0))
        waited_s = 0.0
        sending: asyncio.Task[None] | None = None
        name = object()

        def tick() -> None:
            nonlocal waited_s, sending
            waited_s += self._interval_s
            if sending is None or sending.done():
                sending = self._tasks.start(_send(report, waited_s), "keep-alive")
            self._deadlines.at(name, self._interval_s, tick)

        self._deadlines.at(name, self._interval_s, tick)
        try:
            yield
        finally:
            self._deadlines.cancel(name)


async def _send(report: Report, waited_s: float) -> None:
    await report(waited_s, _message(waited_s))


def _message(waited_s: float) -> str:
    if waited_s < 60:
        return "waiting for the person"
    hours, minutes = divmod(int(waited_s // 60), 60)
    return f"waiting for the person ({f'{hours} h ' if hours else ''}{minutes} min)"
