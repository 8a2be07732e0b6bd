"""Starting the daemon: what it inherits, whose child it is, what is said when it can't."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from agentbox_desktop.cli.spawn import clean_environment
from tests.helpers.command_line import CommandLine, command_line, finished
from tests.helpers.fake_daemon import FakeDaemon

STATUS = {"pid": 7, "version": "1.2", "instance": "", "display": "x11", "pending": 0}
SELF_DESCRIBING = """
import json, os, socket, time
time.sleep({delay})
home = os.environ["AGENTBOX_HOME"]
fds = [int(name) for name in os.listdir("/proc/self/fd")]
described = {{
    "environment": dict(os.environ), "cwd": os.getcwd(), "parent": os.getppid(), "pid": os.getpid(),
    "leader": os.getsid(0), "arguments": sys.argv[1:], "descriptors": sorted(fds),
    "input": os.readlink("/proc/self/fd/0"), "output": os.readlink("/proc/self/fd/1"),
}}
with open(os.path.join(home, "described.json"), "w") as file:
    json.dump(described, file)
sock = socket.socket(socket.AF_UNIX)
sock.bind(os.path.join(home, "run", "agentbox.sock"))
sock.listen()
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
while True:
    connection, _ = sock.accept()
    lines = connection.makefile("rwb")
    lines.readline()
    request = json.loads(lines.readline())
    lines.write(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "result": {status}}}).encode() + b"\\n")
    lines.flush()
"""


@pytest.fixture
def command() -> Iterator[CommandLine]:
    with command_line() as ours:
        yield ours


@pytest.fixture
def describing(command: CommandLine) -> Iterator[CommandLine]:
    """A daemon that writes down how it was started, then answers every request with a status."""
    command.daemon_is(SELF_DESCRIBING.format(delay=0, status=STATUS))
    yield command
    os.kill(described(command)["pid"], signal.SIGKILL)


def described(command: CommandLine) -> Any:
    return json.loads((command.home / "described.json").read_text())


async def test_the_daemon_knows_nothing_of_its_starters_secrets(describing: CommandLine) -> None:
    hostile = {"LD_PRELOAD_X": "x", "LD_LIBRARY_PATH": "/x", "PYTHONPATH": "/x", "PYTHONSTARTUP": "/x",
               "QT_PLUGIN_PATH": "/x", "ANTHROPIC_API_KEY": "k", "GITHUB_TOKEN": "t", "SSH_AUTH_SOCK": "/x"}
    wanted = {"DISPLAY": ":7", "XDG_RUNTIME_DIR": "/run/user/1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    ran = await describing.run("status", **hostile, **wanted)
    assert ran.status == 0, ran.errors
    environment = described(describing)["environment"]
    assert not set(hostile) & set(environment)
    assert wanted.items() <= environment.items()
    assert set(environment) <= {*wanted, "PATH", "HOME", "LANG", "AGENTBOX_HOME", "LC_CTYPE"}


async def test_the_daemon_is_nobodys_child(describing: CommandLine) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    process = await describing.start("status", "--json", inherited=(writing,))
    os.close(writing)
    ran = await finished(process)
    assert ran.status == 0, ran.errors
    how = described(describing)
    assert how["parent"] not in (process.pid, os.getpid())
    assert how["leader"] not in (how["pid"], os.getsid(0))
    assert (how["cwd"], how["input"], how["output"]) == ("/", "/dev/null", "/dev/null")
    assert how["arguments"] == ["-m", "agentbox_desktop", "daemon"]
    assert os.read(reading, 1) == b""  # a pipe that the caller had left open is not held open by the daemon
    os.close(reading)


async def test_the_instance_is_passed_on(command: CommandLine) -> None:
    command.daemon_is("sys.exit(' '.join(sys.argv[1:]))")
    for words in (("--instance", "second", "status"), ("status", "--instance", "second")):
        ran = await command.run(*words)
        assert ran.errors == "agentbox: -m agentbox_desktop daemon --instance second\n"


@pytest.mark.parametrize("program", [
    "sys.exit('The store is from version 9; this is 1.')",
    "print('The store is from version 9; this is 1.', file=sys.stderr); sys.exit(4)",
    "raise RuntimeError('The store is from version 9; this is 1.')",
])
@pytest.mark.parametrize("words", [("notify", "--title", "x"), ("status",)])
async def test_why_it_cannot_start_is_said_at_once(
    command: CommandLine, program: str, words: tuple[str, ...]
) -> None:
    command.daemon_is(program)
    begun = time.monotonic()
    ran = await command.run(*words)
    assert ran.status == 4 and ran.output == ""
    assert ran.errors.endswith("The store is from version 9; this is 1.\n") and ran.errors.startswith("agentbox: ")
    assert ran.errors.count("\n") == 1
    assert time.monotonic() - begun < 4  # without the patience kept for a daemon that says nothing


async def test_a_program_that_is_missing_is_said(command: CommandLine) -> None:
    command.starter.unlink()
    ran = await command.run("status")
    assert ran.status == 4 and "No such file" in ran.errors and str(command.starter) in ran.errors


async def test_one_that_never_comes_up_ends_after_five_seconds(command: CommandLine) -> None:
    ran = await command.run("status")
    assert ran.status == 4
    assert ran.errors == (
        f"agentbox: AgentBox did not come up within 5 s; its log is {command.places.log_file}\n")


async def test_the_loser_of_the_race_waits_for_the_winner(command: CommandLine) -> None:
    """Its own daemon ends without a word, because another one has the lock and is not up yet."""
    process = await command.start("status", "--json")
    await asyncio.sleep(0.3)  # the time that the winner takes
    winner = FakeDaemon(command.places.socket, lambda request: {"result": STATUS})
    await winner.start()
    ran = await finished(process)
    assert (ran.status, json.loads(ran.output)) == (0, STATUS)
    await winner.kill()


async def test_ten_at_once_are_all_served(describing: CommandLine) -> None:
    one_wins = "import fcntl; lock = open(sys.argv[0] + '.lock', 'w')\n"
    one_wins += "try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\nexcept OSError: sys.exit(0)\n"
    describing.daemon_is(one_wins + SELF_DESCRIBING.format(delay=0.2, status=STATUS))
    ran = await asyncio.gather(*(describing.run("status", "--json") for _ in range(10)))
    assert [one.status for one in ran] == [0] * 10, ran


async def test_only_what_needs_the_daemon_starts_it(command: CommandLine) -> None:
    mark = command.home / "started"
    command.daemon_is(f"open({str(mark)!r}, 'w').close()")
    for words in (("quit",), ("version",), ("logs",), ("docs", "agent"), ("schema",), ("--help",), ("ask", "--help")):
        await command.run(*words)
    assert not mark.exists()


def test_windows_names_are_passed_on_in_any_case() -> None:
    environment = {"SystemRoot": "C:\\Windows", "Path": "x", "OPENAI_API_KEY": "k"}
    assert clean_environment(environment) == {"SystemRoot": "C:\\Windows", "Path": "x"}


async def test_a_folder_of_another_user_is_not_trusted(command: CommandLine) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(command.places.run, 12345, 12345)
    ran = await command.run("notify", "--title", "x")
    assert ran.status == 4 and "another user's folder" in ran.errors
    os.chown(command.places.run, 0, 0)


async def test_setup_hands_its_words_over_unread(command: CommandLine) -> None:
    command.daemon_is("print(sys.argv[1:])")
    ran = await command.run("--instance", "second", "setup", "claude", "--dry-run", "--json")
    assert (ran.status, ran.output) == (
        0, "['-P', '-m', 'agentbox_desktop.setup', '--instance', 'second', 'claude', '--dry-run', '--json']\n")
