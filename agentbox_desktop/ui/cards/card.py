"""The card's window: what the person does on it with pointer and keys, what is handed on, and when."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextBrowser

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Decision, Item, Kind, Level, Option, create
from agentbox_desktop.core.keys import CardAction
from agentbox_desktop.core.screen import Card
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ports import Clock
from agentbox_desktop.ui import motion
from agentbox_desktop.ui.cards.face import CardFace
from agentbox_desktop.ui.cards.keyed_button import KeyedButton
from agentbox_desktop.ui.cards.keymap import find, keys_now, where_of
from agentbox_desktop.ui.cards.words import whole_card
from agentbox_desktop.ui.floating import RADIUS, FloatingWindow
from agentbox_desktop.ui.placement import kept_off_edges
from agentbox_desktop.ui.reading_order import next_stop
from agentbox_desktop.ui.theme import Theme

_SCREEN_SHARE = 0.7
_DRAFT_MS = 250
_NOTE_MS = 1500
_AGE_TICK_S = 20.0
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SAMPLE_HEIGHT = 600
_SAMPLE = Card(create(
    "itm_warm_up", Kind.QUESTION, Level.INFO, at=0.0, timeout_s=60.0, caller=Caller("warm-up", agent="a", project="b"),
    content=Content("Which one?", "**This** or `that`?", tuple(Option(text, text) for text in "abcd"), default=("a",))))


class CardWindow(FloatingWindow):
    """Shows one `Card` at a time and says what the person does with it; it decides nothing itself."""

    decided = Signal(object, object)  # the Item as it was painted, a Decision
    put_off = Signal(str)  # the item's id
    undo_asked = Signal()
    drafted = Signal(str, object)  # the item's id, a Draft
    seen = Signal(str)  # the item's id: it is painted on an exposed window
    moved = Signal()  # the frame is another

    def __init__(self, theme: Theme, clock: Clock) -> None:
        self._face = CardFace(theme, RADIUS)
        super().__init__(theme, clock.monotonic, self._face)
        self.setObjectName("card")
        self.setStyleSheet(theme.stylesheet())
        self._clock = clock
        self._card: Card | None = None
        self._painted: Item | None = None
        self._deciding = False
        self.can_undo = False  # an answer can still be taken back, so that its key means something
        self._available = QRect()
        self._face.decided.connect(self._decide)
        self._face.pushed.connect(lambda action: self._act(action, ""))
        self._refit_timer = self._timer(0, self.refit)
        self._draft_timer = self._timer(_DRAFT_MS, self._send_draft)
        self._note_timer = self._timer(_NOTE_MS, lambda: self._face.set_note(""))
        self._tick_timer = self._timer(0, self._tick)
        self._face.height_changed.connect(self._refit_timer.start)
        self._face.edited.connect(self._draft_timer.start)
        self.keys_live.connect(self._face.set_live)
        self.content_painted.connect(self._note_painted_content)

    @property
    def card(self) -> Card | None:
        """What is on screen; None while the window is hidden."""
        return self._card

    def as_begun(self) -> Card | None:
        """What is on screen, with all that the person has begun on it until now."""
        return replace(self._card, draft=self._face.draft()) if self._card else None

    @property
    def reply_is_open(self) -> bool:
        return self._face.reply_is_open

    def open_reply(self) -> None:
        """Offer to answer in words instead."""
        self._face.open_reply()
        self._face.answer_field().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def warm_up(self) -> None:
        """Do now, off the screen, what the first card would have to wait for: fonts, style sheets, glyphs."""
        if self._card is None:
            self._face.set_card(_SAMPLE)
            self._face.resize(self._face.wanted_size(_SAMPLE_HEIGHT))
            self._face.grab()

    def set_card(self, card: Card) -> None:
        """Make the window show `card`. The same item with the same content goes on as it is, draft and all."""
        before = self._card
        if before and (before.item.id, before.item.digest) == (card.item.id, card.item.digest):
            self._card = card
            if self._face.set_surroundings(card):
                self._shift()
        else:
            self._flush_draft()
            self._card, self._painted, self._deciding = card, None, False
            self.setWindowTitle(f"{one_line(card.item.content.title)} – AgentBox")
            self._face.set_card(card)
            self._face.set_live(False)
            self._face.answer_field().setFocus(Qt.FocusReason.OtherFocusReason)
            self.content_changed()
        self._tick()

    def withdraw(self) -> None:
        """Off the screen; what was begun is handed on first."""
        self._flush_draft()
        self._card = self._painted = None
        self.hide()

    def wanted_size(self, available: QRect) -> QSize:
        """The frame that the content needs on a screen of which `available` can be used."""
        self._available = available
        return self._face.wanted_size(int(available.height() * _SCREEN_SHARE))

    def refit(self) -> None:
        """Take the height that the content needs now, at the place where the window is."""
        if self._card is None:
            return
        motion.settle(self)
        frame = self.frame()
        frame.setSize(self.wanted_size(self._available))
        self.set_frame(kept_off_edges(frame, self._available))

    def show_problem(self, item_id: str, sentence: str) -> None:
        """Say why an act on `item_id` failed, where that is still what is shown; it can be answered as before."""
        if self._card is None or self._card.item.id != item_id:
            return
        self._deciding = False
        if self._face.set_problem(sentence):
            self._shift()

    def set_frame(self, frame: QRect) -> None:
        super().set_frame(frame)
        self._face.arrange()

    def take_keyboard(self) -> None:
        super().take_keyboard()
        self._face.answer_field().setFocus(Qt.FocusReason.OtherFocusReason)

    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        if self._card is None:
            return True
        if self._face.sheet:
            if counts and event.key() not in _MODIFIERS:
                self._face.close_sheet()
            return True
        focused = self.focusWidget()
        if event.key() in _ENTER and isinstance(focused, KeyedButton):
            if counts and focused.pushed_by_enter:
                focused.click()
            return True
        found = find(event, where_of(self._card.item), self._is_typing())
        if not found:
            return False
        action, key = found
        moves = action in (CardAction.NEXT, CardAction.PREVIOUS)
        if moves and isinstance(focused, QTextBrowser):
            return False  # there the arrows scroll
        if counts or (moves and self.key_guard.live):
            self._act(action, key)
        return True

    def paint_ground(self, painter: QPainter, size: QSize) -> None:
        self._face.paint_ground(painter, size)

    def focusNextPrevChild(self, next: bool) -> bool:
        stop = next_stop(self._face, forward=next)
        if stop is None:
            return False
        stop.setFocus(Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Where nothing else is, the card can be taken by the hand and moved off what it covers."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.windowHandle().startSystemMove()

    def closeEvent(self, event: QCloseEvent) -> None:
        """To close a card is to put it off: it is no answer."""
        event.ignore()
        if self._card:
            self.put_off.emit(self._card.item.id)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tick()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tick_timer.stop()

    def _act(self, action: CardAction, key: str) -> None:
        if self._card is None:
            return
        item = self._card.item
        match action:
            case CardAction.REPLY if not item.content.strict:
                self.open_reply()
            case CardAction.SUBMIT if self._face.reply_is_open:
                self._face.send_reply()
            case CardAction.LATER if self._face.reply_is_open:
                self._face.close_reply()
                self._face.answer_field().setFocus(Qt.FocusReason.OtherFocusReason)
            case CardAction.LATER:
                self.put_off.emit(item.id)
            case CardAction.DISMISS:
                self._decide(Decision(dismissed=True))
            case CardAction.UNDO:
                self.undo_asked.emit()
            case CardAction.COPY:
                QGuiApplication.clipboard().setText(whole_card(item))
                self._face.set_note("Copied")
                self._note_timer.start()
            case CardAction.KEYS:
                self._face.open_sheet(keys_now(item, self._is_typing(), self._face.reply_is_open, self.can_undo))
            case _:
                self._face.act(action, key)

    def _is_typing(self) -> bool:
        return isinstance(self.focusWidget(), QLineEdit | QPlainTextEdit)

    def _decide(self, decision: Decision) -> None:
        """Hand on what was decided about what was painted, once."""
        if self._painted is None or self._deciding:
            return
        self._deciding = True
        if self._face.set_problem(""):
            self._shift()
        self._flush_draft()
        self.decided.emit(self._painted, decision)

    def _send_draft(self) -> None:
        if self._card:
            self.drafted.emit(self._card.item.id, self._face.draft())

    def _flush_draft(self) -> None:
        """Hand on what was begun, while the widgets still hold it."""
        if self._draft_timer.isActive():
            self._draft_timer.stop()
            self._send_draft()

    def _tick(self) -> None:
        """Once a second while there is a countdown, else as often as the age may read otherwise."""
        if self._card is None:
            return
        item, now = self._card.item, self._clock.now()
        self._face.set_time(item, now)
        if not self.isVisible():
            return
        counts_down = item.expires_at is not None and item.expires_at > now
        wait_s = ((item.expires_at or 0) - now) % 1 or 1.0 if counts_down else _AGE_TICK_S
        self._tick_timer.start(int(wait_s * 1000) + 5)

    def _note_painted_content(self) -> None:
        if self._card:
            self._painted = self._card.item
            self.seen.emit(self._painted.id)

    def _shift(self) -> None:
        """Something came or went that the person did not ask for: a click under way may hit another thing."""
        self.content_shifted()
        self.refit()

    def _timer(self, interval_ms: int, slot: Callable[[], object]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=interval_ms)
        timer.timeout.connect(slot)
        return timer
