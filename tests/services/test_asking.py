"""Asking, waiting, answering, taking back: on a real store, with time turned by hand."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import Content, Decision, Delivery, Kind, Level, Outcome, State
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.screen import Draft
from agentbox_desktop.core.settings import UndoSettings
from agentbox_desktop.ports import StoreFailed
from agentbox_desktop.services.calls import Call
from tests.helpers.desk_parts import QUESTION, Parts

CONFIRM = Content("Push to origin?")


async def test_a_waiting_caller_gets_the_answer_after_the_grace(parts: Parts) -> None:
    item = await parts.ask()
    waiting = parts.waiting(item)
    await parts.answer(item)
    await parts.turn(2.9)
    assert not waiting.done()
    await parts.turn(0.2)
    ended = await waiting
    assert (ended.outcome, ended.decision) == (Outcome.ANSWERED, Decision(("us",)))


async def test_undo_takes_the_answer_back_before_it_leaves(parts: Parts) -> None:
    item = await parts.ask()
    waiting = parts.waiting(item)
    await parts.answer(item)
    await parts.turn(2)
    await parts.person.undo(item.id)
    await parts.turn(60)
    assert not waiting.done()
    await parts.answer(item, "eu")
    await parts.turn(3.1)
    assert (await waiting).decision == Decision(("eu",))


async def test_without_grace_the_answer_leaves_at_once(parts: Parts) -> None:
    parts.settings = replace(parts.settings, undo=UndoSettings(grace_s=0))
    item = await parts.ask()
    waiting = parts.waiting(item)
    await parts.answer(item)
    assert (await waiting).outcome is Outcome.ANSWERED


async def test_fifty_identical_calls_with_one_key_make_one_item(parts: Parts) -> None:
    made = await asyncio.gather(*(parts.ask(f"c:{number}", idempotency_key="deploy") for number in range(50)))
    assert len({item.id for item in made}) == 1
    waits = [parts.waiting(item) for item in made]
    await parts.answer(made[0])
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
    await parts.answer(item)
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
    await parts.answer(item)
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
    await parts.answer(item)
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
    await parts.answer(item)
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
    await parts.answer(second)  # dealt with: stays
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
    await parts.answer(item)
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
    await first.answer(owed)
    await first.turn(3.1)
    await first.answer(graced, "eu")
    await first.stop()  # its answer has had no time to leave

    second = await Parts(path, first.clock).start()
    await second.turn(3.1)
    assert {item.id for item in second.board.live()} == {is_open.id, graced.id, owed.id}
    assert (await second.board.get(graced.id)).decision == Decision(("eu",))
    assert (await second.ask("c:3", replace(QUESTION, title="Three"))).id == owed.id
    assert second.display.screen().card is not None
    assert second.display.screen().card.draft == Draft("half a", "re", (1,))
    await second.stop()


async def test_an_answer_that_met_a_full_disk_leaves_when_there_is_room(parts: Parts) -> None:
    item = await parts.ask("c:1")
    waiting = await parts.parked(item)
    await parts.answer(item)
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
