"""Another program of the person's: an editor that tells what reached it."""

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.helpers import editor_process
from tests.helpers.children import end
from tests.helpers.display import Display, Window
from tests.helpers.waiting import wait_until

PROGRAM = Path(editor_process.__file__)


class Editor:
    """A window on `display` that has the keyboard when the block begins; `file` takes all that is typed."""

    def __init__(self, display: Display, file: Path) -> None:
        self._file = file
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(file)], env=display.environment(), stdin=subprocess.DEVNULL
        )
        self._display = display

    def __enter__(self) -> Self:
        self.window: Window = self._display.wait_for_window(editor_process.TITLE)
        self._display.click(*self.window.centre)
        wait_until(lambda: self._display.has_keyboard(self.window), "the editor to have the keyboard")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self._process)

    @property
    def text(self) -> str:
        return self._file.read_text(encoding="utf-8") if self._file.exists() else ""

    def wait_for_text(self, text: str) -> None:
        wait_until(lambda: self.text == text, f"the editor to hold {text!r}")

