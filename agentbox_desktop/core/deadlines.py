"""One heap for every time-out, tick and countdown: qasync keeps a cancelled timer until it would have fired."""

import heapq
from collections.abc import Hashable
from itertools import count


class Deadlines:
    """Named deadlines in the order they are due. Times are monotonic seconds; the caller brings the clock.

    Setting a name again moves it; a moved or cancelled entry is dropped when it reaches the top, and the
    heap is rebuilt when more than half of it is such entries.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Hashable]] = []
        self._current: dict[Hashable, tuple[float, int]] = {}
        self._serial = count()

    def __len__(self) -> int:
        return len(self._current)

    def set(self, name: Hashable, at: float) -> None:
        """`name` is due at `at`."""
        serial = next(self._serial)
        self._current[name] = (at, serial)
        heapq.heappush(self._heap, (at, serial, name))
        if len(self._heap) > 64 and len(self._heap) > 2 * len(self._current):
            self._heap = [(due, number, key) for key, (due, number) in self._current.items()]
            heapq.heapify(self._heap)

    def cancel(self, name: Hashable) -> None:
        """Forget `name`, if it is set."""
        self._current.pop(name, None)

    def next_at(self) -> float | None:
        """When the first is due, or None where nothing is."""
        while self._heap:
            at, serial, name = self._heap[0]
            if self._current.get(name) == (at, serial):
                return at
            heapq.heappop(self._heap)
        return None

    def pop_due(self, now: float) -> list[Hashable]:
        """Take every name due at `now` or before, in order."""
        due: list[Hashable] = []
        while (at := self.next_at()) is not None and at <= now:
            name = heapq.heappop(self._heap)[2]
            del self._current[name]
            due.append(name)
        return due
