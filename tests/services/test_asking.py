"""Asking, waiting, answering, taking back: on a real store, with time turned by hand."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Decision, Delivery, Item, Kind, Level, Outcome, State
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.core.settings import UndoSettings
from agentbox_desktop.ports import StoreFailed
from agentbox_desktop.services.attention import Attention
from agentbox_desktop.services.calls import Call
from tests.helpers.desk_parts import QUESTION, Parts

CONFIRM = Content("Push to origin?")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agentbox.db"


@pytest.fixture
async def parts(path: Path) -> AsyncIterator[Parts]:
    started = await Parts(path).start()
    yield started
    await started.stop()


async def answer(parts: Parts, item: Item, label: str = "us") -> None:
    await parts.person.decide(item.id, item.digest, Decision((label,)))


async def test_a_waiting_caller_gets_the_answer_after_the_grace(parts: Parts) -> None:
    item = await parts.ask()
    waiting = parts.waiting(item)
    await answer(parts, item)
    await parts.turn(2.9)
    assert not waiting.done()
    await parts.turn(0.2)
    ended = await waiting
    assert (ended.outcome, ended.decision) == (Outcome.ANSWERED, Decision(("us",)))


async def test_undo_takes_the_answer_back_before_it_leaves(parts: Parts) -> None:
    item = await parts.ask()
    waiting = parts.waiting(item)
    await answer(parts, item)
    await parts.turn(2)
    await parts.person.undo(item.id)
    await parts.turn(60)
    assert not waiting.done()
    await answer(parts, item, "eu")
    await parts.turn(3.1)
    assert (await waiting).decision == Decision(("eu",))


async def test_without_grace_the_answer_leaves_at_once(parts: Parts) -> None:
    parts.settings = replace(parts.settings, undo=UndoSettings(grace_s=0))
    item = await parts.ask()
    waiting = parts.waiting(item)
    await answer(parts, item)
    assert (await waiting).outcome is Outcome.ANSWERED


async def test_fifty_identical_calls_with_one_key_make_one_item(parts: Parts) -> None:
    made = await asyncio.gather(*(parts.ask(f"c:{number}", idempotency_key="deploy") for number in range(50)))
    assert len({item.id for item in made}) == 1
    waits = [parts.waiting(item) for item in made]
    await answer(parts, made[0])
    await parts.turn(3.1)
    assert [ended.decision for ended in await asyncio.gather(*waits)] == [Decision(("us",))] * 50


async def test_a_key_used_for_something_else_is_refused(parts: Parts) -> None:
    await parts.ask("c:1", idempotency_key="deploy")
    with pytest.raises(Refused, match="idempotency_key"):
        await parts.ask("c:2", content=replace(QUESTION, title="Other"), idempotency_key="deploy")
    other_session = await parts.ask("c:1", session="proc-2-2", idempotency_key="deploy")
    assert other_session.caller.session == "proc-2-2"


async def test_two_attached_calls_with_the_same_content_are_two_questions(parts: Parts) -> None:
    first = await parts.ask("c:1")
    waiting = await parts.parked(first)
    second = await parts.ask("c:2")
    assert second.id != first.id
    waiting.cancel()


async def test_a_cancelled_question_is_taken_up_with_the_answer_given_in_between(parts: Parts) -> None:
    item = await parts.ask("c:1")
    waiting = await parts.parked(item)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await answer(parts, item)
    await parts.turn(4)
    again = await parts.ask("c:2")
    assert again.id == item.id
    assert (await parts.waiting(again)).decision == Decision(("us",))
    assert len(list(parts.board.live())) == 1


async def test_an_answer_on_its_way_answers_no_other_call(parts: Parts) -> None:
    first = await parts.ask("c:1", CONFIRM, kind=Kind.CONFIRM)
    waiting = await parts.parked(first)
    await parts.person.decide(first.id, first.digest, Decision(confirmed=True))
    await parts.turn(3.1)
    assert (await waiting).outcome is Outcome.ANSWERED  # told, and not acknowledged yet
    second = await parts.ask("c:2", CONFIRM, kind=Kind.CONFIRM)
    assert second.id != first.id


async def test_two_calls_at_once_are_two_questions_even_before_they_wait(parts: Parts) -> None:
    first, second = await asyncio.gather(parts.ask("c:1"), parts.ask("c:2"))
    assert first.id != second.id


async def test_the_acknowledgement_of_a_pending_result_is_none_of_the_answer(parts: Parts) -> None:
    item = await parts.ask("c:1")
    waiting = await parts.parked(item, Call(item.caller, "c:1", cut_s=10))
    await parts.person.seen(item.id)
    await parts.turn(11)
    assert (await waiting).seen_at is not None
    await answer(parts, item)
    await parts.turn(3.1)
    await parts.asking.delivered("proc-1-1", "c:1")
    assert (await parts.board.get(item.id)).delivery is Delivery.OWED
    assert (await parts.ask("c:2")).id == item.id


async def test_who_takes_a_question_up_brings_its_own_time_out(parts: Parts) -> None:
    item = await parts.ask("c:1")
    waiting = await parts.parked(item)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    again = await parts.ask("c:2", timeout_s=10)
    assert again.id == item.id
    waiting = parts.waiting(again, Call(item.caller, "c:2"))
    await parts.turn(11)
    assert (await waiting).outcome is Outcome.EXPIRED


async def test_resuming_by_id_takes_a_time_out_too(parts: Parts) -> None:
    item = await parts.ask("c:1", timeout_s=1000)
    await parts.asking.resume(Call(item.caller, "c:2"), item.id, Kind.QUESTION)
    await parts.turn(500)
    assert (await parts.board.get(item.id)).state is State.OPEN
    await parts.asking.resume(Call(item.caller, "c:3"), item.id, Kind.QUESTION, 20)
    await parts.turn(21)
    assert (await parts.board.get(item.id)).outcome is Outcome.EXPIRED


async def test_one_bounded_wait_does_not_end_the_others(parts: Parts) -> None:
    item = await parts.ask("c:1", idempotency_key="k")
    await parts.ask("c:2", idempotency_key="k")
    bounded = await parts.parked(item, Call(item.caller, "c:1", bound_s=1500))
    patient = parts.waiting(item, Call(item.caller, "c:2"))
    await parts.settle()
    await parts.turn(1501)
    assert (await bounded).outcome is Outcome.EXPIRED
    assert not patient.done()
    await answer(parts, item)
    await parts.turn(3.1)
    assert (await patient).outcome is Outcome.ANSWERED


async def test_a_repeated_call_is_as_old_as_it_was(path: Path) -> None:
    first = await Parts(path).start()
    item = await first.ask("c:1")
    await first.turn(200)
    await first.stop()
    second = await Parts(path, first.clock).start()
    assert (await second.ask("c:1")).id == item.id
    waiting = await second.parked(item, Call(item.caller, "c:1", cut_s=270))
    await second.turn(71)
    assert (await waiting).state is State.OPEN
    await second.stop()


async def test_another_session_does_not_take_it_up(parts: Parts) -> None:
    item = await parts.ask("c:1")
    assert (await parts.ask("c:1", session="proc-9-9")).id != item.id


async def test_an_expired_question_is_asked_anew(parts: Parts) -> None:
    item = await parts.ask("c:1", timeout_s=5)
    await parts.turn(6)
    assert (await parts.board.get(item.id)).outcome is Outcome.EXPIRED
    assert (await parts.ask("c:2")).id != item.id


async def test_an_old_permission_is_not_replayed_but_a_fresh_one_is(parts: Parts) -> None:
    item = await parts.ask("c:1", CONFIRM, kind=Kind.CONFIRM)
    await parts.person.decide(item.id, item.digest, Decision(confirmed=True))
    await parts.turn(3.1)
    parts.asking.gone("c:")  # its caller went without it
    await parts.turn(500)
    assert (await parts.ask("c:2", CONFIRM, kind=Kind.CONFIRM)).id == item.id
    parts.asking.gone("c:")
    await parts.turn(200)
    for key in ("c:3", "c:1"):  # asked again, and the very same call sent again
        assert (await parts.ask(key, CONFIRM, kind=Kind.CONFIRM)).id != item.id
    assert (await parts.board.get(item.id)).delivery is Delivery.LAPSED
    call = Call(item.caller, "c:9")
    assert (await parts.asking.resume(call, item.id, Kind.CONFIRM)).id != item.id


async def test_an_answer_is_owed_until_it_is_acknowledged(parts: Parts) -> None:
    item = await parts.ask("c:1")
    await answer(parts, item)
    await parts.turn(3.1)
    assert (await parts.board.get(item.id)).delivery is Delivery.OWED
    assert (await parts.ask("c:1")).id == item.id  # the same call again: its answer
    await parts.asking.delivered("proc-1-1", "c:1")
    assert (await parts.board.get(item.id)).delivery is Delivery.DELIVERED
    assert (await parts.ask("c:1")).id != item.id  # the number is free again


async def test_resuming_by_id_is_for_the_session_that_asked(parts: Parts) -> None:
    item = await parts.ask("c:1")
    resumed = await parts.asking.resume(Call(item.caller, "c:2"), item.id, Kind.QUESTION)
    assert resumed.id == item.id
    with pytest.raises(Refused, match="not of this session"):
        await parts.asking.resume(Call(Caller("proc-7-7"), "c:2"), item.id, Kind.QUESTION)
    with pytest.raises(Refused, match="question"):
        await parts.asking.resume(Call(item.caller, "c:2"), item.id, Kind.CONFIRM)


async def test_retract_takes_back_what_is_still_open(parts: Parts) -> None:
    first, second = await parts.ask("c:1"), await parts.ask("c:2", replace(QUESTION, title="Two"))
    other = await parts.ask("c:1", session="proc-9-9")
    await answer(parts, second)  # dealt with: stays
    waiting = await parts.parked(first)
    assert await parts.asking.retract(Call(first.caller), None) == [first.id]
    assert (await waiting).outcome is Outcome.RETRACTED
    assert (await parts.board.get(other.id)).state is State.OPEN
    with pytest.raises(Refused, match="not of this session"):
        await parts.asking.retract(Call(first.caller), other.id)


async def test_the_time_out_applies_the_callers_default(parts: Parts) -> None:
    item = await parts.ask(content=replace(QUESTION, default=("eu",)), timeout_s=30)
    waiting = parts.waiting(item)
    await parts.turn(29)
    assert not waiting.done()
    await parts.turn(2)
    ended = await waiting
    assert (ended.outcome, ended.default_applied, ended.decision) == (Outcome.ANSWERED, True, Decision(("eu",)))


async def test_an_answer_in_its_grace_beats_the_time_out(parts: Parts) -> None:
    item = await parts.ask(timeout_s=10)
    await parts.turn(9)
    await answer(parts, item)
    await parts.turn(5)
    assert (await parts.board.get(item.id)).decision == Decision(("us",))


async def test_a_wait_nobody_hears_of_is_bounded(parts: Parts) -> None:
    item = await parts.ask(content=replace(QUESTION, default=("eu",)))
    waiting = await parts.parked(item, Call(item.caller, "c:1", bound_s=1500))
    await parts.turn(1501)
    ended = await waiting
    assert (ended.outcome, ended.default_applied) == (Outcome.EXPIRED, False)


async def test_a_call_that_would_be_cut_returns_pending_and_the_question_stays(parts: Parts) -> None:
    item = await parts.ask()
    waiting = await parts.parked(item, Call(item.caller, "c:1", bound_s=1500, cut_s=270))
    await parts.turn(271)
    assert (await waiting).state is State.OPEN
    assert (await parts.board.get(item.id)).state is State.OPEN


async def test_nobody_could_answer_is_said_at_once(path: Path) -> None:
    parts = await Parts(path, answerable=False).start()
    assert (await parts.ask()).outcome is Outcome.NO_UI
    assert (await parts.asking.put(Call(Caller("s"), "n"), None, Kind.NOTICE, Level.INFO, CONFIRM)).state is State.OPEN
    await parts.stop()


async def test_a_restart_keeps_open_graced_and_owed_items_and_drafts(path: Path) -> None:
    first = await Parts(path).start()
    is_open = await first.ask("c:1")
    graced = await first.ask("c:2", replace(QUESTION, title="Two"))
    owed = await first.ask("c:3", replace(QUESTION, title="Three"))
    await first.person.draft(is_open.id, Draft("half a", "re", (1,)))
    await answer(first, owed)
    await first.turn(3.1)
    await answer(first, graced, "eu")
    await first.stop()  # its answer has had no time to leave

    second = await Parts(path, first.clock).start()
    await second.turn(3.1)
    assert {item.id for item in second.board.live()} == {is_open.id, graced.id, owed.id}
    assert (await second.board.get(graced.id)).decision == Decision(("eu",))
    assert (await second.ask("c:3", replace(QUESTION, title="Three"))).id == owed.id
    assert second.display.screen().card is not None
    assert second.display.screen().card.draft == Draft("half a", "re", (1,))
    await second.stop()


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
    await answer(parts, first)
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


async def test_an_answer_that_met_a_full_disk_leaves_when_there_is_room(parts: Parts) -> None:
    item = await parts.ask("c:1")
    waiting = await parts.parked(item)
    await answer(parts, item)
    run, refused = parts.database.run, 2

    async def full_for_a_while(work: object) -> object:
        nonlocal refused
        if refused:
            refused -= 1
            raise StoreFailed("The disk is full.")
        return await run(work)  # type: ignore[arg-type]

    parts.database.run = full_for_a_while  # type: ignore[assignment, method-assign]
    await parts.turn(3.1)
    assert not waiting.done()
    await parts.turn(5.1)
    await parts.turn(5.1)
    assert (await waiting).decision == Decision(("us",))
    parts.log.events.clear()


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
    await answer(parts, old)
    await parts.turn(4)
    await parts.asking.delivered("proc-1-1", "c:2")
    await parts.turn(31 * 86400)
    assert await parts.items.forget_before(parts.clock.now() - 30 * 86400) == 1
    assert await parts.items.get(old.id) is None
    assert await parts.items.get(kept.id) is not None
