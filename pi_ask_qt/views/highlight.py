"""Colouring a preview where its text says what it is: a diff, a script, JSON, XML, or a fenced block with a name."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import NamedTuple

MAX_CHARACTERS = 300_000

_INTERPRETERS = {"python": "python", "bash": "bash", "sh": "bash", "zsh": "bash", "node": "javascript", "ruby": "ruby"}
_SHEBANG = re.compile(r"#!\S*?(?:/env\s+(?:-S\s+)?)?(\w+?)[\d.]*(?:\s|$)")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*([\w+#.-]{1,30})[^\n]*\n")
_DIFF = re.compile(r"(?:diff --git |Index: |--- [^\n]*\n\+\+\+ |@@ -\d)")


class Kind(Enum):
    """What a piece of text is."""

    KEYWORD = "keyword"
    STRING = "string"
    NUMBER = "number"
    COMMENT = "comment"
    INSERTED = "inserted"
    DELETED = "deleted"
    HEADING = "heading"


class Span(NamedTuple):
    """A piece of one line, in characters."""

    start: int
    length: int
    kind: Kind


def language_of(text: str) -> str | None:
    """Return what ``text`` says that it is, as Pygments calls it; ``None`` where it does not say."""
    head = text[:2_000]
    if _DIFF.match(head):
        return "diff"
    if fence := _FENCE.match(head):
        return fence.group(1).lower()
    if (shebang := _SHEBANG.match(head)) and shebang.group(1) in _INTERPRETERS:
        return _INTERPRETERS[shebang.group(1)]
    if head.startswith("<?xml"):
        return "xml"
    return "json" if _is_json(text) else None


def spans(text: str) -> tuple[tuple[Span, ...], ...]:
    """Return the coloured pieces of every line, ``()`` where the text does not say what it is or is too long."""
    if len(text) > MAX_CHARACTERS:
        return ()
    language = language_of(text)
    return _tokenised(text, language) if language is not None else ()


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")) or len(text) > MAX_CHARACTERS:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _tokenised(text: str, language: str) -> tuple[tuple[Span, ...], ...]:
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - slow, and seldom needed
    from pygments.util import ClassNotFound  # noqa: PLC0415

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    lines: list[list[Span]] = [[]]
    column = 0
    for token, value in lexer.get_tokens(text):
        kind = _kind_of(str(token))
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            if kind is not None and part:
                lines[-1].append(Span(column, len(part), kind))
            column += len(part)
    return tuple(tuple(line) for line in lines)


_KINDS = (
    ("Token.Generic.Inserted", Kind.INSERTED),
    ("Token.Generic.Deleted", Kind.DELETED),
    ("Token.Generic", Kind.HEADING),
    ("Token.Keyword", Kind.KEYWORD),
    ("Token.Name.Tag", Kind.KEYWORD),
    ("Token.Literal.String", Kind.STRING),
    ("Token.Literal.Number", Kind.NUMBER),
    ("Token.Comment", Kind.COMMENT),
)


def _kind_of(token: str) -> Kind | None:
    return next((kind for name, kind in _KINDS if token.startswith(name)), None)
