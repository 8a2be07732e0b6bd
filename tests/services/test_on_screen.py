"""What the person sees of it: the card, the queue, notices, drafts, and what is heard."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Kind, Level
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.services.attention import Attention
from agentbox_desktop.services.calls import Call
from tests.helpers.desk_parts import QUESTION, Parts


async def test_the_screen_follows(parts: Parts) -> None:
    first, second = await parts.ask("c:1"), await parts.ask("c:2", replace(QUESTION, title="Two"))
    waiting = parts.waiting(first)
    await parts.turn(6)
    screen = parts.windows.screen
    assert screen.card is not None
    assert (screen.card.item.id, screen.card.caller_gone, screen.pending) == (first.id, False, 2)
    assert [caller.session for caller in screen.card.waiting] == ["proc-1-1"]
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await parts.settle()
    assert parts.windows.screen.card is not None
    assert parts.windows.screen.card.caller_gone
    await parts.answer(first)
    await parts.settle()
    assert parts.windows.screen.card is not None
    assert parts.windows.screen.card.item.id == second.id
    assert [item.id for item in parts.windows.screen.undo] == [first.id]
    await parts.person.later(second.id)
    await parts.turn(4)
    assert (parts.windows.screen.card, parts.windows.screen.undo, parts.windows.screen.pending) == (None, (), 1)
    await parts.turn(300)
    assert parts.windows.screen.card is not None


async def test_a_notice_leaves_after_it_was_seen_and_not_under_the_pointer(parts: Parts) -> None:
    call = Call(Caller("proc-1-1"), "n:1")
    notice = await parts.asking.put(call, None, Kind.NOTICE, Level.INFO, Content("Built"))
    warning = await parts.asking.put(Call(Caller("proc-1-1"), "n:2"), None, Kind.NOTICE, Level.WARNING, Content("Slow"))
    await parts.turn(60)
    assert len(parts.windows.screen.toasts) == 2  # nobody has seen it yet
    for item in (notice, warning):
        await parts.person.seen(item.id)
    await parts.turn(5)
    parts.person.hover(notice.id, True)
    await parts.turn(60)
    assert len(parts.windows.screen.toasts) == 2
    parts.person.hover(notice.id, False)
    await parts.turn(6.1)
    assert [item.id for item in parts.windows.screen.toasts] == [warning.id]


async def test_toasts_come_three_at_once(parts: Parts) -> None:
    for number in range(5):
        await parts.asking.put(Call(Caller("s"), f"n:{number}"), None, Kind.NOTICE, Level.ERROR, Content(str(number)))
    await parts.settle()
    assert len(parts.windows.screen.toasts) == 3
    assert parts.windows.screen.more_toasts == 2


async def test_later_outlives_a_restart_and_summon_brings_it_back(path: Path) -> None:
    first = await Parts(path).start()
    item = await first.ask("c:1")
    await first.person.later(item.id)
    await first.stop()
    second = await Parts(path, first.clock).start()
    await second.settle()
    assert second.windows.screen.card is None
    await second.turn(301)
    assert second.windows.screen.card is not None
    await second.person.later(item.id)
    await second.settle()
    assert second.windows.screen.card is None
    assert await second.display.summon()
    assert second.windows.screen.card is not None
    await second.stop()


async def test_a_card_that_cannot_be_drawn_hides_no_other(parts: Parts) -> None:
    first, second = await parts.ask("c:1"), await parts.ask("c:2", replace(QUESTION, title="Two"))
    parts.windows.cannot_draw = first.id
    parts.display.refresh()
    await parts.settle()
    assert parts.windows.screen.card is not None
    assert parts.windows.screen.card.item.id == second.id
    assert {item.id for item in parts.display.pending()} == {first.id, second.id}
    assert [event for event, _ in parts.log.errors()] == ["task_failed"]
    parts.log.events.clear()


async def test_a_notice_that_came_up_under_the_pointer_stays(parts: Parts) -> None:
    notice = await parts.asking.put(Call(Caller("s"), "n:1"), None, Kind.NOTICE, Level.INFO, Content("Built"))
    parts.person.hover(notice.id, True)
    await parts.person.seen(notice.id)
    await parts.turn(60)
    assert [item.id for item in parts.windows.screen.toasts] == [notice.id]
    parts.person.hover(notice.id, False)
    await parts.turn(7)
    assert parts.windows.screen.toasts == ()


async def test_a_late_draft_is_kept_nowhere(parts: Parts) -> None:
    item = await parts.ask("c:1", timeout_s=5)
    await parts.turn(6)
    await parts.person.draft(item.id, Draft("too late"))
    assert parts.person.draft_of(item.id) == Draft()


async def test_a_short_id_names_what_waits(parts: Parts) -> None:
    old = await parts.ask("c:1", timeout_s=5)
    await parts.turn(6)
    new = await parts.ask("c:2", replace(QUESTION, title="Two"))
    assert (await parts.board.find("itm_0")).id == new.id
    assert (await parts.board.find(old.id)).id == old.id
    await parts.ask("c:3", replace(QUESTION, title="Three"))
    with pytest.raises(Refused, match="several"):
        await parts.board.find("0")


async def test_what_comes_up_is_heard_once(parts: Parts) -> None:
    heard: list[str] = []

    class Ear:
        def play(self, earcon: str) -> None:
            heard.append(f"earcon {earcon}")

        def say(self, text: str) -> None:
            heard.append(text)

    Attention(parts.board, Ear(), Ear())
    item = await parts.ask(content=replace(QUESTION, speak="Which region?"))
    await parts.person.seen(item.id)
    await parts.asking.put(Call(Caller("s"), "n"), None, Kind.NOTICE, Level.ERROR, Content("Failed"))
    assert heard == ["earcon question", "Which region?", "earcon error"]


async def test_history_is_forgotten_after_its_days_and_pending_never(parts: Parts) -> None:
    kept, old = await parts.ask("c:1"), await parts.ask("c:2", replace(QUESTION, title="Two"))
    await parts.answer(old)
    await parts.turn(4)
    await parts.asking.delivered("proc-1-1", "c:2")
    await parts.turn(31 * 86400)
    assert await parts.items.forget_before(parts.clock.now() - 30 * 86400) == 1
    assert await parts.items.get(old.id) is None
    assert await parts.items.get(kept.id) is not None
