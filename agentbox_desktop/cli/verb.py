"""A verb of the command line: what it is for, its flags, what it does."""

import argparse
from collections.abc import Callable

from agentbox_desktop.cli.failures import Misuse
from agentbox_desktop.cli.output import write

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from typing import NoReturn

_UNITS_S = {"s": 1, "m": 60, "h": 3600}
_EVERYWHERE = """\
on every verb:
  --json           print the whole result as JSON
  --instance NAME  use a separate second AgentBox
  --agent NAME --project NAME --session NAME
                   what the person sees as the caller's name
  --key KEY        act for the agent session with this key; taken only from one of its own processes
"""


class HelpShown(Exception):
    """Help was asked for and printed; nothing else is to be done."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Of a fixed width: argparse makes one for each flag, and asking the terminal would import shutil."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class Parser(argparse.ArgumentParser):
    """Raises instead of leaving the process: Misuse, or HelpShown."""

    def error(self, message: str) -> "NoReturn":
        raise Misuse(f"{message[0].upper()}{message[1:]}.")

    def print_help(self, file: object = None) -> "NoReturn":
        write(self.format_help().rstrip())
        raise HelpShown

    @property
    def right_form(self) -> str:
        return self.format_usage().removeprefix("usage: ").strip()


class Verb:
    """`example` is a whole command that works. `run` gets the parsed flags and returns the exit status.

    `passes_on`: the words after the verb are another program's, and come unread as `arguments.rest`.
    """

    def __init__(self, summary: str, example: str, run: Callable[[argparse.Namespace], int],
                 flags: Callable[[Parser], None] | None = None, passes_on: bool = False) -> None:
        self.summary = summary
        self.example = example
        self.run = run
        self._flags = flags
        self.passes_on = passes_on

    def parser(self, name: str) -> Parser:
        parser = Parser(
            prog=f"agentbox {name}", description=self.summary, epilog=_EVERYWHERE + f"\nexample:\n  {self.example}",
            formatter_class=_Formatter, allow_abbrev=False)
        if self._flags is not None:
            self._flags(parser)
        parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
        parser.add_argument("--instance", type=instance_name, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        for label in ("agent", "project", "session", "key"):
            parser.add_argument(f"--{label}", default="", help=argparse.SUPPRESS)
        return parser


def instance_name(word: str) -> str:
    """An instance's name: it becomes part of folder names."""
    if not 0 < len(word) <= 40 or not word.replace("-", "").replace("_", "").isalnum() or not word.isascii():
        raise argparse.ArgumentTypeError(f"a name is 1 to 40 letters, digits, - and _, not {word!r}")
    return word


def duration(word: str) -> float:
    """Seconds from `120`, `90s`, `2m` or `1h`."""
    number, unit = (word[:-1], word[-1]) if word[-1:] in _UNITS_S else (word, "s")
    try:
        seconds = float(number) * _UNITS_S[unit]
    except ValueError:
        seconds = -1
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"a time is 0 or more, such as 120, 90s, 2m or 1h, not {word!r}")
    return seconds
