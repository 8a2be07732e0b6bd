"""Which of a caller's ancestors is the agent, and what a caller is called."""

import pytest

from agentbox_desktop.core.callers import Caller, Process, agent_process, is_adopted


def line(*described: str | tuple[str, ...]) -> list[Process]:
    """Ancestors, nearest first: a name, or (name, executable, argument, …). The last one is pid 1."""
    found = []
    for number, words in enumerate(described):
        name, executable, *arguments = (words, f"/usr/bin/{words}") if isinstance(words, str) else words
        pid = 1 if number == len(described) - 1 else 1000 - number
        found.append(Process(pid, 100.0 + pid, name, executable, (name, *arguments)))
    return found


def agent_of(*described: str | tuple[str, ...]) -> str | None:
    found = agent_process(line(*described))
    return None if found is None else found.name


@pytest.mark.parametrize("launcher", [
    "sh", "bash", "zsh", "fish", "dash", "env", "uv", "uvx", "npx", "timeout", "sudo", "setsid", "make", "tmux",
    "screen", "-zsh", "CMD.EXE", "powershell.exe", "tmux: client", "npm exec agentb", "agentbox",
    ("sh", "/bin/busybox"), ("run.sh", "/bin/bash", "./run.sh"),
    ("node", "/usr/bin/node", "/usr/bin/npx", "agentbox"),
    ("node-MainThread", "/usr/bin/node", "/usr/lib/node_modules/npm/bin/npx-cli.js"),
    ("node.exe", r"C:\Program Files\nodejs\node.exe", r"C:\Program Files\nodejs\node_modules\npm\bin\npx-cli.js"),
    ("python3", "/usr/bin/python3.11", "-m", "uv", "run"),
    ("python.exe", r"C:\venv\Scripts\python.exe", "-m", "agentbox_desktop.cli.main"),
    ("python3", "/usr/bin/python3", "/home/ada/.local/bin/agentbox", "mcp"),
])
def test_a_launcher_is_passed_over(launcher: str | tuple[str, ...]) -> None:
    assert agent_of(launcher, "claude", "bash", "gnome-terminal-", "systemd") == "claude"


@pytest.mark.parametrize("agent", [
    "claude", ("claude", "/usr/bin/node", "/usr/bin/claude"), ("node", "/usr/bin/node", "/usr/bin/gemini"),
    ("python3", "/usr/bin/python3", "agent.py"), ("python3", "/usr/bin/python3", "-m", "my_agent"),
    ("python3", "/usr/bin/python3"), "codex", "Cursor.exe", "make-agent", "bash-agent", "nodemon",
])
def test_the_nearest_that_is_no_launcher_is_the_agent(agent: str | tuple[str, ...]) -> None:
    expected = agent if isinstance(agent, str) else agent[0]
    assert agent_of("sh", agent, "bash", "claude", "systemd") == expected


@pytest.mark.parametrize("below", [
    "gnome-terminal-server", "gnome-terminal-", "konsole", "xterm", "alacritty", "kitty", "WindowsTerminal.exe",
    "sshd", "sshd-session", "login", "su", "systemd", "cron", "gdm-session-wor", "gnome-session-b",
    "startplasma-way", "cinnamon-sessio", "containerd-shim", "explorer.exe", "init(Ubuntu)", "Relay(42)",
    ("MainThread", "/usr/bin/gnome-terminal-server"), ("terminator", "/usr/bin/python3", "/usr/bin/terminator"),
])
def test_below_a_terminal_or_a_manager_the_outermost_launcher_is_the_agent(below: str | tuple[str, ...]) -> None:
    found = agent_process(line("sh", "make", "bash", below, "claude", "systemd"))
    assert found is not None
    assert (found.name, found.pid) == ("bash", 998)


def test_pid_1_is_never_an_agent() -> None:
    assert agent_of("claude") is None
    assert agent_of("bash", "entrypoint") == "bash"


def test_a_container_without_a_visible_pid_1() -> None:
    assert agent_process([Process(50, 1.0, "bash"), Process(40, 1.0, "sh")]) == Process(40, 1.0, "sh")


def test_nothing_above_is_no_agent() -> None:
    assert agent_process([]) is None
    assert agent_of("gnome-terminal-server", "systemd") is None


def test_fifteen_characters_that_only_begin_alike_are_another_program() -> None:
    assert agent_of("gnome-terminal-x", "systemd") == "gnome-terminal-x"
    assert agent_of("gnome-terminalz", "systemd") == "gnome-terminalz"


def test_a_process_is_the_same_by_pid_and_start() -> None:
    process = Process(7, 1000.0, "claude")
    assert process.is_same(Process(7, 1001.5, "renamed"))  # the clock was set by a second meanwhile
    assert not process.is_same(Process(7, 1002.5, "claude"))
    assert not process.is_same(Process(8, 1000.0, "claude"))
    assert process.key == "proc-7-1000000"


@pytest.mark.parametrize(("caller", "name"), [
    (Caller("proc-1-1", "/usr/bin/claude", 1, agent="Ada"), "Ada"),
    (Caller("proc-1-1", "/usr/bin/claude", 1), "claude"),
    (Caller("proc-1-1", r"C:\Programs\codex.exe", 1), "codex.exe"),
    (Caller("shell"), "shell"),
])
def test_a_caller_is_called_by_its_label_or_its_program(caller: Caller, name: str) -> None:
    assert caller.name == name


@pytest.mark.parametrize(("names", "adopted"), [
    (["systemd"], True),
    (["bash", "systemd"], True),
    (["bash", "gnome-terminal-server", "systemd"], False),
    (["bash", "tmux: server", "systemd"], False),
    (["bash", "login", "init"], False),
    (["bash"], False),
    (["bash", "process_api"], False),
    (["claude", "bash", "systemd"], False),
    ([], False),
])
def test_a_process_whose_starter_has_ended_is_adopted(names: list[str], adopted: bool) -> None:
    ancestors = [Process(100 - number, 1.0, name) for number, name in enumerate(names)]
    assert is_adopted(ancestors) is adopted
