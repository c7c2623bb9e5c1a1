"""Laying out plain text so that no word, however long, widens a window."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

_LONG_WORD = re.compile(r"\S{400}")


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """Return how to wrap ``text``: at words where it can be; Qt takes quadratic time for that in a very long word."""
    modes = QTextOption.WrapMode
    return modes.WrapAnywhere if _LONG_WORD.search(text) else modes.WrapAtWordBoundaryOrAnywhere


class Block(NamedTuple):
    """A text that was laid out: its lines, its size, and the width of its first line where it is the only one.

    ``is_cut``: some of it is not there, and an ellipsis stands for it.
    """

    layout: QTextLayout
    height: float
    width: float
    lines: int
    is_cut: bool = False

    def draw(self, painter: QPainter, x: float, y: float) -> None:
        """Draw the block with its upper left corner at ``x``, ``y``, in the painter's pen."""
        self.layout.draw(painter, QPointF(x, y))


def lay_out(text: str, font: QFont, width: float, max_lines: int = 0, *, mirrored: bool = False) -> Block:
    """Lay ``text`` out at ``width``; with ``max_lines`` the rest is cut with an ellipsis."""
    block = _laid_out(text, font, width, mirrored=mirrored)
    if max_lines and block.lines > max_lines:
        start = block.layout.lineAt(max_lines - 1).textStart()
        rest = text[start:].replace("\n", " ")
        last = QFontMetricsF(font).elidedText(rest[:2000], Qt.TextElideMode.ElideRight, width)
        block = _laid_out(text[:start] + last, font, width, mirrored=mirrored)._replace(is_cut=True)
    return block


def _laid_out(text: str, font: QFont, width: float, *, mirrored: bool) -> Block:
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption()
    option.setWrapMode(wrap_mode(text))
    if mirrored:
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.beginLayout()
    y, used, lines = 0.0, 0.0, 0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1.0))
        line.setPosition(QPointF(0, y))
        y += line.height()
        used = max(used, line.naturalTextWidth())
        lines += 1
    layout.endLayout()
    return Block(layout, y, used, lines)
