"""A window above all others that never takes the keyboard by itself, with guards on every press and key."""


from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCursor,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from agentbox_desktop.ui.focus_ring import FocusRing
from agentbox_desktop.ui.guards import ClickGuard, Clock, KeyGuard
from agentbox_desktop.ui.input_shape import take_presses_in
from agentbox_desktop.ui.shadow import MARGINS, paint_shadow
from agentbox_desktop.ui.theme import Theme

RADIUS = 10
_FLAGS = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
_PLACED_AFTER_MS = 200
_KEYBOARD_WISHES, _KEYBOARD_WISH_MS = 4, 120
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PUSHING = (Qt.Key.Key_Space, Qt.Key.Key_Select, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FloatingWindow(QWidget):
    """`frame` is the rounded rectangle that the person sees; around it there may be room for its shadow.

    Its owner calls `content_changed` when what can be decided is another thing; subclasses answer `key_pressed`.
    """

    content_painted = Signal()  # new content is on an exposed window
    keys_live = Signal(bool)  # keys count from now on, or no longer

    def __init__(
        self, theme: Theme, clock: Clock, content: QWidget | None = None, shadow: bool = True
    ) -> None:
        """`shadow` False for windows that stand close together: a shadow's room takes the clicks that fall on it."""
        super().__init__(None, _FLAGS)
        self.theme = theme
        self.click_guard = ClickGuard(clock)
        self.key_guard = KeyGuard(clock)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, theme.composited)
        self.content = content or QWidget()
        self.content.setParent(self)
        FocusRing(theme, self.content)
        self._has_shadow = shadow and theme.composited
        self._margins = MARGINS if self._has_shadow else QMargins()
        self._unpainted = False
        self._frame = QRect()
        self._place_is_known = False
        self._place_timer = QTimer(self, singleShot=True, interval=_PLACED_AFTER_MS)
        self._place_timer.timeout.connect(self._check_place)
        self._keyboard_wishes = 0
        self._keyboard_timer = QTimer(self, singleShot=True, interval=_KEYBOARD_WISH_MS)
        self._keyboard_timer.timeout.connect(self._wish_for_keyboard)
        self._keys_timer = QTimer(self, singleShot=True)
        self._keys_timer.timeout.connect(self._note_keys)
        self._keys_were_live = False
        self.winId()  # the native window exists from now on, so that showing it is only mapping it
        self.windowHandle().installEventFilter(self)

    def frame(self) -> QRect:
        """In desktop coordinates, without the shadow."""
        return QRect(self._frame)

    def set_frame(self, frame: QRect) -> None:
        resized = frame.size() != self._frame.size()
        self._frame = QRect(frame)
        self._place_is_known = False
        self._place_timer.start()
        whole = frame.marginsAdded(self._margins)
        if whole != self.geometry():
            self.setGeometry(whole)
        if not resized:
            return
        self.content.setGeometry(QRect(QPoint(self._margins.left(), self._margins.top()), frame.size()))
        self._leave_presses_on_shadow()
        if not self.theme.composited and QGuiApplication.platformName() == "xcb":
            self.setMask(_rounded_region(frame.size()))
        self.update()

    def content_changed(self) -> None:
        """Nothing can be decided until the new content is painted, and the guards' time has passed."""
        self._unpainted = True
        self.click_guard.gone()
        self.key_guard.taken()
        self._note_keys()
        self.update()

    def content_shifted(self) -> None:
        """The same content stands elsewhere in the window: a click already under way may hit another thing."""
        self.click_guard.shifted()

    def take_keyboard(self) -> None:
        """On the person's own call only.

        A window manager ignores the wish for a window that it has not adopted yet, so it is repeated for a moment.
        """
        self._keyboard_wishes = _KEYBOARD_WISHES
        self._wish_for_keyboard()

    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        """Whether `event` is dealt with. `counts`: it may decide something."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.WindowActivate:
                self._keyboard_wishes = 0
                if not self._unpainted:
                    self.key_guard.given()
                    self._note_keys()
            case QEvent.Type.WindowDeactivate:
                self.key_guard.taken()
                self._note_keys()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Everything that reaches the native window comes through here before any widget sees it."""
        if isinstance(event, QMouseEvent):
            pointer = event.globalPosition().toPoint()
            if event.type() in _PRESSES:
                return not self.click_guard.allows(pointer)
            if event.type() is QEvent.Type.MouseMove:
                self.click_guard.moved(pointer)
        elif isinstance(event, QKeyEvent):
            return self._filter_key(event)
        return super().eventFilter(watched, event)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        if self._place_is_known:
            self._frame.moveTopLeft(self.geometry().marginsRemoved(self._margins).topLeft())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._unpainted = True

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.click_guard.gone()
        self.key_guard.taken()
        self._note_keys()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.content.geometry())
        if self._has_shadow:
            paint_shadow(painter, self.rect(), self.theme.dark)
        outline = QPainterPath()
        outline.addRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.fillPath(outline, self.theme.color("surface"))
        painter.save()
        painter.setClipPath(outline)
        painter.translate(frame.topLeft())
        self.paint_ground(painter, self.content.size())
        painter.restore()
        painter.setPen(QPen(self.theme.color("hairline"), 1))
        painter.drawPath(outline)
        painter.end()
        if self._unpainted and self.windowHandle().isExposed():
            self._unpainted = False
            QTimer.singleShot(0, self._note_painted)

    def paint_ground(self, painter: QPainter, size: QSize) -> None:
        """Draw what lies under the widgets, in the frame's own coordinates."""

    def _wish_for_keyboard(self) -> None:
        if self.isActiveWindow() or not self.isVisible() or not self._keyboard_wishes:
            self._keyboard_wishes = 0
            return
        self._keyboard_wishes -= 1
        self.raise_()
        self.activateWindow()
        self._keyboard_timer.start()

    def _filter_key(self, event: QKeyEvent) -> bool:
        key = event.nativeScanCode() or event.key()
        if event.type() is QEvent.Type.KeyRelease:
            self.key_guard.release(key, event.isAutoRepeat())
            return False
        if event.type() is not QEvent.Type.KeyPress:
            return False
        counts = self.key_guard.press(key, event.isAutoRepeat())
        if self.key_pressed(event, counts):
            return True
        pushes = event.key() in _PUSHING and isinstance(self.focusWidget(), QAbstractButton)
        return pushes and not counts

    def _leave_presses_on_shadow(self) -> None:
        if self._has_shadow:
            take_presses_in(self.windowHandle(), self.content.geometry())

    def _check_place(self) -> None:
        """Qt takes what it hears while a window manager adopts a window for its place, and that may be (0, 0).

        Asking for the same place again makes the window manager say where the window is.
        """
        self._place_is_known = True
        whole = self._frame.marginsAdded(self._margins)
        if self.isVisible() and self.geometry() != whole:
            self.setGeometry(whole)

    def _note_painted(self) -> None:
        if not self.isVisible() or self._unpainted:
            return
        self._leave_presses_on_shadow()  # again, as window managers look only at changes after they adopted a window
        pointer = QCursor.pos()
        self.click_guard.appeared(pointer, self.frame().contains(pointer))
        if self.isActiveWindow():
            self.key_guard.given()
        self._note_keys()
        self.content_painted.emit()

    def _note_keys(self) -> None:
        live, wait_s = self.key_guard.live, self.key_guard.wait_s()
        if not live and wait_s is not None:
            self._keys_timer.start(int(wait_s * 1000) + 1)
        if live != self._keys_were_live:
            self._keys_were_live = live
            self.keys_live.emit(live)


def _rounded_region(size: QSize) -> QRegion:
    """The frame's shape for a desktop that does not blend windows: nothing black is left at the corners."""
    outline = QPainterPath()
    outline.addRoundedRect(QRectF(0, 0, size.width(), size.height()), RADIUS, RADIUS)
    return QRegion(outline.toFillPolygon().toPolygon())
