"""What the benchmarks found, and how it is printed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

_HEADINGS = ("what", "measured", "bar", "beside it, in the same run", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement beside its bar. `met` is None where there is no bar; `numbers` are in the units they name."""

    what: str
    measured: str
    bar: str = ""
    peer: str = ""
    met: bool | None = None
    numbers: dict[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        return {True: "met", False: "MISSED", None: ""}[self.met]


def table(rows: Sequence[Row]) -> str:
    """The rows under headings, in columns as wide as their widest cell."""
    lines = [_HEADINGS, *((row.what, row.measured, row.bar, row.peer, row.verdict) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    printed = [_line(line, widths) for line in lines]
    return "\n".join([printed[0], "  ".join("─" * width for width in widths).rstrip(), *printed[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
