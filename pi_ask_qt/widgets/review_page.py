"""Review: every question with its answer and notes; a click goes to the question."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from pi_ask.state.actions import GoToStep
from pi_ask_qt.theme import colours, scaled, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import ReviewItemView
from pi_ask_qt.widgets.faces import NOTE_MARK, Look, paint_card
from pi_ask_qt.widgets.labels import TextLabel, without_mnemonic
from pi_ask_qt.widgets.lists import ListArea
from pi_ask_qt.widgets.text import Block, lay_out

_ANSWER_LINES = 6


class ReviewRow(QPushButton):
    """One question on Review."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._view: ReviewItemView | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def draw(self, view: ReviewItemView) -> None:
        """Show ``view``."""
        if view == self._view:
            return
        self._view = view
        self.setText(without_mnemonic(view.label))
        self.setAccessibleName(view.label)
        self.setAccessibleDescription(", ".join([view.answer, *view.notes]))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._blocks(width)[-1] + unit(self.font()) * 2.5)

    def sizeHint(self) -> QSize:
        width = self.width() or 400
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(unit(self.font()) * 8))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None:
            return
        c, u = colours(self.palette()), unit(self.font())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_card(painter, QRectF(self.rect()), c, Look(hovered=self.underMouse(), focused=self.hasFocus()), u)
        pens = [c.muted, c.text if self._view.answered else c.muted, *[c.accent_text for _ in self._view.notes]]
        blocks, places, _ = self._blocks(self.width())
        for block, y, pen in zip(blocks, places, pens, strict=True):
            painter.setPen(pen)
            block.draw(painter, u * 3.5, y)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def _blocks(self, width: int) -> tuple[list[Block], list[float], float]:
        view, u = self._view, unit(self.font())
        if view is None:
            return [], [], 0.0
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        small = scaled(self.font(), 0.92)
        weight = QFont.Weight.DemiBold if view.answered else QFont.Weight.Normal
        texts = [(view.label, small, 2), (view.answer, scaled(self.font(), 1.0, weight), _ANSWER_LINES)]
        texts += [(NOTE_MARK + note, small, _ANSWER_LINES) for note in view.notes]
        blocks, places, y = [], [], u * 2
        for text, font, lines in texts:
            block = lay_out(text, font, max(width - u * 7, u * 8), lines, mirrored=mirrored)
            blocks.append(block)
            places.append(y)
            y += block.height + u * 0.5
        return blocks, places, y


class ReviewPage(QWidget):
    """The last step; ``acted`` carries the step to go to."""

    acted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("review")
        self._rows: list[ReviewRow] = []
        self._list = ListArea(self, round(unit(self.font())))
        self._lay_out()

    def draw(self, items: tuple[ReviewItemView, ...]) -> None:
        """Show every question."""
        while len(self._rows) < len(items):
            self._add_row(len(self._rows))
        for row, item in zip(self._rows, items, strict=True):
            row.draw(item)

    def tab_order(self) -> list[QWidget]:
        """Return what the Tab key goes through, in the order in which it is seen."""
        return list(self._rows)

    def _add_row(self, index: int) -> None:
        row = ReviewRow(self._list.widget())
        row.setObjectName(f"review:{index}")
        row.clicked.connect(lambda: self.acted.emit(GoToStep(index)))
        self._list.column.insertWidget(index, row)
        self._rows.append(row)

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        title = TextLabel(self, lambda c: c.text, factor=1.1, weight=QFont.Weight.DemiBold)
        title.show_text(sentences.REVIEW)
        self._list.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(u * 2)
        layout.addWidget(title)
        layout.addWidget(self._list, 1)
