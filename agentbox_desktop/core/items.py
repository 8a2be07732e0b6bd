"""An item: what an agent put before the person, as one explicit state machine.

    OPEN ──decide──▶ GRACE ──settle──▶ CLOSED          (an answer, until then it can be undone)
      │ ▲              │
      │ └────undo──────┘
      └──expire / dismiss / retract──▶ CLOSED ──deliver / lapse──▶ (handed to its caller, or too old to be)

Every function takes an item and returns the next one, or raises `Refused` where the move is not allowed.
Times are Unix seconds.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.refusal import Refused


class Kind(StrEnum):
    NOTICE = "notice"
    QUESTION = "question"
    CONFIRM = "confirm"


class Level(StrEnum):
    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"
    URGENT = "urgent"


class State(StrEnum):
    OPEN = "open"
    GRACE = "grace"
    CLOSED = "closed"


class Outcome(StrEnum):
    ANSWERED = "answered"
    EXPIRED = "expired"
    DISMISSED = "dismissed"
    RETRACTED = "retracted"
    NO_UI = "no_ui"


class Delivery(StrEnum):
    NOT_DUE = "not_due"
    OWED = "owed"  # in the outbox
    DELIVERED = "delivered"
    LAPSED = "lapsed"  # never to be replayed


class PreviewKind(StrEnum):
    MARKDOWN = "markdown"
    DIFF = "diff"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Preview:
    """What an option would look like. `content` is Markdown or a diff; for an image, its absolute path."""

    kind: PreviewKind
    content: str


@dataclass(frozen=True, slots=True)
class Option:
    label: str
    description: str = ""
    preview: Preview | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """All that the person is shown, exactly as the agent sent it. A question without options asks for words."""

    title: str
    body: str = ""
    options: tuple[Option, ...] = ()
    multi: bool = False
    multiline: bool = False
    default: tuple[str, ...] | None = None
    strict: bool = False
    image: str = ""
    speak: str = ""

    def digest(self, kind: Kind) -> str:
        """A hash of what is shown: a decision carries it, so that what is decided is what was seen."""
        shown = {"kind": kind, **asdict(self)}
        return hashlib.sha256(json.dumps(shown, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person did. `answers`: chosen labels, or the words asked for; `reply`: words instead."""

    answers: tuple[str, ...] = ()
    reply: str | None = None
    confirmed: bool | None = None
    dismissed: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """`queued_at` orders the queue: the time of creation, or of coming back after "later"."""

    id: str
    kind: Kind
    level: Level
    content: Content
    caller: Caller
    created_at: float
    queued_at: float
    expires_at: float | None = None
    state: State = State.OPEN
    seen_at: float | None = None
    decision: Decision | None = None
    grace_until: float | None = None
    outcome: Outcome | None = None
    default_applied: bool = False
    closed_at: float | None = None
    delivery: Delivery = Delivery.NOT_DUE
    digest: str = field(default="")

    @property
    def asks(self) -> bool:
        """Whether a caller may wait for the person's answer."""
        return self.kind is not Kind.NOTICE

    @property
    def is_card(self) -> bool:
        """A card holds the middle of the screen; every other notice is a toast."""
        return self.asks or self.level is Level.URGENT

    @property
    def leaves_by_itself(self) -> bool:
        """A notice that needs no hand to go away."""
        return self.kind is Kind.NOTICE and self.level in (Level.INFO, Level.SUCCESS)


class Move(StrEnum):
    """Every transition there is; the names are stored, so they are stable."""

    CREATE = "create"
    SEE = "see"
    DEFER = "defer"
    RENEW = "renew"
    DECIDE = "decide"
    UNDO = "undo"
    SETTLE = "settle"
    EXPIRE = "expire"
    RETRACT = "retract"
    GIVE_UP = "give_up"
    DELIVER = "deliver"
    LAPSE = "lapse"


_FROM: dict[Move, frozenset[State]] = {
    Move.SEE: frozenset(State),
    Move.DEFER: frozenset({State.OPEN}),
    Move.RENEW: frozenset({State.OPEN}),
    Move.DECIDE: frozenset({State.OPEN}),
    Move.UNDO: frozenset({State.GRACE}),
    Move.SETTLE: frozenset({State.GRACE}),
    Move.EXPIRE: frozenset({State.OPEN}),
    Move.RETRACT: frozenset({State.OPEN}),
    Move.GIVE_UP: frozenset({State.OPEN}),
    Move.DELIVER: frozenset({State.CLOSED}),
    Move.LAPSE: frozenset({State.CLOSED}),
}


def create(
    item_id: str, kind: Kind, level: Level, content: Content, caller: Caller, at: float, timeout_s: float | None
) -> Item:
    """A new open item. `timeout_s` None waits as long as the caller does."""
    return Item(
        id=item_id, kind=kind, level=level, content=content, caller=caller, created_at=at, queued_at=at,
        expires_at=None if timeout_s is None else at + timeout_s, digest=content.digest(kind),
    )


def see(item: Item, at: float) -> Item:
    """The item was painted on a screen; the first time counts."""
    _allow(item, Move.SEE)
    return item if item.seen_at is not None else replace(item, seen_at=at)


def defer(item: Item, at: float, until: float) -> Item:
    """Later: off the screen, and back at the end of the queue at `until`."""
    _allow(item, Move.DEFER)
    return replace(item, queued_at=max(at, until))


def renew(item: Item, at: float, timeout_s: float | None) -> Item:
    """Another call waits for it, with a time-out of its own."""
    _allow(item, Move.RENEW)
    return replace(item, expires_at=None if timeout_s is None else at + timeout_s)


def decide(item: Item, decision: Decision, digest: str, at: float, grace_s: float) -> Item:
    """The person decided what `digest` showed; the decision can be undone for `grace_s`."""
    _allow(item, Move.DECIDE)
    if digest != item.digest:
        raise Refused(f"{item.id} is not what was shown when this was decided; read it again.", "changed")
    if grace_s > 0 and item.asks:
        return replace(item, state=State.GRACE, decision=decision, grace_until=at + grace_s)
    return _close(item, Outcome.DISMISSED if decision.dismissed else Outcome.ANSWERED, at, decision=decision)


def undo(item: Item) -> Item:
    """Back to open, as if nothing had been decided."""
    _allow(item, Move.UNDO)
    return replace(item, state=State.OPEN, decision=None, grace_until=None)


def settle(item: Item, at: float) -> Item:
    """The time to undo is over: the decision stands."""
    _allow(item, Move.SETTLE)
    dismissed = item.decision is not None and item.decision.dismissed
    return _close(item, Outcome.DISMISSED if dismissed else Outcome.ANSWERED, at)


def expire(item: Item, at: float, use_default: bool = True) -> Item:
    """The time-out came. The caller's own default is its fallback, marked as such; else nobody answered."""
    _allow(item, Move.EXPIRE)
    if use_default and item.content.default is not None and item.kind is Kind.QUESTION:
        fallback = Decision(answers=item.content.default)
        closed = _close(item, Outcome.ANSWERED, at, decision=fallback)
        return replace(closed, default_applied=True, delivery=Delivery.NOT_DUE)
    return _close(item, Outcome.EXPIRED, at)


def retract(item: Item, at: float) -> Item:
    """The agent takes back what the person has not dealt with."""
    _allow(item, Move.RETRACT)
    return _close(item, Outcome.RETRACTED, at)


def give_up(item: Item, at: float) -> Item:
    """Nobody could ever answer: there is no display, and answering from a terminal is switched off."""
    _allow(item, Move.GIVE_UP)
    return _close(item, Outcome.NO_UI, at)


def deliver(item: Item) -> Item:
    """The caller has the answer and said so."""
    _allow(item, Move.DELIVER)
    return replace(item, delivery=Delivery.DELIVERED)


def lapse(item: Item) -> Item:
    """An answer nobody fetched in time: kept in the history, never handed over."""
    _allow(item, Move.LAPSE)
    return replace(item, delivery=Delivery.LAPSED)


def _close(item: Item, outcome: Outcome, at: float, decision: Decision | None = None) -> Item:
    """Only what the person decided is owed: any other end is told to whoever waits, and kept for nobody."""
    decided = outcome in (Outcome.ANSWERED, Outcome.DISMISSED)
    return replace(
        item, state=State.CLOSED, outcome=outcome, closed_at=at, grace_until=None,
        decision=decision or item.decision, delivery=Delivery.OWED if item.asks and decided else Delivery.NOT_DUE,
    )


def _allow(item: Item, move: Move) -> None:
    if item.state not in _FROM[move]:
        state = f"has ended ({item.outcome})" if item.outcome else "is decided" if item.decision else "is open"
        raise Refused(f"{item.id} {state}; that is no longer possible.", "ended")
    if move in (Move.DELIVER, Move.LAPSE) and item.delivery is not Delivery.OWED:
        raise Refused(f"{item.id} owes its caller nothing (delivery is {item.delivery}).", "ended")
