"""The app installed for one user: an environment of its own under the user's data, and a linked command."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from failure import BootstrapFailed
from virtual_environment import VirtualEnvironment


def install(project: Path) -> None:
    """Install `project` as it is now (later edits do not reach it) and link its command."""
    environment = VirtualEnvironment(_folder())
    link = _link()
    if link.is_symlink() or link.exists():
        _check_ours(link, environment)
    print(f"Installing into {environment.folder} (a few minutes the first time) …", flush=True)
    environment.create()
    environment.install("--upgrade", str(project))
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    _make_link(link, environment.script("agentbox"))
    print(f"Installed: {link}")
    if str(link.parent) not in os.environ.get("PATH", "").split(os.pathsep):
        print(f"{link.parent} is not on your PATH; add it there to call `agentbox` by name.")


def remove() -> None:
    """Take away the command and its environment; what the app stored stays."""
    environment = VirtualEnvironment(_folder())
    link = _link()
    if not environment.folder.exists() and not link.is_symlink():
        print("AgentBox Desktop is not installed for this user.")
        return
    if link.is_symlink() or link.exists():
        _check_ours(link, environment)
    command = environment.script("agentbox")
    if command.exists():
        subprocess.run([str(command), "quit"], check=False, capture_output=True)
    link.unlink(missing_ok=True)
    if environment.folder.exists():
        shutil.rmtree(environment.folder)
    print(f"Removed {link} and {environment.folder}; your settings and history are kept.")


def _folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "agentbox-desktop"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "agentbox-desktop"
    configured = os.environ.get("XDG_DATA_HOME", "")
    base = Path(configured) if configured.startswith("/") else home / ".local" / "share"
    return base / "agentbox-desktop"


def _link() -> Path:
    name = "agentbox.cmd" if sys.platform == "win32" else "agentbox"
    return Path.home() / ".local" / "bin" / name


def _make_link(link: Path, command: Path) -> None:
    if sys.platform == "win32":  # a symbolic link takes a privilege there
        link.write_text(f'@"{command}" %*\n', encoding="utf-8")
    else:
        link.symlink_to(command)


def _check_ours(link: Path, environment: VirtualEnvironment) -> None:
    command = str(environment.script("agentbox"))
    leads_to = str(link.readlink()) if link.is_symlink() else link.read_bytes().decode(errors="replace")
    if command not in leads_to:
        raise BootstrapFailed(f"{link} is another program's; move it away, then run this again.")
