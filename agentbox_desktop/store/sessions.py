"""The sessions that agents have had: a bridge that dials again is given the key it had."""

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from agentbox_desktop.core.callers import Process
from agentbox_desktop.store.database import Database
from agentbox_desktop.store.tables import sessions

_FREE = ""  # the row stays, because it says that the process was an agent's


class SqlSessions:
    """Implements the `SessionRepository` port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remember(self, session: str, client: str, agent: Process, at: float) -> None:
        row = {"session": session, "agent_pid": agent.pid, "agent_started": agent.started,
               "agent_name": agent.name, "agent_executable": agent.executable, "at": at}
        statement = upsert(sessions).values(client=client, **row)
        statement = statement.on_conflict_do_update(index_elements=["client"], set_=row)
        await self._database.run(lambda db: db.execute(statement))

    async def held(self) -> dict[str, str]:
        query = select(sessions.c.client, sessions.c.session).where(sessions.c.session != _FREE)
        rows = await self._database.run(lambda db: db.execute(query).all())
        return {row[0]: row[1] for row in rows}

    async def release(self, client: str) -> None:
        freed = sessions.update().where(sessions.c.client == client).values(session=_FREE)
        await self._database.run(lambda db: db.execute(freed))

    async def agents(self) -> list[Process]:
        query = select(sessions.c.agent_pid, sessions.c.agent_started, sessions.c.agent_name,
                       sessions.c.agent_executable).distinct()
        rows = await self._database.run(lambda db: db.execute(query).all())
        return [Process(pid=row[0], started=row[1], name=row[2], executable=row[3]) for row in rows]

    async def forget_before(self, at: float) -> None:
        """Delete what was last seen before `at` (Unix seconds)."""
        await self._database.run(lambda db: db.execute(delete(sessions).where(sessions.c.at < at)))
