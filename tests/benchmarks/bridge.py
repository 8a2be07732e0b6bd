"""`agentbox mcp` from its start to its list of tools, beside a server on the SDK."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.benchmarks.mcp_stopwatch import PASS, Server
from tests.benchmarks.measuring import mib, ms
from tests.benchmarks.peers import sdk_server
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.desk import AGENTBOX, Desk

_ROOT = Path(__file__).parents[2]
_RUNS = 12
_OF_PASS, _FASTER, _LIGHTER = 3.0, 10.0, 5.0


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("bridge") as desk:
        desk.start()
        _time(desk, 1)  # the first client of all waits until the daemon has loaded the SDK
        found = _time(desk, _RUNS)
    ours, sdk, nothing = found["agentbox"], found["sdk"], found[PASS]
    ratio, faster = ours.median_s / nothing.median_s, sdk.median_s / ours.median_s
    lighter = median(sdk.pss_kib) / median(ours.pss_kib)
    what = f"agentbox mcp, start → tools/list ({ours.tools} tools)"
    yield Row(what, f"{ms(ours.median_s)} = {ratio:.1f} ×", f"≤ {_OF_PASS:g} × python3 -c pass",
              f"python3 -c pass {ms(nothing.median_s)}", ratio <= _OF_PASS,
              {"agentbox_s": ours.median_s, "python_pass_s": nothing.median_s, "tools": ours.tools})
    peer = f"SDK stdio server ({sdk.tools} tools)"
    yield Row("  faster than on the SDK", f"{faster:.1f} ×", f"≥ {_FASTER:g} ×", f"{peer} {ms(sdk.median_s)}",
              faster >= _FASTER, {"sdk_s": sdk.median_s})
    yield Row("  lighter than on the SDK", f"{mib(median(ours.pss_kib))} = {lighter:.1f} ×", f"≥ {_LIGHTER:g} ×",
              f"{peer} {mib(median(sdk.pss_kib))}", lighter >= _LIGHTER,
              {"agentbox_kib": median(ours.pss_kib), "sdk_kib": median(sdk.pss_kib)})


def _time(desk: Desk, runs: int) -> dict[str, Server]:
    commands = {"agentbox": [str(AGENTBOX), "mcp"], "sdk": [sys.executable, sdk_server.__file__]}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.mcp_stopwatch", str(runs), json.dumps(commands)],
        env=desk.environment, cwd=_ROOT, check=True, stdout=subprocess.PIPE)
    return {name: Server(**found) for name, found in json.loads(ran.stdout).items()}
