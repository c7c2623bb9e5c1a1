"""The bar of steps: words with a mark, the current one underlined."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from pi_ask_qt.theme import colours, scaled, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import StepView
from pi_ask_qt.widgets.faces import paint_tick
from pi_ask_qt.widgets.labels import without_mnemonic

_MAX_EM = 14


class StepBar(QTabBar):
    """One tab for every question, and one for Review. ``currentChanged`` tells of a click."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._views: tuple[StepView, ...] = ()
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self._arrows = self.findChildren(QToolButton)
        for arrow in self._arrows:
            arrow.installEventFilter(self)

    def draw(self, views: tuple[StepView, ...], current: int) -> None:
        """Show the steps."""
        with QSignalBlocker(self):
            while self.count() < len(views):
                self.addTab("")
            for index, view in enumerate(views):
                if index >= len(self._views) or self._views[index] != view:
                    self.setTabText(index, without_mnemonic(view.label))
                    self.setTabToolTip(index, "")
                    mark = _mark(view)
                    self.setAccessibleTabName(index, ", ".join(part for part in (view.label, mark) if part))
            self._views = views
            self.setCurrentIndex(current)
        self.update()

    def tabSizeHint(self, index: int) -> QSize:
        u = unit(self.font())
        metrics = QFontMetricsF(scaled(self.font(), 1.0, QFont.Weight.DemiBold))
        text = min(metrics.horizontalAdvance(self._label(index)), u * 4 * _MAX_EM)
        return QSize(round(text + self._mark_size() + u * 7), round(metrics.height() + u * 5))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(min(self.count(), len(self._views))):
            self._paint_tab(painter, index)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The style's own arrows do not grow with the font.
        if event.type() == QEvent.Type.Paint and isinstance(watched, QToolButton):
            self._paint_arrow(watched)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _label(self, index: int) -> str:
        return self._views[index].label if index < len(self._views) else ""

    def _mark_size(self) -> float:
        return unit(self.font()) * 3

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        c, u, place = colours(self.palette()), unit(self.font()), QRectF(self.tabRect(index))
        view, current, size = self._views[index], index == self.currentIndex(), self._mark_size()
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = place.right() - u - size if mirrored else place.left() + u
        mark = QRectF(x, place.center().y() - size / 2, size, size)
        if view.answered:
            paint_tick(painter, mark.adjusted(-u * 0.6, -u * 0.6, u * 0.6, u * 0.6), c.accent_text)
        else:
            painter.setPen(QPen(c.muted, 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(mark.adjusted(1, 1, -1, -1))
        font = scaled(self.font(), 1.0, QFont.Weight.DemiBold if current else QFont.Weight.Medium)
        painter.setFont(font)
        painter.setPen(c.text if current else c.muted)
        beside, beyond = u * 2.5 + size, u * 2
        text = place.adjusted(beyond if mirrored else beside, 0, -(beside if mirrored else beyond), 0)
        label = QFontMetricsF(font).elidedText(view.label, Qt.TextElideMode.ElideRight, text.width())
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = Qt.AlignmentFlag.AlignVCenter | side | Qt.TextFlag.TextSingleLine
        painter.drawText(text, int(flags), label)
        if current:
            painter.setPen(QPen(c.accent, u * 0.6))
            y = place.bottom() - u * 0.3
            painter.drawLine(QPointF(place.left() + u * 0.5, y), QPointF(place.right() - u * 1.5, y))
        if current and self.hasFocus():
            painter.setPen(QPen(c.accent, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, u, -u, -u * 1.5), u, u)

    def _paint_arrow(self, button: QToolButton) -> None:
        c, u, middle = colours(self.palette()), unit(self.font()), QRectF(button.rect()).center()
        to_the_right = button.arrowType() == Qt.ArrowType.RightArrow
        tip = u if to_the_right else -u
        painter = QPainter(button)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(button.rect(), c.hover if button.underMouse() and button.isEnabled() else c.window)
        pen = QPen(c.text if button.isEnabled() else c.border, u * 0.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        ends = (QPointF(-tip / 2, -u * 1.2), QPointF(tip / 2, 0), QPointF(-tip / 2, u * 1.2))
        painter.drawPolyline([middle + end for end in ends])
        painter.end()


def _mark(view: StepView) -> str:
    if view.answered is None:
        return ""
    return sentences.ANSWERED if view.answered else sentences.NOT_ANSWERED
