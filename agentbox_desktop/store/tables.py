"""The tables. `migrations/` makes them; a test holds the two to each other."""

from sqlalchemy import JSON, Boolean, Column, Float, Index, Integer, MetaData, String, Table

SCHEMA = "0001"  # the revision this program writes; revisions count up, so an older program knows a newer store

metadata = MetaData()

items = Table(
    "items", metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("level", String, nullable=False),
    Column("state", String, nullable=False),
    Column("delivery", String, nullable=False),
    Column("session", String, nullable=False),
    Column("caller", JSON, nullable=False),
    Column("content", JSON, nullable=False),
    Column("digest", String, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("queued_at", Float, nullable=False),
    Column("expires_at", Float),
    Column("seen_at", Float),
    Column("decision", JSON(none_as_null=True)),
    Column("grace_until", Float),
    Column("outcome", String),
    Column("default_applied", Boolean, nullable=False),
    Column("closed_at", Float),
    Index("items_by_state", "state", "delivery"),
    Index("items_by_end", "closed_at"),
)

transitions = Table(
    "transitions", metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("item_id", String, nullable=False),
    Column("move", String, nullable=False),
    Column("at", Float, nullable=False),
    Index("transitions_by_item", "item_id"),
)

calls = Table(
    "calls", metadata,
    Column("session", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("item_id", String, nullable=False),
    Column("at", Float, nullable=False),
    Index("calls_by_item", "item_id"),
)

drafts = Table(
    "drafts", metadata,
    Column("item_id", String, primary_key=True),
    Column("draft", JSON, nullable=False),
)

sessions = Table(
    "sessions", metadata,
    Column("client", String, primary_key=True),
    Column("session", String, nullable=False),
    Column("agent_pid", Integer, nullable=False),
    Column("agent_started", Float, nullable=False),
    Column("agent_name", String, nullable=False),
    Column("agent_executable", String, nullable=False),
    Column("at", Float, nullable=False),
)
