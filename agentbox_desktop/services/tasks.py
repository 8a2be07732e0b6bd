"""Background tasks that are kept until they end, and whose failures are logged instead of lost."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.ports import Log, StoreFailed

T = TypeVar("T")


class Tasks:
    def __init__(self, log: Log) -> None:
        self._log = log
        self.running: set[asyncio.Task[Any]] = set()
        self._uncut: set[asyncio.Task[Any]] = set()

    def start(self, coroutine: Coroutine[Any, Any, T], what: str) -> "asyncio.Task[T]":
        """Run `coroutine` in the background; `what` names it in the log, where its failure goes."""
        task = self._keep(coroutine, what)
        task.add_done_callback(self._report)
        return task

    async def uncut(self, coroutine: Coroutine[Any, Any, T], what: str) -> T:
        """The coroutine's result; it runs to its end even if whoever waits for it is cancelled."""
        task = self._keep(coroutine, what)
        self._uncut.add(task)
        task.add_done_callback(self._uncut.discard)
        return await asyncio.shield(task)

    async def stop(self) -> None:
        """Cancel what is left, but for what must run to its end, and wait until all of it has ended."""
        for task in self.running - self._uncut:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)

    def _keep(self, coroutine: Coroutine[Any, Any, T], what: str) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(coroutine, name=what)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        return task

    def _report(self, task: "asyncio.Task[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refused | StoreFailed):
            self._log.warning(Event.CALL_REFUSED, what=task.get_name(), error=str(error))
        elif error is not None:
            self._log.error(Event.TASK_FAILED, what=task.get_name(), error=repr(error))
