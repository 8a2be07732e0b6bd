"""A slip decides nothing: clicks and keys count only once the person can have meant what is shown."""

from PySide6.QtCore import QPoint

from agentbox_desktop.ui.guards import ClickGuard, KeyGuard

HERE, THERE = QPoint(400, 300), QPoint(440, 300)


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_no_click_counts_before_anything_is_painted() -> None:
    assert not ClickGuard(FakeClock()).allows(HERE)


def test_a_click_counts_from_500_ms_after_the_content_appeared() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=False)
    clock.now += 0.499
    assert not guard.allows(HERE)
    clock.now += 0.002
    assert guard.allows(HERE)


def test_other_content_starts_the_time_anew() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=False)
    clock.now += 5
    guard.appeared(HERE, under_pointer=False)
    assert not guard.allows(HERE)


def test_what_came_up_under_the_pointer_waits_for_it_to_move() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=True)
    clock.now += 60
    assert not guard.allows(HERE)
    assert not guard.allows(HERE + QPoint(1, 1)), "a pressing hand shakes the pointer"
    guard.moved(THERE)
    assert guard.allows(HERE), "it has moved, and came back"


def test_a_pointer_that_moved_early_still_waits_for_the_time() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=True)
    guard.moved(THERE)
    clock.now += 0.2
    assert not guard.allows(THERE)


def test_a_shift_starts_the_time_anew_but_asks_for_no_movement() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=False)
    clock.now += 5
    guard.shifted()
    assert not guard.allows(HERE)
    clock.now += 0.6
    assert guard.allows(HERE)


def test_a_shift_of_what_is_gone_opens_nothing() -> None:
    clock = FakeClock()
    guard = ClickGuard(clock)
    guard.appeared(HERE, under_pointer=False)
    guard.gone()
    guard.shifted()
    clock.now += 5
    assert not guard.allows(HERE)


def test_a_key_counts_from_300_ms_after_the_keyboard_was_given() -> None:
    clock = FakeClock()
    guard = KeyGuard(clock)
    assert guard.wait_s() is None and not guard.press(10, auto_repeat=False)
    guard.given()
    clock.now += 0.299
    assert not guard.live and not guard.press(11, auto_repeat=False)
    clock.now += 0.002
    assert guard.live and guard.press(12, auto_repeat=False)


def test_a_key_held_from_before_counts_only_once_it_was_released() -> None:
    clock = FakeClock()
    guard = KeyGuard(clock)
    guard.given()
    assert not guard.press(10, auto_repeat=False)
    clock.now += 1
    assert not guard.press(10, auto_repeat=False), "a keyboard that does not mark its repeats"
    guard.release(10, auto_repeat=True)
    assert not guard.press(10, auto_repeat=False)
    guard.release(10, auto_repeat=False)
    assert guard.press(10, auto_repeat=False)


def test_a_repeat_never_counts() -> None:
    clock = FakeClock()
    guard = KeyGuard(clock)
    guard.given()
    clock.now += 1
    assert not guard.press(10, auto_repeat=True)


def test_the_keyboard_taken_away_closes_the_guard() -> None:
    clock = FakeClock()
    guard = KeyGuard(clock)
    guard.given()
    clock.now += 1
    guard.taken()
    assert not guard.live and not guard.press(10, auto_repeat=False)
