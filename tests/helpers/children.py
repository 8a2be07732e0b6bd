"""Ending the processes that a helper started."""

import subprocess
from typing import Any

import psutil


def end(process: "subprocess.Popen[Any]", grace_s: float = 5.0) -> None:
    """Terminate `process`, kill it if it stays, and reap it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace_s)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def living_with(variable: str, value: str) -> list[psutil.Process]:
    """Every process on the machine whose environment has `variable` = `value`, zombies left out."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get(variable) == value:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue  # gone meanwhile, or not this user's: not one of ours
    return found
