"""The body view: high as its text, folded while long, and opening nothing that was not seen first."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets import BodyView
from agentbox_desktop.ui.widgets.body import FOLDED_LINES

WIDTH = 480
IMAGE = QTextDocument.ResourceType.ImageResource.value


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[BodyView]:
    made = BodyView(Theme(dark=True))
    qtbot.addWidget(made)
    made.resize(WIDTH, 200)
    made.show()
    yield made


def fold_button(view: BodyView) -> QPushButton:
    [found] = view.findChildren(QPushButton)
    return found


def test_height_follows_the_text(view: BodyView) -> None:
    view.set_markdown("one line")
    one = view.heightForWidth(WIDTH)
    view.set_markdown("\n\n".join(["a paragraph"] * 6))
    six = view.heightForWidth(WIDTH)
    assert one < 30
    assert 6 * 22 <= six <= 6 * 32


def test_narrow_is_higher_and_asking_changes_nothing(view: BodyView, qtbot: QtBot) -> None:
    view.set_markdown("words " * 100)
    told: list[None] = []
    view.content_height_changed.connect(lambda: told.append(None))
    wide = view.heightForWidth(WIDTH)
    assert view.heightForWidth(WIDTH // 2) > wide
    assert view.heightForWidth(WIDTH) == wide
    assert told == []


def test_no_empty_line_stands_under_a_table_at_the_end(view: BodyView) -> None:
    view.set_markdown("```\ncode\n```")
    code = view.heightForWidth(WIDTH)
    assert code <= 20 + 2 * 8 + 4 + 8 + 2  # the line, its padding, the margins; no 22 px more above or below


def test_short_text_is_shown_whole(view: BodyView) -> None:
    view.set_markdown("\n".join(f"line {number}" for number in range(FOLDED_LINES)))
    assert not view.is_folded
    assert fold_button(view).isHidden()


def test_long_text_starts_folded_and_unfolds_to_all_of_it(view: BodyView, qtbot: QtBot) -> None:
    view.set_markdown("\n\n".join(f"paragraph {number}." for number in range(2000)))
    assert view.is_folded
    assert "paragraph 0." in view.plain_text()
    assert "paragraph 1999." not in view.plain_text()
    assert fold_button(view).text() == "Show all (3959 more lines)"
    with qtbot.waitSignal(view.unfolded, timeout=30_000):
        qtbot.mouseClick(fold_button(view), Qt.MouseButton.LeftButton)
        assert "paragraph 1999." not in view.plain_text()  # not all of it in one turn of the loop
    assert view.plain_text().split() == " ".join(f"paragraph {number}." for number in range(2000)).split()
    assert not view.is_folded


def test_it_folds_again(view: BodyView, qtbot: QtBot) -> None:
    view.set_markdown("\n\n".join(f"paragraph {number}." for number in range(200)))
    folded = view.plain_text()
    with qtbot.waitSignal(view.unfolded, timeout=30_000):
        qtbot.mouseClick(fold_button(view), Qt.MouseButton.LeftButton)
    assert fold_button(view).text() == "Show less"
    qtbot.mouseClick(fold_button(view), Qt.MouseButton.LeftButton)
    assert view.plain_text() == folded
    assert view.is_folded


def test_a_text_that_is_replaced_while_it_unfolds_stays_replaced(view: BodyView, qtbot: QtBot) -> None:
    view.set_markdown("\n\n".join(f"paragraph {number}." for number in range(2000)))
    qtbot.mouseClick(fold_button(view), Qt.MouseButton.LeftButton)
    view.set_markdown("another")
    QTest.qWait(50)
    assert view.plain_text() == "another"


def test_one_long_line_is_folded_too(view: BodyView) -> None:
    view.set_markdown("word " * 10_000)
    assert view.is_folded
    assert fold_button(view).text() == "Show all (41 KiB more)"


def test_pieces_are_put_together_as_the_whole_would_be(view: BodyView, qtbot: QtBot) -> None:
    text = "\n\n".join(f"## Part {number}\n\nwords\n\n- item\n\n```\ncode\n```" for number in range(200))
    view.set_markdown(text)
    with qtbot.waitSignal(view.unfolded, timeout=30_000):
        qtbot.mouseClick(fold_button(view), Qt.MouseButton.LeftButton)
    forms: dict[str, set[tuple[int, int, float]]] = {}
    block = view.page.document().begin()
    while block.isValid():
        if block.text():
            font = block.begin().fragment().charFormat().font()
            form = (font.pixelSize(), font.weight(), block.blockFormat().topMargin())
            forms.setdefault(block.text().split()[0], set()).add(form)
        block = block.next()
    assert {word: len(found) for word, found in forms.items()} == {"Part": 1, "words": 1, "item": 1, "code": 1}


def test_inline_code_is_its_own_characters_and_no_more(view: BodyView) -> None:
    view.set_markdown("Promote it to `cdn.staging`, then run (`rm  -rf build/`).")
    assert view.plain_text() == "Promote it to cdn.staging, then run (rm  -rf build/)."


def test_a_diff(view: BodyView) -> None:
    view.set_diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n")
    assert "− old" in view.plain_text()
    assert "+ new" in view.plain_text()


# Pictures


def test_a_local_picture_is_drawn_without_holding_anything_up(view: BodyView, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "red picture.png"
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    assert image.save(str(path))
    view.set_markdown(f"![red](<{path}>)")
    assert view.heightForWidth(WIDTH) >= 100  # before it is decoded

    def is_red() -> bool:
        return view.grab().toImage().pixelColor(50, 50) == QColor("#ff0000")

    qtbot.waitUntil(is_red, timeout=10_000)


@pytest.mark.parametrize("address", ["https://evil.example/x.png", "file:///etc/passwd", "/etc/passwd", "qrc:/x"])
def test_nothing_else_is_loaded(view: BodyView, address: str) -> None:
    assert view.page.loadResource(IMAGE, QUrl(address)).isEmpty()
    assert view.page.loadResource(QTextDocument.ResourceType.StyleSheetResource.value, QUrl(address)).isEmpty()


def test_a_picture_that_comes_too_late_finds_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    assert QImage(900, 900, QImage.Format.Format_RGB32).save(str(path))
    view = BodyView(Theme(dark=True))
    view.resize(WIDTH, 200)
    view.set_markdown(f"![a]({path})")
    view.heightForWidth(WIDTH)
    view.deleteLater()
    QTest.qWait(100)


# Links


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    urls: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toString()))
    return urls


def link_place(view: BodyView) -> QPoint:
    for y in range(0, 60, 2):
        for x in range(0, WIDTH, 2):
            if view.page.anchorAt(QPoint(x, y)):
                return QPoint(x + 4, y + 6)
    raise AssertionError("There is no link in the view.")


def test_a_link_opens_once_its_address_has_been_seen(view: BodyView, qtbot: QtBot, opened: list[str]) -> None:
    view.set_markdown("[runbook](https://example.org/runbook)")
    place = link_place(view)
    qtbot.mouseMove(view.page.viewport(), place)
    qtbot.mouseClick(view.page.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == []  # the pointer has only just come to it

    def opens() -> bool:
        qtbot.mouseClick(view.page.viewport(), Qt.MouseButton.LeftButton, pos=place)
        return opened == ["https://example.org/runbook"]

    qtbot.waitUntil(opens, timeout=5_000)


def test_what_is_no_web_address_never_opens(view: BodyView, opened: list[str]) -> None:
    for address in ("file:///etc/passwd", "javascript:alert(1)", "ssh://host"):
        for _ in range(2):
            view.page.anchorClicked.emit(QUrl(address))
    assert opened == []


def test_it_has_an_accessible_name(view: BodyView) -> None:
    view.set_markdown("x " * 10_000)
    assert view.page.accessibleName() == "Body"
    assert fold_button(view).accessibleName().startswith("Show all")
