"""Rows as buttons: a radio button or a check box that paints itself and wraps its label."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QRadioButton, QSizePolicy, QWidget

from pi_ask_qt.theme import unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import RowView
from pi_ask_qt.widgets.faces import Face, Look, lay_out_row, paint_row

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    _Button = object


class _Row(_Button):
    """What both kinds of row do. The state comes from the view alone: a click only says that it happened."""

    if TYPE_CHECKING:
        focused: Signal
        note_requested: Signal

    _view: RowView | None = None
    _face: Face | None = None
    _heights: dict[int, int]

    def set_up(self, name: str) -> None:
        """Get ready; ``name`` is the object name."""
        self._heights = {}
        self.setObjectName(name)
        self.setCheckable(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMouseTracking(True)

    def draw(self, view: RowView) -> None:
        """Show ``view``."""
        if view == self._view:
            return
        relaid = self._view is None or _shape(view) != _shape(self._view)
        self._view = view
        self._face = None
        self.setText(view.label)
        # Text with an ampersand would have made Alt and its next letter a shortcut.
        self.setShortcut(QKeySequence())
        self._set_checked(checked=view.checked)
        if self.isHidden() == view.shown:
            self.setVisible(view.shown)
        self.setAccessibleName(view.label)
        recommended = sentences.RECOMMENDED if view.recommended else ""
        parts = (view.description, view.note, recommended, view.position)
        self.setAccessibleDescription(", ".join(part for part in parts if part))
        if relaid:
            self._heights = {}
            self.updateGeometry()
        self.update()

    def _set_checked(self, *, checked: bool) -> None:
        # Exclusive is what gives a button the role of a radio button; such a button could not be cleared, though.
        exclusive = self.autoExclusive()
        self.setAutoExclusive(False)
        self.setChecked(checked)
        self.setAutoExclusive(exclusive)

    on_tab: Callable[[QKeyEvent], bool] | None = None
    """Asked about Tab before it moves the focus: a keymap may have another use for it in the list."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and self._takes_tab(event):
            event.accept()
            return True
        return super().event(event)

    def _takes_tab(self, event: QKeyEvent) -> bool:
        is_tab = event.type() == QEvent.Type.KeyPress and event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
        return is_tab and self.on_tab is not None and self.on_tab(event)

    def nextCheckState(self) -> None:
        return

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._view is None:
            return 0
        # A layout asks for several widths in turn, and for each of them again and again.
        height = self._heights.get(width)
        if height is None:
            face = self._laid_out(width)
            height = self._heights[width] = round(face.height + 0.5) if face is not None else 0
        return height

    def sizeHint(self) -> QSize:
        # The height that counts is the one for the width; one for a width of before would only push others away.
        return QSize(400, round(unit(self.font()) * 12))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(unit(self.font()) * 8))

    def paintEvent(self, event: QPaintEvent) -> None:
        face = self._laid_out(self.width())
        if face is None or self._view is None:
            return
        view = self._view
        look = Look(view.checked, hovered=self.underMouse(), focused=self.hasFocus(), current=view.in_focus)
        painter = QPainter(self)
        paint_row(painter, face, self.palette(), look)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._is_on_note(event.position()):
            self.note_requested.emit()
            event.accept()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.hasFocus() and self._view is not None and not self._view.in_focus:
            self.focused.emit()
        super().mouseReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # At a press nothing may close and move this row from under the pointer; the release says it.
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.focused.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._face, self._heights = None, {}
            self.updateGeometry()

    def note_place(self) -> QPoint:
        """Return the middle of the button for a note."""
        face = self._laid_out(self.width())
        return QPoint() if face is None else face.note_button.center().toPoint()

    def _is_on_note(self, position: QPointF) -> bool:
        face = self._laid_out(self.width())
        return face is not None and face.note_button.contains(position)

    def _laid_out(self, width: int) -> Face | None:
        if self._view is None:
            return None
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        face = self._face
        if face is None or (face.width, face.font, face.mirrored) != (width, self.font(), mirrored):
            self._face = lay_out_row(self._view, self.font(), width, mirrored=mirrored)
        return self._face


class RadioRow(_Row, QRadioButton):
    """A row of which one can be chosen."""

    focused = Signal()
    note_requested = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        QRadioButton.__init__(self, parent)
        self.set_up(name)


class CheckRow(_Row, QCheckBox):
    """A row of which several can be chosen."""

    focused = Signal()
    note_requested = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        QCheckBox.__init__(self, parent)
        self.set_up(name)


Row = RadioRow | CheckRow


def make_row(name: str, parent: QWidget, *, exclusive: bool) -> Row:
    """Return a radio button or a check box."""
    return RadioRow(name, parent) if exclusive else CheckRow(name, parent)


def _shape(view: RowView) -> tuple[object, ...]:
    """Return what a row's height depends on."""
    return (view.label, view.description, view.note, view.recommended, view.shown)
