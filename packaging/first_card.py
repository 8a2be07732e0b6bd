"""The first question after a start: a card on the screen, the ways to answer it, and the answer."""

import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from failure import BootstrapFailed
from virtual_display import has_display, virtual_display

TITLE = "Is this the first card on your screen?"
BODY = """This is how your agents will ask you.

Choose with a click, or click the card and press **1** or **2**. Your choice goes back to whoever asked."""
OPTIONS = ("Yes, it works::Nothing else to do", "Something is wrong::Say what in a reply")
APPEARS_S = 15.0


def show(agentbox: Path) -> None:
    """Start the app, ask the question and print its answer.

    On a real display the app stays; on a virtual one it ends with the question.
    """
    if has_display():
        app = _App(agentbox, os.environ)
        _ask(app)
        print(f"AgentBox Desktop goes on in the background; end it with: {app.typed('quit')}")
        return
    with virtual_display() as display:
        app = _App(agentbox, os.environ | {"DISPLAY": display})
        print(f"There is no display here; the card is on a virtual one, {display} (VNC can show it).")
        with _ended_with_its_display(app, display):
            _ask(app)
        print("The virtual display ends now, and the app with it; on a desktop it stays.")


@dataclass(frozen=True, slots=True)
class _App:
    """The command `agentbox` in an environment; its first call starts the daemon."""

    command: Path
    environment: Mapping[str, str]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.command), *arguments], env=dict(self.environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def read(self, *arguments: str) -> Any:
        """What the command prints with --json."""
        process = self.start(*arguments, "--json")
        output, errors = process.communicate()
        if process.returncode != 0:
            raise BootstrapFailed(errors.strip() or f"agentbox {arguments[0]} failed ({process.returncode}).")
        return json.loads(output)

    def typed(self, *arguments: str) -> str:
        """The same command as a person types it in another terminal."""
        home = self.environment.get("AGENTBOX_HOME")
        assignment = f"AGENTBOX_HOME={shlex.quote(home)} " if home else ""
        return assignment + shlex.join([str(self.command), *arguments])


def _ask(app: _App) -> None:
    app.read("status")
    options = [part for option in OPTIONS for part in ("--option", option)]
    question = app.start("ask", "--title", TITLE, "--body", BODY, *options)
    try:
        item_id = _item_id(app, question)
        print(f"A card asks: {TITLE}")
        print("Answer it there, or from another terminal:")
        print(f"  {app.typed('pending')}")
        print(f"  {app.typed('answer', item_id, '1')}", flush=True)
        output, errors = question.communicate()
    finally:
        question.terminate()
        question.wait()
    if question.returncode != 0:
        raise BootstrapFailed(errors.strip() or f"The question got no answer (exit {question.returncode}).")
    print(f"The answer: {output.strip()}")


def _item_id(app: _App, question: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + APPEARS_S
    while question.poll() is None and time.monotonic() < deadline:
        ours = [item["id"] for item in app.read("pending") if item["title"] == TITLE]
        if ours:
            return str(ours[-1])
        time.sleep(0.1)
    if question.poll() is None:
        raise BootstrapFailed(f"No question came in {APPEARS_S:.0f} s; `{app.typed('logs')}` may say why.")
    raise BootstrapFailed(question.communicate()[1].strip() or "The question could not be asked.")


@contextmanager
def _ended_with_its_display(app: _App, display: str) -> Iterator[None]:
    """Quit the app where this is its display; one that ran before, elsewhere, is left alone."""
    pid = app.read("status")["pid"]
    ours = f"DISPLAY={display}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    if not ours:
        print(f"AgentBox Desktop was already running (process {pid}), so the question goes to that one.")
    try:
        yield
    finally:
        if ours:
            app.start("quit").communicate()
