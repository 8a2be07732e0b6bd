"""`kill -9` of the daemon while a hundred calls wait; the bridges start it again."""

import time
from collections.abc import Iterator
from datetime import datetime

from tests.benchmarks.callers import McpCaller
from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.agent import Agent
from tests.helpers.desk import Desk
from tests.helpers.waiting import wait_until

_BRIDGES, _CALLS_EACH = 10, 10
_CALLS = _BRIDGES * _CALLS_EACH


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("crash") as desk:
        desk.start()
        with Agent(desk) as agent:
            callers = [McpCaller(agent, f"bridge {number}") for number in range(_BRIDGES)]
            for caller in callers:
                for _ in range(_CALLS_EACH):
                    caller.park()
                caller.wait_for_progress(_CALLS_EACH)
            killed_at = time.time()
            desk.kill9()
            back_at = wait_until(lambda: _all_back(desk), "the bridges to be back", 30)
            with DoorConnection(desk) as person:
                person.wait_for_pending(_CALLS)
                person.answer_all()
            answered = [caller.answers(_CALLS_EACH, 30) for caller in callers]
            wait_until(lambda: _delivered(desk) == _CALLS, "all answers to be acknowledged", 30)
            late = sum(caller.late_answers() for caller in callers)
    once = sum(count == 1 for calls in answered for count in calls.values())
    back_s = back_at - killed_at
    yield Row(f"kill -9 with {_CALLS} parked calls: answers, each once", f"{once} of {once + late}", f"{_CALLS}",
              f"all {_BRIDGES} bridges back after {back_s:.2f} s", once == _CALLS and late == 0,
              {"answered_once": once, "answered_again": late, "bridges_back_s": back_s})


def _all_back(desk: Desk) -> float:
    """When the last bridge came back, as a Unix time; 0 before that."""
    log = desk.log()
    started = [number for number, line in enumerate(log) if line["event"] == "daemon_started"]
    if len(started) < 2:
        return 0
    back = [line for line in log[started[-1]:] if line["event"] == "client_connected" and line["role"] == "mcp"]
    return datetime.fromisoformat(back[-1]["at"]).timestamp() if len(back) == _BRIDGES else 0


def _delivered(desk: Desk) -> int:
    return sum(line["move"] == "deliver" for line in desk.log("item_moved"))
