"""The system's clocks."""

import time


class SystemClock:
    """Implements the `Clock` port. The monotonic clock goes on while the machine sleeps, where the system has one."""

    def __init__(self) -> None:
        self._boot_time: int | None = getattr(time, "CLOCK_BOOTTIME", None)

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic() if self._boot_time is None else time.clock_gettime(self._boot_time)
