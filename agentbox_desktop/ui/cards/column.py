"""The parts of a card, one under the other in a height that may be too small for all that they want."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Part:
    """`gap`: pixels above it; `least`: what it keeps when room is short, because the rest of it scrolls."""

    widget: QWidget
    gap: int
    wanted: int
    least: int


def part(widget: QWidget, gap: int, wanted: int, least: int | None = None) -> Part:
    """A part that keeps all that it wants unless `least` is given."""
    return Part(widget, gap, wanted, wanted if least is None else min(wanted, least))


def total(parts: Sequence[Part]) -> int:
    return sum(part.gap + part.wanted for part in parts)


def heights(parts: Sequence[Part], room: int) -> list[int]:
    """What each part gets; where `room` is short the upper ones give first."""
    missing = max(0, total(parts) - room)
    given = []
    for each in parts:
        gives = min(missing, each.wanted - each.least)
        missing -= gives
        given.append(each.wanted - gives)
    return given


def arrange(parts: Sequence[Part], area: QRect) -> None:
    top = area.top()
    for each, height in zip(parts, heights(parts, area.height()), strict=True):
        top += each.gap
        each.widget.setGeometry(area.left(), top, area.width(), height)
        top += height
