"""What every test can have: Qt without a screen, and the loop that the app runs on."""

import asyncio
import os
from collections.abc import Callable, Mapping

import pytest

# Tests of windows draw into memory; those on a real X server give it to the processes they start.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.pop("WAYLAND_DISPLAY", None)
os.environ.pop("DISPLAY", None)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """A coroutine that has the Qt application among its fixtures runs on qasync, every other on asyncio's own."""
    if "qapp" in getattr(item, "fixturenames", ()):
        return {"qasync": _qasync_loop}
    return {"asyncio": asyncio.new_event_loop}


def _qasync_loop() -> asyncio.AbstractEventLoop:
    import qasync
    from PySide6.QtWidgets import QApplication

    loop: asyncio.AbstractEventLoop = qasync.QEventLoop(QApplication.instance() or QApplication([]))
    return loop
