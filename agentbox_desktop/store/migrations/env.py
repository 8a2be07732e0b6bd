"""Alembic's entry: the connection comes from `opening`, never from a file."""

from alembic import context

from agentbox_desktop.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
