"""The last row of a card: what happens when, the keys, and who else waits."""


from collections.abc import Iterator
from itertools import chain

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Item
from agentbox_desktop.core.keys import CardAction, Where, keys_for
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.cards.keyed_button import KeyedButton, Look
from agentbox_desktop.ui.cards.keymap import where_of, written
from agentbox_desktop.ui.cards.words import deadline
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.pill import identity_key
from agentbox_desktop.ui.widgets.text import tooltip

LINE = 2  # the countdown, above the row itself
_ROW = 36
_DOT, _DOT_GAP, _DOTS_MOST = 8, 4, 5
_LEFT, _RIGHT = 17, 14
_LAST_S = 10
_OFFERED = (CardAction.REPLY, CardAction.LATER, CardAction.KEYS)


class Footer(QWidget):
    pushed = Signal(object)  # the CardAction of a button in the row

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = ""
        self._share: float | None = None
        self._last_seconds = False
        self._note = ""
        self._buttons: dict[Where, dict[CardAction, KeyedButton]] = {}
        self._shown: list[KeyedButton] = []
        self._dots = _Dots(theme, self)
        self._dots.hide()

    def wanted_height(self) -> int:
        return LINE + round(_ROW * max(1.0, self._theme.font_scale))

    def set_item(self, item: Item) -> None:
        """The keys that work on `item`."""
        where = where_of(item)
        if where not in self._buttons:
            self._buttons[where] = self._make_buttons(where)
        self._shown = [button for action, button in self._buttons[where].items()
                       if not (item.content.strict and action is CardAction.REPLY)]
        for button in self._all_buttons():
            button.setVisible(button in self._shown)
        self._note = ""
        self._arrange()

    def set_waiting(self, waiting: tuple[Caller, ...]) -> None:
        self._dots.set_callers(waiting)
        self._arrange()

    def set_time(self, item: Item, now: float) -> None:
        """What happens at the time-out, as words and as a line that gets shorter."""
        self._words = deadline(item, now)
        if item.expires_at is None:
            self._share, self._last_seconds = None, False
        else:
            whole = max(0.001, item.expires_at - item.created_at)
            self._share = max(0.0, min(1.0, (item.expires_at - now) / whole))
            self._last_seconds = item.expires_at - now <= _LAST_S
        self.setAccessibleName(self._note or self._words)
        self.setToolTip(tooltip(self._words) if self._words else "")
        self.update()

    def set_note(self, note: str) -> None:
        """A short word of ours in place of the time; empty takes it away."""
        self._note = note
        self.setAccessibleName(note or self._words)
        self.update()

    def set_live(self, live: bool) -> None:
        for button in self._all_buttons():
            button.set_live(live)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tone = "warning" if self._last_seconds else "ink2"
        painter.fillRect(QRect(0, LINE - 1, self.width(), 1), self._theme.color("hairline"))
        if self._share is not None:
            done = QRect(0, 0, round(self.width() * self._share), LINE)
            painter.fillRect(done, self._theme.color("warning" if self._last_seconds else "accent"))
        painter.setFont(self._theme.font("meta"))
        painter.setPen(self._theme.color("ink" if self._note else tone))
        room = QRect(_LEFT, LINE, self._words_end() - _LEFT, self.height() - LINE)
        elided = QFontMetrics(painter.font()).elidedText(
            self._note or self._words, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, elided)
        painter.end()

    def _all_buttons(self) -> Iterator[KeyedButton]:
        return chain.from_iterable(buttons.values() for buttons in self._buttons.values())

    def _make_buttons(self, where: Where) -> dict[CardAction, KeyedButton]:
        buttons: dict[CardAction, KeyedButton] = {}
        for key in keys_for(where):
            if key.action in _OFFERED and key.action not in buttons:
                button = KeyedButton(self._theme, key.hint.capitalize(), written(key.keys[0]), Look.FLAT, self)
                button.clicked.connect(lambda _checked=False, action=key.action: self.pushed.emit(action))
                buttons[key.action] = button
        return buttons

    def _arrange(self) -> None:
        """From the right: who waits, and then the keys."""
        right = self.width() - _RIGHT
        if self._dots.count:
            width = self._dots.wanted_width()
            self._dots.setGeometry(right - 6 - width, LINE, width, self.height() - LINE)
            right -= width + 16
        for button in reversed(self._shown):
            size = button.sizeHint()
            top = LINE + (self.height() - LINE - size.height()) // 2
            button.setGeometry(right - size.width(), top, size.width(), size.height())
            right -= size.width() + 2

    def _words_end(self) -> int:
        return min((button.x() for button in self._shown), default=self.width()) - 8


class _Dots(QWidget):
    """One dot in the hue of each caller behind this card; from the sixth on, their number."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._callers: tuple[Caller, ...] = ()

    @property
    def count(self) -> int:
        return len(self._callers)

    def set_callers(self, callers: tuple[Caller, ...]) -> None:
        self._callers = callers
        distinct = dict.fromkeys((caller.name, caller.project) for caller in callers)  # one agent may wait many times
        names = [one_line(" · ".join(filter(None, labels))) for labels in distinct]
        waits = f"{len(callers)} more {'waits' if len(callers) == 1 else 'wait'}"
        self.setAccessibleName(f"{waits}: {', '.join(names)}")
        self.setToolTip(tooltip("\n".join([f"{waits}:", *names])))
        self.setVisible(bool(callers))
        self.update()

    def wanted_width(self) -> int:
        dots = min(len(self._callers), _DOTS_MOST)
        return dots * _DOT + (dots - 1) * _DOT_GAP + self._more_width()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, caller in enumerate(self._callers[:_DOTS_MOST]):
            painter.setBrush(self._theme.identity(identity_key(caller)))
            left = number * (_DOT + _DOT_GAP)
            painter.drawEllipse(QPointF(left + _DOT / 2, self.height() / 2), _DOT / 2, _DOT / 2)
        painter.setPen(self._theme.color("ink2"))
        painter.setFont(self._theme.font("meta"))
        painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._more())
        painter.end()

    def _more(self) -> str:
        return f"+{len(self._callers) - _DOTS_MOST}" if len(self._callers) > _DOTS_MOST else ""

    def _more_width(self) -> int:
        more = self._more()
        return QFontMetrics(self._theme.font("meta")).horizontalAdvance(more) + 6 if more else 0
