"""The file itself: made, upgraded, refused when newer, set aside when broken, and honest when the disk is full."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from agentbox_desktop import store
from agentbox_desktop.platform.private_folder import FolderUnusable, make_folder
from agentbox_desktop.ports import StoreFailed
from agentbox_desktop.store.database import Database
from agentbox_desktop.store.opening import StoreUnusable, open_store
from agentbox_desktop.store.settings_file import TomlSettings
from agentbox_desktop.store.tables import SCHEMA, metadata
from tests.helpers.desk_parts import Parts


def test_the_migrations_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    engine, _ = open_store(tmp_path / "agentbox.db", 0)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    scripts = ScriptDirectory(str(Path(store.__file__).parent / "migrations"))
    assert scripts.get_current_head() == SCHEMA


def test_the_file_is_for_its_user_alone(tmp_path: Path) -> None:
    engine, _ = open_store(tmp_path / "agentbox.db", 0)
    engine.dispose()
    assert stat.S_IMODE((tmp_path / "agentbox.db").stat().st_mode) == 0o600


def test_opening_a_current_store_does_not_import_alembic(tmp_path: Path) -> None:
    open_store(tmp_path / "agentbox.db", 0)[0].dispose()
    program = ("import sys; from pathlib import Path; from agentbox_desktop.store.opening import open_store; "
               "open_store(Path(sys.argv[1]), 0); sys.exit('alembic' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path / "agentbox.db")], check=False).returncode == 0


async def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "agentbox.db"
    engine, _ = open_store(path, 0)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    engine.dispose()
    before = path.read_bytes()
    with pytest.raises(StoreUnusable, match=r"newer AgentBox.*0099"):
        open_store(path, 0)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["garbage", "torn"])
async def test_a_broken_store_is_set_aside_and_a_new_one_begun(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "agentbox.db"
    parts = await Parts(path).start()
    for number in range(50):
        await parts.ask(f"c:{number}", session=f"proc-{number}-1")
    await parts.stop()
    whole = path.read_bytes()
    broken = b"not a database at all" * 100 if damage == "garbage" else whole[:8192] + b"\xff" * (len(whole) - 8192)
    path.write_bytes(broken)
    again = await Parts(path).start()
    assert again.set_aside is not None
    assert again.set_aside.read_bytes() == broken
    assert list(again.board.live()) == []
    await again.ask()
    await again.stop()


async def test_a_full_disk_refuses_the_write_and_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=False).returncode != 0:
        pytest.skip("mounting a small disk needs root")
    try:
        parts = await Parts(disk / "agentbox.db").start()
        item = await parts.ask("c:0")
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as full, pytest.raises(OSError, match="No space"):
            while True:
                full.write(b"x" * 4096)
        with pytest.raises(StoreFailed, match="full"):
            for number in range(1, 200):
                await parts.ask(f"c:{number}", session=f"proc-{number}-1")
        filler.unlink()
        assert (await parts.ask("c:0")).id == item.id
        assert await parts.ask("c:999", session="proc-999-1")
        parts.log.events.clear()  # the failed writes were logged as errors, as they should be
        await parts.stop()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FolderUnusable, match="set AGENTBOX_HOME"):
        make_folder(tmp_path / "file" / "data")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a folder of another user")
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(FolderUnusable, match="another user"):
        make_folder(folder)


def test_a_folder_open_to_others_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    make_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_writes_that_arrive_together_are_committed_together_and_fail_alone(tmp_path: Path) -> None:
    engine, _ = open_store(tmp_path / "agentbox.db", 0)
    database = Database(engine)
    database.start()

    def write(number: int) -> object:
        def work(connection: Connection) -> int:
            connection.execute(text("INSERT INTO drafts VALUES (:id, '{}')"), {"id": str(number)})
            if number == 7:
                raise KeyError(number)
            return number
        return work

    results = await asyncio.gather(*(database.run(write(number)) for number in range(100)),  # type: ignore[arg-type]
                                   return_exceptions=True)
    assert isinstance(results[7], KeyError)
    assert [result for result in results if not isinstance(result, BaseException)] == [n for n in range(100) if n != 7]
    await database.stop()
    rows = sqlite3.connect(tmp_path / "agentbox.db").execute("SELECT count(*) FROM drafts").fetchone()
    assert rows == (99,)


async def test_work_that_fails_alone_fails_for_who_asked_and_the_thread_goes_on(tmp_path: Path) -> None:
    engine, _ = open_store(tmp_path / "agentbox.db", 0)
    database = Database(engine)
    database.start()
    for statement in ("INSERT INTO drafts VALUES (:id, '{}')", "no SQL"):
        with pytest.raises((UnicodeEncodeError, StoreFailed)):
            await database.run(lambda db, text_=statement: db.execute(text(text_), {"id": "\ud800"}))
    assert await database.run(lambda db: db.execute(text("SELECT count(*) FROM drafts")).scalar()) == 0
    await database.stop()


async def test_a_row_that_cannot_be_read_keeps_no_other_back(tmp_path: Path) -> None:
    first = await Parts(tmp_path / "agentbox.db").start()
    good, bad = await first.ask("c:1"), await first.ask("c:2", session="proc-2-2")
    await first.database.run(lambda db: db.execute(text("UPDATE items SET level = 'critical' WHERE id = :id"),
                                                   {"id": bad.id}))
    await first.stop()
    second = await Parts(tmp_path / "agentbox.db", first.clock).start()
    assert [item.id for item in second.board.live()] == [good.id]
    assert [event for event, _ in second.log.errors()] == ["store_row_unreadable"]
    second.log.events.clear()
    await second.stop()


def test_a_setting_is_written_in_place_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("# mine\n[undo]\ngrace_s = 2.5 # short\n\n[theme] # dark at night\nmode = 'dark'\n")
    settings = TomlSettings(path)
    settings.set(("undo", "grace_s"), 4.0)
    settings.set(("font", "scale"), 1.2)
    assert path.read_text() == ("# mine\n[undo]\ngrace_s = 4.0 # short\n\n[theme] # dark at night\nmode = 'dark'\n"
                                "\n[font]\nscale = 1.2\n")
    assert settings.read()["font"] == {"scale": 1.2}


def test_a_missing_file_is_an_empty_one_and_a_broken_one_says_where(tmp_path: Path) -> None:
    assert TomlSettings(tmp_path / "none.toml").read() == {}
    (tmp_path / "bad.toml").write_text("[undo\n")
    with pytest.raises(ValueError, match="line 1"):
        TomlSettings(tmp_path / "bad.toml").read()


