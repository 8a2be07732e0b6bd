"""Where windows go: plain geometry in desktop coordinates, which are negative left of and above the first screen."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize

POINTER_DISTANCE = 80  # px that a card which nobody expects keeps from the pointer
STACK_GAP = 8


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
    return kept_inside(rect, available)


def stack_strips(card: QRect, sizes: Iterable[QSize], available: QRect) -> list[QRect]:
    """Strips that touch neither `card` nor each other, the first of `sizes` nearest to it.

    They stand above the card, and where they don't all fit there, below it.
    """
    sizes = list(sizes)
    needed = sum(size.height() + STACK_GAP for size in sizes)
    above = card.top() - needed >= available.top() or card.top() - available.top() >= available.bottom() - card.bottom()
    edge = card.top() if above else card.bottom() + 1
    placed = []
    for size in sizes:
        edge += -(STACK_GAP + size.height()) if above else STACK_GAP
        left = max(available.left(), min(_left_under(card, size), available.right() + 1 - size.width()))
        placed.append(QRect(QPoint(left, edge), size))
        edge += 0 if above else size.height()
    return placed


def kept_inside(rect: QRect, available: QRect) -> QRect:
    """`rect` moved as little as puts it inside `available`; what is larger is aligned at the left or top."""
    left = max(available.left(), min(rect.left(), available.right() + 1 - rect.width()))
    top = max(available.top(), min(rect.top(), available.bottom() + 1 - rect.height()))
    return QRect(QPoint(left, top), rect.size())


def _left_under(rect: QRect, size: QSize) -> int:
    """Where something of `size` begins that has the same middle as `rect`."""
    return rect.left() + (rect.width() - size.width()) // 2


def _beside(rect: QRect, pointer: QPoint) -> list[QRect]:
    """`rect` right of, left of, below and above the pointer, just far enough."""
    right = rect.translated(pointer.x() + POINTER_DISTANCE - rect.left(), 0)
    left = rect.translated(pointer.x() - POINTER_DISTANCE - rect.right(), 0)
    below = rect.translated(0, pointer.y() + POINTER_DISTANCE - rect.top())
    above = rect.translated(0, pointer.y() - POINTER_DISTANCE - rect.bottom())
    return [right, left, below, above]


def _distance(pointer: QPoint, rect: QRect) -> int:
    """Pixels between `pointer` and the nearest pixel of `rect`, along the longer axis; 0 inside."""
    across = max(rect.left() - pointer.x(), 0, pointer.x() - rect.right())
    down = max(rect.top() - pointer.y(), 0, pointer.y() - rect.bottom())
    return max(across, down)
