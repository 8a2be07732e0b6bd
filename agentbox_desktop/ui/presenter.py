"""The windows made to match what should be on the screen: the card, the undo strips, the toasts, the tray."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, QTimer, QUrl
from PySide6.QtGui import QCursor, QDesktopServices, QGuiApplication

from agentbox_desktop.core.items import Decision, Item
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Card, Draft, Screen
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.ports import Clock, Person, StoreFailed
from agentbox_desktop.ui import motion
from agentbox_desktop.ui.cards.card import CardWindow
from agentbox_desktop.ui.compositing import is_composited
from agentbox_desktop.ui.placement import kept_inside, place_card, place_next, screen_of, stack_strips
from agentbox_desktop.ui.theme import Theme, install, system_is_dark
from agentbox_desktop.ui.toast import ToastColumn
from agentbox_desktop.ui.tray import Tray, TrayActions
from agentbox_desktop.ui.undo import UndoStrip

OFFSCREEN = "offscreen"
_WARM_UP_AFTER_MS = 700  # not before a card that is the reason for this start
_TRAY_AFTER_MS = 100  # its icon takes tens of milliseconds to draw, and a card that just came is painted first


class Presenter:
    """Implements the `Presenter` port. Where nobody can see a thing it shows none, so that nothing counts as seen."""

    def __init__(self, person: Person, display: str, settings: Callable[[], Settings], clock: Clock,
                 log_folder: Path, quit_app: Callable[[], object], summon: Callable[[], object]) -> None:
        """`summon` is what the tray calls: it sees to it that there is a card for `Presenter.summon`."""
        self._person = person
        self._display = display
        self._settings = settings
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._screen = Screen()
        self._strips: dict[str, UndoStrip] = {}
        self._toasts_before_strips: list[QRect] = []  # strips stay where they are when a toast comes after them
        self._last_place: QRect | None = None  # of the card, for as long as what came from it is on screen
        self._theme = self._theme_of_settings()
        install(self._theme)
        self._card = self._make_card()
        self._toasts = ToastColumn(self._theme)
        self._toasts.dismissed.connect(self._dismiss_toast)
        self._toasts.seen.connect(self._saw)
        self._toasts.held.connect(person.hover)
        self._toasts.surfaced.connect(self._raise_above_toasts)
        self._tray = Tray(self._theme, TrayActions(summon, partial(_open_folder, log_folder), quit_app))
        self._tray_timer = QTimer(singleShot=True, interval=_TRAY_AFTER_MS)
        self._tray_timer.timeout.connect(lambda: self._tray.show(self._screen))
        if display != OFFSCREEN:
            self._tray.start()
            QTimer.singleShot(_WARM_UP_AFTER_MS, self._card, self._card.warm_up)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.restyle)

    @property
    def display(self) -> str:
        return self._display

    def watch_tray(self, changed: Callable[[bool], None]) -> None:
        """Tell `changed` whether the desktop has a tray, now and whenever that is another."""
        changed(self._tray.has_host)
        self._tray.host_changed.connect(changed)

    def show(self, screen: Screen) -> None:
        if self._display == OFFSCREEN:
            return
        self._screen = screen
        self._toasts.show(screen.toasts, screen.more_toasts)
        expected = self._card.isVisible() or bool(self._strips)
        self._show_card(screen.card, expected)
        self._show_strips(screen.undo)
        if screen.card is None and not self._strips:
            self._last_place = None
        self._tray_timer.start()

    def summon(self) -> bool:
        """Give the card the keyboard, or where there is none the newest undo strip; False without either."""
        newest_strip = next(reversed(self._strips.values()), None)
        called = self._card if self._card.isVisible() else newest_strip
        if called is None:
            return False
        called.take_keyboard()
        return True

    def restyle(self, *_: object) -> None:
        """Draw everything anew where the settings or the desktop ask for other looks."""
        theme = self._theme_of_settings()
        if theme == self._theme:
            return
        self._theme = theme
        install(theme)
        screen = replace(self._screen, card=self._card.as_begun())
        had_keyboard, reply_was_open = self._card.isActiveWindow(), self._card.reply_is_open
        self._screen = Screen()
        self._card.withdraw()
        self._card.deleteLater()
        for item_id in list(self._strips):
            self._drop_strip(item_id)
        self._card = self._make_card()
        self._toasts.set_theme(theme)
        self._tray.set_theme(theme)
        self.show(screen)
        if reply_was_open:
            self._card.open_reply()
        if had_keyboard:
            self._card.take_keyboard()

    async def close(self) -> None:
        """Take every window off the screen; returns when what the person began and did has been handed on."""
        self.show(Screen())
        self._tray_timer.stop()
        self._tray.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # The card

    def _show_card(self, card: Card | None, expected: bool) -> None:
        """`expected`: something of ours is where the card goes, so that it needs not keep off the pointer."""
        if card is None:
            if self._card.isVisible():
                self._last_place = self._card.frame()
                self._card.withdraw()
            return
        appears = not self._card.isVisible()
        before = self._card.card
        self._card.set_card(card)
        if appears or before is None or before.item.id != card.item.id:
            self._card.set_frame(self._place(expected, appears))
        if appears:
            motion.appear(self._card, self._theme)

    def _place(self, expected: bool, appears: bool) -> QRect:
        last = self._last_place if appears else self._card.frame()
        pointer = QCursor.pos()
        if expected and last is not None:
            available = _available(last.center())
            return place_next(self._card.wanted_size(available), last, available)
        available = _available(pointer)
        return place_card(self._card.wanted_size(available), pointer, available, self._toasts.frames())

    def _make_card(self) -> CardWindow:
        card = CardWindow(self._theme, self._clock)
        card.decided.connect(self._decide)
        card.put_off.connect(lambda item_id: self._call_on_card(item_id, self._person.later(item_id)))
        card.undo_asked.connect(self._undo_last)
        card.drafted.connect(self._keep_draft)
        card.seen.connect(self._saw)
        card.moved.connect(self._place_strips)
        return card

    def _decide(self, item: Item, decision: Decision) -> None:
        self._call_on_card(item.id, self._person.decide(item.id, item.digest, decision))

    def _keep_draft(self, item_id: str, draft: Draft) -> None:
        self._call_on_card(item_id, self._person.draft(item_id, draft))

    def _saw(self, item_id: str) -> None:
        self._call_on_card(item_id, self._person.seen(item_id))

    # Strips and toasts

    def _show_strips(self, items: tuple[Item, ...]) -> None:
        for item_id in [item_id for item_id in self._strips if item_id not in {item.id for item in items}]:
            self._drop_strip(item_id)
        if not self._strips:
            self._toasts_before_strips = self._toasts.frames()
        for item in items:
            if item.id not in self._strips:
                strip = UndoStrip(self._theme, self._clock, item)
                strip.undone.connect(self._undo)
                self._strips[item.id] = strip
        self._place_strips()
        self._card.can_undo = bool(self._strips)
        for strip in self._strips.values():
            if not strip.isVisible():
                strip.content_changed()
                motion.appear(strip, self._theme)

    def _place_strips(self) -> None:
        """The newest strip is nearest to the card, or to where it was."""
        if not self._strips:
            return
        card = self._card.frame() if self._card.isVisible() else self._last_place
        pointer = QCursor.pos()
        available = _available(card.center() if card else pointer)
        if card is None:  # answered before this process showed any card
            card = kept_inside(QRect(available.center(), QPoint(available.center())), available)
        newest_first = list(reversed(self._strips.values()))
        places = stack_strips(card, [strip.wanted_size() for strip in newest_first], available,
                              self._toasts_before_strips)
        for strip, place in zip(newest_first, places, strict=True):
            motion.settle(strip)
            strip.set_frame(place)

    def _raise_above_toasts(self) -> None:
        """What can still be decided is never under a notice; to raise a window is not to give it the keyboard."""
        for window in (*self._strips.values(), self._card):
            if window.isVisible():
                window.raise_()

    def _drop_strip(self, item_id: str) -> None:
        strip = self._strips.pop(item_id)
        motion.vanish(strip, self._theme, strip.deleteLater)

    def _undo_last(self) -> None:
        if self._strips:
            self._undo(next(reversed(self._strips)))

    def _undo(self, item_id: str) -> None:
        strip = self._strips.get(item_id)
        if strip:
            self._call(self._person.undo(item_id), strip.show_problem)

    def _dismiss_toast(self, item_id: str) -> None:
        item = next((toast for toast in self._screen.toasts if toast.id == item_id), None)
        if item:
            self._decide(item, Decision(dismissed=True))

    # The person's side

    def _call_on_card(self, item_id: str, act: Coroutine[Any, Any, None]) -> None:
        self._call(act, partial(self._card.show_problem, item_id))

    def _call(self, act: Coroutine[Any, Any, None], explain: Callable[[str], None]) -> None:
        """Run what the person did; a refusal or a full disk is said in one sentence where it was done."""
        task = asyncio.get_running_loop().create_task(_explained(act, explain))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            task.get_loop().call_exception_handler(
                {"message": "What the person did has failed", "exception": error, "task": task})

    def _theme_of_settings(self) -> Theme:
        settings = self._settings()
        dark = system_is_dark() if settings.theme.mode == "auto" else settings.theme.mode == "dark"
        return Theme(dark, settings.font.scale, settings.theme.reduced_motion, composited=is_composited())


async def _explained(act: Coroutine[Any, Any, None], explain: Callable[[str], None]) -> None:
    try:
        await act
    except (Refused, StoreFailed) as error:
        explain(error.message)


def _open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _available(point: QPoint) -> QRect:
    """The usable part of the screen that `point` is on."""
    screens = QGuiApplication.screens()
    return screens[screen_of(point, [screen.geometry() for screen in screens])].availableGeometry()
