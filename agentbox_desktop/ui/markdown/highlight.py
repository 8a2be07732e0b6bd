"""Code in colour: four tones of ours for Pygments' token types, within a budget of time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

HIGHLIGHT_CHARS = 16 * 1024  # a longer piece stays in ink: lexers take about a second for 256 KiB
_LINE_CHARS = 1000  # some lexers' patterns need the square of a line's length

_TONES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "ink3"),
    (Keyword.Constant, "warning"),
    (Keyword, "accent"),
    (Operator.Word, "accent"),
    (Name.Function, "info"),
    (Name.Class, "info"),
    (Name.Tag, "info"),
    (Name.Decorator, "info"),
    (Name.Attribute, "warning"),
    (Name.Builtin, "info"),
    (String, "success"),
    (Number, "warning"),
    (Literal, "warning"),
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of code in one tone, the name of a token; empty for plain ink."""

    text: str
    tone: str


def by_language(language: str) -> Lexer | None:
    """The lexer for a fence's language; None where Pygments knows none of that name."""
    return _lexer(lambda: get_lexer_by_name(language, stripnl=False, ensurenl=False)) if language else None


def by_filename(name: str) -> Lexer | None:
    return _lexer(lambda: get_lexer_for_filename(name, stripnl=False, ensurenl=False)) if name else None


def spans(code: str, lexer: Lexer | None) -> Iterator[Span]:
    """`code` whole and in order, in tones where it is short enough to be lexed."""
    if lexer is None or len(code) > HIGHLIGHT_CHARS or max(map(len, code.split("\n"))) > _LINE_CHARS:
        yield Span(code, "")
        return
    for token, text in lexer.get_tokens(code):
        yield Span(text, _tone(token))


def _tone(token: _TokenType) -> str:
    # A token type holds its subtypes; the stubs know it only as a tuple of words.
    return next((tone for kind, tone in _TONES if token in kind), "")  # type: ignore[comparison-overlap]


def _lexer(find: Callable[[], Lexer]) -> Lexer | None:
    try:
        return find()
    except ClassNotFound:
        return None
