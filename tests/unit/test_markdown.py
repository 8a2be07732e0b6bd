"""An agent's Markdown becomes HTML: all of it, and nothing that acts."""

import re
import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from agentbox_desktop.core.limits import BODY_BYTES, IMAGE_BYTES
from agentbox_desktop.ui.markdown.diff import diff_html, diff_slices
from agentbox_desktop.ui.markdown.images import image_problem
from agentbox_desktop.ui.markdown.render import render, render_slices
from agentbox_desktop.ui.markdown.segments import LIMIT, TABLE_LIMIT, segments
from agentbox_desktop.ui.theme import Theme

THEME = Theme(dark=True)
OUR_TAGS = set(
    "style p a b i em strong s code pre span ul ol li table thead tbody tr th td br img".split()
)


class _Tags(HTMLParser):
    """The tags of an HTML text with their attributes, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False
        if tag in ("p", "td", "th", "li"):
            self.words += " "

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.words += data


def parsed(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    parser.close()
    return parser


def words(markdown: str) -> str:
    return " ".join(parsed(render(markdown, THEME)).words.split())


def links(markdown: str) -> list[str | None]:
    return [attributes.get("href") for tag, attributes in parsed(render(markdown, THEME)).tags if tag == "a"]


def picture(path: Path, width: int = 900, height: int = 300) -> Path:
    assert QImage(width, height, QImage.Format.Format_RGB32).save(str(path))
    return path


# What it understands


def test_blocks_and_inline_form() -> None:
    html = render("# Plan\n\nSome **bold** and *soft* words, `code`, ~~gone~~.\n\n1. one\n2. two\n\n> said", THEME)
    tags = [tag for tag, _ in parsed(html).tags]
    assert {"strong", "em", "code", "s", "ol", "li", "table"} <= set(tags)
    assert '<p class="h1">' in html
    assert words("# Plan\n\ntext") == "Plan text"


def test_a_table_keeps_its_cells_and_their_alignment() -> None:
    html = render("| a | b |\n|---|--:|\n| 1 | 2 |", THEME)
    assert len(re.findall("<t[hd]", html)) - html.count("<thead") == 4
    assert html.count("text-align:right") == 2


def test_tasks_are_boxes() -> None:
    html = render("- [ ] open\n- [x] done", THEME)
    assert '<li class="unchecked">' in html
    assert '<li class="checked">' in html
    assert words("- [ ] open\n- [x] done") == "open done"


def test_code_is_coloured_by_its_language_and_stays_whole() -> None:
    code = 'def drain(node: str) -> str:\n    return f"<{node}>"  # & more'
    html = render(f"```python\n{code}\n```", THEME)
    assert f'<span style="color:{THEME.hex("accent")}">def</span>' in html
    assert parsed(html).words.rstrip() == code


@pytest.mark.parametrize("language", ["", "no-such-language", "python run=1", "../../etc"])
def test_code_of_an_unknown_language_is_plain(language: str) -> None:
    assert parsed(render(f"```{language}\nif x < 1: pass\n```", THEME)).words.strip() == "if x < 1: pass"


def test_a_link_that_can_be_opened_shows_where_it_goes() -> None:
    [(_, attributes)] = [
        found for found in parsed(render("[runbook](https://example.org/a?b=1&c=2)", THEME)).tags if found[0] == "a"
    ]
    assert attributes["href"] == attributes["title"] == "https://example.org/a?b=1&c=2"


def test_a_link_to_anything_else_is_words_with_its_address() -> None:
    assert links("[plan](docs/plan.md) [mail](mailto:a@b.c) [file](ftp://x/y)") == []
    assert words("[plan](docs/plan.md)") == "plan (docs/plan.md)"


def test_references_count_wherever_they_are_defined() -> None:
    filler = "word " * 300 + "\n\n"
    text = "See [the log][1].\n\n" + filler * 10 + "[1]: https://ci.example.org/1\n"
    assert links(text) == ["https://ci.example.org/1"]


# Images


def test_a_local_image_is_scaled_to_the_width(tmp_path: Path) -> None:
    path = picture(tmp_path / "chart one.png")
    html = render(f"![a chart](<{path}>)", THEME, width=450)
    assert f'src="{path}"' in html
    assert 'width="450" height="150"' in html


def test_a_small_image_is_not_enlarged(tmp_path: Path) -> None:
    assert 'width="40" height="20"' in render(f"![]({picture(tmp_path / 'a.png', 40, 20)})", THEME)


def test_a_photograph_taken_upright_has_the_room_of_an_upright_one(tmp_path: Path) -> None:
    path = picture(tmp_path / "a.jpg", 200, 100)
    whole = path.read_bytes()
    orientation = b"Exif\0\0II*\0" + struct.pack("<IHHHIII", 8, 1, 0x112, 3, 1, 6, 0)  # 6: a quarter turn clockwise
    path.write_bytes(whole[:2] + b"\xff\xe1" + struct.pack(">H", len(orientation) + 2) + orientation + whole[2:])
    assert 'width="100" height="200"' in render(f"![]({path})", THEME)


def test_a_relative_image_is_found_beside_its_document(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    assert "<img" in render("![a](a.png)", THEME, base_folder=str(tmp_path))
    assert "its path is not absolute" in words("![a](a.png)")


@pytest.mark.parametrize("address", [
    "https://evil.example/x.png", "http://evil.example/x.png", "//evil.example/x.png", "ftp://evil.example/x.png",
    "qrc:/x.png", "file://evil.example/share/x.png",
])
def test_a_remote_image_is_a_placeholder_that_names_it(address: str) -> None:
    html = render(f"![the chart]({address})", THEME)
    assert "img" not in [tag for tag, _ in parsed(html).tags]
    shown = words(f"![the chart]({address})")
    assert "the chart" in shown
    assert address in shown


def test_what_is_no_image_is_named_with_the_reason(tmp_path: Path) -> None:
    text = tmp_path / "a.png"
    text.write_text("<svg onload=alert(1)>")
    assert image_problem(str(text)) == "it is no PNG, JPEG, GIF or WebP"
    assert "it is no PNG" in words(f"![x]({text})")
    assert image_problem(str(tmp_path / "none.png")) == "no such file or directory"
    assert image_problem(str(tmp_path)) == "it is no file"
    assert image_problem("a.png") == "its path is not absolute"
    assert image_problem("\\\\server\\share\\a.png") == "it is on another machine, and nothing is fetched"
    assert image_problem("/tmp/a\0.png") == "its path is not absolute"


def test_an_image_is_known_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    named_text = picture(tmp_path / "a.png").rename(tmp_path / "a.txt")
    assert image_problem(str(named_text)) is None


def test_a_damaged_or_a_huge_image_is_refused(tmp_path: Path) -> None:
    damaged, huge = tmp_path / "a.png", tmp_path / "b.png"
    damaged.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    with huge.open("wb") as file:
        file.truncate(IMAGE_BYTES + 1)
    assert image_problem(str(damaged)) == "it is damaged"
    assert "8 MiB is the most" in (image_problem(str(huge)) or "")


def test_a_picture_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    bomb = bytearray(picture(tmp_path / "a.png", 8, 8).read_bytes())
    bomb[16:24] = (50_000).to_bytes(4, "big") * 2  # IHDR's width and height
    bomb[29:33] = zlib.crc32(bytes(bomb[12:29])).to_bytes(4, "big")
    (tmp_path / "bomb.png").write_bytes(bomb)
    assert "50000 × 50000 pixels" in (image_problem(str(tmp_path / "bomb.png")) or "")


# Hostile text


@pytest.mark.parametrize("text", [
    "<script>alert(1)</script>", "<img src=https://evil.example/x.png>", "a <b onclick=x>b</b>",
    "<style>*{display:none}</style>", "<!-- hidden -->", "<a href='https://evil.example'>x</a>",
    "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,<script>1</script>)",
    "[x](vbscript:x)", "[x](file:///etc/passwd)", "![x](data:image/png;base64,AAAA)",
    "| <script> |\n|---|\n| <img src=x> |", "```html\n<script>1</script>\n```", "`<script>`",
    "# <script>", "[<script>](https://x.y/<script>)", '[x](https://x.y/"onmouseover="z)', "&lt;script&gt;",
])
def test_html_is_shown_as_text(text: str) -> None:
    tags = parsed(render(text, THEME)).tags
    assert {tag for tag, _ in tags} <= OUR_TAGS
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    for _, attributes in tags:
        assert str(attributes.get("href", "https:")).startswith("https:")
        assert "src" not in attributes


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "<!-- hidden -->"])
def test_refused_form_is_not_left_out(text: str) -> None:
    assert words(text) == text


def test_invisible_characters_are_visible() -> None:
    assert words("pay\u202egro.live\u202c\u200b now") == "pay⟨U+202E⟩gro.live⟨U+202C⟩⟨U+200B⟩ now"
    assert "⟨U+202E⟩" in words("`\u202ecode`")
    assert "⟨U+202E⟩" in parsed(diff_html("@@ -1 +1 @@\n-a\n+\u202eb\n", THEME)).words


@pytest.mark.parametrize("mark", ["> ", "- ", "  - ", "1. "])
def test_deep_nesting_leaves_nothing_out(mark: str) -> None:
    assert "the end" in words(mark * 200 + "the end")
    ladder = "\n".join("  " * depth + f"- step {depth}" for depth in range(60))
    assert all(f"step {depth}" in words(ladder) for depth in (0, 9, 30, 59))


def test_a_huge_table_is_shown_whole() -> None:
    table = "| name | n |\n|---|---|\n" + "".join(f"| row {number} | {number} |\n" for number in range(3000))
    shown = words(table)
    assert all(f"row {number} " in shown for number in (0, 1, 999, 1500, 2999))


def test_one_endless_line_is_shown_whole() -> None:
    line = "".join(f"w{number} " for number in range(20_000))
    shown = words(line)
    assert all(f"w{number} " in shown for number in (0, 7000, 19_998))
    assert len(words("x" * 100_000).replace(" ", "")) == 100_000


def repeated(pattern: str) -> str:
    return (pattern * (BODY_BYTES // len(pattern) + 1))[:BODY_BYTES]


SLOW_FOR_PARSERS = {
    "quotes": repeated("> " * 40 + "a\n"), "brackets": repeated("[" * 60 + "\n"), "images": repeated("![" * 30 + "\n"),
    "emphasis": repeated("*a **a "), "backticks": repeated(" ".join("`" * count for count in range(1, 60)) + "\n\n"),
    "tags": repeated("<a:"), "links": repeated("[a](b) "), "unclosed links": repeated("[a]("),
    "lists": repeated("- a\n"),
    "blank lines": repeated("\n"), "definitions": repeated("[a]: b\n"), "headings": repeated("# a\n\n"),
    "code": "```python\n" + repeated("def f(x): return x + 1\n"), "rows": "|a|b|\n|-|-|\n" + repeated("|c|d|\n"),
    "pipes": repeated("|a") + "\n" + repeated("|-"), "fences": repeated("```\na\n```\n\n"), "bidi": repeated("\u202e"),
    "entities": repeated("&#x41;"), "strokes": repeated("~~a~"), "nested lists": repeated("- - - - a\n"),
}


@pytest.mark.parametrize("name", SLOW_FOR_PARSERS)
def test_a_parser_is_never_given_much_of_a_hostile_body_at_once(name: str) -> None:
    pieces = [segment.text for segment in segments(SLOW_FOR_PARSERS[name])]
    fence_and_cut = 200
    assert max(map(len, pieces)) <= (TABLE_LIMIT if name == "rows" else LIMIT) + fence_and_cut
    assert sum(map(len, pieces)) >= BODY_BYTES - len(pieces)  # but for the line breaks between the pieces
    assert len(list(render_slices(SLOW_FOR_PARSERS[name], THEME))) >= BODY_BYTES // LIMIT // 2


# In pieces


def test_pieces_are_the_text_again() -> None:
    paragraphs = "\n\n".join(
        f"## Part {number}\n\nSome words.\n\n- a\n- b\n\n```sh\necho\n\nls\n```" for number in range(400)
    )
    pieces = [segment.text for segment in segments(paragraphs)]
    assert "\n".join(pieces) == paragraphs
    assert len(pieces) > 3
    assert max(map(len, pieces)) <= LIMIT


def test_a_fence_is_never_cut_open() -> None:
    text = "```sh\n" + "\n\n# not a heading\n\n" * 50 + "```\n\n# a heading"
    html = render(text, THEME)
    assert html.count('class="h1"') == 1


def test_a_long_list_goes_on_counting() -> None:
    items = "\n".join(f"{number}. item {number} {'word ' * 12}" for number in range(1, 201))
    html = render(items, THEME)
    assert html.count("<li>") == 200
    starts = [int(start) for start in re.findall(r'<ol start="(\d+)"', html)]
    assert starts
    assert all(f">item {start} " in html for start in starts)


def test_long_code_is_one_block_in_pieces() -> None:
    code = "\n".join(f"line {number} of the code" for number in range(2000))
    html = render(f"```text\n{code}\n```", THEME)
    assert parsed(html).words.split() == code.split()
    paddings = re.findall(r"padding:(\d+)px 12px (\d+)px 12px", html)
    assert paddings[0] == ("8", "0")
    assert paddings[-1] == ("0", "8")
    assert set(paddings[1:-1]) == {("0", "0")}  # no gap within it


# Diffs

DIFF = """diff --git a/app.py b/app.py
--- a/app.py
+++ b/app.py
@@ -10,3 +10,4 @@ def main
 import os
-run(node)
+run(node, 60)
+--- done
 exit()
"""


def test_a_diff_numbers_and_signs_its_lines() -> None:
    html = diff_html(DIFF, THEME)
    lines = [line for line in re.findall(r"<pre[^>]*>(.*?)</pre>", html)]
    plain = [parsed(line).words for line in lines]
    assert plain[4] == "   10    10   import os"
    assert plain[5] == "   11       − run(node)"
    assert plain[6] == "         11 + run(node, 60)"
    assert plain[7] == "         12 + --- done"
    assert plain[8] == "   12    13   exit()"


def test_what_changed_within_a_line_is_marked() -> None:
    html = diff_html(DIFF, THEME)
    marked = re.findall(rf'<span style="background-color:{THEME.hex("added_word")}">(.*?)</span>', html)
    assert "".join(marked) == ", 60"
    assert THEME.hex("added_line") in html
    assert THEME.hex("deleted_line") in html


def test_what_is_no_diff_is_shown_as_it_is() -> None:
    assert parsed(diff_html("just\n<words>\n", THEME)).words.strip() == "just<words>"


@pytest.mark.parametrize("language", ["diff", "Patch"])
def test_a_fence_with_a_diff_has_its_grounds_and_every_line(language: str) -> None:
    code = "@@ -1 +1 @@\n import os\n\n-run(<node>)\n+run(<node>, 60)\n exit()"
    html = render(f"```{language}\n{code}\n```", THEME)
    cells = re.findall(r'<td bgcolor="(.*?)".*?>(.*?)</td>', html)
    tokens = ("raised", "sunk", "deleted_line", "added_line", "sunk")
    assert [ground for ground, _ in cells] == [THEME.hex(token) for token in tokens]
    lines = [parsed(line).words.replace("\xa0", "") for line in re.findall("<pre>(.*?)</pre>", html)]
    assert lines == code.split("\n")


def test_a_large_diff_comes_in_slices() -> None:
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1,6000 +1,6000 @@\n" + "".join(
        f"-value = {number}\n+value = {number + 1}\n" for number in range(6000)
    )
    slices = list(diff_slices(diff, THEME))
    assert len(slices) > 50
    assert "value = 6000" in parsed(slices[-1]).words
