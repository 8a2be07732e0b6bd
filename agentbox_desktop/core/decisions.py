"""What the person may decide about an item: read from a terminal's words, checked against what was asked."""

import json

from agentbox_desktop.core.items import Content, Decision, Item, Kind
from agentbox_desktop.core.limits import ANSWER_BYTES
from agentbox_desktop.core.refusal import Refused

_YES = frozenset({"yes", "y", "ok"})
_NO = frozenset({"no", "n"})


def check(item: Item, decision: Decision) -> Decision:
    """`decision` itself where it fits what `item` asks; `Refused` says what would."""
    if decision.dismissed:
        return decision
    for words in (*decision.answers, decision.reply or ""):
        if len(words.encode("utf-8", "surrogatepass")) > ANSWER_BYTES:
            raise Refused(f"An answer is at most {ANSWER_BYTES} bytes; this one is longer.", "invalid")
    if item.kind is Kind.NOTICE:
        raise Refused(f"{item.id} is a notice and asks nothing; dismiss it instead.", "invalid")
    if decision.reply is not None:
        if item.content.strict:
            raise Refused(f"{item.id} takes only its options: {_listed(item.content)}.", "invalid")
        if not decision.reply.strip():
            raise Refused("A reply needs at least one word.", "invalid")
        return decision
    if item.kind is Kind.CONFIRM:
        if decision.confirmed is None:
            raise Refused(f"{item.id} is a yes or a no; answer 'yes' or 'no'.", "invalid")
        return decision
    return _check_question(item, decision)


def _check_question(item: Item, decision: Decision) -> Decision:
    content = item.content
    if not content.options:
        if len(decision.answers) != 1 or not decision.answers[0].strip():
            raise Refused(f"{item.id} asks for words; answer with at least one.", "invalid")
        return decision
    labels = [option.label for option in content.options]
    unknown = [answer for answer in decision.answers if answer not in labels]
    if unknown or not decision.answers:
        given = ", ".join(map(repr, unknown)) or "nothing"
        raise Refused(f"{item.id} takes {_listed(content)}, not {given}.", "invalid")
    if len(decision.answers) > 1 and not content.multi:
        raise Refused(f"{item.id} takes one option, but {len(decision.answers)} were given.", "invalid")
    if len(set(decision.answers)) != len(decision.answers):
        raise Refused(f"{item.id}: an option can be chosen once.", "invalid")
    return decision


def parse(item: Item, value: str) -> Decision:
    """The decision that `value`, typed in a terminal, stands for.

    An option's number or label (several: `1,3` or a JSON array), yes or no, or the words asked for.
    """
    if item.kind is Kind.CONFIRM:
        word = value.strip().lower()
        return check(item, Decision(confirmed=True if word in _YES else False if word in _NO else None))
    if item.kind is Kind.QUESTION and item.content.options:
        return check(item, Decision(answers=tuple(_chosen(item.content, value))))
    if not value.strip() and item.kind is Kind.QUESTION and item.content.default is not None:
        return Decision(answers=item.content.default)  # as the card does with an empty field
    return check(item, Decision(answers=(value,)))


def _chosen(content: Content, value: str) -> list[str]:
    labels = [option.label for option in content.options]
    if value in labels and not value.isdigit():
        return [value]
    parts = [part.strip() for part in value.split(",")]
    if value.lstrip().startswith("["):
        try:
            parsed = json.loads(value)
        except ValueError as error:
            raise Refused(f"{value!r} looks like a JSON array but is none: {error}.", "invalid") from None
        parts = [str(part) for part in parsed] if isinstance(parsed, list) else parts
    elif not content.multi:
        parts = [value.strip()]
    return [_label(labels, part) for part in parts]


def _label(labels: list[str], part: str) -> str:
    numbered = labels[int(part) - 1] if part.isascii() and part.isdigit() and 1 <= int(part) <= len(labels) else None
    if part in labels and numbered not in (None, part):
        raise Refused(f"{part} is the label of one option and the number of another; use the other's number or label.",
                      "invalid")
    if part in labels:
        return part
    if numbered is not None:
        return numbered
    folded = [label for label in labels if label.casefold() == part.casefold()]
    return folded[0] if len(folded) == 1 else part


def _listed(content: Content) -> str:
    return ", ".join(f"{number} ({option.label})" for number, option in enumerate(content.options, 1))
