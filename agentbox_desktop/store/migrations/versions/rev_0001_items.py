"""Items, their transitions, the calls that made them, drafts and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "items",
        sa.Column("id", sa.String, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("kind", "level", "state", "delivery", "session")),
        sa.Column("caller", sa.JSON, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("queued_at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float),
        sa.Column("seen_at", sa.Float),
        sa.Column("decision", sa.JSON),
        sa.Column("grace_until", sa.Float),
        sa.Column("outcome", sa.String),
        sa.Column("default_applied", sa.Boolean, nullable=False),
        sa.Column("closed_at", sa.Float),
    )
    op.create_index("items_by_state", "items", ["state", "delivery"])
    op.create_index("items_by_end", "items", ["closed_at"])
    op.create_table(
        "transitions",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("item_id", sa.String, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("transitions_by_item", "transitions", ["item_id"])
    op.create_table(
        "calls",
        sa.Column("session", sa.String, primary_key=True),
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("item_id", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("calls_by_item", "calls", ["item_id"])
    op.create_table(
        "drafts",
        sa.Column("item_id", sa.String, primary_key=True),
        sa.Column("draft", sa.JSON, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("client", sa.String, primary_key=True),
        sa.Column("session", sa.String, nullable=False),
        sa.Column("agent_pid", sa.Integer, nullable=False),
        sa.Column("agent_started", sa.Float, nullable=False),
        sa.Column("agent_name", sa.String, nullable=False),
        sa.Column("agent_executable", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
