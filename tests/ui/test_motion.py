"""Windows fade out and are gone, whoever still holds them."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from agentbox_desktop.ui import motion
from agentbox_desktop.ui.theme import Theme

BLENDED = Theme(dark=True, composited=True)


def test_a_window_that_nobody_holds_fades_out_and_is_deleted_once(qtbot: QtBot) -> None:
    deleted: list[str] = []
    for name in ("a", "b", "c"):
        window = QWidget()
        window.destroyed.connect(lambda _gone=None, name=name: deleted.append(name))
        motion.appear(window, BLENDED)
        motion.settle(window)
        motion.vanish(window, BLENDED, window.deleteLater)
        del window
    qtbot.waitUntil(lambda: deleted == ["a", "b", "c"])
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_window_that_goes_while_it_comes_fades_out_only(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    motion.appear(window, BLENDED)
    gone: list[bool] = []
    motion.vanish(window, BLENDED, lambda: gone.append(True))
    qtbot.waitUntil(lambda: bool(gone))
    assert not window.isVisible()
    assert window.windowOpacity() == 0.0
