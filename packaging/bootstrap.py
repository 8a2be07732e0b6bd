#!/usr/bin/env python3
"""From a fresh checkout to a running, tested or installed AgentBox Desktop, with nothing but Python 3.11.

    python3 packaging/bootstrap.py run              start the app and put a first card on the screen
    python3 packaging/bootstrap.py test -- -k card  run the tests (what follows -- goes to pytest)
    python3 packaging/bootstrap.py install          install the app for this user; --remove takes it away

It says which system packages are missing and asks before it installs them. A second call takes seconds.
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

if sys.version_info < (3, 11):  # noqa: UP036 - nothing has checked it before this line
    sys.exit(f"AgentBox Desktop needs Python 3.11 or later; this is {sys.version.split()[0]}.")

import first_card
import system_packages
import user_installation
from failure import BootstrapFailed
from virtual_display import has_display
from virtual_environment import VirtualEnvironment

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = VirtualEnvironment(PROJECT / ".venv")


def main(arguments: Sequence[str]) -> int:
    """The exit status of one call: pytest's own for `test`, else 0, or 1 after a sentence that says why."""
    separator = arguments.index("--") if "--" in arguments else len(arguments)
    options, for_pytest = _parser().parse_args(arguments[:separator]), arguments[separator + 1:]
    try:
        if options.verb == "run":
            return run(options.yes)
        if options.verb == "test":
            return test(options.yes, options.soak, options.install_only, for_pytest)
        return install(options.yes, options.remove)
    except BootstrapFailed as failure:
        print(f"bootstrap: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(yes: bool) -> int:
    """Start the app and ask the first question; ends with its answer."""
    signal.signal(signal.SIGTERM, _interrupt)
    system_packages.provide(system_packages.needed_to_run(has_display()), _agreement(yes))
    ENVIRONMENT.provide(PROJECT, groups=[])
    first_card.show(ENVIRONMENT.script("agentbox"))
    return 0


def test(yes: bool, soak: bool, install_only: bool, for_pytest: Sequence[str]) -> int:
    """Run the test suite; `soak` adds the tests that take long."""
    system_packages.provide(system_packages.needed_to_test(), _agreement(yes))
    ENVIRONMENT.provide(PROJECT, groups=["dev"])
    if install_only:
        return 0
    selection = [] if soak else ["-m", "not soak"]
    pytest = [str(ENVIRONMENT.script("python")), "-m", "pytest", *selection, *for_pytest]
    return subprocess.run(pytest, cwd=PROJECT, check=False).returncode


def install(yes: bool, remove: bool) -> int:
    """Install for this user, with the command `agentbox`; or take both away again."""
    if remove:
        user_installation.remove()
        return 0
    system_packages.provide(system_packages.needed_to_run(has_display=True), _agreement(yes))
    user_installation.install(PROJECT)
    return 0


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """As Ctrl-C: what was started is ended before this is."""
    raise KeyboardInterrupt


def _agreement(yes: bool) -> Callable[[str], bool]:
    """Asks the person, unless told not to or nobody is at the other end of stdin."""
    def agreed(question: str) -> bool:
        if yes or not sys.stdin.isatty():
            return True
        return input(f"{question} [Y/n] ").strip().lower() in {"", "y", "yes"}
    return agreed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="run | test | install")
    descriptions = {
        "run": "start the app and put a first card on the screen",
        "test": "run the tests; what follows -- goes to pytest",
        "install": "install the app for this user",
    }
    for name, description in descriptions.items():
        verb = verbs.add_parser(name, help=description, description=description)
        verb.add_argument("--yes", action="store_true", help="install missing system packages without asking")
    verbs.choices["test"].add_argument("--soak", action="store_true", help="the tests that take long as well")
    verbs.choices["test"].add_argument(
        "--install-only", action="store_true", help="install what the tests need and stop"
    )
    verbs.choices["install"].add_argument("--remove", action="store_true", help="take the installation away")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
