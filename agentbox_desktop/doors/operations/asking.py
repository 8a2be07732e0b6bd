"""The operations an agent asks a person with: notify_user, retract, ask_user, confirm_action."""

from agentbox_desktop.core.items import Content, Item, Kind, Level, Option, Outcome, Preview, PreviewKind, State
from agentbox_desktop.core.limits import TIMEOUT_MIN_S
from agentbox_desktop.doors.operation import Operation, Tool
from agentbox_desktop.doors.operations.shapes import (
    AskInput,
    AskOutput,
    ConfirmCommandInput,
    ConfirmInput,
    ConfirmOutput,
    NotifyInput,
    NotifyOutput,
    OptionInput,
    RetractInput,
    RetractOutput,
    WaitOutcome,
)
from agentbox_desktop.services.asking import Asking
from agentbox_desktop.services.calls import Call

_NOTIFY = """\
Show the person a message on their screen; nothing comes back but its id, and you go on at once.
Use it for what they should know although you need no answer: a long job ended, a build broke, a plan changed.
Use ask_user or confirm_action where you need a decision, and stay silent about what they can see anyway.
Levels: info and success leave the screen by themselves; warning and error wait to be read; urgent is a card \
above everything, for what can't wait.
"""

_RETRACT = """\
Take back what you put before the person and no longer need: one item by its id, or everything this session \
still has open. Call it when the answer has become pointless. What they have already dealt with stays.
"""

_ASK = """\
Ask the person a question and wait for the answer: 2 to 9 options to choose from, or (without options) words to type.
Use it when a choice is theirs: between designs, about taste, money, risk, or facts that only they know. Do not use \
it for what you can find out, nor for a plain yes or no to an action (confirm_action).
The title must make sense alone; put the reasons in body, what each option leads to in its description or preview.
The call waits, possibly for an hour: that costs you nothing. answer is the chosen label or the typed words, answers \
the labels where multi is set, and reply is what they wrote instead of choosing: read it as an instruction. outcome \
expired or dismissed means that nobody decided: do not take it for a yes. outcome pending means that your client \
would cut the call: call ask_user again with that id to go on waiting. default is applied only at the time-out.
"""

_CONFIRM = """\
Ask the person for permission: a yes or a no, without a time-out. Use it before anything that is hard to undo or \
leaves this machine: a push, a deletion, a payment, a message to somebody.
Go on only when confirmed is true. A reply in words is not a yes: it says what to do instead. Name in the title \
exactly what will happen, and show the whole command or diff in body.
"""


class AskingOperations:
    """Turns checked input into calls of the asking service, and ended items into results."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def operations(self) -> list[Operation]:
        return [
            Operation("notify_user", NotifyInput, NotifyOutput, self._notify,
                      Tool("Notify the person", _NOTIFY, always_load=True, core=True)),
            Operation("retract", RetractInput, RetractOutput, self._retract,
                      Tool("Take back a question or notice", _RETRACT, idempotent=True)),
            Operation("ask_user", AskInput, AskOutput, self._ask,
                      Tool("Ask the person", _ASK, always_load=True, core=True), blocks=True),
            Operation("confirm_action", ConfirmInput, ConfirmOutput, self._confirm,
                      Tool("Ask for permission", _CONFIRM, always_load=True, core=True), blocks=True),
            Operation("confirm", ConfirmCommandInput, ConfirmOutput, self._confirm_command, blocks=True),
        ]

    async def _notify(self, call: Call, sent: NotifyInput) -> NotifyOutput:
        content = Content(title=sent.title, body=sent.body, image=sent.image or "", speak=sent.speak or "")
        item = await self._asking.put(call, sent.idempotency_key, Kind.NOTICE, Level(sent.level), content)
        return NotifyOutput(id=item.id)

    async def _retract(self, call: Call, sent: RetractInput) -> RetractOutput:
        taken = await self._asking.retract(call, sent.id)
        return RetractOutput(retracted=bool(taken), ids=taken)

    async def _ask(self, call: Call, sent: AskInput) -> AskOutput:
        timeout_s, note = _timeout(sent.timeout_s)
        if sent.id is not None:
            item = await self._asking.resume(call, sent.id, Kind.QUESTION, timeout_s)
        else:
            content = Content(
                title=sent.title or "", body=sent.body, options=tuple(map(_option, sent.options or [])),
                multi=sent.multi, multiline=sent.multiline, default=sent.defaults(), strict=sent.strict,
                image=sent.image or "", speak=sent.speak or "")
            item = await self._asking.put(call, sent.idempotency_key, Kind.QUESTION, Level.INFO, content, timeout_s)
        item = await self._asking.wait(call, item)
        decision = item.decision
        answers = list(decision.answers) if decision is not None and item.outcome is Outcome.ANSWERED else []
        several = item.content.multi and bool(answers)
        return AskOutput(
            id=item.id, outcome=_outcome(item), answers=answers if several else None,
            answer=answers[0] if answers and not several else None, reply=_reply(item),
            default_applied=item.default_applied, seen=item.seen_at is not None,
            note=_going_on(item, "ask_user") or note)

    async def _confirm(self, call: Call, sent: ConfirmInput) -> ConfirmOutput:
        content = Content(title=sent.title or "", body=sent.body, speak=sent.speak or "")
        return await self._confirmed(call, sent, content, None, None)

    async def _confirm_command(self, call: Call, sent: ConfirmCommandInput) -> ConfirmOutput:
        timeout_s, note = _timeout(sent.timeout_s)
        content = Content(title=sent.title or "", body=sent.body, speak=sent.speak or "", strict=sent.strict)
        return await self._confirmed(call, sent, content, timeout_s, note)

    async def _confirmed(self, call: Call, sent: ConfirmInput, content: Content, timeout_s: float | None,
                         note: str | None) -> ConfirmOutput:
        if sent.id is not None:
            item = await self._asking.resume(call, sent.id, Kind.CONFIRM, timeout_s)
        else:
            item = await self._asking.put(call, sent.idempotency_key, Kind.CONFIRM, Level.INFO, content, timeout_s)
        item = await self._asking.wait(call, item)
        yes = item.outcome is Outcome.ANSWERED and item.decision is not None and item.decision.confirmed is True
        return ConfirmOutput(id=item.id, outcome=_outcome(item), confirmed=yes, reply=_reply(item),
                             seen=item.seen_at is not None, note=_going_on(item, "confirm_action") or note)


def _option(sent: str | OptionInput) -> Option:
    if isinstance(sent, str):
        return Option(sent)
    preview = sent.preview
    if isinstance(preview, str):
        return Option(sent.label, sent.description, Preview(PreviewKind.MARKDOWN, preview))
    shown = Preview(PreviewKind(preview.kind), preview.content) if preview else None
    return Option(sent.label, sent.description, shown)


def _timeout(sent: float | None) -> tuple[float | None, str | None]:
    if not sent:
        return None, None
    if sent < TIMEOUT_MIN_S:
        return float(TIMEOUT_MIN_S), f"timeout_s was raised from {sent:g} to {TIMEOUT_MIN_S}, the shortest there is."
    return sent, None


def _outcome(item: Item) -> WaitOutcome:
    return item.outcome.value if item.outcome is not None else "pending"


def _reply(item: Item) -> str | None:
    answered = item.outcome is Outcome.ANSWERED and item.decision is not None
    return item.decision.reply if answered and item.decision is not None else None


def _going_on(item: Item, tool: str) -> str | None:
    if item.state is State.CLOSED:
        return None
    return (f"The question is still on the person's screen; call {tool} with id {item.id} to go on waiting. "
            "The answer is kept until then.")
