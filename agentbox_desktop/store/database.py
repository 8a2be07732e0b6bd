"""One SQLite file with a single writer: a thread that commits together what arrives together.

SQLAlchemy runs synchronously in that thread; the loop only waits for futures. WAL with `synchronous=NORMAL`
is proof against a killed process; a power loss may cost the last instants.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from agentbox_desktop.ports import StoreFailed

T = TypeVar("T")
_BATCH = 256


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"
    result: Any = None
    error: Exception | None = None


def engine_for(path: Path) -> Engine:
    """An engine on the file at `path`, with transactions that begin when they say so."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 5, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own implicit BEGIN comes too late
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


class Database:
    """Runs work in the writer thread. Await `run` on the loop that was running at `start`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of `work` on a connection, when it is committed; `StoreFailed` where the disk took it not."""
        if self._loop is None:
            raise RuntimeError("the database is not started")
        job = _Job(work, self._loop.create_future())
        self._jobs.put(job)
        result: T = await job.done
        return result

    async def stop(self) -> None:
        """Finish what was asked, then close the file."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)
        self._engine.dispose()

    def _work(self) -> None:
        stopping = False
        while not stopping:
            batch: list[_Job] = []
            first = self._jobs.get()
            while first is not None:
                batch.append(first)
                if len(batch) == _BATCH or self._jobs.empty():
                    break
                first = self._jobs.get()
            stopping = first is None
            if batch:
                self._commit(batch)
                self._tell(batch)

    def _commit(self, batch: list[_Job]) -> None:
        try:
            with self._engine.connect() as connection, connection.begin():
                for job in batch:
                    self._run_one(connection, job, alone=len(batch) == 1)
        except Exception as error:  # noqa: BLE001 - whatever it is, who asked must hear of it and the thread go on
            for job in batch:
                job.error = job.error or _told(error)

    @staticmethod
    def _run_one(connection: Connection, job: _Job, alone: bool) -> None:
        if alone:
            job.result = job.work(connection)
            return
        try:
            with connection.begin_nested():
                job.result = job.work(connection)
        except Exception as error:  # noqa: BLE001 - it is that job's own, and is raised where it was asked for
            job.error = _told(error)

    def _tell(self, batch: list[_Job]) -> None:
        def tell() -> None:
            for job in batch:
                if job.done.cancelled():
                    continue
                if job.error is not None:
                    job.done.set_exception(job.error)
                else:
                    job.done.set_result(job.result)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell)


def _told(error: Exception) -> Exception:
    """What the disk refused is `StoreFailed`; a fault in the work itself stays what it is."""
    return StoreFailed(_why(error)) if isinstance(error, SQLAlchemyError | OSError) else error


def _why(error: Exception) -> str:
    cause = str(getattr(error, "orig", None) or error)
    if "full" in cause:
        return "The disk that holds AgentBox's data is full; nothing was changed. Free some space and try again."
    if "readonly" in cause or "read-only" in cause:
        return "AgentBox's data folder can't be written; nothing was changed. Make it writable and try again."
    return f"AgentBox's data file took no write ({cause}); nothing was changed."
