"""The icon in the tray: what waits, and a menu. The app works as well without one."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from agentbox_desktop.core.screen import Screen
from agentbox_desktop.ui import icons
from agentbox_desktop.ui.icons import MarkState
from agentbox_desktop.ui.theme import Theme

_LOOK_EVERY_MS = 10_000  # a desktop's tray may start after us, or start again
_WITHOUT_TRAY = frozenset({"offscreen", "minimal"})


@dataclass(frozen=True, slots=True)
class TrayActions:
    """What the menu's lines do."""

    summon: Callable[[], object]
    open_log_folder: Callable[[], object]
    quit: Callable[[], object]


class Tray(QObject):
    """Shows itself as soon as the desktop has a tray, and again when that was started anew."""

    host_changed = Signal(bool)  # there is a tray to be seen in, or no longer

    def __init__(self, theme: Theme, actions: TrayActions, look_every_ms: int = _LOOK_EVERY_MS) -> None:
        super().__init__()
        self._theme, self._actions = theme, actions
        self._state, self._count = MarkState.IDLE, 0
        self._has_host = False
        self._menu = QMenu()
        self._line = self._menu.addAction("")
        self._line.setEnabled(False)
        self._menu.addSeparator()
        self._summon = self._menu.addAction("Show the waiting card", actions.summon)
        self._menu.addAction("Open the log folder", actions.open_log_folder)
        self._menu.addSeparator()
        self._menu.addAction("Quit AgentBox", actions.quit)
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(self._menu)  # Qt pops it up by itself, without a loop of its own
        self._icon.activated.connect(self._activated)
        self._look = QTimer(self, interval=look_every_ms)
        self._look.timeout.connect(self._find_host)
        self._refresh()

    def start(self) -> None:
        """Appear, now or when there is a tray."""
        if QGuiApplication.platformName() not in _WITHOUT_TRAY:
            self._find_host()
            self._look.start()

    def stop(self) -> None:
        """Leave the tray."""
        self._look.stop()
        self._icon.hide()

    @property
    def has_host(self) -> bool:
        """Whether the desktop has a tray now."""
        return self._has_host

    @property
    def menu(self) -> QMenu:
        return self._menu

    @property
    def icon(self) -> QIcon:
        return self._icon.icon()

    @property
    def tool_tip(self) -> str:
        return self._icon.toolTip()

    def show(self, screen: Screen) -> None:
        """Say what waits."""
        state = MarkState.URGENT if screen.urgent else MarkState.WAITING if screen.pending else MarkState.IDLE
        if (state, screen.pending) != (self._state, self._count):
            self._state, self._count = state, screen.pending
            self._refresh()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._refresh()

    def _refresh(self) -> None:
        waiting = waiting_words(self._count)
        self._icon.setIcon(icons.mark(self._theme, self._state, self._count))
        self._icon.setToolTip(f"AgentBox: {waiting[0].lower()}{waiting[1:]}")
        self._line.setText(waiting)
        self._summon.setEnabled(self._count > 0)

    def _find_host(self) -> None:
        has_host = QSystemTrayIcon.isSystemTrayAvailable()
        if has_host and not self._has_host:
            self._icon.hide()  # an icon that was shown to a tray that is gone is not shown to the next one
            self._icon.show()
        if has_host != self._has_host:
            self._has_host = has_host
            self.host_changed.emit(has_host)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self._actions.summon()


def waiting_words(count: int) -> str:
    """How many cards wait, as a line for the person."""
    if count == 0:
        return "Nothing is waiting"
    return "1 card is waiting" if count == 1 else f"{count} cards are waiting"
