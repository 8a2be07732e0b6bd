"""The person's verbs, and what everybody may read: status, pending, read_item, answer, dismiss, summon, quit."""

from collections.abc import Callable
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from agentbox_desktop.core.items import Item, State
from agentbox_desktop.doors.operation import Operation, Shape
from agentbox_desktop.ports import Clock
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.calls import Call
from agentbox_desktop.services.on_screen import OnScreen
from agentbox_desktop.services.persons_side import PersonsSide

ItemId = Annotated[str, Field(min_length=1, max_length=64, description="An item's id, or a unique beginning of it.")]


class Nothing(Shape):
    pass


class StatusOutput(Shape):
    pid: int
    version: str
    instance: str
    display: str
    pending: int
    uptime_s: float
    driving: bool
    idle_s: float | None = None


class ItemSummary(Shape):
    id: str
    kind: str
    level: str
    title: str
    agent: str
    project: str
    age_s: float
    options: list[str]
    state: str


class ItemsOutput(Shape):
    items: list[ItemSummary]


class ItemInput(Shape):
    id: ItemId


class ItemOutput(ItemSummary):
    """The whole of an item; `digest` names exactly this content, and a decision carries it back."""

    body: str
    descriptions: list[str]
    previews: list[str]
    image: str
    default: list[str]
    multi: bool
    digest: str
    outcome: str | None = None


class AnswerInput(Shape):
    id: ItemId
    digest: str
    value: str | None = None
    reply: str | None = None

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        if (self.value is None) == (self.reply is None):
            raise ValueError("value or reply is required, and not both.")
        return self


class DecidedOutput(Shape):
    """`state` is `grace` while the answer can still be undone, then `closed`."""

    id: str
    state: str
    outcome: str | None = None


class AuthorizeInput(Shape):
    verb: Literal["setup"]


class SummonOutput(Shape):
    summoned: bool


class PersonOperations:
    def __init__(self, board: Board, persons_side: PersonsSide, on_screen: OnScreen, clock: Clock,
                 about: Callable[[], StatusOutput], quit_now: Callable[[], None]) -> None:
        self._board = board
        self._persons_side = persons_side
        self._on_screen = on_screen
        self._clock = clock
        self._about = about
        self._quit_now = quit_now

    def operations(self) -> list[Operation]:
        return [
            Operation("status", Nothing, StatusOutput, self._status),
            Operation("pending", Nothing, ItemsOutput, self._pending),
            Operation("read_item", ItemInput, ItemOutput, self._read, persons_verb="answer"),
            Operation("answer", AnswerInput, DecidedOutput, self._answer, persons_verb="answer"),
            Operation("dismiss", ItemInput, DecidedOutput, self._dismiss, persons_verb="dismiss"),
            Operation("summon", Nothing, SummonOutput, self._summon, persons_verb="summon"),
            Operation("quit", Nothing, Nothing, self._quit, persons_verb="quit"),
            Operation("authorize", AuthorizeInput, Nothing, self._authorize, persons_verb="setup"),
        ]

    async def _status(self, call: Call, sent: Nothing) -> StatusOutput:
        return self._about()

    async def _pending(self, call: Call, sent: Nothing) -> ItemsOutput:
        return ItemsOutput(items=[self._summary(item) for item in self._on_screen.pending()])

    async def _read(self, call: Call, sent: ItemInput) -> ItemOutput:
        item = await self._board.find(sent.id)
        content = item.content
        return ItemOutput(
            **self._summary(item).model_dump(), body=content.body,
            descriptions=[option.description for option in content.options],
            previews=[option.preview.content if option.preview else "" for option in content.options],
            image=content.image, default=list(content.default or ()),
            multi=content.multi, digest=item.digest, outcome=item.outcome)

    async def _answer(self, call: Call, sent: AnswerInput) -> DecidedOutput:
        item = await self._board.find(sent.id)
        return _decided(await self._persons_side.answer(item.id, sent.digest, sent.value, sent.reply))

    async def _dismiss(self, call: Call, sent: ItemInput) -> DecidedOutput:
        item = await self._board.find(sent.id)
        return _decided(await self._persons_side.dismiss(item.id))

    async def _summon(self, call: Call, sent: Nothing) -> SummonOutput:
        return SummonOutput(summoned=await self._on_screen.summon())

    async def _quit(self, call: Call, sent: Nothing) -> Nothing:
        self._quit_now()
        return Nothing()

    async def _authorize(self, call: Call, sent: AuthorizeInput) -> Nothing:
        """The door has let the caller pass: that is the whole answer."""
        return Nothing()

    def _summary(self, item: Item) -> ItemSummary:
        return ItemSummary(
            id=item.id, kind=item.kind.value, level=item.level.value, title=item.content.title,
            agent=item.caller.name, project=item.caller.project,
            age_s=round(max(0.0, self._clock.now() - item.created_at), 1),
            options=[option.label for option in item.content.options], state=_state(item))


def _state(item: Item) -> str:
    if item.state is State.OPEN:
        return "seen" if item.seen_at is not None else "waiting"
    return item.state.value


def _decided(item: Item) -> DecidedOutput:
    return DecidedOutput(id=item.id, state=item.state.value, outcome=item.outcome)
