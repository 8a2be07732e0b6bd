"""Where windows go, on one screen and on several, whatever their coordinates."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from agentbox_desktop.ui.placement import (
    EDGE_MARGIN,
    POINTER_DISTANCE,
    kept_inside,
    place_card,
    place_next,
    screen_of,
    stack_strips,
)

SCREEN = QRect(0, 30, 1920, 1050)
LEFT_OF_IT = QRect(-1280, -200, 1280, 1024)
CARD = QSize(520, 300)
STRIP = QSize(520, 48)
TOASTS = [QRect(760, 42 + number * 114, 400, 106) for number in range(4)]  # a column at the top of SCREEN


def distance(pointer: QPoint, rect: QRect) -> int:
    across = max(rect.left() - pointer.x(), 0, pointer.x() - rect.right())
    down = max(rect.top() - pointer.y(), 0, pointer.y() - rect.bottom())
    return max(across, down)


def test_far_from_the_pointer_a_card_is_centred() -> None:
    placed = place_card(CARD, QPoint(10, 40), SCREEN)
    assert abs(placed.center().x() - SCREEN.center().x()) <= 1
    assert abs(placed.center().y() - SCREEN.center().y()) <= 1


@given(st.integers(-1280, 1919), st.integers(-200, 1079))
def test_a_card_is_never_near_the_pointer_and_never_off_its_screen(x: int, y: int) -> None:
    pointer = QPoint(x, y)
    screens = [SCREEN, LEFT_OF_IT]
    available = screens[screen_of(pointer, screens)]
    placed = place_card(CARD, pointer, available)
    assert available.adjusted(EDGE_MARGIN, EDGE_MARGIN, -EDGE_MARGIN, -EDGE_MARGIN).contains(placed)
    assert distance(pointer, placed) >= POINTER_DISTANCE


@given(st.integers(0, 1919), st.integers(30, 1079))
def test_a_card_covers_no_notice_and_keeps_away_from_the_pointer_all_the_same(x: int, y: int) -> None:
    pointer = QPoint(x, y)
    placed = place_card(CARD, pointer, SCREEN, TOASTS)
    assert not any(placed.intersects(toast) for toast in TOASTS)
    assert SCREEN.contains(placed)
    assert distance(pointer, placed) >= POINTER_DISTANCE


def test_where_no_place_is_free_a_card_covers_notices_rather_than_come_up_under_the_pointer() -> None:
    screen, pointer = QRect(0, 0, 800, 800), QPoint(400, 750)
    placed = place_card(CARD, pointer, screen, [QRect(0, 0, 800, 500)])
    assert distance(pointer, placed) >= POINTER_DISTANCE


def test_a_card_as_wide_as_the_screen_has_a_margin_above_and_below_only() -> None:
    placed = place_card(QSize(1920, 1000), QPoint(10, 40), SCREEN)
    assert (placed.left(), placed.width()) == (0, 1920)
    assert placed.top() >= SCREEN.top() + EDGE_MARGIN


def test_where_no_place_is_far_enough_the_farthest_one_is_taken() -> None:
    small = QRect(0, 0, 600, 400)
    pointer = QPoint(150, 200)
    placed = place_card(CARD, pointer, small)
    assert small.contains(placed)
    assert all(distance(pointer, placed) >= distance(pointer, QRect(QPoint(left, 50), CARD)) for left in (0, 40, 80))


def test_the_next_card_keeps_top_and_middle_of_the_last_even_under_the_pointer() -> None:
    last = QRect(700, 400, 520, 300)
    placed = place_next(QSize(640, 420), last, SCREEN)
    assert placed.top() == last.top()
    assert abs(placed.center().x() - last.center().x()) <= 1


def test_a_next_card_that_is_higher_is_kept_on_the_screen() -> None:
    placed = place_next(QSize(520, 700), QRect(700, 700, 520, 200), SCREEN)
    assert placed.bottom() == SCREEN.bottom() - EDGE_MARGIN


def test_what_is_larger_than_the_screen_begins_at_its_corner() -> None:
    assert kept_inside(QRect(50, 50, 3000, 2000), SCREEN).topLeft() == SCREEN.topLeft()


def test_a_pointer_between_screens_belongs_to_the_nearest() -> None:
    assert screen_of(QPoint(-5, 900), [SCREEN, LEFT_OF_IT]) == 0
    assert screen_of(QPoint(-5, 500), [SCREEN, LEFT_OF_IT]) == 1


def test_strips_stand_above_the_card_with_the_newest_nearest() -> None:
    card = QRect(700, 400, 520, 300)
    nearest, next_one = stack_strips(card, [STRIP, STRIP], SCREEN)
    assert next_one.bottom() < nearest.top() and nearest.bottom() < card.top()
    assert nearest.center().x() == card.center().x()


def test_strips_stand_below_the_card_where_notices_are_above_it() -> None:
    card = QRect(700, 500, 520, 300)
    placed = stack_strips(card, [STRIP, STRIP], SCREEN, TOASTS)
    assert all(strip.top() > card.bottom() for strip in placed)


def test_strips_go_past_notices_where_no_side_is_free() -> None:
    card, last = QRect(700, 42, 520, 430), TOASTS[-1]
    nearest, next_one = stack_strips(card, [STRIP, STRIP], SCREEN, TOASTS)
    assert last.bottom() < nearest.top() < nearest.bottom() < next_one.top()


def test_strips_cover_notices_rather_than_leave_the_screen() -> None:
    full = [QRect(0, 30, 1920, 1050)]
    card = QRect(700, 400, 520, 300)
    assert all(SCREEN.contains(strip) for strip in stack_strips(card, [STRIP, STRIP], SCREEN, full))


@given(st.integers(-1280, -520), st.integers(-200, 524), st.integers(1, 4))
def test_strips_cover_neither_the_card_nor_each_other(left: int, top: int, count: int) -> None:
    card = QRect(QPoint(left, top), CARD)
    placed = [card, *stack_strips(card, [STRIP] * count, LEFT_OF_IT)]
    assert not any(one.intersects(other) for number, one in enumerate(placed) for other in placed[:number])
    assert all(LEFT_OF_IT.contains(strip) for strip in placed[1:])
