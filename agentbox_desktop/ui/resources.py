"""Files that are shipped beside the code: inside the package once built, in the top folder of a checkout."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_FOLDERS = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


@cache
def text(name: str) -> str:
    """The text of the resource `name`, such as `icons/close.svg`. Raises FileNotFoundError where there is none."""
    return path(name).read_text(encoding="utf-8")


def path(name: str) -> Path:
    """Where the resource `name` is. Raises FileNotFoundError where there is none."""
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"The resource {name} is missing; install AgentBox Desktop again.")
