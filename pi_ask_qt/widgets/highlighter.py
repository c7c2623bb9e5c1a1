"""Colours a preview by spans that were found beforehand."""

from __future__ import annotations

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from pi_ask_qt.theme import Colours, mixed, readable
from pi_ask_qt.views.highlight import Kind, Span

_GREEN, _RED, _BLUE, _VIOLET = QColor("#2e9e4f"), QColor("#d0454c"), QColor("#2f7fd0"), QColor("#9a5fd0")


class Highlighter(QSyntaxHighlighter):
    """Applies spans, line by line, in the colours of the theme."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._lines: tuple[tuple[Span, ...], ...] = ()
        self._formats: dict[Kind, QTextCharFormat] = {}

    def show(self, lines: tuple[tuple[Span, ...], ...], c: Colours) -> None:
        """Colour the document with ``lines``, one entry a line."""
        formats = {kind: _format(colour) for kind, colour in _colours(c).items()}
        if not lines and not self._lines:
            return
        self._lines, self._formats = lines, formats
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        for span in self._lines[number] if number < len(self._lines) else ():
            # Qt counts in UTF-16 units.
            start = len(text[: span.start].encode("utf-16-le", "surrogatepass")) // 2
            length = len(text[span.start : span.start + span.length].encode("utf-16-le", "surrogatepass")) // 2
            self.setFormat(start, length, self._formats[span.kind])


def _colours(c: Colours) -> dict[Kind, QColor]:
    ground = (c.base,)
    return {
        Kind.KEYWORD: readable(_VIOLET, ground),
        Kind.STRING: readable(_GREEN, ground),
        Kind.NUMBER: readable(_BLUE, ground),
        Kind.COMMENT: readable(mixed(c.text, c.base, 0.6), ground),
        Kind.INSERTED: readable(_GREEN, ground),
        Kind.DELETED: readable(_RED, ground),
        Kind.HEADING: readable(_BLUE, ground),
    }


def _format(colour: QColor) -> QTextCharFormat:
    result = QTextCharFormat()
    result.setForeground(colour)
    return result
