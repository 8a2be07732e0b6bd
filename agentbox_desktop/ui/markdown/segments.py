"""Markdown cut into pieces that mean the same apart as together, so that a long text can be shown bit by bit.

A line at the left edge after a blank line, outside a code fence, always begins a new block in CommonMark; there the
cut changes nothing; a long list is cut before an item and a code block before a line. Any other block that is longer
than `LIMIT` becomes its own source in a fence: hostile input ends there, as a parser's worst cases grow with the
square of a block.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LIMIT = 4 * 1024  # characters of one piece
LINES = 100  # of one piece: a short line may cost a text document as much as a long one
TABLE_LIMIT = 32 * 1024  # a table's cells are parsed one by one, so that it may be longer
_DEFINITIONS_MAX = 1000
_FENCE = re.compile(r"(?:[ \t]|>|[-*+] |\d{1,9}[.)] )*(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_ITEM = re.compile(r"[-*+][ \t]|\d{1,9}[.)][ \t]")
_CONTINUES = re.compile(rf"[ \t]|{_ITEM.pattern}")  # may belong to a list that began before the blank line
_DELIMITER_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-*:?[ \t]*)*")
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]{1,999}\]:[ \t]*\S.*")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of Markdown. `first` and `last` are both true but where a block had to be cut into several."""

    text: str
    first: bool = True
    last: bool = True


def definitions(text: str) -> str:
    """The lines that define link references, which count wherever in the text they stand."""
    lines = [line for line in text.split("\n") if len(line) < 2000 and _DEFINITION.fullmatch(line)]
    return "\n".join(lines[:_DEFINITIONS_MAX])


def segments(text: str) -> Iterator[Segment]:
    """The pieces of `text`, in order, each at most about `LIMIT` characters and `LINES` lines."""
    block: list[str] = []
    size = 0
    for run in _runs(text):
        run_size = _size(run)
        if block and (size + run_size > LIMIT or len(block) + len(run) > LINES):
            yield from _bounded(block)
            block, size = [], 0
        block += run
        size += run_size
    if block:
        yield from _bounded(block)


def _runs(text: str) -> Iterator[list[str]]:
    """Runs of lines, each beginning where a new block surely begins, or an item of a list that is long already."""
    run: list[str] = []
    size = 0
    fence, after_blank = "", False
    for line in text.split("\n"):
        begins = after_blank and line and not _CONTINUES.match(line)
        full = size + len(line) > LIMIT or len(run) >= LINES
        if run and not fence and (begins or (full and (_ITEM.match(line) or (after_blank and not line)))):
            yield run
            run, size = [], 0
        run.append(line)
        size += len(line) + 1
        fence = _fence_after(line, fence)
        after_blank = not line.strip()
    if run:
        yield run


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after `line`, where `fence` was open before it; empty where none is."""
    match = _FENCE.match(line)
    if match is None:
        return fence
    marks, info = match["marks"], match["info"]
    if not fence:
        return "" if marks[0] == "`" and "`" in info else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not info.strip()
    return "" if closes else fence


def _bounded(block: list[str]) -> Iterator[Segment]:
    if _is_short(block):
        yield Segment("\n".join(block))
        return
    opening = re.match(r" {0,3}(`{3,}|~{3,})[^`]*$", block[0])
    info, lines = "", block
    if opening:
        info = block[0].strip().lstrip(opening[1][0])
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        closed = len(lines) > 1 and _fence_after(lines[-1], opening[1]) == ""
        lines = lines[1:-1] if closed else lines[1:]
    pieces = list(_pieces(lines))
    for number, piece in enumerate(pieces):
        marks = "`" * (max(map(len, re.findall("`{3,}", piece)), default=2) + 1)
        yield Segment(f"{marks}{info}\n{piece}\n{marks}", number == 0, number == len(pieces) - 1)


def _is_short(block: list[str]) -> bool:
    if _is_table(block):
        return _size(block) <= TABLE_LIMIT
    return _size(block) <= LIMIT and len(block) <= 2 * LINES


def _is_table(block: list[str]) -> bool:
    return len(block) > 1 and len(block[1]) < 1000 and _DELIMITER_ROW.fullmatch(block[1]) is not None


def _pieces(lines: list[str]) -> Iterator[str]:
    """`lines` in pieces within both limits; a line that is longer is cut at a space where it has one."""
    piece: list[str] = []
    room = LIMIT
    for line in (part for whole in lines for part in _cut(whole)):
        if piece and (len(line) + 1 > room or len(piece) == LINES):
            yield "\n".join(piece)
            piece, room = [], LIMIT
        piece.append(line)
        room -= len(line) + 1
    if piece:
        yield "\n".join(piece)


def _cut(line: str) -> Iterator[str]:
    while len(line) > LIMIT:
        at = line.rfind(" ", LIMIT // 2, LIMIT) + 1 or LIMIT
        yield line[:at]
        line = line[at:]
    yield line


def _size(lines: list[str]) -> int:
    return sum(map(len, lines)) + len(lines)
