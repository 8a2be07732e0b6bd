"""A daemon that has shown a card and a notice, and then has nothing to do."""

import sys
import time
from collections.abc import Iterator

from tests.benchmarks.callers import McpCaller
from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.measuring import cpu_share, launch, mib, pss_kib
from tests.benchmarks.peers import bare_window
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.agent import Agent
from tests.helpers.children import end
from tests.helpers.desk import Desk
from tests.helpers.display import Display
from tests.helpers.waiting import wait_until

_BEFORE_MIB, _AFTER_MIB = 130, 200
_CPU_BAR = 0.003
_CPU_S = 20.0
_SETTLING_S = 1.0


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("idle") as desk:
        desk.start()
        time.sleep(_SETTLING_S)
        fresh = pss_kib(desk.pid)
        _use(desk)
        time.sleep(_SETTLING_S)
        before = pss_kib(desk.pid)
        bare = _bare_window_kib(stage.display)
        with Agent(desk) as agent:
            McpCaller(agent, "idle").list_tools()
            time.sleep(_SETTLING_S)
            after = pss_kib(desk.pid)
            cpu = cpu_share(desk.pid, _CPU_S)
    yield Row("idle daemon, before the first MCP client", mib(before), f"≤ {_BEFORE_MIB} MiB",
              f"before its first card {mib(fresh)}; a bare PySide6 window {mib(bare)}", before <= _BEFORE_MIB * 1024,
              {"kib": before, "fresh_kib": fresh, "bare_window_kib": bare})
    yield Row("  after it", mib(after), f"≤ {_AFTER_MIB} MiB", met=after <= _AFTER_MIB * 1024, numbers={"kib": after})
    yield Row(f"  processor over {_CPU_S:g} s, one bridge connected", f"{cpu:.2%} of a core", f"≤ {_CPU_BAR:.1%}",
              met=cpu <= _CPU_BAR, numbers={"core_share": cpu})


def _use(desk: Desk) -> None:
    """Show a card and a notice, and take both off the screen."""
    with DoorConnection(desk) as person, DoorConnection(desk) as caller:
        caller.send("ask_user", title="Which region?", options=["us-east", "eu-west"], body="A **table** or two.")
        person.wait_for_seen()
        person.call("notify_user", title="A notice", level="error")
        wait_until(lambda: all(item["state"] == "seen" for item in person.pending()), "the notice to be on the screen")
        person.dismiss_all()


def _bare_window_kib(display: Display) -> int:
    process = launch([sys.executable, bare_window.__file__], display.environment())
    wait_until(lambda: display.windows(wm_class=bare_window.CLASS), "the bare window")
    memory = pss_kib(process.pid)
    end(process)
    return memory
