"""The daemon's process: from the lock to the last goodbye. What it is made of is put together in `app`.

Order of a start: folders, lock, store, socket, then the windows; what is heavy and not needed for the first
card comes after the socket answers.
"""

import asyncio
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agentbox_desktop.core.exits import Exit
from agentbox_desktop.core.places import Places, resolve
from agentbox_desktop.platform.display import find_display
from agentbox_desktop.platform.private_folder import FolderUnusable, check_home, make_folder
from agentbox_desktop.platform.single_instance import SingleInstance
from agentbox_desktop.ports import StoreFailed

if TYPE_CHECKING:
    from agentbox_desktop.app import Application

_STOP_S = 2.0
_TAKING_OVER_S = 4.0
_POLL_S = 0.02


def main(arguments: Sequence[str]) -> int:
    """Run the daemon until it is told to quit; `arguments`: `--instance NAME` or nothing.

    Before the socket answers, what is wrong goes to standard error as one sentence and the exit status is 4;
    after that standard error goes to a file in the log folder. A second daemon in the same place exits 0.
    """
    os.umask(0o077)
    gc.disable()  # what is made while starting stays: looking through it again and again is a tenth of the start
    instance = arguments[1] if len(arguments) == 2 and arguments[0] == "--instance" else ""
    try:
        places = resolve(os.environ, sys.platform, os.getuid() if hasattr(os, "getuid") else 0, instance)
        check_home(Path(os.environ.get("AGENTBOX_HOME") or "/"))
        for folder in (places.config, places.data, places.run, places.cache, places.log, places.socket.parent):
            make_folder(folder)
        lock = SingleInstance(places.lock)
        if not _is_the_one(lock, places):
            if sys.stderr.isatty():
                print("AgentBox is already running.", file=sys.stderr)  # noqa: T201 - for who typed it
            return Exit.OK
    except (FolderUnusable, ValueError) as error:
        return _cannot_start(str(error))
    except OSError as error:
        return _cannot_start(f"AgentBox can't start: {error}.")
    return _run(places, instance)


def _is_the_one(lock: SingleInstance, places: Places) -> bool:
    """Whether this process is to be the daemon. One that holds the lock and does not answer is coming up, or is
    quitting: it is waited for, so that a start right after a quit is none too early.
    """
    deadline = time.monotonic() + _TAKING_OVER_S
    while not lock.acquire():
        if _answers(places) or time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _answers(places: Places) -> bool:
    if sys.platform == "win32":
        return places.door_file.exists()
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(places.socket)) == 0


def _cannot_start(sentence: str) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201 - the starter reads this pipe
    return Exit.FAULT


def _run(places: Places, instance: str) -> int:
    from agentbox_desktop.store.opening import StoreUnusable, open_store

    try:
        engine, set_aside = open_store(places.database, time.time())
    except StoreUnusable as error:
        return _cannot_start(error.message)
    display = find_display(os.environ, sys.platform)
    os.environ["QT_QPA_PLATFORM"] = display.qt_platform

    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from agentbox_desktop.app import Application

    qt = QApplication(["agentbox"])
    qt.setApplicationName("agentbox")
    qt.setDesktopFileName("agentbox")
    qt.setQuitOnLastWindowClosed(False)
    loop = QEventLoop(qt)
    asyncio.set_event_loop(loop)
    with loop:
        application = Application(places, instance, display, engine)
        status: int = loop.run_until_complete(_serve(application, loop, places, set_aside))
    return status


async def _serve(application: "Application", loop: asyncio.AbstractEventLoop, places: Places,
                 set_aside: Path | None) -> int:
    quitting = asyncio.Event()
    try:
        await application.start(quitting.set)
    except (OSError, StoreFailed) as error:
        return _cannot_start(f"AgentBox can't start: {error}.")
    if sys.platform != "win32":
        for name in (signal.SIGTERM, signal.SIGINT):  # until now a signal ends the process as it always does
            loop.add_signal_handler(name, quitting.set)
    gc.freeze()
    gc.enable()
    _redirect_errors(places)
    if set_aside is not None:
        await application.tell_set_aside(set_aside)
    await quitting.wait()
    try:
        async with asyncio.timeout(_STOP_S):
            await application.stop()
    except TimeoutError:
        application.give_up_stopping()
    return Exit.OK


def _redirect_errors(places: Places) -> None:
    """The starter has read enough: from here on what a library prints goes to a file."""
    errors = os.open(places.log / "daemon.stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(errors, 2)
    os.close(errors)
