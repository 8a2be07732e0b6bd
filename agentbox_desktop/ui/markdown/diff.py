"""A unified diff as HTML: line numbers, signs, grounds for lines and for the words that changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from itertools import groupby, pairwise

from pygments.lexer import Lexer

from agentbox_desktop.core.text import visible
from agentbox_desktop.ui.markdown.css import css
from agentbox_desktop.ui.markdown.highlight import by_filename, spans
from agentbox_desktop.ui.theme import Theme

_ROWS = 100  # of one slice
_WORD_MARK_CHARS = 400  # comparing longer lines word by word takes longer than a person would wait
_ALIKE = 0.4  # below this share of common words, marking what differs marks everything
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)")
_WORDS = re.compile(r"\w+|\s+|.")
_NUMBER_WIDTH = 5
DIFF_GROUNDS = {"+": "added_line", "-": "deleted_line", "@": "raised"}  # the token under lines of each sign
_SIGNS = {"+": ("+", "success"), "-": ("−", "error"), " ": (" ", "ink3")}


@dataclass(slots=True)
class _Row:
    """`sign` is `+`, `-` or a space in a hunk, `@` for its header, `f` for what names a file."""

    sign: str
    text: str
    old: int | None = None
    new: int | None = None
    lexer: Lexer | None = None
    marks: tuple[tuple[int, int], ...] = ()


def diff_html(diff: str, theme: Theme) -> str:
    """`diff` whole. What is no diff is shown as plain lines."""
    return "".join(diff_slices(diff, theme))


def diff_slices(diff: str, theme: Theme) -> Iterator[str]:
    """The same in slices of lines, each complete and made when it is asked for."""
    rows: list[_Row] = []
    for row in _marked(_rows(visible(diff))):
        rows.append(row)
        if len(rows) == _ROWS:
            yield _table(rows, theme)
            rows = []
    if rows:
        yield _table(rows, theme)


def _rows(diff: str) -> Iterator[_Row]:
    old = new = old_left = new_left = 0
    lexer: Lexer | None = None
    for line in diff.removesuffix("\n").split("\n"):
        sign = line[:1] or " "
        if old_left <= 0 and new_left <= 0:
            hunk = _HUNK.match(line)
            if hunk:
                old, new = int(hunk[1]), int(hunk[3])
                old_left, new_left = (int(hunk[index] or 1) if hunk[index] != "0" else 0 for index in (2, 4))
                yield _Row("@", line)
            else:
                if line.startswith("+++ "):
                    lexer = by_filename(line[4:].split("\t")[0].rsplit("/", 1)[-1])
                yield _Row("f", line)
        elif sign == "+":
            yield _Row("+", line[1:], None, new, lexer)
            new, new_left = new + 1, new_left - 1
        elif sign == "-":
            yield _Row("-", line[1:], old, None, lexer)
            old, old_left = old + 1, old_left - 1
        elif sign == "\\":
            yield _Row("f", line)
        else:
            yield _Row(" ", line[1:], old, new, lexer)
            old, new, old_left, new_left = old + 1, new + 1, old_left - 1, new_left - 1


def _marked(rows: Iterator[_Row]) -> Iterator[_Row]:
    """`rows` with marks on what changed within lines: a run of deleted ones is held against the added run after it."""
    deleted: list[_Row] = []
    added: list[_Row] = []
    for row in rows:
        if row.sign == "-" and not added:
            deleted.append(row)
        elif row.sign == "+" and deleted:
            added.append(row)
        else:
            yield from _paired(deleted, added)
            deleted, added = ([row], []) if row.sign == "-" else ([], [])
            if not deleted:
                yield row
    yield from _paired(deleted, added)


def _paired(deleted: list[_Row], added: list[_Row]) -> Iterator[_Row]:
    for before, after in zip(deleted, added, strict=False):
        _mark(before, after)
    yield from deleted
    yield from added


def _mark(before: _Row, after: _Row) -> None:
    if max(len(before.text), len(after.text)) > _WORD_MARK_CHARS:
        return
    old, new = _WORDS.findall(before.text), _WORDS.findall(after.text)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    before.marks = tuple(_stretch(old, first, last) for _, first, last, _, _ in changes if last > first)
    after.marks = tuple(_stretch(new, first, last) for _, _, _, first, last in changes if last > first)


def _stretch(words: list[str], first: int, last: int) -> tuple[int, int]:
    start = sum(map(len, words[:first]))
    return start, start + sum(map(len, words[first:last]))


def _table(rows: list[_Row], theme: Theme) -> str:
    """Lines of one kind that follow each other share a cell, so that its ground has no stripes."""
    cells = []
    for sign, run in groupby(rows, key=lambda row: row.sign):
        ground = f' bgcolor="{theme.hex(DIFF_GROUNDS[sign])}"' if sign in DIFF_GROUNDS else ""
        cells.append(f"<tr><td{ground}>{''.join(_row_html(row, theme) for row in run)}</td></tr>")
    return (f'<style>{css(theme)}</style><table width="100%" cellspacing="0" cellpadding="0">'
            f"{''.join(cells)}</table>")


def _row_html(row: _Row, theme: Theme) -> str:
    if row.sign in "f@":
        return f'<pre style="color:{theme.hex("ink2")}">{escape(row.text) or "&nbsp;"}</pre>'
    numbers = "".join(f"{number if number is not None else '':>{_NUMBER_WIDTH}} " for number in (row.old, row.new))
    sign, tone = _SIGNS[row.sign]
    return (f'<pre><span style="color:{theme.hex("ink3")}">{numbers}</span>'
            f'<span style="color:{theme.hex(tone)}">{sign}</span> {_code_html(row, theme)}</pre>')


def _code_html(row: _Row, theme: Theme) -> str:
    """The line in colour; on a word mark in ink alone, as only that can be read there."""
    mark_color = theme.hex("added_word" if row.sign == "+" else "deleted_word")
    parts: list[str] = []
    at = 0
    edges = sorted({edge for mark in row.marks for edge in mark})
    for span in spans(row.text, row.lexer):
        end = at + len(span.text)
        cuts = [at, *(edge for edge in edges if at < edge < end), end]
        for start, stop in pairwise(cuts):
            text = escape(row.text[start:stop])
            if any(first <= start < last for first, last in row.marks):
                parts.append(f'<span style="background-color:{mark_color}">{text}</span>')
            elif span.tone:
                parts.append(f'<span style="color:{theme.hex(span.tone)}">{text}</span>')
            else:
                parts.append(text)
        at = end
    return "".join(parts)
