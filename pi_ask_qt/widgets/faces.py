"""Painting rows: what an option, the own-text row and a line of Review look like, and how tall they are."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPalette, QPen

from pi_ask_qt.theme import Colours, colours, scaled, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import RowView
from pi_ask_qt.widgets.text import Block, lay_out

NOTE_MARK = "✎ "
_NOTE_LINES = 3


class Look(NamedTuple):
    """How a row is met: ticked, the pointer over it, the keyboard on it, or to come back to it (``current``)."""

    checked: bool = False
    hovered: bool = False
    focused: bool = False
    current: bool = False


class Face(NamedTuple):
    """A row that was laid out for a width and a font, in pixels."""

    view: RowView
    font: QFont
    width: float
    height: float
    left: float
    blocks: tuple[tuple[Block, str, float], ...]
    note_button: QRectF
    pill: QRectF | None = None
    mirrored: bool = False

    def placed(self, rect: QRectF) -> QRectF:
        """Return where ``rect`` is, on the other side where everything is mirrored."""
        return rect.translated(self.width - rect.left() - rect.right(), 0) if self.mirrored else rect


def lay_out_row(view: RowView, font: QFont, width: float, *, mirrored: bool = False) -> Face:
    """Lay a row out; ``mirrored``: from right to left."""
    u = unit(font)
    left = label_left(font)
    button = u * 6 if view.value is not None else 0
    room = max(width - left - u * 3 - button, u * 6)
    bold = scaled(font, 1.0, QFont.Weight.DemiBold)
    label = lay_out(view.label, bold, room, mirrored=mirrored)
    y = u * 2.5
    blocks = [(label, "text", y)]
    pill, y = _pill(view, font, label, QRectF(left, y, room, label.height))
    for text, kind, lines in _under_label(view):
        block = lay_out(text, scaled(font, 0.92), room, lines, mirrored=mirrored)
        y += u * 0.5
        blocks.append((block, kind, y))
        y += block.height
    text_x = width - left - room if mirrored else left
    button_x = u * 2 if mirrored else width - u * 8
    return Face(
        view=view,
        font=font,
        width=width,
        height=y + u * 2.5,
        left=text_x,
        blocks=tuple(blocks),
        pill=pill,
        note_button=QRectF(button_x, u * 1.5, u * 6, u * 6) if button else QRectF(),
        mirrored=mirrored,
    )


def _under_label(view: RowView) -> list[tuple[str, str, int]]:
    lines = [(view.description, "muted", 0)] if view.description else []
    return [*lines, (NOTE_MARK + view.note, "accent", _NOTE_LINES)] if view.note else lines


def _pill(view: RowView, font: QFont, label: Block, place: QRectF) -> tuple[QRectF | None, float]:
    """Return where the mark of a recommended option goes, after the label or under it, and where the text goes on."""
    if not view.recommended:
        return None, place.bottom()
    u = unit(font)
    metrics = QFontMetricsF(scaled(font, 0.82, QFont.Weight.DemiBold))
    width, height = metrics.horizontalAdvance(sentences.RECOMMENDED) + u * 4, metrics.height() + u * 0.6
    if label.lines == 1 and label.width + u * 2 + width <= place.width():
        y = place.top() + (label.height - height) / 2
        return QRectF(place.left() + label.width + u * 2, y, width, height), place.bottom()
    return QRectF(place.left(), place.bottom() + u * 0.5, width, height), place.bottom() + u + height


def badge_width(font: QFont) -> float:
    """Return the width of the number column, the same for every row."""
    return QFontMetricsF(scaled(font, 0.86)).horizontalAdvance("0000") + unit(font)


def label_left(font: QFont) -> float:
    """Return how far from the edge of a row its texts start."""
    u = unit(font)
    return u * 3 + badge_width(font) + u * 3 + mark_size(font) + u * 3


def mark_size(font: QFont) -> float:
    """Return the size of a radio button or check box."""
    return unit(font) * 4.2


def paint_row(painter: QPainter, face: Face, palette: QPalette, look: Look) -> None:
    """Paint a row."""
    c = colours(palette)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    view, u = face.view, unit(face.font)
    paint_card(painter, QRectF(0, 0, face.width, face.height), c, look, u)
    top = face.blocks[0][2]
    line = QFontMetricsF(face.font).height()
    badge = QRectF(u * 3, top - u * 0.4, badge_width(face.font), line + u * 0.8)
    _paint_badge(painter, face, c, face.placed(badge))
    size = mark_size(face.font)
    place = QRectF(u * 6 + badge_width(face.font), top + (line - size) / 2, size, size)
    (_paint_radio if view.exclusive else paint_check)(painter, face.placed(place), c, checked=view.checked)
    pens = {"text": c.text, "muted": c.muted, "accent": c.accent_text}
    for block, kind, y in face.blocks:
        painter.setPen(pens[kind])
        block.draw(painter, face.left, y)
    if face.pill is not None:
        _paint_pill(painter, face, c, face.placed(face.pill))
    if (look.hovered or look.focused) and not face.note_button.isEmpty():
        painter.setPen(c.muted)
        painter.setFont(face.font)
        painter.drawText(face.note_button, Qt.AlignmentFlag.AlignCenter, NOTE_MARK.strip())


def paint_card(painter: QPainter, rect: QRectF, c: Colours, look: Look, u: float) -> None:
    """Paint the ground of a row; ``u`` is the unit of length."""
    width = 2.0 if look.focused else 1.0
    painter.setPen(QPen(c.accent if look.checked or look.focused or look.current else c.border, width))
    painter.setBrush(c.tint if look.checked else c.hover if look.hovered else c.base)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), u * 1.8, u * 1.8)


def _paint_badge(painter: QPainter, face: Face, c: Colours, place: QRectF) -> None:
    painter.setPen(QPen(c.border, 1))
    painter.setBrush(c.window)
    painter.drawRoundedRect(place, unit(face.font), unit(face.font))
    painter.setPen(c.muted)
    painter.setFont(scaled(face.font, 0.86))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(face.view.number))


def _paint_radio(painter: QPainter, place: QRectF, c: Colours, *, checked: bool) -> None:
    painter.setPen(QPen(c.accent if checked else c.muted, place.width() / 12))
    painter.setBrush(c.base)
    painter.drawEllipse(place.adjusted(1, 1, -1, -1))
    if checked:
        inner = place.width() * 0.27
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.accent)
        painter.drawEllipse(place.adjusted(inner, inner, -inner, -inner))


def paint_check(painter: QPainter, place: QRectF, c: Colours, *, checked: bool) -> None:
    """Paint a check box that fills ``place``."""
    painter.setPen(QPen(c.accent if checked else c.muted, place.width() / 12))
    painter.setBrush(c.accent if checked else c.base)
    painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), place.width() / 5, place.width() / 5)
    if checked:
        paint_tick(painter, place, c.on_accent)


def paint_tick(painter: QPainter, place: QRectF, colour: QColor) -> None:
    """Paint a tick that fills most of ``place``."""
    path = QPainterPath(_point(place, 0.26, 0.53))
    path.lineTo(_point(place, 0.44, 0.70))
    path.lineTo(_point(place, 0.76, 0.32))
    pen = QPen(colour, place.width() / 8)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


def _point(place: QRectF, x: float, y: float) -> QPointF:
    return QPointF(place.left() + place.width() * x, place.top() + place.height() * y)


def _paint_pill(painter: QPainter, face: Face, c: Colours, place: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.pill)
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    painter.setPen(c.pill_text)
    painter.setFont(scaled(face.font, 0.82, QFont.Weight.DemiBold))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, sentences.RECOMMENDED)
