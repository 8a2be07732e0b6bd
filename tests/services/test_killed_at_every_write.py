"""The process is killed at each of its commits in turn, before it and after it; nothing told is ever lost."""

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from agentbox_desktop.core.items import Delivery, State
from tests.helpers.desk_parts import HandClock, Parts

ROOT = Path(__file__).parents[2]


def told(folder: Path) -> list[dict[str, object]]:
    path = folder / "told"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


async def check_after_restart(folder: Path) -> None:
    clock = HandClock()
    clock.time += 10_000
    parts = await Parts(folder / "agentbox.db", clock).start()
    assert parts.set_aside is None
    await parts.turn(4)  # what was in its grace leaves now
    ended: dict[object, dict[str, object]] = {}
    calls: dict[object, set[object]] = defaultdict(set)
    for line in told(folder):
        item = await parts.board.get(str(line["item"]))
        if line["told"] == "asked":
            calls[line["call"]].add(item.id)
        elif line["told"] == "ended":
            assert item.id not in ended, "an answer was told twice"
            ended[item.id] = line
            assert item.state is State.CLOSED
            assert item.outcome == line["outcome"]
            assert list(item.decision.answers if item.decision else []) == line["answers"]
        else:
            assert item.state is State.CLOSED
            assert item.delivery is not Delivery.OWED
    assert all(len(items) == 1 for items in calls.values())
    for item in parts.board.live():
        assert item.state is not State.GRACE
        assert item.state is State.OPEN or item.delivery is Delivery.OWED
    await parts.stop()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [7, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(100, 130))])
def test_killed_at_every_write_point(tmp_path: Path, seed: int) -> None:
    command = [sys.executable, "-m", "tests.helpers.dying_desk", str(tmp_path), str(seed)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=500)
    lives = sorted(tmp_path.iterdir())
    assert len(lives) > 60  # the life is long enough to mean something
    for life in lives:
        asyncio.run(check_after_restart(life))
