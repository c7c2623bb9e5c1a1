"""A check box that looks like those of the rows."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from pi_ask_qt.theme import colours, unit
from pi_ask_qt.widgets.faces import mark_size, paint_check


class TickBox(QCheckBox):
    """A check box with a short label of the interface's own."""

    def sizeHint(self) -> QSize:
        u, metrics = unit(self.font()), QFontMetricsF(self.font())
        height = max(mark_size(self.font()), metrics.height())
        return QSize(
            round(mark_size(self.font()) + u * 3 + metrics.horizontalAdvance(self.text())), round(height + u * 2)
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        c, u, size = colours(self.palette()), unit(self.font()), mark_size(self.font())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        place = QRectF(self.width() - size - 1 if mirrored else 1, (self.height() - size) / 2, size, size)
        paint_check(painter, place, c, checked=self.isChecked())
        if self.hasFocus():
            painter.setPen(QPen(c.accent, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(-0.5, -0.5, 0.5, 0.5), size / 4, size / 4)
        painter.setPen(c.text)
        beside = size + u * 2
        text = QRectF(self.rect()).adjusted(0 if mirrored else beside, 0, -beside if mirrored else 0, 0)
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(text, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), self.text())
        painter.end()
