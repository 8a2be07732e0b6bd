"""Opening the store: a fresh file is made, an old one upgraded, a newer one refused, a broken one set aside."""

import stat
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from agentbox_desktop.store.database import engine_for
from agentbox_desktop.store.tables import SCHEMA

_CHECK_WHOLE_BYTES = 32 * 1024 * 1024  # checking a larger file would delay the first card


class StoreUnusable(Exception):
    """The store can't be opened; `message` is one sentence for the person."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class _Broken(Exception):
    pass


def open_store(path: Path, now: float) -> tuple[Engine, Path | None]:
    """An engine on an up-to-date store, and where a broken file was put, if there was one.

    `now`: Unix seconds, for the name of a file set aside. Raises `StoreUnusable`.
    """
    try:
        return _open(path), None
    except _Broken:
        aside = _set_aside(path, now)
    except (SQLAlchemyError, OSError) as error:
        raise StoreUnusable(_sentence(path, error)) from error
    try:
        return _open(path), aside
    except (SQLAlchemyError, OSError, _Broken) as error:
        raise StoreUnusable(_sentence(path, error)) from error


def _open(path: Path) -> Engine:
    path.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
    engine = engine_for(path)
    try:
        with engine.connect() as connection:
            _check(connection, path)
            version = _version(connection)
            if version != SCHEMA:
                _upgrade(connection, path, version)
    except SQLAlchemyError as error:
        engine.dispose()
        if isinstance(error, DatabaseError) and ("malformed" in str(error) or "not a database" in str(error)):
            raise _Broken from error
        raise
    except (_Broken, StoreUnusable):
        engine.dispose()
        raise
    return engine


def _check(connection: Connection, path: Path) -> None:
    unclean = path.with_name(path.name + "-wal")
    if path.stat().st_size <= _CHECK_WHOLE_BYTES or (unclean.exists() and unclean.stat().st_size):
        if connection.execute(text("PRAGMA quick_check(1)")).scalar() != "ok":
            raise _Broken
        connection.rollback()


def _version(connection: Connection) -> str:
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _upgrade(connection: Connection, path: Path, version: str) -> None:
    if version > SCHEMA:
        raise StoreUnusable(
            f"{path} was written by a newer AgentBox (schema {version}, this one knows {SCHEMA}); "
            "install that version again, or set AGENTBOX_HOME to another folder.")
    from alembic import command
    from alembic.config import Config

    connection.rollback()
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    with connection.begin():
        command.upgrade(config, "head")


def _set_aside(path: Path, now: float) -> Path:
    aside = path.with_name(f"{path.name}.broken-{int(now)}")
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    path.rename(aside)
    return aside


def _sentence(path: Path, error: Exception) -> str:
    cause = str(getattr(error, "orig", None) or error)
    if isinstance(error, OSError) and error.strerror:
        cause = error.strerror
    return (f"AgentBox can't write its data in {path.parent} ({cause}); "
            "make that folder writable, or set AGENTBOX_HOME to one that is.")
