"""A thousand calls that wait: what they cost the daemon, and that each of them is answered."""

from collections.abc import Iterator

from agentbox_desktop.core.limits import KEEP_ALIVE_S
from tests.benchmarks.callers import McpCaller
from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.measuring import cpu_share, pss_kib
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.agent import Agent

_BRIDGES, _CALLS_EACH = 20, 50
_CALLS = _BRIDGES * _CALLS_EACH
_CPU_BAR, _KIB_BAR = 0.01, 40.0


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("parked") as desk:
        desk.start()
        with DoorConnection(desk) as person, Agent(desk) as agent:
            callers = [McpCaller(agent, f"bridge {number}") for number in range(_BRIDGES)]
            before = pss_kib(desk.pid)
            for caller in callers:
                for _ in range(_CALLS_EACH):
                    caller.park()
                caller.wait_for_progress(_CALLS_EACH)
            person.wait_for_pending(_CALLS)
            each = (pss_kib(desk.pid) - before) / _CALLS
            cpu = cpu_share(desk.pid, KEEP_ALIVE_S)  # in which each call is told once that it still waits
            person.answer_all()
            answered = [caller.answers(_CALLS_EACH, 60) for caller in callers]
            once = sum(count == 1 for calls in answered for count in calls.values())
    yield Row(f"{_CALLS:,} parked calls: processor over {KEEP_ALIVE_S} s", f"{cpu:.2%} of a core", f"≤ {_CPU_BAR:.0%}",
              f"{_BRIDGES} bridges, each call with progress", cpu <= _CPU_BAR, {"core_share": cpu})
    yield Row("  daemon memory for each", f"{each:.1f} KiB", f"≤ {_KIB_BAR:g} KiB", met=each <= _KIB_BAR,
              numbers={"kib_each": each})
    yield Row("  answered, each once", f"{once:,}", f"{_CALLS:,}", met=once == _CALLS, numbers={"answered": once})
