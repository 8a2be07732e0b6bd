"""Markdown to the HTML that a QTextDocument understands."""

from collections.abc import Iterator, MutableMapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.tasklists import tasklists_plugin

from agentbox_desktop.core.text import visible
from agentbox_desktop.ui.markdown.css import css
from agentbox_desktop.ui.markdown.diff import DIFF_GROUNDS
from agentbox_desktop.ui.markdown.highlight import by_language, spans
from agentbox_desktop.ui.markdown.images import image_problem, image_size
from agentbox_desktop.ui.markdown.segments import Segment, definitions, segments
from agentbox_desktop.ui.theme import Theme

CARD_WIDTH = 480  # pixels that a card has for its body
_NESTING_MAX = 20
_CELLS_MAX = 1000  # Qt lays a table out in one go; a larger one is shown as its source
_HIGHLIGHT_CHARS = 64 * 1024  # of a whole text; after that code stays in ink, so that no text takes seconds
_DIFFS = frozenset({"diff", "patch", "udiff"})
_SIGN_TONES = {"+": "success", "-": "error"}
_OPENABLE = frozenset({"http", "https"})


def render(markdown: str, theme: Theme, base_folder: str = "", width: int = CARD_WIDTH) -> str:
    """`markdown` as one HTML text. Relative images are found in `base_folder`; no image is wider than `width`."""
    return "".join(render_slices(markdown, theme, base_folder, width))


def render_slices(markdown: str, theme: Theme, base_folder: str = "", width: int = CARD_WIDTH) -> Iterator[str]:
    """The same in slices, each complete and made when it is asked for, so that no caller has to wait for the whole."""
    text = visible(markdown)
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": _NESTING_MAX})
    parser.enable(["table", "strikethrough"]).use(tasklists_plugin)
    references: dict[str, Any] = {}
    parser.parse(definitions(text), references)
    head = f"<style>{css(theme)}</style>"
    done = 0
    for segment in segments(text):
        tokens = parser.parse(segment.text, dict(references))
        renderer = _Renderer(theme, base_folder, width, segment, highlight=done < _HIGHLIGHT_CHARS)
        if any(token.level >= _NESTING_MAX - 1 for token in tokens):
            yield head + renderer.code(segment.text, "")  # deeper, the parser would leave text out
        else:
            yield head + renderer.render(tokens, parser.options, {})
        done += len(segment.text)


class _Renderer(RendererHTML):
    """What Qt's subset of HTML needs otherwise than a browser. Method names are markdown-it's token types."""

    def __init__(self, theme: Theme, base_folder: str, width: int, segment: Segment, highlight: bool) -> None:
        self._theme, self._base_folder, self._width = theme, base_folder, width
        self._segment, self._highlight = segment, highlight
        self._unopened: list[str] = []  # the addresses of the links we are in; empty for one that can be opened
        super().__init__()

    def render(self, tokens: Sequence[Token], options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return super().render(_tables_bounded(tokens, self._segment.text.split("\n")), options, env)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        language = token.info.split()[0] if token.info.split() else ""
        return self.code(token.content, language)

    code_block = fence

    def code(self, code: str, language: str) -> str:
        """Code on sunk ground; lines that are too long wrap, as a cut would hide what they do."""
        content = code.removesuffix("\n")
        is_diff = language.lower() in _DIFFS
        cells = list(self._diff_cells(content)) if is_diff else [("sunk", self._pre(content, language))]
        pad = round(8 * self._theme.font_scale)
        above, below = pad if self._segment.first else 0, pad if self._segment.last else 0
        rows = ""
        for number, (ground, inner) in enumerate(cells):
            over, under = above if number == 0 else 0, below if number == len(cells) - 1 else 0
            rows += (f'<tr><td bgcolor="{self._theme.hex(ground)}" style="padding:{over}px 12px {under}px 12px">'
                     f"{inner}</td></tr>")
        return (f'<table width="100%" cellspacing="0" cellpadding="0" bgcolor="{self._theme.hex("sunk")}" '
                f'style="margin-top:{above // 2}px; margin-bottom:{below}px">{rows}</table>')

    def _pre(self, code: str, language: str) -> str:
        lexer = by_language(language) if self._highlight else None
        inner = "".join(_span(span.text, self._theme.hex(span.tone) if span.tone else "")
                        for span in spans(code, lexer))
        return f"<pre>{inner}</pre>"

    def _diff_cells(self, code: str) -> Iterator[tuple[str, str]]:
        """(ground, HTML) of each run of lines with the same sign. The sign alone counts: an agent's diff may be a part
        of one, without the headers that say what else a line could be."""
        for ground, lines in groupby(code.split("\n"), key=lambda line: DIFF_GROUNDS.get(line[:1], "sunk")):
            yield ground, "".join(f"<pre>{self._signed(line)}</pre>" for line in lines)

    def _signed(self, line: str) -> str:
        sign = line[:1]
        if sign in _SIGN_TONES:
            return _span(sign, self._theme.hex(_SIGN_TONES[sign])) + escape(line[1:])
        return escape(line) or "&nbsp;"

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return f'<p class="{tokens[idx].tag}">'  # Qt enlarges an <h1> whatever the style sheet says

    def heading_close(self, *_: object) -> str:
        return "</p>"

    def blockquote_open(self, *_: object) -> str:
        bar = self._theme.hex("edge")
        return ('<table cellspacing="0" cellpadding="0" style="margin-top:8px; margin-bottom:8px"><tr>'
                f'<td width="3" bgcolor="{bar}"></td><td class="quote" style="padding-left:12px">')

    def blockquote_close(self, *_: object) -> str:
        return "</td></tr></table>"

    def hr(self, *_: object) -> str:
        return '<p class="rule">&nbsp;</p>'

    def table_open(self, *_: object) -> str:
        line = self._theme.hex("hairline")
        return ('<table border="1" cellspacing="0" style="border-collapse:collapse; border-style:solid; '
                f'border-color:{line}; margin-top:4px; margin-bottom:8px">')

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        tokens[idx].attrSet("class", "cell")
        return self.renderToken(tokens, idx, options, env)

    def ordered_list_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        """Numbers of three digits and more need two steps of indentation, or their first digits are cut off."""
        opening = tokens[idx]
        start = int(opening.attrs.get("start", 1))
        count = sum(token.type == "list_item_open" and token.level == opening.level + 1 for token in tokens[idx:])
        style = ' style="-qt-list-indent:2"' if opening.level == 0 and start + count > 100 else ""
        return f'<ol start="{start}"{style}>'

    def list_item_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        if "task-list-item" not in str(tokens[idx].attrs.get("class", "")):
            return "<li>"
        box = next(child for token in tokens[idx:] for child in token.children or () if child.type == "html_inline")
        return f'<li class="{"checked" if "checked=" in box.content else "unchecked"}">'

    def html_inline(self, *_: object) -> str:
        return ""  # raw HTML is off, so this is the check box of a task, which the list item draws

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        url = str(tokens[idx].attrs.get("href", ""))
        if urlsplit(url).scheme.lower() in _OPENABLE:
            self._unopened.append("")
            return f'<a href="{escape(url)}" title="{escape(url)}">'
        self._unopened.append(url)
        return ""

    def link_close(self, *_: object) -> str:
        url = self._unopened.pop()
        return f' <span class="quiet">({escape(unquote(url))})</span>' if url else "</a>"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        source = str(token.attrs.get("src", ""))
        alt = self.renderInlineAsText(token.children, options, env)
        if len(urlsplit(source).scheme) > 1 or source.startswith("//"):
            return _placeholder(alt, source, "it is not on this machine, and nothing is fetched")
        path = unquote(source)
        if self._base_folder and not Path(path).is_absolute():
            path = str(Path(self._base_folder) / path)
        problem = image_problem(path)
        if problem:
            return _placeholder(alt, path, problem)
        size = image_size(path)
        shown = min(size.width(), self._width)
        height = max(1, round(size.height() * shown / size.width()))
        return f'<img src="{escape(path)}" alt="{escape(alt)}" width="{shown}" height="{height}">'


def _placeholder(alt: str, source: str, problem: str) -> str:
    name = f"“{escape(alt)}” " if alt else ""
    return f'<span class="unseen">&nbsp;Image {name}not shown: {escape(problem)} ({escape(source)})&nbsp;</span>'


def _tables_bounded(tokens: Sequence[Token], lines: list[str]) -> list[Token]:
    """`tokens` with each table of too many cells replaced by its source."""
    kept: list[Token] = []
    start = 0
    for token in tokens:
        if token.type == "table_open":
            start = len(kept)
        kept.append(token)
        if token.type == "table_close":
            opening = kept[start]
            cells = sum(inner.type in ("td_open", "th_open") for inner in kept[start:])
            if cells > _CELLS_MAX and opening.map:
                first, last = opening.map
                source = Token("fence", "pre", 0, content="\n".join(lines[first:last]), level=opening.level)
                kept[start:] = [source]
    return kept


def _span(text: str, color: str) -> str:
    shown = escape(text)
    return f'<span style="color:{color}">{shown}</span>' if color and text.strip() else shown
