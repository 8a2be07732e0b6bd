"""Where windows go, on one screen and on several, whatever their coordinates."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from agentbox_desktop.ui.placement import (
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
    assert available.contains(placed)
    assert distance(pointer, placed) >= POINTER_DISTANCE


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
    assert SCREEN.contains(placed)


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


@given(st.integers(-1280, -520), st.integers(-200, 524), st.integers(1, 4))
def test_strips_cover_neither_the_card_nor_each_other(left: int, top: int, count: int) -> None:
    card = QRect(QPoint(left, top), CARD)
    placed = [card, *stack_strips(card, [STRIP] * count, LEFT_OF_IT)]
    assert not any(one.intersects(other) for number, one in enumerate(placed) for other in placed[:number])
    assert all(LEFT_OF_IT.contains(strip) for strip in placed[1:])
