"""The words of a command: durations, defaults, names, and how a wrong one is answered."""

import json
import os
import subprocess
import sys
import threading
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from agentbox_desktop.cli.lines import split, write_all
from agentbox_desktop.cli.main import main
from agentbox_desktop.cli.verb import duration, instance_name
from agentbox_desktop.core import locations, places


@pytest.mark.parametrize(("word", "seconds"), [
    ("120", 120), ("90s", 90), ("2m", 120), ("1h", 3600), ("0", 0), ("1.5", 1.5), ("0.5h", 1800)])
def test_a_duration(word: str, seconds: float) -> None:
    assert duration(word) == seconds


@pytest.mark.parametrize("word", ["", "s", "-1", "-2m", "soon", "nan", "inf", "1d", "1 h 5"])
def test_what_is_no_duration(word: str) -> None:
    with pytest.raises(ArgumentTypeError, match="90s, 2m or 1h"):
        duration(word)


@pytest.mark.parametrize("word", ["", "a/b", "..", "ü", "x" * 41, "a b"])
def test_an_instance_is_no_path(word: str) -> None:
    with pytest.raises(ArgumentTypeError):
        instance_name(word)


@pytest.mark.parametrize(("words", "says"), [
    (["aks"], "did you mean ask?"),
    (["notify"], "--title"),
    (["notify", "--title", "x", "--level", "loud"], "urgent"),
    (["notify", "--title", "x", "--in", "5m"], "--in"),
    (["notify", "--title", "x", "--action", "Run::true"], "--action"),
    (["notify", "--title", "x", "--at", "9:00"], "--at"),
    (["ask", "--title", "x"], "2 to 9 --option"),
    (["ask", "--option", "a", "--option", "b"], "--title is required"),
    (["ask", "--titl", "x", "--option", "a", "--option", "b"], "--titl"),
    (["ask", "--title", "x", "--option", "a", "--option", "b", "--multi", "--default", "[1"], "JSON array"),
    (["input", "--title", "x", "--timeout", "-5"], "not '-5'"),
    (["confirm"], "--title is required"),
    (["answer", "itm_1"], "value or --reply"),
    (["answer", "itm_1", "yes", "--reply", "no"], "not both"),
    (["answer"], "ID"),
    (["mcp", "--toolset", "site"], "'site'"),
    (["mcp", "--profile", "some"], "core"),
    (["logs", "-n", "x"], "whole number"),
    (["--instance", "../x", "status"], "letters"),
    (["--instance"], "letters"),
])
def test_a_wrong_command_says_what_is_wrong_the_right_form_and_an_example(
    words: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    captured = capfd.readouterr()
    sentence, *rest = captured.err.split("\n")
    assert says in sentence and sentence.startswith("agentbox: ")
    assert any(line.startswith("Right form: agentbox") for line in rest)
    assert any(line.startswith("Example:    agentbox") for line in rest)
    assert captured.out == ""


def test_help_names_every_verb(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listed = {line.split()[0] for line in capfd.readouterr().out.split("\n") if line.startswith("  ")}
    assert listed == set(
        "notify ask input confirm retract status pending answer dismiss summon quit mcp setup docs schema logs daemon "
        "version".split())


def test_lines_come_whole_however_they_are_cut() -> None:
    data = b"one\n\ntwo\nthree"
    for size in range(1, len(data) + 1):
        left = [data]

        def read(_: int, size: int = size, left: list[bytes] = left) -> bytes:
            chunk, left[0] = left[0][:size], left[0][size:]
            return chunk

        assert list(split(read)) == [b"one\n", b"\n", b"two\n", b"three"]


def test_a_pipe_that_does_not_block_gets_all_of_it() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    data = os.urandom(1 << 20)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.extend(split(lambda size: os.read(reading, size))))
    reader.start()
    write_all(writing, data)
    os.close(writing)
    reader.join()
    os.close(reading)
    assert b"".join(got) == data


@pytest.mark.parametrize("environment", [
    {"HOME": "/home/me"},
    {"HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_DATA_HOME": "relative"},
    {"AGENTBOX_HOME": "/srv/box"},
    {"AGENTBOX_HOME": "/" + "x" * 120},
])
@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("instance", ["", "second"])
def test_the_daemon_and_the_command_line_look_in_the_same_places(
    environment: dict[str, str], platform: str, instance: str
) -> None:
    daemons = places.resolve(environment, platform, 1000, instance)
    ours = locations.resolve(environment, platform, 1000, instance)
    for name in ("config", "data", "run", "cache", "log", "socket", "log_file", "door_file"):
        assert getattr(daemons, name) == Path(getattr(ours, name))
    assert len(ours.socket) <= locations.SOCKET_PATH_MAX


def test_no_verb_that_must_be_fast_imports_what_is_slow() -> None:
    """Each of these alone costs a verb a tenth to a whole `python3 -c pass`."""
    program = (
        "import sys\n"
        "import agentbox_desktop.cli.bridge\n"
        "from agentbox_desktop.cli.main import _verb\n"
        "for name in ('notify', 'status', 'mcp'): _verb(name).parser(name)\n"
        "print(*sorted(sys.modules))")
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    slow = {"typing", "dataclasses", "pathlib", "subprocess", "asyncio", "hashlib", "inspect", "logging", "secrets",
            "shutil"}
    assert not slow & set(loaded)


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["version", "--json"]) == 0
    assert set(json.loads(capfd.readouterr().out)) == {"version"}
