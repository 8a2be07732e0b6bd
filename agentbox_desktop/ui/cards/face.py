"""What a card shows, from top to bottom: who asks, the question, the choices, the clock; no window."""


from PySide6.QtCore import QEvent, QRect, QSize, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.items import Content, Decision, Item, Level
from agentbox_desktop.core.keys import CardAction, Key, Where
from agentbox_desktop.core.screen import Card, Draft
from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.cards import column
from agentbox_desktop.ui.cards.confirm_zone import ConfirmZone
from agentbox_desktop.ui.cards.footer import Footer
from agentbox_desktop.ui.cards.header import Header
from agentbox_desktop.ui.cards.keymap import where_of
from agentbox_desktop.ui.cards.keys_sheet import KeysSheet
from agentbox_desktop.ui.cards.notice_zone import NoticeZone
from agentbox_desktop.ui.cards.options_zone import OptionsZone
from agentbox_desktop.ui.cards.picture import Picture
from agentbox_desktop.ui.cards.reply import ReplyHatch
from agentbox_desktop.ui.cards.words import CALLER_GONE
from agentbox_desktop.ui.cards.words_zone import WordsZone
from agentbox_desktop.ui.cards.zone import AnswerZone
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.body import BodyView
from agentbox_desktop.ui.widgets.level import level_color
from agentbox_desktop.ui.widgets.text import TextLabel

_WIDTH, _WIDE = 520, 640
_SIDE, _TOP, _BOTTOM, _BAR = 20, 16, 20, 3
_IMAGE_HEIGHT, _IMAGE_LEAST, _ZONE_LEAST = 240, 96, 116
_BODY_LINES_LEAST = 4
_SHEET_GAP = 12
_ZONES: dict[Where, type[AnswerZone]] = {
    Where.OPTIONS: OptionsZone, Where.CONFIRM: ConfirmZone, Where.LINE: WordsZone, Where.TEXT: WordsZone,
    Where.NOTICE: NoticeZone,
}


class CardFace(QWidget):
    """Its widgets are made once and shown again; what is rare is made when it is first needed."""

    decided = Signal(object)  # a Decision
    pushed = Signal(object)  # the CardAction of a button
    edited = Signal()  # what `draft` gives is another
    height_changed = Signal()

    def __init__(self, theme: Theme, radius: int) -> None:
        super().__init__()
        self._theme, self._radius = theme, radius
        self._level = Level.INFO
        self._wide = False
        self._options = 0
        self._header = Header(theme, self)
        self._title = TextLabel(theme, "card_title", parent=self)
        self._body = BodyView(theme, self)
        self._body.content_height_changed.connect(self.height_changed)
        self._picture = Picture(theme, "Image", _IMAGE_HEIGHT, self)
        self._zones: dict[type[AnswerZone], AnswerZone] = {}
        self._zone = self._zone_of(Where.OPTIONS)
        self._reply: ReplyHatch | None = None
        self._problem = TextLabel(theme, "controls", "error", parent=self)
        self._gone = TextLabel(theme, "controls", "ink2", parent=self)
        self._gone.set_text(CALLER_GONE)
        self._footer = Footer(theme, self)
        self._footer.pushed.connect(self.pushed)
        self._sheet: KeysSheet | None = None

    def set_card(self, card: Card) -> None:
        """Show `card` with what the person had begun on it."""
        item, content = card.item, card.item.content
        self._level, self._wide, self._options = item.level, _is_wide(content), len(content.options)
        self.close_sheet()
        self._header.set_item(item)
        self._title.set_text(one_line(content.title))
        self._body.setVisible(bool(content.body))
        if content.body:
            self._body.resize((_WIDE if self._wide else _WIDTH) - 2 * _SIDE, self._body.height())
            self._body.set_markdown(content.body)
        self._picture.setVisible(bool(content.image))
        if content.image:
            self._picture.set_path(content.image)
        self._problem.hide()
        self._show_zone(item, card.draft)
        self._footer.set_item(item)
        self.set_surroundings(card)

    def set_surroundings(self, card: Card) -> bool:
        """What may change while the content stays; whether that makes the card another height."""
        self._footer.set_waiting(card.waiting)
        return self._show_line(self._gone, card.caller_gone)

    def set_time(self, item: Item, now: float) -> None:
        self._header.set_age(now - item.created_at)
        self._footer.set_time(item, now)

    def set_live(self, live: bool) -> None:
        """Whether keys count; keycaps are dim until then."""
        self._zone.set_live(live)
        self._footer.set_live(live)
        if self._reply:
            self._reply.set_live(live)

    def set_note(self, note: str) -> None:
        """A short word of ours in the footer; empty takes it away."""
        self._footer.set_note(note)

    def set_problem(self, sentence: str) -> bool:
        """Why the last act failed, or nothing; whether that makes the card another height."""
        self._problem.set_text(sentence)
        return self._show_line(self._problem, bool(sentence)) or bool(sentence)

    def act(self, action: CardAction, key: str) -> bool:
        return self._zone.act(action, key)

    def draft(self) -> Draft:
        return self._zone.draft(Draft(reply=self._reply.words() if self._reply else ""))

    def answer_field(self) -> QWidget:
        """What gets the keyboard when the person calls for the card."""
        return self._reply.field if self._reply and self.reply_is_open else self._zone.answer_field()

    @property
    def reply_is_open(self) -> bool:
        return self._reply is not None and not self._reply.isHidden()

    def open_reply(self) -> None:
        if self._reply is None:
            self._reply = ReplyHatch(self._theme, self)
            self._reply.sent.connect(lambda words: self.decided.emit(Decision(reply=words)))
            self._reply.closed.connect(lambda: self.pushed.emit(CardAction.LATER))
            self._reply.edited.connect(self.edited)
            self._reply.height_changed.connect(self.height_changed)
        self._reply.show()
        self.height_changed.emit()

    def close_reply(self) -> None:
        """The words stay, here and in the draft."""
        if self._reply:
            self._reply.hide()
            self.height_changed.emit()

    def send_reply(self) -> None:
        if self._reply:
            self._reply.send()

    @property
    def sheet(self) -> KeysSheet | None:
        """The sheet of all keys, while it is open."""
        return self._sheet if self._sheet is not None and not self._sheet.isHidden() else None

    def open_sheet(self, keys: list[Key]) -> None:
        """Show what `keys` mean in place of all but the header, until `close_sheet`."""
        if self._sheet is None:
            self._sheet = KeysSheet(self._theme, self._radius, self)
            self._sheet.closed.connect(self.close_sheet)
        self._sheet.show_keys(keys, self._options)
        self._sheet.show()
        self._sheet.raise_()
        self.height_changed.emit()

    def close_sheet(self) -> None:
        if self.sheet:
            self.sheet.hide()
            self.height_changed.emit()

    def wanted_size(self, most_height: int) -> QSize:
        """The content's own size; from `most_height` on, body and answers scroll."""
        width = _WIDE if self._wide else _WIDTH
        parts = self._parts(width - 2 * _SIDE)
        room = max(most_height - self._around(), sum(each.gap + each.least for each in parts))
        height = self._around() + min(column.total(parts), room)
        return QSize(width, max(height, self._sheet_top() + self.sheet.height_at(width)) if self.sheet else height)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.height_changed.emit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def paint_ground(self, painter: QPainter, size: QSize) -> None:
        """Draw what lies under the widgets of a face of `size`."""
        painter.fillRect(self._footer.geometry(), self._theme.color("raised"))
        painter.fillRect(QRect(0, 0, _BAR, size.height()), level_color(self._theme, self._level))

    def arrange(self) -> None:
        """Place everything in the present size."""
        foot = self._footer.wanted_height()
        self._footer.setGeometry(_BAR, self.height() - foot, self.width() - _BAR, foot)
        area = QRect(_SIDE, _TOP, self.width() - 2 * _SIDE, self.height() - self._around())
        column.arrange(self._parts(area.width()), area)
        if self.sheet:
            self.sheet.setGeometry(0, self._sheet_top(), self.width(), self.height() - self._sheet_top())
        self.update()

    def _show_zone(self, item: Item, draft: Draft) -> None:
        self._zone.hide()
        self._zone = self._zone_of(where_of(item))
        self._zone.show_item(item, draft)
        self._zone.show()
        if draft.reply:
            self.open_reply()
        elif self._reply:
            self._reply.hide()
        if self._reply:
            self._reply.set_words(draft.reply)

    def _zone_of(self, where: Where) -> AnswerZone:
        kind = _ZONES[where]
        if kind not in self._zones:
            zone = kind(self._theme, self)
            zone.decided.connect(self.decided)
            zone.edited.connect(self.edited)
            zone.height_changed.connect(self.height_changed)
            self._zones[kind] = zone
        return self._zones[kind]

    def _parts(self, width: int) -> list[column.Part]:
        lines = _BODY_LINES_LEAST * self._theme.line_height("body")
        parts = [column.part(self._header, 0, self._header.wanted_height()),
                 column.part(self._title, 12, self._title.heightForWidth(width))]
        if not self._body.isHidden():
            parts.append(column.part(self._body, 8, self._body.heightForWidth(width), lines))
        if not self._picture.isHidden():
            parts.append(column.part(self._picture, 12, self._picture.height_at(width), _IMAGE_LEAST))
        parts.append(column.part(self._zone, 16, self._zone.height_at(width), _ZONE_LEAST))
        if self._reply and self.reply_is_open:
            parts.append(column.part(self._reply, 12, self._reply.height_at(width)))
        parts += [column.part(line, 12, line.heightForWidth(width))
                  for line in (self._problem, self._gone) if not line.isHidden()]
        return parts

    def _around(self) -> int:
        """Pixels of height that are not the column of parts."""
        return _TOP + _BOTTOM + self._footer.wanted_height()

    def _sheet_top(self) -> int:
        """Who asks stays in sight."""
        return _TOP + self._header.wanted_height() + _SHEET_GAP

    def _show_line(self, line: TextLabel, shown: bool) -> bool:
        changes = line.isHidden() == shown
        line.setVisible(shown)
        return changes


def _is_wide(content: Content) -> bool:
    """Code and diffs need the room."""
    return "```" in content.body or any(option.preview for option in content.options)
