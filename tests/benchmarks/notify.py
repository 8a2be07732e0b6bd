"""`agentbox notify` with the daemon up, beside a Python that does nothing."""

from collections.abc import Iterator
from statistics import median

from tests.benchmarks.mcp_stopwatch import PASS_COMMAND
from tests.benchmarks.measuring import ms, run_s
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.desk import AGENTBOX

_RUNS = 40
_BAR = 3.5


def measure(stage: Stage) -> Iterator[Row]:
    ours: list[float] = []
    peers: list[float] = []
    with stage.desk("notify") as desk:
        desk.start()
        environment = desk.environment
        for number in range(_RUNS):
            ours.append(run_s([str(AGENTBOX), "notify", "--title", f"Built {number}"], environment))
            peers.append(run_s(PASS_COMMAND, environment))
    ratio = median(ours) / median(peers)
    yield Row(
        "agentbox notify, whole process", f"{ms(median(ours))} = {ratio:.1f} ×", f"≤ {_BAR:g} × python3 -c pass",
        f"python3 -c pass {ms(median(peers))}", ratio <= _BAR,
        {"agentbox_s": median(ours), "python_pass_s": median(peers)})
