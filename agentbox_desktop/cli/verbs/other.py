"""What needs no answer from the daemon: mcp, setup, docs, schema, logs, daemon, version."""

import os
import sys
from argparse import ArgumentTypeError, Namespace

from agentbox_desktop import __version__
from agentbox_desktop.cli.failures import Misuse
from agentbox_desktop.cli.output import write, write_json
from agentbox_desktop.cli.verb import Parser, Verb, duration
from agentbox_desktop.core.exits import Exit

_TOOLSETS = ("desktop",)


def _mcp(arguments: Namespace) -> int:
    if arguments.toolset not in _TOOLSETS:
        raise Misuse(f"There is no toolset {arguments.toolset!r} here; there is {', '.join(_TOOLSETS)}.")
    from agentbox_desktop.cli.bridge import bridge

    return bridge(arguments)


def _setup(arguments: Namespace) -> int:
    """Become the setup program, which asks the daemon itself whether its caller is the person."""
    # -P: what lies in the caller's folder is no part of ours, whatever it is called
    command = [sys.executable, "-P", "-m", "agentbox_desktop.setup", *_instance_words(arguments), *arguments.rest]
    if sys.platform == "win32":  # exec there returns to the shell at once, and the two would type over each other
        import subprocess

        return subprocess.call(command)
    os.execv(command[0], command)


def _docs(arguments: Namespace) -> int:
    from agentbox_desktop.cli import manual

    if arguments.page == "setup":
        if arguments.tool or arguments.all:
            raise Misuse("docs setup takes nothing more.")
        write(manual.page("setup"))
    elif arguments.tool:
        write(manual.tool(arguments.tool))
    else:
        write(manual.everything() if arguments.all else manual.page("agent"))
    return Exit.OK


def _schema(arguments: Namespace) -> int:
    from agentbox_desktop.cli import manual

    write(manual.schema(arguments.tool))
    return Exit.OK


def _logs(arguments: Namespace) -> int:
    from agentbox_desktop.cli.log import show

    return show(arguments)


def _daemon(arguments: Namespace) -> int:
    import importlib

    # By its name, because no import of the command line may reach the daemon's: that is what keeps a verb fast.
    daemon = importlib.import_module("agentbox_desktop.daemon")
    return int(daemon.main(_instance_words(arguments)))


def _version(arguments: Namespace) -> int:
    if arguments.json:
        write_json({"version": __version__})
    else:
        write(f"agentbox {__version__}")
    return Exit.OK


def _instance_words(arguments: Namespace) -> list[str]:
    return ["--instance", arguments.instance] if arguments.instance else []


def _mcp_flags(parser: Parser) -> None:
    parser.add_argument("--toolset", metavar="NAME", default="desktop", help="desktop")
    parser.add_argument("--profile", choices=("full", "core"), default="full", help="core: the few asked most")
    parser.add_argument("--call-limit", metavar="TIME", type=duration,
                        help="how long the client lets one call take; 0 without a limit")


def _docs_flags(parser: Parser) -> None:
    parser.add_argument("page", choices=("agent", "setup"), help="for an agent, or what to paste for each client")
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="one tool in full")
    parser.add_argument("--all", action="store_true", help="every tool in full")


def _schema_flags(parser: Parser) -> None:
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="absent: all tools")


def _logs_flags(parser: Parser) -> None:
    parser.add_argument("-n", dest="count", metavar="N", type=_count, default=50, help="how many lines (50)")
    parser.add_argument("--follow", "-f", action="store_true", help="go on with what comes")


def _count(word: str) -> int:
    if not word.isdecimal():
        raise ArgumentTypeError(f"a count is a whole number, not {word!r}")
    return int(word)


VERBS = {
    "mcp": Verb("Serve an MCP client on standard input and output.", "agentbox mcp --profile core", _mcp, _mcp_flags),
    "setup": Verb("Register AgentBox with an MCP client.", "agentbox setup claude --dry-run", _setup, passes_on=True),
    "docs": Verb("Print the manual.", "agentbox docs agent ask_user", _docs, _docs_flags),
    "schema": Verb("Print the tools' schemas.", "agentbox schema ask_user", _schema, _schema_flags),
    "logs": Verb("Print the daemon's log.", "agentbox logs --follow", _logs, _logs_flags),
    "daemon": Verb("Run AgentBox in the foreground.", "agentbox daemon", _daemon),
    "version": Verb("Print the version.", "agentbox version", _version),
}
