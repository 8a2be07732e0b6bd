"""Notices: a column of small windows at the top of the pointer's screen that come, are read, and go."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from agentbox_desktop.core.items import Item
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui import motion
from agentbox_desktop.ui.floating import FloatingWindow
from agentbox_desktop.ui.guards import Clock
from agentbox_desktop.ui.theme import Motion, Theme
from agentbox_desktop.ui.toast_face import WIDTH, ToastFace
from agentbox_desktop.ui.widgets.text import TextLabel

GAP = 8
TITLE, TITLE_MORE = "AgentBox notice", "AgentBox: more notices"
_TOP = 12  # between the screen's edge and the first toast
_UNFOLDED_SHARE = 0.5  # of the screen's height that a toast's whole body may take before it scrolls


def pointer_area() -> QRect:
    """The usable part of the screen that the pointer is on."""
    screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
    return screen.availableGeometry()


class ToastColumn(QObject):
    """Makes the windows match what it is shown. An item's whole text can be unfolded in its toast."""

    dismissed = Signal(str)  # the person closed the toast of this item
    seen = Signal(str)  # it stands painted on a screen
    surfaced = Signal()  # a window of it may stand above other windows of ours now
    held = Signal(str, bool)  # the pointer is over it or it is unfolded, so that its clock has to wait; or no longer

    def __init__(self, theme: Theme, area: Callable[[], QRect] = pointer_area, clock: Clock = time.monotonic) -> None:
        super().__init__()
        self._theme, self._area, self._clock = theme, area, clock
        self._toasts: dict[str, Toast] = {}
        self._more: _MoreNotices | None = None
        self._room = QRect()  # of the screen that the column is on, for as long as it holds something

    def show(self, toasts: tuple[Item, ...], more: int) -> None:
        """Have exactly `toasts` on screen, in this order from the top, and say that `more` wait behind them."""
        wanted = {item.id for item in toasts}
        for item_id in [item_id for item_id in self._toasts if item_id not in wanted]:
            gone = self._toasts.pop(item_id)
            motion.vanish(gone, self._theme, gone.deleteLater)
        if toasts and not self._toasts:
            self._room = self._area()
        arrived = [item for item in toasts if item.id not in self._toasts]
        kept = {**self._toasts, **{item.id: self._made(item) for item in arrived}}
        self._toasts = {item.id: kept[item.id] for item in toasts}
        self._show_more(more)
        self._place()
        for item in arrived:
            motion.appear(self._toasts[item.id], self._theme)
        self.surfaced.emit()

    def set_theme(self, theme: Theme) -> None:
        """Build what is on screen anew with `theme`."""
        shown = tuple(toast.item for toast in self._toasts.values())
        more = self._more.count if self._more is not None else 0
        self.show((), 0)
        self._theme = theme
        self.show(shown, more)

    def windows(self) -> "list[Toast]":
        """The toasts from the top, for tests and screenshots."""
        return list(self._toasts.values())

    def frames(self) -> list[QRect]:
        """Where its windows are, in desktop coordinates, from the top."""
        more = [self._more] if self._more is not None else []
        return [window.frame() for window in (*self._toasts.values(), *more)]

    def _made(self, item: Item) -> "Toast":
        toast = Toast(self._theme, item, self._clock, round(self._room.height() * _UNFOLDED_SHARE))
        toast.dismissed.connect(lambda: self.dismissed.emit(item.id))
        toast.seen.connect(lambda: self.seen.emit(item.id))
        toast.held.connect(lambda holds: self.held.emit(item.id, holds))
        toast.height_changed.connect(self._place_again)
        toast.activated.connect(self.surfaced)
        return toast

    def _show_more(self, count: int) -> None:
        if count == 0 and self._more is not None:
            self._more.hide()
            self._more.deleteLater()
            self._more = None
        elif count > 0:
            self._more = self._more or _MoreNotices(self._theme, self._clock)
            self._more.set_count(count)

    def _place_again(self) -> None:
        self._place()
        self.surfaced.emit()

    def _place(self) -> None:
        top = self._room.top() + _TOP
        middle = self._room.left() + self._room.width() // 2
        for toast in self._toasts.values():
            motion.settle(toast)
            size = toast.wanted_size()
            toast.set_frame(QRect(QPoint(middle - size.width() // 2, top), size))
            top += size.height() + GAP
        if self._more is not None:
            size = self._more.wanted_size()
            self._more.set_frame(QRect(QPoint(middle - size.width() // 2, top), size))
            self._more.show()


class Toast(FloatingWindow):
    """One notice in a window of its own."""

    dismissed = Signal()
    seen = Signal()
    held = Signal(bool)
    height_changed = Signal()
    activated = Signal()  # it was given the keyboard, and most window managers raise it then

    def __init__(self, theme: Theme, item: Item, clock: Clock, body_height: int) -> None:
        self.face = ToastFace(theme, item, body_height)
        super().__init__(theme, clock, self.face, shadow=False)
        self.item = item
        self._pointer_inside = False
        self.setStyleSheet(theme.stylesheet())
        self.setWindowTitle(TITLE)
        self.setAccessibleName(f"{item.level.value.capitalize()}: {one_line(item.content.title)}")
        self.face.dismissed.connect(self.dismissed)
        self.face.height_changed.connect(self.height_changed)
        self.face.toggled.connect(self._note_toggled)
        self.content_painted.connect(self._note_painted_whole)

    def wanted_size(self) -> QSize:
        return QSize(WIDTH, self.face.height_at_width())

    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        if event.key() == Qt.Key.Key_Escape and counts:
            self.dismissed.emit()
            return True
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self._pointer_inside = event.type() is QEvent.Type.Enter
            self._note_held()
        elif event.type() is QEvent.Type.WindowActivate:
            self.activated.emit()
        return super().event(event)

    def _note_toggled(self) -> None:
        self.content_shifted()
        self._note_held()

    def _note_held(self) -> None:
        self.held.emit(self._pointer_inside or self.face.is_unfolded)

    def _note_painted_whole(self) -> None:
        """Seen is what stands there in full, not what is still fading in."""
        QTimer.singleShot(motion.duration_ms(self.theme, Motion.IN), self, self._note_seen)

    def _note_seen(self) -> None:
        if self.isVisible():
            self.seen.emit()


class _MoreNotices(FloatingWindow):
    """Says how many notices wait for their turn."""

    def __init__(self, theme: Theme, clock: Clock) -> None:
        face = QWidget()
        super().__init__(theme, clock, face, shadow=False)
        self.count = 0
        self._label = TextLabel(theme, "meta", "ink2", lines=1)
        self.setWindowTitle(TITLE_MORE)
        self._row = QHBoxLayout(face)
        self._row.setContentsMargins(12, 6, 12, 6)
        self._row.addWidget(self._label)

    def set_count(self, count: int) -> None:
        self.count = count
        self._label.set_text(f"+{count} more")
        self.setAccessibleName(f"{count} more notices wait")

    def wanted_size(self) -> QSize:
        return self._row.sizeHint()

    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        return False
