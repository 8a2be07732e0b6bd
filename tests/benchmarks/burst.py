"""A thousand notices over one connection, each on disk before it is answered."""

import time
from collections.abc import Iterator

from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row

_NOTICES = 1000


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("burst") as desk:
        desk.start()
        with DoorConnection(desk) as caller:
            begun = time.perf_counter()
            for number in range(_NOTICES):
                caller.send("notify_user", title=f"Built {number}")
            ids = {caller.receive()["id"] for _ in range(_NOTICES)}
            taken = time.perf_counter() - begun
    assert len(ids) == _NOTICES
    rate = _NOTICES / taken
    yield Row(
        f"{_NOTICES:,} notices over one connection", f"{rate:,.0f} durable items/s", numbers={"items_per_s": rate})
