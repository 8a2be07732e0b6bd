"""Where windows go: plain geometry in desktop coordinates, which are negative left of and above the first screen."""

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import QMargins, QPoint, QRect, QSize

POINTER_DISTANCE = 80  # px that a card which nobody expects keeps from the pointer
STACK_GAP = 8
EDGE_MARGIN = 16  # px between a card and the edges of the screen's usable part


def screen_of(pointer: QPoint, screens: Sequence[QRect]) -> int:
    """The number of the screen that holds `pointer`, else of the nearest one."""
    return min(range(len(screens)), key=lambda number: _distance(pointer, screens[number]))


def place_card(size: QSize, pointer: QPoint, available: QRect, avoid: Sequence[QRect] = ()) -> QRect:
    """A card that nobody expects: as near to the middle of `available` as it can be without being too near to the
    pointer, which counts most, and without covering what is in `avoid`."""
    centred = QRect(QPoint(), size)
    centred.moveCenter(available.center())
    candidates = [kept_off_edges(candidate, available) for candidate in _beside(centred, pointer, avoid)]

    def worse(candidate: QRect) -> tuple[int, int, int]:
        too_near = max(0, POINTER_DISTANCE - _distance(pointer, candidate))
        return too_near, _covered(candidate, avoid), (candidate.center() - centred.center()).manhattanLength()

    return min(candidates, key=worse)


def place_next(size: QSize, last: QRect, available: QRect) -> QRect:
    """The next card of a queue stands where the last one stood: the same top, the same middle."""
    rect = QRect(QPoint(_left_under(last, size), last.top()), size)
    return kept_off_edges(rect, available)


def stack_strips(card: QRect, sizes: Sequence[QSize], available: QRect, avoid: Sequence[QRect] = ()) -> list[QRect]:
    """Strips that touch neither `card` nor each other, the first of `sizes` nearest to it.

    They stand above the card; below it, or farther from it, where only so they all fit or cover less of `avoid`.
    """
    stacks = [_stack(card, sizes, available, above, past) for past in ((), avoid) for above in (True, False)]
    fitting = [stack for stack in stacks if all(available.contains(strip) for strip in stack)]
    if fitting:
        return min(fitting, key=lambda stack: sum(_covered(strip, avoid) for strip in stack))
    above, below = stacks[:2]
    return above if card.top() - available.top() >= available.bottom() - card.bottom() else below


def kept_inside(rect: QRect, available: QRect) -> QRect:
    """`rect` moved as little as puts it inside `available`; what is larger is aligned at the left or top."""
    left = max(available.left(), min(rect.left(), available.right() + 1 - rect.width()))
    top = max(available.top(), min(rect.top(), available.bottom() + 1 - rect.height()))
    return QRect(QPoint(left, top), rect.size())


def kept_off_edges(rect: QRect, available: QRect) -> QRect:
    """`rect` moved as little as leaves `EDGE_MARGIN` around it inside `available`, in each direction that has room."""
    across = EDGE_MARGIN if rect.width() + 2 * EDGE_MARGIN <= available.width() else 0
    down = EDGE_MARGIN if rect.height() + 2 * EDGE_MARGIN <= available.height() else 0
    return kept_inside(rect, available.adjusted(across, down, -across, -down))


def _stack(card: QRect, sizes: Sequence[QSize], available: QRect, above: bool, past: Sequence[QRect]) -> list[QRect]:
    """Strips from the card outwards, each moved on until it covers nothing of `past`."""
    placed: list[QRect] = []
    before = card
    for size in sizes:
        left = max(available.left(), min(_left_under(card, size), available.right() + 1 - size.width()))
        strip = QRect(QPoint(left, 0), size)
        for obstacle in (before, *sorted(past, key=QRect.top, reverse=above)):
            if obstacle is before or strip.intersects(obstacle):
                up, down = obstacle.top() - STACK_GAP - size.height(), obstacle.bottom() + 1 + STACK_GAP
                strip.moveTop(up if above else down)
        placed.append(strip)
        before = strip
    return placed


def _left_under(rect: QRect, size: QSize) -> int:
    """Where something of `size` begins that has the same middle as `rect`."""
    return rect.left() + (rect.width() - size.width()) // 2


def _beside(rect: QRect, pointer: QPoint, avoid: Sequence[QRect]) -> list[QRect]:
    """`rect` itself, and every place of it that is just far enough right or left of, below or above the others."""
    near = [QRect(pointer, pointer).marginsAdded(_all_around(POINTER_DISTANCE - 1)),
            *(each.marginsAdded(_all_around(STACK_GAP)) for each in avoid)]
    lefts = [rect.left(), *(each.right() + 1 for each in near), *(each.left() - rect.width() for each in near)]
    tops = [rect.top(), *(each.bottom() + 1 for each in near), *(each.top() - rect.height() for each in near)]
    return [QRect(QPoint(left, top), rect.size()) for left, top in product(lefts, tops)]


def _all_around(pixels: int) -> QMargins:
    return QMargins(pixels, pixels, pixels, pixels)


def _covered(rect: QRect, others: Sequence[QRect]) -> int:
    """How many pixels of `others` lie under `rect`."""
    shared = [rect.intersected(other) for other in others]
    return sum(each.width() * each.height() for each in shared)


def _distance(pointer: QPoint, rect: QRect) -> int:
    """Pixels between `pointer` and the nearest pixel of `rect`, along the longer axis; 0 inside."""
    across = max(rect.left() - pointer.x(), 0, pointer.x() - rect.right())
    down = max(rect.top() - pointer.y(), 0, pointer.y() - rect.bottom())
    return max(across, down)
