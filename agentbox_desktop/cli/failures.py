"""Why a verb could not do its work: each failure is one sentence for whoever typed it, and an exit status."""

from agentbox_desktop.core.exits import Exit


class Failure(Exception):
    """`message` is one sentence that says what to do."""

    exit = Exit.FAULT

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Misuse(Failure):
    """The command itself is wrong; the right form and an example are shown with the sentence."""

    exit = Exit.USAGE


class StartFailed(Failure):
    """The daemon said why it can't start."""


class StartTimedOut(StartFailed):
    """The daemon said nothing and did not answer in time."""


class DaemonQuit(Failure):
    """The daemon was told to quit while a call was waiting."""
