"""Every time-out, tick and countdown of the process, driven by one alarm."""

from collections.abc import Callable, Hashable

from agentbox_desktop.core.deadlines import Deadlines
from agentbox_desktop.core.events import Event
from agentbox_desktop.ports import Alarm, Clock, Log

_LONGEST_S = 60.0  # timers stand still while the machine sleeps, the clock does not: noticed within the minute


class DeadlineService:
    """Calls back once per name; setting a name again moves it."""

    def __init__(self, clock: Clock, alarm: Alarm, log: Log) -> None:
        self._clock = clock
        self._alarm = alarm
        self._log = log
        self._deadlines = Deadlines()
        self._rings: dict[Hashable, Callable[[], None]] = {}
        self._armed_for: float | None = None

    def __len__(self) -> int:
        return len(self._deadlines)

    def at(self, name: Hashable, delay_s: float, ring: Callable[[], None]) -> None:
        """Call `ring` once in `delay_s` seconds (at once, in the next turn, where that is past)."""
        self._deadlines.set(name, self._clock.monotonic() + max(0.0, delay_s))
        self._rings[name] = ring
        self._arm()

    def cancel(self, name: Hashable) -> None:
        """Forget `name`, if it is set."""
        self._deadlines.cancel(name)
        self._rings.pop(name, None)

    def stop(self) -> None:
        """Ring nothing any more."""
        self._rings.clear()
        self._alarm.set(None, self._ring)

    def _arm(self) -> None:
        first = self._deadlines.next_at()
        if first is None or (self._armed_for is not None and self._armed_for <= first):
            return  # an alarm that rings too early finds nothing due and is set anew
        self._armed_for = first
        self._alarm.set(min(_LONGEST_S, max(0.0, first - self._clock.monotonic())), self._ring)

    def _ring(self) -> None:
        self._armed_for = None
        for name in self._deadlines.pop_due(self._clock.monotonic()):
            ring = self._rings.pop(name, None)
            if ring is None:
                continue
            try:
                ring()
            except Exception as error:  # noqa: BLE001 - one bad callback must not stop every other clock
                self._log.error(Event.TASK_FAILED, what="deadline", error=repr(error))
        self._arm()
