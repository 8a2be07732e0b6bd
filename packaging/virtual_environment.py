"""The project's Python environment: made once, and left alone while what it was made from is the same."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from failure import BootstrapFailed

STAMP = "bootstrap-stamp.json"


@dataclass(frozen=True, slots=True)
class VirtualEnvironment:
    """A folder made by `python -m venv`."""

    folder: Path

    def script(self, name: str) -> Path:
        """The path of a console script, or of `python` itself."""
        if sys.platform == "win32":
            return self.folder / "Scripts" / f"{name}.exe"
        return self.folder / "bin" / name

    def provide(self, project: Path, groups: Sequence[str]) -> None:
        """Install `project` editable with its dependency `groups`, unless that was done before."""
        wanted = _Stamp.of(project)
        stamp_file = self.folder / STAMP
        found = _Stamp.read(stamp_file)
        if found is not None and found.covers(wanted, groups):
            return
        print(f"Installing Python packages into {self.folder} (a few minutes the first time) …", flush=True)
        stamp_file.unlink(missing_ok=True)
        self.create(anew=found is not None and found.python != wanted.python)
        metadata = project / "pyproject.toml"
        options = [part for group in groups for part in ("--group", f"{metadata}:{group}")]
        self.install("--editable", str(project), *options)
        stamp_file.write_text(json.dumps(asdict(wanted) | {"groups": list(groups)}), encoding="utf-8")

    def create(self, anew: bool = False) -> None:
        """Make the folder, with a pip that knows dependency groups (25.1 or later)."""
        command = [sys.executable, "-m", "venv", *(["--clear"] if anew else []), str(self.folder)]
        _run(command, f"Python could not make a virtual environment in {self.folder}")
        self.install("--upgrade", "pip>=25.1")

    def install(self, *arguments: str) -> None:
        pip = [str(self.script("python")), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, *arguments], f"pip could not install into {self.folder}")


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What an environment was made from."""

    python: str
    project: str
    metadata: str
    groups: Sequence[str] = ()

    @classmethod
    def of(cls, project: Path) -> "_Stamp":
        metadata = hashlib.sha256((project / "pyproject.toml").read_bytes()).hexdigest()
        # No more of the version: an environment goes on working when the system updates its Python 3.11.
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        # The interpreter below any environment: called from within its own, an environment is the same one.
        return cls(f"{sys.base_prefix} {version}", str(project), metadata)

    @classmethod
    def read(cls, file: Path) -> "_Stamp | None":
        try:
            return cls(**json.loads(file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None  # none yet, or not one of ours: it is made anew

    def covers(self, wanted: "_Stamp", groups: Sequence[str]) -> bool:
        same = (self.python, self.project, self.metadata) == (wanted.python, wanted.project, wanted.metadata)
        return same and set(groups) <= set(self.groups)


def _run(command: Sequence[str], failure: str) -> None:
    if subprocess.run(command, check=False).returncode != 0:
        raise BootstrapFailed(f"{failure}; what it said is above.")
