"""An agent's image: decoded beside the loop, and no larger than it is shown."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, QThreadPool
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from agentbox_desktop.ui.cards.picture import Picture
from agentbox_desktop.ui.theme import Theme

MOST_HEIGHT = 240
RED, BLUE = QColor("#ff0000"), QColor("#0000ff")


@pytest.fixture
def picture(qtbot: QtBot) -> Picture:
    made = Picture(Theme(dark=True), "Image", MOST_HEIGHT)
    qtbot.addWidget(made)
    return made


def image_file(path: Path, size: QSize, color: QColor = RED) -> str:
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(color)
    assert image.save(str(path))
    return str(path)


def shown(picture: Picture, width: int) -> None:
    picture.resize(width, picture.height_at(width))
    picture.show()


def middle(picture: Picture) -> QColor:
    return picture.grab().toImage().pixelColor(picture.rect().center())


def test_it_keeps_no_more_pixels_than_it_shows_also_at_another_size(
    picture: Picture, qtbot: QtBot, tmp_path: Path
) -> None:
    def is_as_large_as_shown() -> bool:
        return picture._image.size() == QSize(picture.width(), picture.width() // 4)

    picture.set_path(image_file(tmp_path / "a.png", QSize(4000, 1000)))
    for width in (480, 600, 300):
        shown(picture, width)
        qtbot.waitUntil(is_as_large_as_shown)
        assert middle(picture) == RED


def test_a_small_one_is_kept_as_it_is(picture: Picture, qtbot: QtBot, tmp_path: Path) -> None:
    picture.set_path(image_file(tmp_path / "a.png", QSize(40, 20)))
    shown(picture, 480)
    qtbot.waitUntil(lambda: picture._image.size() == QSize(40, 20))


def test_the_last_path_is_the_one_that_is_shown(picture: Picture, qtbot: QtBot, tmp_path: Path) -> None:
    red = image_file(tmp_path / "red.png", QSize(2000, 2000))
    blue = image_file(tmp_path / "blue.png", QSize(200, 200), BLUE)
    picture.set_path(red)
    shown(picture, 480)
    picture.grab()
    picture.set_path(blue)
    shown(picture, 480)
    qtbot.waitUntil(lambda: picture.grab().toImage().pixelColor(100, 100) == BLUE)
    QThreadPool.globalInstance().waitForDone()
    QApplication.processEvents()
    assert picture.grab().toImage().pixelColor(100, 100) == BLUE


def test_one_that_is_decoded_too_late_finds_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    picture = Picture(Theme(dark=True), "Image", MOST_HEIGHT)
    picture.set_path(image_file(tmp_path / "a.png", QSize(2000, 2000)))
    shown(picture, 480)
    picture.grab()
    picture.deleteLater()
    QApplication.sendPostedEvents(picture, QEvent.Type.DeferredDelete)
    QThreadPool.globalInstance().waitForDone()
    QApplication.processEvents()  # pytest-qt fails the test for what a slot raises
