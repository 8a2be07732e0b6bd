"""Where things are not as they should be: a working fallback, or one clear sentence."""

import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from tests.helpers.agent import Agent
from tests.helpers.desk import AGENTBOX, Desk
from tests.helpers.display import Display
from tests.helpers.waiting import wait_until


def one_sentence(text: str) -> bool:
    lines = text.strip().splitlines()
    return len(lines) == 1 and lines[0].endswith(".") and "Traceback" not in text


def test_no_display_works_from_the_terminal(bare_desk: Desk) -> None:
    bare_desk.start()
    assert bare_desk.status()["display"] == "offscreen"
    asked = bare_desk.begin("confirm", "--title", "Push?")
    bare_desk.answer("Push?", "yes")
    assert asked.finish().exit == 0


def test_a_display_that_does_not_answer_is_none(tmp_path: Path) -> None:
    with Desk(tmp_path / "home", extra_environment={"DISPLAY": ":4000"}) as desk:
        desk.start()
        assert desk.status()["display"] == "offscreen"


def test_no_session_bus(display: Display, tmp_path: Path) -> None:
    environment = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"}
    with Desk(tmp_path / "home", display, extra_environment=environment) as desk:
        desk.start()
        asked = desk.begin("confirm", "--title", "Push?")
        desk.wait_for_card("Push?")
        desk.answer("Push?", "yes")
        assert asked.finish().exit == 0


def test_a_tray_that_comes_late(tmp_path: Path) -> None:
    with Display() as screen, Desk(tmp_path / "home", screen) as desk:
        desk.start()
        tray = subprocess.Popen(["trayer"], env=screen.environment(), stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: desk.log("tray_shown"), "the icon in the late tray", 30)
        finally:
            tray.terminate()
            tray.wait()
        assert desk.status()["pending"] == 0  # and it goes on without the tray


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount")
def test_a_read_only_state_folder(bare_desk: Desk, tmp_path: Path) -> None:
    home = tmp_path / "read-only"
    home.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(home)], check=True)
    try:
        ran = bare_desk.shell(f"AGENTBOX_HOME={home} agentbox notify --title x")
    finally:
        subprocess.run(["umount", str(home)], check=True)
    assert ran.exit == 4
    assert one_sentence(ran.err), ran.err
    assert str(home) in ran.err


def test_a_folder_of_an_ordinary_user_that_is_closed(bare_desk: Desk, tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root to become another user")
    readable = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", str(AGENTBOX), "version"],
                              check=False, capture_output=True)
    if readable.returncode != 0:
        pytest.skip("this checkout can't be read by another user")
    home = tmp_path / "closed"
    home.mkdir(mode=0o555)
    ran = bare_desk.shell(f"AGENTBOX_HOME={home} setpriv --reuid=65534 --clear-groups agentbox notify --title x")
    assert ran.exit == 4
    assert one_sentence(ran.err), ran.err


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount")
def test_a_full_disk_is_said_and_the_daemon_goes_on(bare_desk: Desk) -> None:
    data = bare_desk.home / "data"
    data.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", str(data)], check=True)
    try:
        bare_desk.start()
        asked = bare_desk.begin("ask", "--title", "Which?", "--option", "a", "--option", "b")
        waiting = bare_desk.wait_for_pending("Which?")["id"]
        filler = data / "filler"
        _fill(filler)
        notify = ("notify", "--title", "x", "--level", "error", "--body", "b" * 100_000)
        failed = next(ran for ran in (bare_desk.cli(*notify) for _ in range(40)) if ran.exit)  # the log has some room
        assert failed.exit == 4
        assert "full" in failed.err
        filler.unlink()
        assert bare_desk.cli("answer", waiting, "2").exit == 0
        assert asked.finish().out == "b\n"
        bare_desk.allowed_errors.add("store_write_failed")
        bare_desk.cli("quit")
        wait_until(lambda: not bare_desk.processes(), "the daemon to be gone")
    finally:
        subprocess.run(["umount", "-l", str(data)], check=True)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return


def test_a_store_of_a_newer_version(bare_desk: Desk) -> None:
    bare_desk.cli("notify", "--title", "x")
    bare_desk.cli("quit")
    wait_until(lambda: not bare_desk.processes(), "the daemon to be gone")
    database = sqlite3.connect(bare_desk.home / "data" / "agentbox.db")
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.commit()
    database.close()
    ran = bare_desk.cli("notify", "--title", "x")
    assert ran.exit == 4
    assert one_sentence(ran.err), ran.err
    assert "newer" in ran.err


def test_a_corrupt_store_is_set_aside_and_said(bare_desk: Desk) -> None:
    data = bare_desk.home / "data"
    data.mkdir(mode=0o700)
    (data / "agentbox.db").write_bytes(b"garbage" * 1000)
    bare_desk.start()
    told = bare_desk.wait_for_pending("The history was damaged and has been set aside")
    assert told["level"] == "warning"
    kept = list(data.glob("agentbox.db.broken-*"))
    assert [path.read_bytes() for path in kept] == [b"garbage" * 1000]


def test_a_socket_path_of_two_hundred_characters(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 45)
    with Desk(home) as desk:
        desk.start()
        with Agent(desk) as agent:
            call = agent.connect().call("ask_user", title="Which?", options=["a", "b"])
            desk.answer("Which?", "1")
            assert call.result()["answer"] == "a"


def test_a_bad_setting_is_named_and_the_rest_holds(bare_desk: Desk) -> None:
    bare_desk.configure("[undo]\ngrace_s = 99\n[toasts]\nseconds = 3\n")
    bare_desk.start()
    problems = [line["problem"] for line in bare_desk.log("settings_problem")]
    assert problems == ["[undo] grace_s must be from 0 to 5, not 99."]


def test_settings_are_taken_up_while_it_runs(bare_desk: Desk) -> None:
    bare_desk.start()
    bare_desk.configure("[undo]\ngrace_s = 0\n")
    wait_until(lambda: bare_desk.log("settings_loaded"), "the new settings")
    asked = bare_desk.begin("confirm", "--title", "Now?")
    item = bare_desk.wait_for_pending("Now?")["id"]
    answered = bare_desk.cli("answer", item, "yes", "--json").json()
    assert answered["state"] == "closed"
    assert asked.finish(2).exit == 0


def test_the_daemon_gets_no_secret_of_its_starter(bare_desk: Desk) -> None:
    ran = bare_desk.shell("OPENAI_API_KEY=canary LD_PRELOAD= PYTHONSTARTUP=/x agentbox notify --title x")
    assert ran.exit == 0, ran.err
    pid = bare_desk.status()["pid"]
    environment = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    names = {entry.split("=")[0] for entry in environment if entry}
    assert "OPENAI_API_KEY" not in names
    assert not {name for name in names if name.startswith(("LD_", "PYTHON", "QT_PLUGIN"))}
    assert Path(f"/proc/{pid}/cwd").resolve() == Path("/")
