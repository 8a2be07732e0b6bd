"""The system's clocks."""

import time


class SystemClock:
    """Implements the `Clock` port."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()
