"""Screens for the pictures in the docs: each surface in its main states, with content such as agents send."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.items import (
    Content,
    Decision,
    Item,
    Kind,
    Level,
    Option,
    Preview,
    PreviewKind,
    create,
    decide,
)
from agentbox_desktop.core.screen import Card, Draft, Screen
from agentbox_desktop.ui.cards.card import CardWindow

CLAUDE = Caller("s1", "/usr/bin/claude", 4120, "claude-code", "checkout-api", "retry-budget", "mcp")
CODEX = Caller("s2", "/usr/bin/codex", 4188, "codex", "billing-web", "main", "mcp")
SHELL = Caller("s3", "/usr/bin/bash", 4201, "", "infra", "", "cli")
_AGE_S = 130.0
_numbers = count(1)

_DIFF = """\
--- a/checkout/retry.py
+++ b/checkout/retry.py
@@ -12,7 +12,9 @@ class Retry:
     def next_delay(self, attempt: int) -> float:
-        return min(self.base * 2 ** attempt, 30.0)
+        delay = min(self.base * 2 ** attempt, self.ceiling)
+        return delay * random.uniform(0.5, 1.0)

     def exhausted(self, attempt: int) -> bool:
         return attempt >= self.limit
"""
_BUCKET_DIFF = """\
--- a/checkout/retry.py
+++ b/checkout/retry.py
@@ -12,4 +12,5 @@ class Retry:
     def next_delay(self, attempt: int) -> float:
-        return min(self.base * 2 ** attempt, 30.0)
+        self.bucket.take()
+        return self.base
"""


@dataclass(frozen=True)
class Sample:
    """`act` is what the person does on the card before the picture is taken; `focused`: it has the keyboard."""

    name: str
    screen: Screen
    act: Callable[[CardWindow], None] = lambda card: None
    focused: bool = True


def samples() -> Iterator[Sample]:
    """Each is made when it is asked for, so that its countdown is where it should be in the picture."""
    yield from _questions()
    yield from _others()
    yield from _states()
    yield from _beside()


def _questions() -> Iterator[Sample]:
    plain = _item("Which region should the new bucket go to?", options=_labels("us-east", "eu-west", "ap-south"))
    rich = _item(
        "When may the migration lock the orders table?", options=(
            Option("Tonight at 02:00", "Lowest traffic; the on-call rota is told."),
            Option("Now", "About 300 checkouts would wait."),
            Option("Hold", "Leave the column as it is and use a view.")),
        body="`orders` has **12.4 M rows**. Adding the column rewrites them, about 40 s:\n\n"
             "- reads go on, writes wait\n- the retry queue absorbs up to 90 s",
        default=("Hold",), timeout_s=_AGE_S + 117, caller=CLAUDE)
    short = _item("Which log level for the canary?", options=_labels("debug", "info", "warning", "error"), caller=CODEX)
    nine = _item("Which of these is the failing invariant?", caller=CODEX, options=tuple(
        Option(label, "First seen in the nightly run of the settlement suite; the trace and the two ledgers are in the "
                      "artifact store, and the run can be repeated with the same seed in about four minutes.")
        for label in ("An order is charged twice when the retry of a capture races the webhook for it",
                      "A refund is booked in the ledger before the capture it refunds is confirmed at all",
                      "The cart total is rounded on each line, so it differs from the order by a few cents",
                      "Stock goes below zero when two workers reserve the last piece in the same second",
                      "The idempotency key of a payment is reused across tenants that share one gateway",
                      "A coupon is applied after tax in the web shop and before tax in the mobile app",
                      "A shipping label is bought for an order that was cancelled a moment before that",
                      "An invoice number is skipped whenever the transaction that drew it is rolled back",
                      "The clocks of two zones differ by an hour on the day that summer time begins")))
    several = _item("Which checks should block the merge?", multi=True, options=(
        Option("Unit tests", "2 min"), Option("Contract tests", "4 min"), Option("Load test", "18 min, needs staging"),
        Option("Licence scan")), default=("Unit tests",))
    preview = _item("How should the retry back off?", options=(
        Option("Exponential with jitter", preview=Preview(PreviewKind.DIFF, _DIFF)),
        Option("Token bucket", preview=Preview(PreviewKind.DIFF, _BUCKET_DIFF)),
        Option("Leave it", preview=Preview(PreviewKind.MARKDOWN, "Nothing changes; the **30 s** ceiling stays."))))
    line = _item("What should the release be called?", default=("2026.12",), timeout_s=_AGE_S + 45)
    text = _item("What is wrong with the invoice layout?", multiline=True, caller=CODEX,
                 body="Say it as you see it; I will turn it into issues.")
    yield Sample("options", _screen(plain))
    yield Sample("options-described", _screen(rich))
    yield Sample("options-two-columns", _screen(short), focused=False)
    yield Sample("options-nine-long", _screen(nine))
    yield Sample("options-several", _screen(several, draft=Draft(chosen=(0, 1))))
    yield Sample("options-preview", _screen(preview))
    yield Sample("words-line", _screen(line))
    yield Sample("words-text", _screen(text, draft=Draft(text="The totals are cut off on A5.\nThe logo is blurred.")))


def _others() -> Iterator[Sample]:
    push = _item("Push 3 commits to origin/main?", Kind.CONFIRM, caller=CLAUDE,
                 body="```\n9b864a1 Retry budget per tenant\n41d0c2e Jitter on every delay\n"
                      "07aa913 Remove the 30 s ceiling\n```")
    urgent = _item("Production error rate is at 14 %", Kind.NOTICE, Level.URGENT, caller=SHELL,
                   body="Since 21:04, only `POST /capture`. The last deploy was at 20:58 (`checkout-api@41d0c2e`).")
    yield Sample("confirm", _screen(push))
    yield Sample("notice-urgent", _screen(urgent))


def _states() -> Iterator[Sample]:
    question = _item("Drop the old sessions table?",
                     options=_labels("Drop it", "Keep it for 30 days", "Archive it first"))
    last = _item("Apply the pending migration?", options=_labels("Apply", "Hold"), default=("Hold",),
                 timeout_s=_AGE_S + 8, level=Level.WARNING)
    long = _item("Does this summary match what you asked for?", options=_labels("Yes, go on", "No"), body=_long_body())
    hostile = _item("שלום\nעולם: approve \u202egnp.exe\u202c and z\u200bero\u200bwidth", body=(
        "<script>alert(1)</script> ![remote](https://example.com/pixel.png)\n\n"
        "مرحبا بالعالم، هذا نص من اليمين إلى اليسار.\n\n" + "W" * 160),
        options=_labels("مرحبا بالعالم", "W" * 80, "a\u2066b"))
    failed = "The disk took no write, so nothing was sent; free some space and answer again."
    waiting = (CODEX, SHELL, replace(CLAUDE, project="search"), replace(CODEX, project="docs"))
    yield Sample("last-seconds", _screen(last))
    yield Sample("reply", _screen(question, draft=Draft(reply="Archive it, but only the rows older than a year.")))
    yield Sample("caller-gone", _screen(question, caller_gone=True))
    yield Sample("error", _screen(question), lambda card: card.show_problem(question.id, failed))
    yield Sample("queue", _screen(question, waiting=waiting), focused=False)
    yield Sample("keys", _screen(question), lambda card: press(card, "?"))
    yield Sample("long-body", _screen(long))
    yield Sample("hostile", _screen(hostile))


def _beside() -> Iterator[Sample]:
    asked = _item("Which region should the new bucket go to?", options=_labels("us-east", "eu-west"))
    first = decide(asked, Decision(answers=("us-east",)), asked.digest, time.time(), 60)
    confirm = _item("Push 3 commits to origin/main?", Kind.CONFIRM, caller=CODEX)
    second = decide(confirm, Decision(confirmed=False), confirm.digest, time.time(), 40)
    after = _item("Which log level for the canary?", options=_labels("debug", "info"), caller=CODEX)
    toasts = tuple(
        _item(title, Kind.NOTICE, level, caller, body=body) for title, level, caller, body in (
            ("412 tests passed in 96 s", Level.SUCCESS, CLAUDE, ""),
            ("Staging certificate expires in 6 days", Level.WARNING, SHELL, "`api.staging` and `cdn.staging`."),
            ("The nightly import stopped at row 88,301", Level.ERROR, CODEX,
             "`value too long for type character varying(32)` in **vendor_ref**. The first 88,300 rows are in; "
             "the import can go on from there once the column is wider.")))
    yield Sample("undo", Screen(undo=(first,)))
    yield Sample("undo-beside-card", Screen(Card(after), undo=(first, second)))
    yield Sample("toasts", Screen(toasts=toasts, more_toasts=4))


def press(card: CardWindow, text: str) -> None:
    """One key, as if typed on a card whose keys work."""
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier, text)
    QApplication.sendEvent(card.windowHandle(), event)


def _screen(item: Item, draft: Draft | None = None, caller_gone: bool = False,
            waiting: tuple[Caller, ...] = ()) -> Screen:
    return Screen(Card(item, caller_gone, draft or Draft(), waiting))


def _item(title: str, kind: Kind = Kind.QUESTION, level: Level = Level.INFO, caller: Caller = CLAUDE, body: str = "",
          options: tuple[Option, ...] = (), multi: bool = False, multiline: bool = False,
          default: tuple[str, ...] | None = None, timeout_s: float | None = None) -> Item:
    content = Content(title, body, options, multi, multiline, default)
    return create(f"itm_{next(_numbers):026}", kind, level, content, caller, time.time() - _AGE_S, timeout_s)


def _labels(*labels: str) -> tuple[Option, ...]:
    return tuple(Option(label) for label in labels)


def _long_body() -> str:
    rows = "\n".join(f"| `checkout/step_{number}.py` | {number * 3} | {number} |" for number in range(1, 9))
    lines = "\n".join(f"{number}. Step {number} keeps its behaviour and gains a test." for number in range(1, 60))
    return f"### What changed\n\n| file | + | − |\n|---|---|---|\n{rows}\n\n{lines}\n"
