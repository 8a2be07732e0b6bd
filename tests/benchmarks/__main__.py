"""Speed and weight, measured beside our peers in the same run.

    python -m tests.benchmarks [NAME…] [--json]

Prints one table; exit status 1 where a bar is missed. Ratios hold from machine to machine, absolute times do not.
Wants Xvfb, openbox, xdotool, zenity and yad, and a machine that does nothing else meanwhile.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict

from tests.benchmarks import answer, bridge, burst, card, crash, idle, notify, parked
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row, table

BENCHMARKS: dict[str, Callable[[Stage], Iterator[Row]]] = {
    "notify": notify.measure,
    "card": card.measure_warm,
    "cold": card.measure_cold,
    "bridge": bridge.measure,
    "answer": answer.measure,
    "parked": parked.measure,
    "crash": crash.measure,
    "idle": idle.measure,
    "burst": burst.measure,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description="Speed and weight, measured beside our peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print the rows as JSON, with the numbers behind them")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    rows: list[Row] = []
    with Stage() as stage:
        for name in arguments.names or BENCHMARKS:
            print(f"{name} …", file=sys.stderr, flush=True)
            rows += _measured(name, stage)
    print(json.dumps([asdict(row) for row in rows], indent=1) if arguments.json else table(rows))
    return int(any(row.met is False for row in rows))


def _measured(name: str, stage: Stage) -> list[Row]:
    """The benchmark's rows; where it broke, one that says how, so that the others are still printed."""
    try:
        return list(BENCHMARKS[name](stage))
    except AssertionError as failure:
        return [Row(name, f"broke: {str(failure).splitlines()[0]}", met=False)]


if __name__ == "__main__":
    sys.exit(main())
