"""The shapes that the asking operations take and give, with every limit of the contract."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from agentbox_desktop.core import limits
from agentbox_desktop.doors.operation import BRANCH, Shape


def _bytes_at_most(field: str, maximum: int) -> AfterValidator:
    def check(text: str) -> str:
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > maximum:
            raise PydanticCustomError("limit", "{message}", {
                "message": f"{field} is at most {maximum} bytes of UTF-8; {size} were sent."})
        return text
    return AfterValidator(check)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("limit", "{message}", {
            "message": "title needs at least one visible character; it is blank."})
    return text


def _by_shape(value: Any) -> str:
    """The branch of a union that a sent value means, so that what is wrong is said of that branch alone."""
    return BRANCH + ("object" if isinstance(value, dict | Shape) else "list" if isinstance(value, list) else "text")


Title = Annotated[str, Field(min_length=1, max_length=limits.TITLE_CHARS, description=(
    "One line of plain text that can be decided on alone.")), AfterValidator(_not_blank)]
Body = Annotated[str, Field(description=(
    "Markdown (CommonMark and tables), at most 256 KiB. Put what the person needs to decide here.")),
    _bytes_at_most("body", limits.BODY_BYTES)]
Speak = Annotated[str, Field(max_length=limits.SPEAK_CHARS, description=(
    "One line to say aloud when speech is on."))]
ImagePath = Annotated[str, Field(max_length=limits.PATH_CHARS, description=(
    "Absolute path of a PNG, JPEG, GIF or WebP file of at most 8 MiB on this machine."))]
IdempotencyKey = Annotated[str, Field(min_length=1, max_length=limits.KEY_CHARS, description=(
    "Your own name for this call: a repeat with the same key and content is the same call, not a second card."))]
ResumeId = Annotated[str, Field(min_length=1, max_length=64, description=(
    "The id of an earlier question of this session, to wait for its answer again; other fields may be left out."))]
Label = Annotated[str, Field(min_length=1, max_length=limits.OPTION_LABEL_CHARS)]
Timeout = Annotated[float, Field(ge=0, le=limits.TIMEOUT_MAX_S, description=(
    "Seconds to wait; 0 or absent waits as long as you do. 1 to 4 is raised to 5."))]
WaitOutcome = Literal["answered", "expired", "dismissed", "retracted", "cancelled", "pending", "no_ui"]


class PreviewInput(Shape):
    """What an option would give."""

    kind: Literal["markdown", "diff", "image"] = "markdown"
    content: Annotated[str, Field(min_length=1, description="Markdown, a unified diff, or an image's absolute path."),
                       _bytes_at_most("options.preview.content", limits.PREVIEW_BYTES)]


class OptionInput(Shape):
    """An option that needs more than its label."""

    label: Label
    description: Annotated[str, Field(max_length=limits.OPTION_DESCRIPTION_CHARS)] = ""
    preview: Annotated[
        Annotated[str, Field(min_length=1, description="The same as Markdown."),
                  _bytes_at_most("options.preview", limits.PREVIEW_BYTES), Tag(BRANCH + "text")]
        | Annotated[PreviewInput, Tag(BRANCH + "object")],
        Discriminator(_by_shape)] | None = None


OptionChoice = Annotated[
    Annotated[Label, Tag(BRANCH + "text")] | Annotated[OptionInput, Tag(BRANCH + "object")], Discriminator(_by_shape)]
Default = Annotated[
    Annotated[str, Tag(BRANCH + "text")] | Annotated[list[str], Tag(BRANCH + "list")], Discriminator(_by_shape)]


class NotifyInput(Shape):
    title: Title
    body: Body = ""
    level: Annotated[Literal["info", "success", "warning", "error", "urgent"], Field(description=(
        "info and success leave by themselves; warning and error wait to be read; urgent is a card above all."))
    ] = "info"
    image: ImagePath | None = None
    speak: Speak | None = None
    idempotency_key: IdempotencyKey | None = None


class NotifyOutput(Shape):
    id: str


class RetractInput(Shape):
    id: Annotated[str, Field(min_length=1, max_length=64, description=(
        "What to take back; absent: all that this session still has open."))] | None = None


class RetractOutput(Shape):
    retracted: Annotated[bool, Field(description="Whether anything was still there to take back.")]
    ids: list[str]


class AskInput(Shape):
    title: Title | None = None
    body: Body = ""
    options: Annotated[list[OptionChoice], Field(
        min_length=limits.OPTIONS_MIN, max_length=limits.OPTIONS_MAX,
        description="2 to 9 choices, each a label or an object; absent: the person types an answer.")] | None = None
    multi: Annotated[bool, Field(description="The person may choose several options.")] = False
    multiline: Annotated[bool, Field(description="A typed answer may have several lines.")] = False
    default: Annotated[Default, Field(description=(
        "What to fall back to at the time-out: a label (a list of them with multi), or the text."))] | None = None
    timeout_s: Timeout | None = None
    strict: Annotated[bool, Field(description="Only the options: no reply in words.")] = False
    image: ImagePath | None = None
    speak: Speak | None = None
    id: ResumeId | None = None
    idempotency_key: IdempotencyKey | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.id is not None:
            return self
        if self.title is None:
            raise ValueError("title is required (or id, to wait for an earlier question again).")
        labels = [option if isinstance(option, str) else option.label for option in self.options or []]
        if len(set(labels)) != len(labels):
            raise ValueError("options must differ from each other; two have the same label.")
        if not labels and (self.multi or self.strict):
            raise ValueError(f"{'multi' if self.multi else 'strict'} needs options; send 2 to 9, or leave it out.")
        if labels and self.multiline:
            raise ValueError("multiline is for a typed answer; leave it out where options are given.")
        self._check_default(labels)
        return self

    def _check_default(self, labels: list[str]) -> None:
        given = self.defaults()
        if given is None:
            return
        if isinstance(self.default, list) and not self.multi:
            raise ValueError("default is one text here; a list of labels goes with multi.")
        unknown = [label for label in given if labels and label not in labels]
        if unknown:
            raise ValueError(f"default must be one of the options; {unknown[0]!r} is none of them.")

    def defaults(self) -> tuple[str, ...] | None:
        """The default as a tuple of labels (or the one text); None where there is none."""
        if self.default is None:
            return None
        return tuple(self.default) if isinstance(self.default, list) else (self.default,)


class AskOutput(Shape):
    """`answer` for one choice or typed words, `answers` with multi, `reply` where the person wrote instead."""

    id: str
    outcome: WaitOutcome
    answer: str | None = None
    answers: list[str] | None = None
    reply: str | None = None
    default_applied: bool = False
    seen: Annotated[bool, Field(description="Whether the card was ever on a screen.")]
    note: Annotated[str, Field(description="What to know or do next.")] | None = None


class ConfirmInput(Shape):
    title: Title | None = None
    body: Body = ""
    speak: Speak | None = None
    id: ResumeId | None = None
    idempotency_key: IdempotencyKey | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.id is None and self.title is None:
            raise ValueError("title is required (or id, to wait for an earlier question again).")
        return self


class ConfirmCommandInput(ConfirmInput):
    """From a shell a yes or no may have a time-out, and may refuse a reply in words."""

    timeout_s: Timeout | None = None
    strict: bool = False


class ConfirmOutput(Shape):
    id: str
    outcome: WaitOutcome
    confirmed: Annotated[bool, Field(description="True only where the person said yes.")]
    reply: str | None = None
    seen: bool
    note: str | None = None
