"""Putting the bridge into a client's settings, or showing what that would change."""

import difflib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.setup.clients import Bridge, Client, Entry
from agentbox_desktop.setup.documents import Document, write
from agentbox_desktop.setup.ledger import Ledger

COMMAND_S = 60
_MOVES_SETTINGS = {"CLAUDE_CONFIG_DIR", "CODEX_HOME"}

Environment = Mapping[str, str]


def program_of(client: Client, environment: Environment) -> str:
    """The client's executable; "" for one without commands of its own that is there. Refused where it is not."""
    program = shutil.which(client.program, path=environment.get("PATH"))
    if program:
        return program
    if not client.registration(Bridge("", (), {}), exists=False) and client.settings_folder(environment).is_dir():
        return ""
    raise Refused(f"{client.title} is not installed: there is no `{client.program}` on PATH.", "not_found")


def missing(client: Client, environment: Environment, bridge: Bridge) -> list[Entry]:
    """What is not in the client's files yet."""
    return [entry for entry in client.entries(environment, bridge) if not _holds(entry)]


def install(client: Client, program: str, environment: Environment, bridge: Bridge, ledger: Ledger) -> None:
    """Back the files up, change them and write that down. After a failure they are as they were."""
    entries = client.entries(environment, bridge)
    before = {entry.file: entry.file.read_bytes() if entry.file.exists() else None for entry in entries}
    touched = ledger.back_up(entries)
    try:
        _apply(client, program, environment, bridge)
    except BaseException:
        for file, content in before.items():
            _restore(file, content)
        ledger.discard(touched)
        raise
    ledger.record(touched)


def preview(client: Client, program: str, environment: Environment, bridge: Bridge) -> str:
    """A unified diff of what `install` would write, found by doing it to a copy in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="agentbox-setup-") as home:
        scratch = {name: value for name, value in environment.items() if name not in _MOVES_SETTINGS}
        scratch |= {"HOME": home, "USERPROFILE": home}
        real = [entry.file for entry in client.entries(environment, bridge)]
        copies = dict(zip(real, (entry.file for entry in client.entries(scratch, bridge)), strict=True))
        for file, copy in copies.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                shutil.copyfile(file, copy)
        _apply(client, program, scratch, bridge)
        return "".join(_diff(file, copy) for file, copy in copies.items())


def _apply(client: Client, program: str, environment: Environment, bridge: Bridge) -> None:
    server = client.entries(environment, bridge)[0]
    if program and not _holds(server):
        exists = Document(server.file).get(server.keys) is not None
        for arguments in client.registration(bridge, exists):
            _run(client, [program, *arguments], environment)
    for entry in missing(client, environment, bridge):
        document = Document(entry.file)
        document.set(entry.keys, entry.value)
        document.save()


def _holds(entry: Entry) -> bool:
    found = Document(entry.file).get(entry.keys)
    if isinstance(entry.value, dict) and isinstance(found, Mapping):
        # The client adds to a server's entry what it likes; what it starts has to be ours.
        return all(found.get(key, {}) == entry.value.get(key, {}) for key in ("command", "args", "env"))
    return found == entry.value


def _run(client: Client, command: Sequence[str], environment: Environment) -> None:
    home = environment.get("HOME") or environment.get("USERPROFILE")
    try:
        done = subprocess.run(
            command, env=dict(environment), cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=COMMAND_S, check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused(f"{client.title}'s own command did not work: {error}.", "failed") from None
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        reason = said[-1].rstrip(".") if said else f"exit {done.returncode}"
        raise Refused(f"{client.title}'s own command said: {reason}. Nothing was changed.", "failed")


def _restore(file: Path, content: bytes | None) -> None:
    if content is None:
        file.unlink(missing_ok=True)
    else:
        write(file, content)


def _diff(file: Path, changed: Path) -> str:
    before, after = (_lines(file), _lines(changed))
    label = str(file)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(before, after, label, label)
    )


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
