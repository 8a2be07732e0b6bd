"""The state machine: which moves each state takes, and what can never be lost on the way."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import (
    Content,
    Decision,
    Delivery,
    Item,
    Kind,
    Level,
    Option,
    Outcome,
    State,
    create,
    decide,
    defer,
    deliver,
    expire,
    give_up,
    lapse,
    retract,
    see,
    settle,
    undo,
)
from agentbox_desktop.core.refusal import Refused


def question(default: tuple[str, ...] | None = None, timeout_s: float | None = None) -> Item:
    content = Content("Which region?", options=(Option("eu"), Option("us")), default=default)
    return create("itm_1", Kind.QUESTION, Level.INFO, content, Caller("proc-1-2"), 100.0, timeout_s)


def test_an_answer_passes_through_its_grace_and_is_then_owed() -> None:
    decided = decide(question(), Decision(("us",)), question().digest, 101.0, grace_s=3.0)
    assert (decided.state, decided.grace_until, decided.delivery) == (State.GRACE, 104.0, Delivery.NOT_DUE)
    settled = settle(decided, 104.0)
    assert (settled.state, settled.outcome, settled.delivery) == (State.CLOSED, Outcome.ANSWERED, Delivery.OWED)
    assert settled.decision == Decision(("us",))
    assert deliver(settled).delivery is Delivery.DELIVERED


def test_no_grace_closes_at_once() -> None:
    assert decide(question(), Decision(("us",)), question().digest, 101.0, grace_s=0).outcome is Outcome.ANSWERED


def test_undo_restores_the_open_question() -> None:
    before = see(question(), 100.5)
    assert undo(decide(before, Decision(("us",)), before.digest, 101.0, 3.0)) == before


def test_a_decision_about_other_content_is_refused() -> None:
    other = replace(question().content, body="and delete the old one").digest(Kind.QUESTION)
    with pytest.raises(Refused) as refused:
        decide(question(), Decision(("us",)), other, 101.0, 3.0)
    assert refused.value.code == "changed"


def test_the_callers_default_applies_only_at_its_own_time_out() -> None:
    timed_out = expire(question(default=("eu",), timeout_s=5), 105.0)
    assert (timed_out.outcome, timed_out.default_applied) == (Outcome.ANSWERED, True)
    assert timed_out.decision == Decision(("eu",))
    assert expire(question(default=("eu",)), 105.0, use_default=False).outcome is Outcome.EXPIRED
    assert expire(question(), 105.0).outcome is Outcome.EXPIRED


def test_a_permission_never_takes_a_default() -> None:
    item = replace(question(default=("yes",)), kind=Kind.CONFIRM)
    assert expire(item, 105.0).outcome is Outcome.EXPIRED


def test_every_field_that_is_shown_is_in_the_digest() -> None:
    content = question().content
    changed = [replace(content, title="x"), replace(content, body="x"), replace(content, options=(Option("eu"),)),
               replace(content, multi=True), replace(content, default=("eu",)), replace(content, image="/x.png"),
               replace(content, options=(Option("eu", "near"), Option("us")))]
    assert len({content.digest(Kind.QUESTION), *(other.digest(Kind.QUESTION) for other in changed)}) == 1 + len(changed)


@given(st.text())
def test_any_text_has_a_digest(text: str) -> None:
    assert len(Content(text, body="\ud800" + text).digest(Kind.CONFIRM)) == 64


class ItemMachine(RuleBasedStateMachine):
    """Random moves in random states: each is either refused or keeps every promise below."""

    def __init__(self) -> None:
        super().__init__()
        self.item = question(default=("eu",), timeout_s=50)
        self.now = 100.0
        self.answers_given = 0

    def attempt(self, change: object, *arguments: object) -> None:
        self.now += 1
        before = self.item
        try:
            self.item = change(self.item, *arguments)  # type: ignore[operator]
        except Refused as refused:
            assert refused.code in {"ended", "changed"}
            assert self.item is before

    @rule()
    def sees(self) -> None:
        self.attempt(see, self.now)

    @rule(label=st.sampled_from(["eu", "us"]), grace=st.sampled_from([0.0, 3.0]))
    def decides(self, label: str, grace: float) -> None:
        self.attempt(decide, Decision((label,)), self.item.digest, self.now, grace)

    @rule()
    def dismisses(self) -> None:
        self.attempt(decide, Decision(dismissed=True), self.item.digest, self.now, 3.0)

    @rule()
    def undoes(self) -> None:
        self.attempt(undo)

    @rule()
    def settles(self) -> None:
        self.attempt(settle, self.now)

    @rule()
    def expires(self) -> None:
        self.attempt(expire, self.now)

    @rule()
    def retracts(self) -> None:
        self.attempt(retract, self.now)

    @rule()
    def gives_up(self) -> None:
        self.attempt(give_up, self.now)

    @rule()
    def is_put_off(self) -> None:
        self.attempt(defer, self.now, self.now + 300)

    @precondition(lambda self: self.item.state is State.CLOSED)
    @rule(change=st.sampled_from([deliver, lapse]))
    def is_handed_over(self, change: object) -> None:
        was_owed = self.item.delivery is Delivery.OWED
        self.attempt(change)
        if not was_owed:
            assert self.item.delivery is not Delivery.OWED

    @invariant()
    def state_and_outcome_agree(self) -> None:
        item = self.item
        assert (item.state is State.CLOSED) == (item.outcome is not None) == (item.closed_at is not None)
        assert (item.state is State.GRACE) == (item.grace_until is not None)
        decided = item.outcome in (Outcome.ANSWERED, Outcome.DISMISSED) and not item.default_applied
        assert (item.delivery is not Delivery.NOT_DUE) == decided

    @invariant()
    def an_answer_has_a_decision(self) -> None:
        if self.item.outcome is Outcome.ANSWERED or self.item.state is State.GRACE:
            assert self.item.decision is not None
        if self.item.state is State.OPEN:
            assert self.item.decision is None


TestItemMachine = ItemMachine.TestCase
