"""Whether what was registered works: it is started as the client would, and asked for its tools."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.setup.clients import Bridge

DEADLINE_S = 20.0
PROBE = Path(__file__).with_name("probe.py")


def count_tools(bridge: Bridge, environment: Mapping[str, str], client_name: str) -> int:
    """How many tools the bridge offers. Refused where it does not answer as an MCP server within 20 s."""
    probe = [sys.executable, str(PROBE), client_name, bridge.command, *bridge.arguments]
    try:
        done = subprocess.run(
            probe, env={**environment, **bridge.environment}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, encoding="utf-8", timeout=DEADLINE_S, check=False,
        )
    except subprocess.TimeoutExpired:
        raise _does_not_work(f"it gave no answer within {DEADLINE_S:g} s.") from None
    if done.returncode != 0:
        raise _does_not_work((done.stderr.strip().splitlines() or ["it gave no answer."])[-1])
    return int(done.stdout)


def _does_not_work(reason: str) -> Refused:
    return Refused(f"The bridge was registered but does not work: {reason}", "failed")
