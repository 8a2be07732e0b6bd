"""Take the pictures in docs/images: every surface in its main states, dark and light, on a real X server.

    python3 packaging/screenshots.py [NAME ...]

Needs Xvfb and openbox; with picom the windows have their shadows. Runs in the project's own .venv.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from virtual_display import virtual_display

if TYPE_CHECKING:
    from sample_screens import Sample

    from agentbox_desktop.ui.cards.card import CardWindow

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
_MARGIN = 48
_DEADLINE_S = 30.0


def main() -> int:
    if "--draw" in sys.argv:
        names = [name for name in sys.argv[1:] if not name.startswith("--")]
        return _in_qt(lambda: _draw(names))
    python = ROOT / ".venv" / "bin" / "python"
    if not python.exists():
        print(f"There is no {python}; run `python3 packaging/bootstrap.py install` first.")
        return 2
    with _desktop() as display:
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
        return subprocess.run([python, __file__, "--draw", *sys.argv[1:]], env=environment, check=False).returncode


@contextmanager
def _desktop() -> Iterator[str]:
    """A virtual screen with a window manager, and a compositor where there is one; ended with the block."""
    with virtual_display() as display:
        environment = {**os.environ, "DISPLAY": display}
        _wait_for(lambda: b"window id" in subprocess.run(
            ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment, capture_output=True, check=False).stdout)
        if not shutil.which("picom"):
            yield display
            return
        compositor = subprocess.Popen(["picom", "--backend", "xrender", "--config", "/dev/null"], env=environment,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield display
        finally:
            compositor.terminate()
            compositor.wait()


def _wait_for(met: Callable[[], bool]) -> None:
    until = time.monotonic() + _DEADLINE_S
    while not met():
        if time.monotonic() > until:
            raise SystemExit("The virtual desktop did not come up in time.")
        time.sleep(0.02)


def _in_qt(draw: "Callable[[], object]") -> int:
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    with QEventLoop(application) as loop:
        loop.run_until_complete(draw())
    return 0


async def _draw(names: list[str]) -> None:
    from sample_screens import samples

    from agentbox_desktop.ui.compositing import is_composited

    if shutil.which("picom"):
        _wait_for(is_composited)
    for mode in ("dark", "light"):
        studio = _Studio(mode)
        for sample in samples():
            if not names or sample.name in names:
                await studio.take(sample)
        await studio.close()


class _Studio:
    """One presenter before a plain backdrop, and a camera."""

    def __init__(self, mode: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtGui import QCursor, QGuiApplication
        from PySide6.QtWidgets import QWidget

        from agentbox_desktop.core.settings import Settings, ThemeSettings
        from agentbox_desktop.platform.clock import SystemClock
        from agentbox_desktop.ui.presenter import Presenter

        self._mode = mode
        self._backdrop = QWidget(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnBottomHint)
        self._backdrop.setStyleSheet(f"background: {'#3A4254' if mode == 'dark' else '#C3CBD9'}")
        # One that fills the screen is taken for a film by openbox, and nothing stands above it.
        self._backdrop.setGeometry(QGuiApplication.primaryScreen().geometry().adjusted(0, 0, 0, -1))
        self._backdrop.show()
        QCursor.setPos(4, 4)
        settings = Settings(theme=ThemeSettings(mode=mode, reduced_motion=True))
        self._person = _Nobody()
        self._presenter = Presenter(self._person, "x11", lambda: settings, SystemClock(), Path(), quit_app=lambda: None,
                                    summon=lambda: None)

    async def take(self, sample: "Sample") -> None:
        from agentbox_desktop.core.screen import Screen

        self._presenter.show(Screen())
        self._presenter.show(sample.screen)
        card = sample.screen.card
        if card:
            await self._until(lambda: card.item.id in self._person.has_seen)
            if sample.focused:
                self._presenter.summon()
                await self._until(lambda: self._card().key_guard.live)
            sample.act(self._card())
        await asyncio.sleep(0.3)  # the compositor draws when it likes, and says nothing
        self._save(sample.name)

    async def close(self) -> None:
        await self._presenter.close()
        self._backdrop.close()

    def _card(self) -> "CardWindow":
        from PySide6.QtWidgets import QApplication

        from agentbox_desktop.ui.cards.card import CardWindow

        return next(window for window in QApplication.topLevelWidgets()
                    if isinstance(window, CardWindow) and window.isVisible())

    def _save(self, name: str) -> None:
        from PySide6.QtCore import QMargins, QRect
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtWidgets import QApplication

        from agentbox_desktop.ui.floating import FloatingWindow

        frames = [window.frame() for window in QApplication.topLevelWidgets()
                  if isinstance(window, FloatingWindow) and window.isVisible()]
        area = QRect()
        for frame in frames:
            area = area.united(frame)
        area = area.marginsAdded(QMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN))
        screen = QGuiApplication.primaryScreen()
        area = area.intersected(screen.geometry())
        IMAGES.mkdir(parents=True, exist_ok=True)
        path = IMAGES / f"{name}-{self._mode}.png"
        screen.grabWindow(0, area.x(), area.y(), area.width(), area.height()).save(str(path))
        print(path.relative_to(ROOT))

    async def _until(self, met: Callable[[], bool]) -> None:
        until = time.monotonic() + _DEADLINE_S
        while not met():
            if time.monotonic() > until:
                raise SystemExit("A window did not come up in time.")
            await asyncio.sleep(0.01)


class _Nobody:
    """A person who only looks."""

    def __init__(self) -> None:
        self.has_seen: set[str] = set()

    async def decide(self, item_id: str, digest: str, decision: object) -> None: ...
    async def later(self, item_id: str) -> None: ...
    async def undo(self, item_id: str) -> None: ...
    async def draft(self, item_id: str, draft: object) -> None: ...
    def hover(self, item_id: str, inside: bool) -> None: ...

    async def seen(self, item_id: str) -> None:
        self.has_seen.add(item_id)


if __name__ == "__main__":
    sys.exit(main())
