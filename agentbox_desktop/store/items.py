"""Items in the database: rows, and the five things that are asked of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, and_, delete, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as upsert

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.events import Event
from agentbox_desktop.core.items import (
    Content,
    Decision,
    Delivery,
    Item,
    Kind,
    Level,
    Move,
    Option,
    Outcome,
    Preview,
    PreviewKind,
    State,
)
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.ports import Log
from agentbox_desktop.store.database import Database
from agentbox_desktop.store.tables import calls, drafts, items, transitions


class SqlItems:
    """Implements the `ItemRepository` port."""

    def __init__(self, database: Database, log: Log) -> None:
        self._database = database
        self._log = log

    async def unfinished(self) -> list[Item]:
        """What can be read of it: one row that can't must not keep all the others from the person."""
        live = select(items).where(or_(items.c.state != State.CLOSED, items.c.delivery == Delivery.OWED))
        rows = await self._database.run(lambda db: db.execute(live).mappings().all())
        found = []
        for row in rows:
            try:
                found.append(_item(row))
            except (ValueError, TypeError, KeyError) as error:
                self._log.error(Event.STORE_ROW_UNREADABLE, item=row["id"], error=type(error).__name__)
        return found

    async def get(self, item_id: str) -> Item | None:
        query = select(items).where(items.c.id == item_id)
        row = await self._database.run(lambda db: db.execute(query).mappings().first())
        return _item(row) if row is not None else None

    async def find(self, prefix: str) -> list[Item]:
        query = select(items).where(items.c.id.between(prefix, prefix + "\U0010ffff")).order_by(items.c.id).limit(2)
        return await self._database.run(lambda db: [_item(row) for row in db.execute(query).mappings()])

    async def save(self, item: Item, move: Move, at: float, calls: Sequence[tuple[str, str]] = ()) -> None:
        row = _row(item)

        def work(db: Connection) -> None:
            if move is Move.CREATE:
                db.execute(insert(items).values(row))
            else:
                db.execute(items.update().where(items.c.id == item.id).values(row))
            db.execute(insert(transitions).values(item_id=item.id, move=move, at=at))
            _bind(db, calls, item.id, at)
            if item.state is State.CLOSED:
                db.execute(delete(drafts).where(drafts.c.item_id == item.id))

        await self._database.run(work)

    async def bind(self, calls: Sequence[tuple[str, str]], item_id: str, at: float) -> None:
        if calls:
            await self._database.run(lambda db: _bind(db, calls, item_id, at))

    async def bound(self, session: str, key: str) -> str | None:
        query = select(calls.c.item_id).where(calls.c.session == session, calls.c.key == key)
        return await self._database.run(lambda db: db.execute(query).scalar())

    async def called_at(self, session: str, key: str) -> float | None:
        query = select(calls.c.at).where(calls.c.session == session, calls.c.key == key)
        return await self._database.run(lambda db: db.execute(query).scalar())

    async def unbind(self, session: str, key: str) -> None:
        gone = delete(calls).where(calls.c.session == session, calls.c.key == key)
        await self._database.run(lambda db: db.execute(gone))

    async def save_draft(self, item_id: str, draft: Draft) -> None:
        row = {"item_id": item_id, "draft": asdict(draft)}
        still_open = select(items.c.id).where(items.c.id == item_id, items.c.state != State.CLOSED)

        def work(db: Connection) -> None:
            if db.execute(still_open).first() is not None:
                statement = upsert(drafts).values(row)
                db.execute(statement.on_conflict_do_update(index_elements=["item_id"], set_={"draft": row["draft"]}))

        await self._database.run(work)

    async def drafts(self) -> dict[str, Draft]:
        rows = await self._database.run(lambda db: db.execute(select(drafts)).mappings().all())
        return {row["item_id"]: Draft(row["draft"]["text"], row["draft"]["reply"], tuple(row["draft"]["chosen"]))
                for row in rows}

    async def forget_before(self, at: float) -> int:
        old = and_(items.c.state == State.CLOSED, items.c.closed_at < at)
        ids = select(items.c.id).where(old)

        def work(db: Connection) -> int:
            for table in (transitions, calls):
                db.execute(delete(table).where(table.c.item_id.in_(ids)))
            return db.execute(delete(items).where(old)).rowcount

        return await self._database.run(work)


def _bind(db: Connection, names: Sequence[tuple[str, str]], item_id: str, at: float) -> None:
    for session, key in names:
        statement = upsert(calls).values(session=session, key=key, item_id=item_id, at=at)
        db.execute(statement.on_conflict_do_update(
            index_elements=["session", "key"], set_={"item_id": item_id, "at": at}, where=calls.c.item_id != item_id))


def _row(item: Item) -> dict[str, Any]:
    columns = {name: getattr(item, name) for name in (
        "id", "kind", "level", "state", "delivery", "digest", "created_at", "queued_at", "expires_at", "seen_at",
        "grace_until", "outcome", "default_applied", "closed_at")}
    return columns | {
        "session": item.caller.session,
        "caller": asdict(item.caller),
        "content": asdict(item.content),
        "decision": asdict(item.decision) if item.decision else None,
    }


def _item(row: Mapping[Any, Any]) -> Item:
    return Item(
        id=row["id"], kind=Kind(row["kind"]), level=Level(row["level"]), content=_content(row["content"]),
        caller=Caller(**row["caller"]), created_at=row["created_at"], queued_at=row["queued_at"],
        expires_at=row["expires_at"], state=State(row["state"]), seen_at=row["seen_at"],
        decision=_decision(row["decision"]), grace_until=row["grace_until"],
        outcome=Outcome(row["outcome"]) if row["outcome"] else None, default_applied=row["default_applied"],
        closed_at=row["closed_at"], delivery=Delivery(row["delivery"]), digest=row["digest"],
    )


def _content(stored: dict[str, Any]) -> Content:
    options = tuple(Option(option["label"], option["description"], _preview(option["preview"]))
                    for option in stored["options"])
    default = None if stored["default"] is None else tuple(stored["default"])
    return Content(**(stored | {"options": options, "default": default}))


def _preview(stored: dict[str, Any] | None) -> Preview | None:
    return Preview(PreviewKind(stored["kind"]), stored["content"]) if stored else None


def _decision(stored: dict[str, Any] | None) -> Decision | None:
    return Decision(**(stored | {"answers": tuple(stored["answers"])})) if stored else None
