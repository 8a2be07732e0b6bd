"""`python -m agentbox_desktop.setup CLIENT`: what `agentbox setup` runs."""

import argparse
import json
import os
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from agentbox_desktop.cli.calls import Calls
from agentbox_desktop.cli.failures import Failure
from agentbox_desktop.core.exits import Exit
from agentbox_desktop.core.locations import resolve
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.setup.clients import CLIENTS, Bridge, Client
from agentbox_desktop.setup.connection import count_tools
from agentbox_desktop.setup.installation import install, missing, preview, program_of
from agentbox_desktop.setup.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Report:
    """What was done. `tools` is None where no connection was tried; `diff` is only of a dry run."""

    client: str
    changed: bool
    files: list[str]
    tools: int | None = None
    diff: str | None = None
    sentences: list[str] = field(default_factory=list)


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    client = next(known for known in CLIENTS if known.name == options.client)
    try:
        _ask_daemon(options)
        report = _undo(client, options) if options.undo else _set_up(client, options)
    except (Refused, Failure) as error:
        print(f"agentbox setup: {error.message}", file=sys.stderr)
        return Exit.FAULT
    except OSError as error:
        print(f"agentbox setup: {error.filename}: {error.strerror}.", file=sys.stderr)
        return Exit.FAULT
    if options.json:
        print(json.dumps({key: value for key, value in asdict(report).items() if key != "sentences"}))
    else:
        print("\n".join(report.sentences))
    return Exit.OK


def _set_up(client: Client, options: argparse.Namespace) -> Report:
    environment, bridge, ledger = dict(os.environ), _bridge(client, options), _ledger(client, options)
    program = program_of(client, environment)
    files = list(dict.fromkeys(str(entry.file) for entry in client.entries(environment, bridge)))
    wanted = missing(client, environment, bridge)
    if options.dry_run:
        diff = preview(client, program, environment, bridge) if wanted else ""
        return Report(client.name, False, files, diff=diff, sentences=[diff or _nothing_to_do(client)])
    sentences = [_nothing_to_do(client)]
    if wanted:
        install(client, program, environment, bridge, ledger)
        sentences = [f"{client.title} is set up to start {bridge.command}."]
        sentences += [f"Changed {one.file}" + (f"; as it was: {one.backup}" if one.existed else " (new)")
                      for one in ledger.touched]
    tools = count_tools(bridge, environment, client.name)
    sentences.append(f"Connected: the bridge offers {tools} tools.")
    if wanted:
        sentences.append(f"Sessions of {client.title} that are started from now on have them.")
    return Report(client.name, bool(wanted), files, tools, sentences=sentences)


def _undo(client: Client, options: argparse.Namespace) -> Report:
    ledger = _ledger(client, options)
    if not ledger.touched:
        return Report(client.name, False, [], sentences=[f"{client.title} was not set up; there is nothing to undo."])
    backups = {touched.file: touched.backup for touched in ledger.touched}
    restored = ledger.undo()
    sentences = [
        f"{file} is as it was." if exact else
        f"{file} was changed since, so only AgentBox's own entries were taken out; as it was before: {backups[file]}"
        for file, exact in restored
    ]
    return Report(client.name, True, [str(file) for file, _ in restored], sentences=sentences)


def _ask_daemon(options: argparse.Namespace) -> None:
    """Setting up is the person's; an agent is refused with the daemon's own sentence."""
    calls = Calls(options)
    try:
        calls.request("authorize", {"verb": "setup"})
    finally:
        calls.close()


def _bridge(client: Client, options: argparse.Namespace) -> Bridge:
    script = Path(sysconfig.get_path("scripts")) / ("agentbox.exe" if sys.platform == "win32" else "agentbox")
    arguments = ["mcp"]
    if options.instance:
        arguments += ["--instance", options.instance]
    if client.call_limit_s is not None:
        arguments += ["--call-limit", str(client.call_limit_s)]
    home = os.environ.get("AGENTBOX_HOME", "")
    return Bridge(str(script), tuple(arguments), {"AGENTBOX_HOME": home} if home else {})


def _ledger(client: Client, options: argparse.Namespace) -> Ledger:
    uid = os.getuid() if sys.platform != "win32" else 0
    data = resolve(os.environ, sys.platform, uid, options.instance).data
    return Ledger(Path(data) / "setup" / f"{client.name}.json")


def _nothing_to_do(client: Client) -> str:
    return f"{client.title} is already set up; nothing was changed."


def _parser() -> argparse.ArgumentParser:
    names = [client.name for client in CLIENTS]
    parser = argparse.ArgumentParser(
        prog="agentbox setup", description="Make an MCP client start AgentBox's bridge.",
        epilog="example: agentbox setup claude --dry-run",
    )
    parser.add_argument("client", choices=names, help=", ".join(f"{one.name} ({one.title})" for one in CLIENTS))
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")
    action.add_argument("--undo", action="store_true", help="make the client's files what they were before")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    for label in ("instance", "agent", "project", "session", "key"):  # as every verb of `agentbox` takes them
        parser.add_argument(f"--{label}", default="", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
