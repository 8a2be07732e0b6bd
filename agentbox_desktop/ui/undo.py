"""What a card folds to once it is answered: a strip with the answer, until it has left."""

from PySide6.QtCore import QRect, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFontMetrics, QHideEvent, QKeyEvent, QPainter, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Decision, Item
from agentbox_desktop.core.keys import CardAction, Where
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ports import Clock
from agentbox_desktop.ui.cards.keyed_button import KeyedButton, Look
from agentbox_desktop.ui.cards.keymap import find, keycap_of
from agentbox_desktop.ui.floating import FloatingWindow
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.level import level_color
from agentbox_desktop.ui.widgets.text import TextLabel, tooltip

WIDTH, HEIGHT = 520, 48
_SIDE, _BAR, _LINE = 20, 3, 2
_WAY_TO_UNDO = f"The summon key, then {keycap_of(CardAction.UNDO, Where.STRIP)}, undoes the last answer."
_FRAME_MS = 50  # the line gets shorter this often


class UndoStrip(FloatingWindow):
    """One decided item. It shows what was decided and for how long that can be taken back."""

    undone = Signal(str)  # the item's id

    def __init__(self, theme: Theme, clock: Clock, item: Item) -> None:
        self._face = QWidget()
        super().__init__(theme, clock.monotonic, self._face, shadow=False)
        self.setObjectName("undo")
        self.setStyleSheet(theme.stylesheet())
        self.item = item
        self._clock = clock
        self._since = clock.now()
        self._words = TextLabel(theme, "controls", lines=1, parent=self._face)
        self._undo = KeyedButton(theme, "Undo", keycap_of(CardAction.UNDO, Where.STRIP), Look.FLAT, self._face)
        self._undo.clicked.connect(self._take_back)
        self._timer = QTimer(self, interval=_FRAME_MS)
        self._timer.timeout.connect(self.update)
        self._title = one_line(item.content.title)
        self._said = decided_words(item.decision)
        self._words.set_text(self._said)
        self.setWindowTitle(f"{self._said} – AgentBox")
        self.setAccessibleName(f"{self._said}, to: {self._title}")
        self._describe_keys(live=False)
        self.keys_live.connect(self._undo.set_live)
        self.keys_live.connect(self._describe_keys)

    def wanted_size(self) -> QSize:
        return QSize(WIDTH, round(HEIGHT * max(1.0, self.theme.font_scale)))

    def show_problem(self, sentence: str) -> None:
        """Say why it could not be taken back."""
        self._words.set_tone("error")
        self._words.set_text(sentence)
        self._said = sentence
        self._describe_keys(self.key_guard.live)

    def take_keyboard(self) -> None:
        super().take_keyboard()
        self._undo.setFocus()

    def key_pressed(self, event: QKeyEvent, counts: bool) -> bool:
        found = find(event, Where.STRIP, typing=False)
        if found and counts:
            self._take_back()
        return found is not None

    def paint_ground(self, painter: QPainter, size: QSize) -> None:
        left = self._share_left()
        painter.fillRect(QRect(0, size.height() - _LINE, round(size.width() * left), _LINE), self.theme.color("accent"))
        painter.fillRect(QRect(0, 0, _BAR, size.height()), level_color(self.theme, self.item.level))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The strip goes when its time is over; closing it would leave no way back."""
        event.ignore()

    def _describe_keys(self, live: bool) -> None:
        """The person goes on typing elsewhere, so that the key on the keycap needs another one before it."""
        way = "" if live else _WAY_TO_UNDO
        self.setAccessibleDescription(way)
        self.setToolTip(tooltip("\n".join(filter(None, (self._title, self._said, way)))))

    def _arrange(self) -> None:
        frame = self.content.size()
        button = self._undo.sizeHint()
        right = frame.width() - _SIDE + 6 - button.width()
        self._undo.setGeometry(right, (frame.height() - button.height()) // 2, button.width(), button.height())
        line = QFontMetrics(self.theme.font("controls")).height()
        height = max(line, self.theme.line_height("controls"))
        self._words.setGeometry(_SIDE, (frame.height() - height) // 2, right - 2 * _SIDE, height)

    def _share_left(self) -> float:
        until = self.item.grace_until or self._since
        whole = max(0.001, until - self._since)
        return max(0.0, min(1.0, (until - self._clock.now()) / whole))

    def _take_back(self) -> None:
        self.undone.emit(self.item.id)


def decided_words(decision: Decision | None) -> str:
    """What the person decided, as one line such as `Answered: us-east`."""
    if decision is None:
        return ""
    if decision.dismissed:
        return "Dismissed"
    if decision.reply is not None:
        return f"Replied: {one_line(decision.reply)}"
    if decision.confirmed is not None:
        return f"Answered: {'Yes' if decision.confirmed else 'No'}"
    return f"Answered: {one_line(', '.join(decision.answers))}"
