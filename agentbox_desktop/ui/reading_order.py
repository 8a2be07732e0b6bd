"""The tabulator's order: from top to bottom and left to right, as a window is read."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def next_stop(root: QWidget, forward: bool) -> QWidget | None:
    """The control inside `root` that the keyboard goes to next, around the end; None where there is none."""
    stops = list(stops_in(root))
    if not stops:
        return None
    focused = root.window().focusWidget()
    if focused not in stops:
        return stops[0 if forward else -1]
    return stops[(stops.index(focused) + (1 if forward else -1)) % len(stops)]


def stops_in(root: QWidget) -> Iterator[QWidget]:
    """Every control inside `root` that takes the keyboard, in reading order."""
    children = [child for child in root.children() if isinstance(child, QWidget) and child.isVisibleTo(root)]
    for child in sorted(children, key=lambda child: (child.y(), child.x())):
        if child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.focusProxy() is None:
            yield child
        yield from stops_in(child)
