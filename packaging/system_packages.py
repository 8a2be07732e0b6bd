"""Which of the operating system's packages are missing, and getting them through apt.

Elsewhere the wheels of Qt bring nearly all that is needed, and what they don't is printed.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from failure import BootstrapFailed

QT = [
    "libglib2.0-0", "libegl1", "libgl1", "libxkbcommon0", "libdbus-1-3", "libfontconfig1",
    "fonts-dejavu-core",
]
QT_ON_X11 = [
    "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0",
    "libxcb-render-util0", "libxcb-shape0", "libxcb-sync1", "libxcb-xfixes0", "libxcb-xkb1",
    "libxkbcommon-x11-0", "libx11-xcb1",
]
VIRTUAL_DISPLAY = ["xvfb", "openbox"]
TEST_TOOLS = ["xdotool", "x11-utils", "trayer", "dbus", "git", "zenity", "yad"]

APT_LISTS = Path("/var/lib/apt/lists")


def needed_to_run(has_display: bool) -> list[str]:
    """The Debian packages for running the app; without a display also those that make a virtual one."""
    return _for_virtual_environments() + QT + QT_ON_X11 + ([] if has_display else VIRTUAL_DISPLAY)


def needed_to_test() -> list[str]:
    """The Debian packages for the whole test suite."""
    return needed_to_run(has_display=False) + TEST_TOOLS


def provide(packages: Sequence[str], agreed: Callable[[str], bool]) -> None:
    """Install what is missing of `packages` once `agreed` to the question; BootstrapFailed where it can't be.

    On a system without apt it says what to install by hand and goes on.
    """
    if not sys.platform.startswith("linux"):
        return
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        print("This system has no apt. If the app does not start, install your system's packages for:")
        print("  " + " ".join(packages))
        return
    missing = _missing(packages)
    if missing:
        _install(missing, agreed)


def _for_virtual_environments() -> list[str]:
    """Debian keeps a part of Python that `python -m venv` needs in a package of its own."""
    return ["python3-venv"] if importlib.util.find_spec("ensurepip") is None else []


def _missing(packages: Sequence[str]) -> list[str]:
    form = "${db:Status-Status}\t${Package}\t${Provides}\n"
    query = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True)
    present: set[str] = set()
    for line in query.stdout.splitlines():
        status, name, provides = line.split("\t")
        if status == "installed":
            present.add(name)
            # A later release may have the package under another name, which then provides this one.
            present.update(provided.split()[0] for provided in provides.split(",") if provided.strip())
    return [package for package in packages if package not in present]


def _install(missing: Sequence[str], agreed: Callable[[str], bool]) -> None:
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    install = [*apt, "install", "--yes", "--no-install-recommends", *missing]
    print(f"These system packages are missing: {' '.join(missing)}")
    print(f"They are installed with: {shlex.join(install)}", flush=True)
    if as_root and not shutil.which("sudo"):
        raise BootstrapFailed("There is no sudo: run that command as root, then this again.")
    if not agreed("Install them now?"):
        raise BootstrapFailed("Nothing was installed; run that command yourself, then this again.")
    if not _has_lists():
        subprocess.run([*apt, "update"], check=False)
    if _succeeds(install):
        return
    # The lists may name versions that the mirror no longer has.
    subprocess.run([*apt, "update"], check=False)
    if not _succeeds(install):
        raise BootstrapFailed("apt-get could not install the system packages; what it said is above.")


def _has_lists() -> bool:
    return any(APT_LISTS.glob("*_Packages*"))


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, check=False).returncode == 0
