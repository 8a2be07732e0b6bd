"""Where a benchmark happens: a screen with a window manager, and desks in a folder that is thrown away."""

import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from agentbox_desktop.core.places import Places, resolve
from tests.helpers.desk import Desk
from tests.helpers.display import Display

_CONFIG = """\
[undo]
grace_s = 0

[theme]
mode = "light"
"""


class Stage:
    """One for all benchmarks of a run. The folder has a short name, because a socket's path may have no long one."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="bench-"))
        self.display = Display()
        self.display.move(2, self.display.height - 2)  # where no card appears

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.display.__exit__(kind, exception, trace)
        shutil.rmtree(self._folder)

    def desk(self, name: str) -> Desk:
        """A desk on the screen, to be entered and started. An answer leaves at once, and the theme is the light one."""
        desk = Desk(self._folder / name, self.display)
        config = places(desk).config_file
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(_CONFIG, encoding="utf-8")
        return desk


def places(desk: Desk) -> Places:
    return resolve(desk.environment, sys.platform, 0)
