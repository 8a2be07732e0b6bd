"""The options of a question, in one column or two, scrolling where they do not fit."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from agentbox_desktop.core.items import Content, Option
from agentbox_desktop.ui.cards.option_row import OptionRow
from agentbox_desktop.ui.focus_ring import REACH
from agentbox_desktop.ui.theme import Theme

_GAP = 8
_COLUMNS_FROM = 4  # fewer options stay one under the other
_SHORT_LABEL = 18


class OptionList(QScrollArea):
    chosen = Signal(int)  # the number of an option, from 0, clicked or pushed
    pointed = Signal(int)  # the option that the pointer or the focus came to

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[OptionRow] = []
        self._shown = 0
        self._columns = 1
        self._sheet = QWidget()
        self.setWidget(self._sheet)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # no stop of the tabulator: the rows are
        self.setAccessibleName("Options")
        self.viewport().setAutoFillBackground(False)
        self._sheet.setAutoFillBackground(False)

    @property
    def rows(self) -> Sequence[OptionRow]:
        """Those that are shown now."""
        return self._rows[: self._shown]

    def set_content(self, content: Content, ticked: Sequence[int]) -> None:
        while len(self._rows) < len(content.options):
            self._add_row()
        self._shown = len(content.options)
        self._columns = 2 if _fits_two_columns(content.options) else 1
        for number, row in enumerate(self._rows):
            row.setVisible(number < self._shown)
            if number < self._shown:
                option = content.options[number]
                is_default = content.default is not None and option.label in content.default
                row.set_option(option, is_default, content.multi, number in ticked)
        self.verticalScrollBar().setValue(0)
        self._arrange()

    def ticked(self) -> tuple[int, ...]:
        return tuple(number for number, row in enumerate(self.rows) if row.isChecked())

    def set_live(self, live: bool) -> None:
        for row in self._rows:
            row.set_live(live)

    def height_at(self, width: int) -> int:
        """Pixels that all options need, the room for the focus ring among them."""
        return sum(self._line_heights(width)) + _GAP * (len(self._line_heights(width)) - 1) + 2 * REACH

    def focused(self) -> int | None:
        """The number of the row that has the keyboard."""
        return next((number for number, row in enumerate(self.rows) if row.hasFocus()), None)

    def move_focus(self, step: int) -> None:
        """The keyboard goes to the next row, or to the one before; from none, to the first or the last."""
        focused = self.focused()
        start = (-1 if step > 0 else self._shown) if focused is None else focused
        target = max(0, min(start + step, self._shown - 1))
        self._rows[target].setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(self._rows[target], 0, REACH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _add_row(self) -> None:
        number = len(self._rows)
        row = OptionRow(self._theme, number + 1, self._sheet)
        row.clicked.connect(lambda: self.chosen.emit(number))
        row.pointed.connect(lambda: self.pointed.emit(number))
        self._rows.append(row)

    def _arrange(self) -> None:
        needed = self.height_at(self.width())
        bar = self.verticalScrollBar().sizeHint().width() if needed > self.height() else 0
        width = self.width() - bar
        self._sheet.resize(width, self.height_at(width))
        top = REACH
        column_width = self._column_width(width)
        for line, height in enumerate(self._line_heights(width)):
            for column, row in enumerate(self._line(line)):
                row.setGeometry(REACH + column * (column_width + _GAP), top, column_width, height)
            top += height + _GAP

    def _line(self, line: int) -> Sequence[OptionRow]:
        return self.rows[line * self._columns : (line + 1) * self._columns]

    def _line_heights(self, width: int) -> list[int]:
        column_width = self._column_width(width)
        lines = -(-self._shown // self._columns)
        return [max(row.height_at(column_width) for row in self._line(line)) for line in range(lines)]

    def _column_width(self, width: int) -> int:
        return (width - 2 * REACH - _GAP * (self._columns - 1)) // self._columns


def _fits_two_columns(options: Sequence[Option]) -> bool:
    short = all(len(option.label) <= _SHORT_LABEL and not option.description for option in options)
    return short and len(options) >= _COLUMNS_FROM and not any(option.preview for option in options)
