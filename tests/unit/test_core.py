"""The small pure parts: ids, text, queue, deadlines, decisions, settings, keys."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.deadlines import Deadlines
from agentbox_desktop.core.decisions import parse
from agentbox_desktop.core.ids import new_id
from agentbox_desktop.core.items import Content, Decision, Item, Kind, Level, Option, create, defer
from agentbox_desktop.core.keys import CARD_KEYS, Where, keys_for
from agentbox_desktop.core.queue import queue, toasts
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.core.settings import parse as parse_settings
from agentbox_desktop.core.text import one_line, visible


def item(number: int, kind: Kind = Kind.QUESTION, level: Level = Level.INFO, content: Content | None = None) -> Item:
    return create(f"itm_{number}", kind, level, content or Content("Title"), Caller("shell"), float(number), None)


def test_ids_have_their_form_and_sort_by_time_even_within_a_millisecond() -> None:
    ids = [new_id("itm", 1_700_000_000.0) for _ in range(500)] + [new_id("itm", 1_700_000_001.0)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(len(name) == 30 and name == name.lower() and name.startswith("itm_") for name in ids)


@pytest.mark.parametrize(("sent", "shown"), [
    ("plain\ttext\nand lines", "plain\ttext\nand lines"),
    ("a\u202eb", "a⟨U+202E⟩b"),
    ("zero\u200bwidth", "zero⟨U+200B⟩width"),
    ("\x1b[2Jclear", "⟨U+001B⟩[2Jclear"),
    ("crlf\r\nline", "crlf\nline"),
    ("lone\rreturn", "lone⟨U+000D⟩return"),
    ("\ud800", "⟨U+D800⟩"),
    ("👩\u200d🚀 flies", "👩\u200d🚀 flies"),
    ("a\u200db", "a⟨U+200D⟩b"),
    ("tag\U000e0041", "tag⟨U+E0041⟩"),
])
def test_invisible_characters_are_shown(sent: str, shown: str) -> None:
    assert visible(sent) == shown


@given(st.text())
def test_visible_is_idempotent_and_drops_nothing(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    assert len(once) >= len(text.replace("\r\n", "\n"))


def test_a_title_is_one_line() -> None:
    assert one_line("one\ntwo\tthree") == "one ⏎ two three"


def test_urgent_comes_first_and_the_rest_first_come_first_served() -> None:
    urgent = item(3, Kind.NOTICE, Level.URGENT)
    assert [it.id for it in queue([item(2), item(1), urgent], now=10)] == ["itm_3", "itm_1", "itm_2"]


def test_later_leaves_the_queue_and_comes_back_at_its_end() -> None:
    put_off = defer(item(1), 5.0, 300.0)
    assert queue([put_off, item(2)], now=299)[0].id == "itm_2"
    assert [it.id for it in queue([put_off, item(2), item(200)], now=300)] == ["itm_2", "itm_200", "itm_1"]


def test_only_notices_below_urgent_are_toasts() -> None:
    urgent, failed = item(3, Kind.NOTICE, Level.URGENT), item(4, Kind.NOTICE, Level.ERROR)
    shown = toasts([item(1), item(2, Kind.NOTICE), urgent, failed])
    assert [it.id for it in shown] == ["itm_2", "itm_4"]


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100), st.booleans())))
def test_deadlines_ring_in_order_and_only_the_last_setting_counts(steps: list[tuple[int, float, bool]]) -> None:
    deadlines, expected = Deadlines(), dict[object, float]()
    for name, at, is_set in steps:
        if is_set:
            deadlines.set(name, at)
            expected[name] = at
        else:
            deadlines.cancel(name)
            expected.pop(name, None)
    assert deadlines.next_at() == (min(expected.values()) if expected else None)
    due = deadlines.pop_due(50.0)
    assert [expected[name] for name in due] == sorted(at for at in expected.values() if at <= 50.0)
    assert len(deadlines) == len(expected) - len(due)


def test_moved_deadlines_leave_nothing_behind() -> None:
    deadlines = Deadlines()
    for at in range(20_000):
        deadlines.set("one", float(at))
    assert len(deadlines._heap) < 200


OPTIONS = Content("Which?", options=(Option("eu-west"), Option("us-east"), Option("3")))


@pytest.mark.parametrize(("value", "answers"), [
    ("2", ("us-east",)), ("us-east", ("us-east",)), ("US-East", ("us-east",)), ("3", ("3",)), (" 1 ", ("eu-west",)),
])
def test_an_option_is_named_by_number_or_label(value: str, answers: tuple[str, ...]) -> None:
    assert parse(item(1, content=OPTIONS), value) == Decision(answers)


@pytest.mark.parametrize(("value", "answers"), [
    ("1,3", ("eu-west", "3")), ('["eu-west","us-east"]', ("eu-west", "us-east")), ("2", ("us-east",)),
])
def test_several_options(value: str, answers: tuple[str, ...]) -> None:
    assert parse(item(1, content=replace(OPTIONS, multi=True)), value) == Decision(answers)


@pytest.mark.parametrize("value", ["0", "4", "nowhere", "", "1,2", "[1"])
def test_what_is_no_option_is_refused_with_the_options(value: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(item(1, content=OPTIONS), value)
    assert "us-east" in refused.value.message or "JSON" in refused.value.message


@pytest.mark.parametrize(("value", "confirmed"), [("yes", True), ("Y", True), ("no", False), ("n", False)])
def test_yes_and_no(value: str, confirmed: bool) -> None:
    assert parse(item(1, Kind.CONFIRM), value).confirmed is confirmed


def test_nothing_else_is_a_yes() -> None:
    for value in ("", "maybe", "1", "yes please"):
        with pytest.raises(Refused):
            parse(item(1, Kind.CONFIRM), value)


def test_typed_words_are_taken_as_they_are() -> None:
    assert parse(item(1), "  two\nlines ").answers == ("  two\nlines ",)


def test_settings_are_read_and_what_is_wrong_is_named() -> None:
    settings, problems = parse_settings({
        "undo": {"grace_s": 2}, "theme": {"mode": "pink"}, "font": {"scale": 9.0}, "log": {"levels": "info"},
        "nothing": {}, "mcp": {"http": 1}, "history": 3})
    assert settings == replace(Settings(), undo=replace(Settings().undo, grace_s=2.0))
    assert isinstance(settings.undo.grace_s, float)
    assert len(problems) == 6
    assert any("[theme] mode must be one of auto, dark, light, not 'pink'" in problem for problem in problems)


def test_no_key_means_two_things_on_one_surface() -> None:
    for where in Where:
        keys = [name for key in keys_for(where) for name in key.keys]
        assert len(keys) == len(set(keys)), where
    assert all(key.where for key in CARD_KEYS)
