"""Who a caller is: sessions by process, keys that outlive a connection, the person's own verbs, projects."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agentbox_desktop.core.callers import Caller, Process
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.platform.processes import ProcTable, process_table
from agentbox_desktop.platform.psutil_processes import PsutilTable
from agentbox_desktop.platform.workspace import GitWorkspace
from agentbox_desktop.services.identity import Identity

DAEMON = 900
STARTED = 5000.0


@dataclass
class Table:
    """A process table. 10 claude ← 11 bash ← 12 bridge, 13 bridge, 14 a command; 20 a person's shell ← 21 a command;
    30 codex ← 31 bridge; the daemon ← 901; all below terminals.
    """

    parents: dict[int, int] = field(default_factory=lambda: {
        1: 0, 5: 1, 10: 5, 11: 10, 12: 11, 13: 11, 14: 11, 20: 5, 21: 20, 30: 5, 31: 30, 40: 10, 41: 40,
        DAEMON: 1, 901: DAEMON})
    names: dict[int, str] = field(default_factory=lambda: {
        1: "systemd", 5: "gnome-terminal-server", 10: "claude", 11: "bash", 20: "bash", 30: "codex", 40: "helper"})
    shift_s: float = 0.0
    session_ids: dict[int, int] = field(default_factory=dict)
    without_terminal: set[int] = field(default_factory=set)

    def get(self, pid: int) -> Process | None:
        if pid not in self.parents:
            return None
        name = self.names.get(pid, "agentbox")
        return Process(pid, STARTED + pid + self.shift_s, name, f"/usr/bin/{name}",
                       session_id=self.session_ids.get(pid, 0), has_terminal=pid not in self.without_terminal)

    def ancestors(self, pid: int) -> list[Process]:
        found = []
        while (pid := self.parents.get(pid, 0)) and (process := self.get(pid)) is not None:
            found.append(process)
        return found


@dataclass
class Sessions:
    rows: dict[str, tuple[str, Process]] = field(default_factory=dict)

    async def remember(self, session: str, client: str, agent: Process, at: float) -> None:
        await asyncio.sleep(0)
        self.rows[client] = (session, agent)

    async def held(self) -> dict[str, str]:
        return {client: session for client, (session, _agent) in self.rows.items() if session}

    async def release(self, client: str) -> None:
        self.rows[client] = ("", self.rows[client][1])

    async def agents(self) -> list[Process]:
        await asyncio.sleep(0)
        return [agent for _session, agent in self.rows.values()]


class Folders:
    def describe(self, folder: str) -> tuple[str, str]:
        return ("shop", "main") if folder == "/home/ada/shop" else ("", "")


class Clock:
    def now(self) -> float:
        return 1.0

    monotonic = now


class World:
    def __init__(self) -> None:
        self.table, self.sessions = Table(), Sessions()
        self.identity = self.restarted()

    def restarted(self) -> Identity:
        self.identity = Identity(self.table, Folders(), self.sessions, Clock(), DAEMON)
        return self.identity

    async def bridge(self, pid: int, client: str, **labels: str) -> Caller:
        hello = {"role": "mcp", "client": client, "cwd": "/home/ada/shop", "labels": labels}
        return await self.identity.stamp(hello, pid, "mcp")

    async def command(self, pid: int, **labels: str) -> Caller:
        return await self.identity.stamp({"role": "cli", "client": f"c{pid}", "cwd": "/", "labels": labels}, pid, "cli")


@pytest.fixture
def world() -> World:
    return World()


CLAUDE, CODEX = f"proc-10-{int((STARTED + 10) * 1000)}", f"proc-30-{int((STARTED + 30) * 1000)}"


async def test_a_bridge_is_stamped_with_its_agents_process_and_project(world: World) -> None:
    caller = await world.bridge(12, "a")
    assert caller == Caller(CLAUDE, "/usr/bin/claude", 10, agent="", project="shop", branch="main", door="mcp")
    labelled = await world.bridge(31, "b", agent="Ada", project="till")
    assert (labelled.session, labelled.agent, labelled.project, labelled.branch) == (CODEX, "Ada", "till", "main")
    assert labelled.executable == "/usr/bin/codex"


async def test_further_bridges_of_one_process_have_keys_of_their_own(world: World) -> None:
    callers = await asyncio.gather(*(world.bridge(pid, client) for pid, client in ((12, "a"), (13, "b"), (12, "c"))))
    assert {caller.session for caller in callers} == {CLAUDE, f"{CLAUDE}-2", f"{CLAUDE}-3"}
    [second] = [client for client, key in zip("abc", callers, strict=True) if key.session == f"{CLAUDE}-2"]
    await world.identity.hung_up(second)
    world.identity.release(second)
    assert (await world.bridge(13, "d")).session == f"{CLAUDE}-2"


async def test_a_bridge_that_dials_again_keeps_its_key(world: World) -> None:
    for client in "ab":
        await world.bridge(12, client)
    world.identity.release("a")
    world.identity.release("b")
    assert (await world.bridge(12, "b")).session == f"{CLAUDE}-2"
    world.restarted()
    assert (await world.bridge(12, "b")).session == f"{CLAUDE}-2"
    assert (await world.bridge(12, "a")).session == CLAUDE


async def test_a_redial_before_the_old_connection_is_missed_keeps_the_key_taken(world: World) -> None:
    await world.bridge(12, "a")
    assert (await world.bridge(12, "a")).session == CLAUDE
    world.identity.release("a")
    assert (await world.bridge(13, "b")).session == f"{CLAUDE}-2"


async def test_a_clock_that_is_set_changes_no_key(world: World) -> None:
    await world.bridge(12, "a")
    world.table.shift_s = 1.4
    world.restarted()
    assert (await world.bridge(12, "a")).session == CLAUDE
    assert (await world.command(14)).session == CLAUDE
    assert not await world.identity.is_person(14)


async def test_another_agent_does_not_get_a_key_by_a_bridges_name(world: World) -> None:
    await world.bridge(12, "a")
    world.identity.release("a")
    assert (await world.bridge(31, "a")).session == CODEX


async def test_a_bridge_that_nobody_started_is_its_own_agent(world: World) -> None:
    world.table.parents[50] = 1
    assert (await world.bridge(50, "a")).session.startswith("proc-50-")


async def test_a_command_belongs_to_the_nearest_agent_above_it(world: World) -> None:
    assert await world.command(14) == Caller("shell", door="cli")
    await world.bridge(12, "a")
    below = await world.command(14)
    assert (below.session, below.executable, below.pid) == (CLAUDE, "/usr/bin/claude", 10)
    assert (await world.command(21)).session == "shell"
    world.table.parents[42] = 40
    assert (await world.bridge(42, "b")).session.startswith("proc-40-")  # a helper below claude, with a bridge itself
    assert (await world.command(41)).session.startswith("proc-40-")


async def test_a_key_is_taken_from_below_its_agent_only(world: World) -> None:
    for client in "ab":
        await world.bridge(12, client)
    await world.bridge(31, "c")
    assert (await world.command(14, key=f"{CLAUDE}-2")).session == f"{CLAUDE}-2"
    for pid, key in ((14, CODEX), (21, CLAUDE), (14, f"{CLAUDE}0"), (14, f"{CLAUDE}-x"), (14, "shell")):
        with pytest.raises(Refused) as refused:
            await world.command(pid, key=key)
        assert refused.value.code == "invalid"
        assert key in refused.value.message


@pytest.mark.parametrize("label", ["agent", "project", "session", "key"])
async def test_a_label_has_a_limit(world: World, label: str) -> None:
    with pytest.raises(Refused, match=rf"labels\.{label} is at most 120 characters; 121 were sent\."):
        await world.command(21, **{label: "x" * 121})
    if label != "key":
        await world.command(21, **{label: "x" * 120})


async def test_a_caller_that_is_gone_is_refused(world: World) -> None:
    with pytest.raises(Refused, match="gone"):
        await world.command(77)


async def test_a_key_is_free_again_where_the_store_could_not_remember_it(world: World) -> None:
    async def broken(*_arguments: object) -> None:
        raise OSError("full")

    remember, world.sessions.remember = world.sessions.remember, broken  # type: ignore[method-assign]
    with pytest.raises(OSError, match="full"):
        await world.bridge(12, "a")
    world.sessions.remember = remember  # type: ignore[method-assign]
    assert (await world.bridge(12, "b")).session == CLAUDE


async def test_the_person_is_who_is_below_no_agent_and_not_the_daemon(world: World) -> None:
    await world.bridge(12, "a")
    person = {pid: await world.identity.is_person(pid) for pid in (10, 11, 14, 40, 41, 20, 21, 901, DAEMON, 77)}
    assert person == {10: False, 11: False, 14: False, 40: False, 41: False, 20: True, 21: True,
                      901: False, DAEMON: False, 77: False}
    world.restarted()
    assert not await world.identity.is_person(14)


async def test_a_pid_that_was_given_to_another_process_is_no_agent(world: World) -> None:
    await world.bridge(12, "a")
    world.table.shift_s = 3600
    assert await world.identity.is_person(14)


async def test_a_refused_verb_says_why_and_what_to_do(world: World) -> None:
    await world.bridge(12, "a")
    await world.identity.require_person(21, "answer")
    with pytest.raises(Refused) as refused:
        await world.identity.require_person(14, "answer")
    assert refused.value.code == "person_only"
    assert refused.value.message.startswith("answer is the person's own")
    assert "terminal" in refused.value.message


# --- the adapters


def test_both_process_tables_tell_the_same_of_this_process() -> None:
    tables = [PsutilTable(), *([ProcTable()] if sys.platform == "linux" else [])]
    for table in tables:
        own = table.get(os.getpid())
        assert own is not None
        assert Path(own.executable).resolve() == Path(sys.executable).resolve()
        assert own.arguments
        parents = table.ancestors(os.getpid())
        assert parents[0].pid == os.getppid()
        assert [process.pid for process in parents] == [process.pid for process in tables[0].ancestors(os.getpid())]
        assert own.is_same(tables[0].get(os.getpid()) or own)


def test_a_process_that_is_gone_has_nothing() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    for table in (process_table(), PsutilTable()):
        assert table.get(child.pid) is None
        assert table.ancestors(child.pid) == []


def test_a_name_with_brackets_and_blanks_is_read(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text("cpu 1 2\nbtime 1000\n")
    folder = tmp_path / "7"
    folder.mkdir()
    (folder / "stat").write_text(f"7 (a) b (c) S 0 {' '.join('0' for _ in range(17))} 250 0\n")
    (folder / "cmdline").write_bytes(b"a\0--prompt\0" + b"x" * 5000 + b"\0more\0and more\0")
    process = ProcTable(tmp_path).get(7)
    assert process is not None
    assert (process.name, process.executable) == ("a) b (c", "")
    assert process.started == pytest.approx(1000 + 250 / os.sysconf("SC_CLK_TCK"))
    assert process.arguments == ("a", "--prompt", "x" * 256)


def git(folder: Path, *arguments: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments], cwd=folder,
                   check=True, capture_output=True, env=environment)


def test_the_project_is_the_folder_of_the_repository_also_from_a_worktree(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / "src" / "deep").mkdir(parents=True)
    git(shop, "init", "-b", "main")
    git(shop, "commit", "--allow-empty", "-m", "first")
    git(shop, "worktree", "add", "-b", "fix/till", str(tmp_path / "elsewhere" / "wt"))
    workspace = GitWorkspace()
    assert workspace.describe(str(shop / "src" / "deep")) == ("shop", "main")
    assert workspace.describe(str(tmp_path / "elsewhere" / "wt")) == ("shop", "fix/till")
    git(shop, "checkout", "--detach")
    project, commit = workspace.describe(str(shop))
    assert project == "shop"
    assert len(commit) == 10


def test_a_worktree_of_a_bare_repository(tmp_path: Path) -> None:
    git_folder = tmp_path / "shop.git" / "worktrees" / "wt"
    git_folder.mkdir(parents=True)
    (git_folder / "commondir").write_text("../..\n")
    (git_folder / "HEAD").write_text("ref: refs/heads/next\n")
    (tmp_path / "wt").mkdir()
    (tmp_path / "wt" / ".git").write_text(f"gitdir: {git_folder}\n")
    assert GitWorkspace().describe(str(tmp_path / "wt")) == ("shop", "next")


def test_no_repository_no_project(tmp_path: Path) -> None:
    workspace = GitWorkspace()
    for folder in ("", "relative", str(tmp_path / "missing"), "/\0", str(tmp_path)):
        assert workspace.describe(folder) == ("", "")


def test_a_hostile_git_folder_makes_nothing_wait(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert GitWorkspace().describe(str(tmp_path)) == (tmp_path.name, "")
    (tmp_path / ".git" / "HEAD").unlink()
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff" * 100_000)
    assert len(GitWorkspace().describe(str(tmp_path))[1]) == 10


async def test_what_an_agent_left_to_the_system_is_not_the_person() -> None:
    world = World()
    await world.bridge(12, "a")
    world.table.parents |= {50: 1, 51: 1, 52: 1, 53: 1}  # each was given to systemd when its starter ended
    world.table.session_ids |= {10: 7, 50: 7, 52: 8}
    world.table.without_terminal |= {51}
    assert not await world.identity.is_person(50)  # `( … & )`: still in the agent's terminal
    assert not await world.identity.is_person(51)  # `setsid -f`: in none
    assert await world.identity.is_person(52)  # of another terminal, whose shell was closed
    assert await world.identity.is_person(21)


async def test_a_new_bridge_gets_no_key_that_one_cut_off_by_a_restart_will_come_back_for() -> None:
    world = World()
    first = await world.bridge(12, "a")
    world.restarted()
    second = await world.bridge(13, "b")
    again = await world.bridge(12, "a")
    assert again.session == first.session
    assert second.session != first.session


async def test_a_bridge_that_hung_up_leaves_its_key() -> None:
    world = World()
    first = await world.bridge(12, "a")
    await world.identity.hung_up("a")
    world.restarted()
    assert (await world.bridge(13, "b")).session == first.session
