"""Lives on a store that end at their n-th commit, before it or after it, for every n there is.

    python -m tests.helpers.dying_desk FOLDER SEED

Each life has a folder of its own; what callers were told is appended to its file `told`, one JSON object a
line, at the moment they were told.
"""

import asyncio
import json
import os
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentbox_desktop.core.items import Decision, Item
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.services.calls import Call
from agentbox_desktop.store.database import Database
from tests.helpers.desk_parts import QUESTION, Parts

STEPS = 30
KILLED = 9


def dying(commit_number: int, moment: str) -> None:
    """From now on the process ends at that commit."""
    commit = Database._commit
    done = 0

    def counted(self: Database, batch: list[Any]) -> None:
        nonlocal done
        done += 1
        if done == commit_number and moment == "before":
            os._exit(KILLED)
        commit(self, batch)
        if done == commit_number:
            os._exit(KILLED)

    Database._commit = counted  # type: ignore[method-assign]


class Life:
    def __init__(self, parts: Parts, told: Path, seed: int) -> None:
        self.parts = parts
        self.told = told.open("a", buffering=1, encoding="utf-8")
        self.random = random.Random(seed)
        self.items: list[Item] = []
        self.waits: list[asyncio.Task[None]] = []

    def tell(self, **what: object) -> None:
        self.told.write(json.dumps(what) + "\n")

    async def ask(self, number: int) -> None:
        content = replace(QUESTION, title=f"Question {number}")
        item = await self.parts.ask(f"c:{number}", content)
        self.tell(told="asked", call=f"c:{number}", item=item.id)
        self.items.append(item)
        self.waits.append(asyncio.create_task(self.wait(number, item)))

    async def wait(self, number: int, item: Item) -> None:
        ended = await self.parts.waiting(item)
        answers = list(ended.decision.answers) if ended.decision else []
        self.tell(told="ended", item=item.id, outcome=ended.outcome, answers=answers)
        if self.random.random() < 0.5:
            await self.parts.asking.delivered("proc-1-1", f"c:{number}")
            self.tell(told="delivered", item=item.id)

    async def step(self, number: int) -> None:
        if not self.items or self.random.random() < 0.4:
            await self.ask(number)
            return
        item = self.random.choice(self.items)
        action = self.random.choice(["decide", "undo", "later", "seen", "retract", "time"])
        try:
            if action == "decide":
                await self.parts.person.decide(item.id, item.digest, Decision((self.random.choice(["eu", "us"]),)))
            elif action == "undo":
                await self.parts.person.undo(item.id)
            elif action == "later":
                await self.parts.person.later(item.id)
            elif action == "seen":
                await self.parts.person.seen(item.id)
            elif action == "retract":
                await self.parts.asking.retract(Call(item.caller), item.id)
            await self.parts.turn(2.0)
        except Refused as refused:
            assert refused.code == "ended"


async def live(store: Path, told: Path, seed: int) -> None:
    parts = await Parts(store).start()
    life = Life(parts, told, seed)
    for number in range(STEPS):
        await life.step(number)
    for wait in life.waits:
        wait.cancel()
    await asyncio.gather(*life.waits, return_exceptions=True)
    await parts.stop()


def live_until_it_survives(folder: Path, seed: int) -> None:
    """One life for each commit and moment, each in a child process of its own, until a life has fewer commits."""
    commit_number, survived = 0, False
    while not survived:
        commit_number += 1
        for moment in ("before", "after"):
            place = folder / f"{commit_number:03}-{moment}"
            place.mkdir()
            child = os.fork()
            if child == 0:
                dying(commit_number, moment)
                asyncio.run(live(place / "agentbox.db", place / "told", seed))
                os._exit(0)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            assert status in (0, KILLED), f"{place.name} ended with {status}"
            survived = status == 0


if __name__ == "__main__":
    live_until_it_survives(Path(sys.argv[1]), int(sys.argv[2]))
