"""From the person's answer, given without a grace, to the caller that waits for it."""

import time
from collections.abc import Iterator
from statistics import quantiles

from tests.benchmarks.callers import McpCaller
from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.measuring import ms
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.helpers.agent import Agent

_SAMPLES = 300
_P50_S, _P99_S = 0.005, 0.020
_QUESTION = {"title": "Which region?", "options": ["us-east", "eu-west"]}


def measure(stage: Stage) -> Iterator[Row]:
    with stage.desk("answer") as desk:
        desk.start()
        with DoorConnection(desk) as person, DoorConnection(desk) as caller, Agent(desk) as agent:
            direct = [_direct(person, caller) for _ in range(_SAMPLES)]
            bridge = McpCaller(agent, "answer")
            bridged = [_bridged(person, bridge) for _ in range(_SAMPLES)]
    p50, p99 = _p50_p99(direct)
    p50_mcp, p99_mcp = _p50_p99(bridged)
    yield Row(
        "person's answer → caller has it, p50, p99", f"{ms(p50)}, {ms(p99)}", f"≤ {ms(_P50_S)}, {ms(_P99_S)}",
        f"over MCP, bridge included {ms(p50_mcp)}, {ms(p99_mcp)}", p50 <= _P50_S and p99 <= _P99_S,
        {"p50_s": p50, "p99_s": p99, "mcp_p50_s": p50_mcp, "mcp_p99_s": p99_mcp, "samples": _SAMPLES})


def _direct(person: DoorConnection, caller: DoorConnection) -> float:
    asked = caller.send("ask_user", **_QUESTION)
    answered = _answer(person)
    caller.receive()
    taken = time.perf_counter() - answered
    caller.acknowledge(asked)
    person.receive()
    return taken


def _bridged(person: DoorConnection, caller: McpCaller) -> float:
    asked = caller.park()
    answered = _answer(person)
    caller.wait_for_answer(asked)
    taken = time.perf_counter() - answered
    person.receive()
    return taken


def _answer(person: DoorConnection) -> float:
    """Answer the card once it is on the screen; the moment before the answer was sent."""
    item = person.wait_for_seen()
    at = time.perf_counter()
    person.send("answer", id=item["id"], digest=item["digest"], value="1")
    return at


def _p50_p99(samples: list[float]) -> tuple[float, float]:
    cuts = quantiles(samples, n=100)
    return cuts[49], cuts[98]
