"""`packaging/bootstrap.py`: what it installs, that it asks first, and that a second call does nothing."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import bootstrap
import pytest
import system_packages
import user_installation
from failure import BootstrapFailed
from virtual_environment import STAMP, VirtualEnvironment

from tests.packaging.conftest import PACKAGING


class Apt:
    """Stand-ins for dpkg-query, apt-get and sudo on a PATH of their own; "installing" writes the name down."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands = folder / "commands"
        self.installed = folder / "installed"
        self.commands.touch()
        self.installed.write_text("installed\tlibfoo1t64\tlibfoo1 (= 1.0), libfoo-abi\n", encoding="utf-8")
        self._program("dpkg-query", f"cat {self.installed}")
        self._program("apt-get", f"""
            echo "apt-get $*" >> {self.commands}
            if [ "$1" = install ] && [ -e {folder}/stale ]; then rm {folder}/stale; exit 100; fi
            for word; do
              case $word in install|update|-*) continue;; esac
              printf 'installed\\t%s\\t\\n' "$word" >> {self.installed}
            done""")
        self._program("sudo", f'echo "sudo $*" >> {self.commands}; exec "$@"')

    def ran(self) -> list[str]:
        return self.commands.read_text(encoding="utf-8").splitlines()

    def _program(self, name: str, script: str) -> None:
        program = self.folder / name
        program.write_text(f"#!/bin/sh\nPATH={self.folder}:/usr/bin:/bin\n{script}\n", encoding="utf-8")
        program.chmod(0o755)


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Apt:
    apt = Apt(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "mirror_Packages").touch()
    monkeypatch.setattr(system_packages, "APT_LISTS", lists)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return apt


def always(_question: str) -> bool:
    return True


def test_only_what_is_missing_is_installed_and_the_command_is_shown(
    apt: Apt, capsys: pytest.CaptureFixture[str]
) -> None:
    system_packages.provide(["libfoo1", "libbar2"], always)
    [command] = apt.ran()
    assert command == "apt-get install --yes --no-install-recommends libbar2"
    assert f"env DEBIAN_FRONTEND=noninteractive {command}" in capsys.readouterr().out

    system_packages.provide(["libfoo1", "libbar2"], always)
    assert apt.ran() == [command]


def test_no_answer_installs_nothing(apt: Apt) -> None:
    with pytest.raises(BootstrapFailed, match="Nothing was installed"):
        system_packages.provide(["libbar2"], lambda _question: False)
    assert apt.ran() == []


def test_a_user_goes_through_sudo(apt: Apt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    system_packages.provide(["libbar2"], always)
    assert apt.ran()[0].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get install")


def test_a_user_without_sudo_is_told_the_command(
    apt: Apt, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (apt.folder / "sudo").unlink()
    monkeypatch.setenv("PATH", str(apt.folder))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(BootstrapFailed, match="as root"):
        system_packages.provide(["libbar2"], always)
    assert "apt-get install --yes --no-install-recommends libbar2" in capsys.readouterr().out
    assert apt.ran() == []


def test_stale_lists_are_brought_up_to_date_once(apt: Apt) -> None:
    (apt.folder / "stale").touch()
    system_packages.provide(["libbar2"], always)
    assert [command.split()[1] for command in apt.ran()] == ["install", "update", "install"]


def test_a_machine_without_lists_fetches_them_first(apt: Apt) -> None:
    (apt.folder / "lists" / "mirror_Packages").unlink()
    system_packages.provide(["libbar2"], always)
    assert [command.split()[1] for command in apt.ran()] == ["update", "install"]


def test_a_system_without_apt_is_told_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    system_packages.provide(["libbar2"], always)
    assert "libbar2" in capsys.readouterr().out


def test_a_display_needs_no_virtual_one() -> None:
    assert "xvfb" in system_packages.needed_to_run(has_display=False)
    assert "xvfb" not in system_packages.needed_to_run(has_display=True)
    assert {"xvfb", "openbox", "xdotool", "libxcb-cursor0"} <= set(system_packages.needed_to_test())


def test_it_imports_the_standard_library_only() -> None:
    seen: set[str] = set()
    to_read = {"bootstrap"}
    while to_read:
        module = to_read.pop()
        seen.add(module)
        imported = _imports(PACKAGING / f"{module}.py")
        own = {name for name in imported if (PACKAGING / f"{name}.py").exists()}
        assert imported - own <= sys.stdlib_module_names, f"{module} imports {imported - own}"
        to_read |= own - seen
    assert {"first_card", "system_packages", "virtual_environment"} <= seen


def _imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


class Recorder:
    """Takes the place of subprocess.run: remembers commands, and fails at the one that holds `fails_at`."""

    def __init__(self, fails_at: str = "nothing") -> None:
        self.commands: list[list[str]] = []
        self._fails_at = fails_at

    def __call__(self, command: list[str], **options: object) -> "subprocess.CompletedProcess[str]":
        self.commands.append(command)
        if command[1:3] == ["-m", "venv"]:
            Path(command[-1]).mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, int(any(self._fails_at in word for word in command)))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return folder


def test_an_environment_is_made_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    environment = VirtualEnvironment(project / ".venv")
    environment.provide(project, ["dev"])
    assert recorder.commands[0][1:3] == ["-m", "venv"]
    assert "--editable" in recorder.commands[-1] and f"{project / 'pyproject.toml'}:dev" in recorder.commands[-1]

    count = len(recorder.commands)
    environment.provide(project, ["dev"])
    environment.provide(project, [])
    assert len(recorder.commands) == count

    (project / "pyproject.toml").write_text("[project]\nname = 'other'\n", encoding="utf-8")
    environment.provide(project, [])
    assert len(recorder.commands) > count


def test_an_environment_for_running_is_extended_for_testing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    environment = VirtualEnvironment(project / ".venv")
    environment.provide(project, [])
    count = len(recorder.commands)
    environment.provide(project, ["dev"])
    assert len(recorder.commands) > count


def test_an_installation_that_failed_is_tried_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = VirtualEnvironment(project / ".venv")
    monkeypatch.setattr("subprocess.run", Recorder(fails_at="--editable"))
    with pytest.raises(BootstrapFailed, match="pip could not install"):
        environment.provide(project, [])
    assert not (environment.folder / STAMP).exists()


def test_another_python_makes_it_anew(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    environment = VirtualEnvironment(project / ".venv")
    environment.provide(project, [])
    stamp = environment.folder / STAMP
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"python": "3.10"}), encoding="utf-8")
    environment.provide(project, [])
    assert ["--clear" in command for command in recorder.commands if command[1:3] == ["-m", "venv"]] == [False, True]


def test_called_from_within_itself_it_is_the_same_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that puts the environment first on PATH calls bootstrap with the environment's own Python."""
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    environment = VirtualEnvironment(project / ".venv")
    environment.provide(project, [])
    count = len(recorder.commands)
    monkeypatch.setattr(sys, "executable", str(environment.script("python")))
    monkeypatch.setattr(sys, "prefix", str(environment.folder))
    environment.provide(project, [])
    assert len(recorder.commands) == count


def test_an_update_of_the_same_python_changes_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installing Debian's python3-venv brings the newest build of python3 with it."""
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    environment = VirtualEnvironment(project / ".venv")
    environment.provide(project, [])
    count = len(recorder.commands)
    monkeypatch.setattr(sys, "version", sys.version + " rebuilt")
    environment.provide(project, [])
    assert len(recorder.commands) == count


@pytest.mark.parametrize(("arguments", "expected"), [
    (["test"], ["-m", "not soak"]),
    (["test", "--soak"], []),
    (["test", "--yes", "--", "-k", "card", "--yes"], ["-m", "not soak", "-k", "card", "--yes"]),
])
def test_pytest_gets_what_follows(
    arguments: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_packages, "provide", lambda *_: None)
    monkeypatch.setattr(VirtualEnvironment, "provide", lambda *_, **__: None)
    recorder = Recorder()
    monkeypatch.setattr("subprocess.run", recorder)
    assert bootstrap.main(arguments) == 0
    [command] = recorder.commands
    assert command[1:] == ["-m", "pytest", *expected]


def test_a_failure_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_arguments: object) -> None:
        raise BootstrapFailed("The disk is full.")
    monkeypatch.setattr(system_packages, "provide", fail)
    assert bootstrap.main(["run"]) == 1
    assert capsys.readouterr().err == "bootstrap: The disk is full.\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home in which `pip install` makes the command, and nothing else."""
    def make_command(environment: VirtualEnvironment, *_arguments: str) -> None:
        command = environment.script("agentbox")
        command.parent.mkdir(parents=True, exist_ok=True)
        command.write_text(f"#!/bin/sh\necho \"$*\" >> {tmp_path}/called\n", encoding="utf-8")
        command.chmod(0o755)
    monkeypatch.setattr(VirtualEnvironment, "create", lambda *_, **__: None)
    monkeypatch.setattr(VirtualEnvironment, "install", make_command)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path


def test_installed_command_is_linked_and_removed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = home / ".local" / "bin" / "agentbox"
    user_installation.install(home)
    assert link.resolve() == home / ".local/share/agentbox-desktop/bin/agentbox"
    assert "is not on your PATH" in capsys.readouterr().out
    user_installation.install(home)

    user_installation.remove()
    assert (home / "called").read_text(encoding="utf-8") == "quit\n"
    assert not link.is_symlink() and not (home / ".local/share/agentbox-desktop").exists()
    user_installation.remove()
    assert "is not installed" in capsys.readouterr().out


def test_another_programs_command_is_left_alone(home: Path) -> None:
    link = home / ".local" / "bin" / "agentbox"
    link.parent.mkdir(parents=True)
    link.write_text("somebody else's", encoding="utf-8")
    with pytest.raises(BootstrapFailed, match="another program's"):
        user_installation.install(home)
    assert link.read_text(encoding="utf-8") == "somebody else's"
