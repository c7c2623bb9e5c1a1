"""The window of one form."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from pi_ask.state.actions import (
    CancelForm,
    ElaborateForm,
    FocusAction,
    GoToStep,
    MoveStep,
    SubmitForm,
)
from pi_ask.state.form import Editor, FormAction
from pi_ask_qt.keys import key_names
from pi_ask_qt.theme import colours, style_sheet, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import QuestionView, WindowView
from pi_ask_qt.widgets.editors import TextEditor
from pi_ask_qt.widgets.labels import OpeningLabel, TextLabel
from pi_ask_qt.widgets.question_page import QuestionPage
from pi_ask_qt.widgets.rows import CheckRow, RadioRow
from pi_ask_qt.widgets.steps import StepBar

_COMPACT_UNITS = 110

if TYPE_CHECKING:
    from pi_ask_qt.widgets.review_page import ReviewPage

OnKey = Callable[[str, bool], bool]
"""Takes a key's name and whether it is held down; returns whether it meant something."""


class ActionButton(QPushButton):
    """One of the three ways out; every key on it is the window's."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # At a press the form must not move what is under the pointer; the release says it.
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.entered.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.hasFocus():
            self.entered.emit()
        super().mouseReleaseEvent(event)


class AskWindow(QWidget):
    """Draws a :class:`WindowView`. ``acted`` carries the actions of ``pi_ask.form``, the frame's close among them."""

    acted = Signal(object)
    came_forward = Signal()
    panel_requested = Signal()

    def __init__(self, flow_id: str, tool_call_id: str | None, *, on_key: OnKey, folder: Path | None = None) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("askWindow")
        self.setProperty("flowId", flow_id)
        self.setProperty("toolCallId", tool_call_id)
        self._on_key = on_key
        self._folder = folder or Path.cwd()
        self._drawing = False
        self._compact = False
        self.yielding = False  # whether a close means that the program ends, not that the person cancels
        self._view: WindowView | None = None
        self._pages: dict[int, QuestionPage] = {}
        self._review: ReviewPage | None = None
        self._ordered: QWidget | None = None
        self._title = TextLabel(self, lambda c: c.text, factor=1.5, weight=QFont.Weight.DemiBold)
        self._subtitle = OpeningLabel(self, lambda c: c.muted, factor=0.92)
        self._waiting = _button(self, "waiting", "")
        self._steps = StepBar(self)
        self._line = QFrame(self)
        self._stack = QStackedWidget(self)
        self._notice = TextLabel(self, lambda c: c.warning, factor=0.95)
        self._hints = TextLabel(self, lambda c: c.muted, factor=0.85)
        self._previous = _button(self, "previous", sentences.PREVIOUS)
        self._next = _button(self, "next", sentences.NEXT)
        self._actions = {
            FormAction.CANCEL: _action_button(self, "cancel", sentences.CANCEL),
            FormAction.ELABORATE: _action_button(self, "elaborate", sentences.ELABORATE),
            FormAction.SUBMIT: _action_button(self, "submit", sentences.SUBMIT),
        }
        self._lay_out()
        self._connect()
        self._restyle()

    def draw(self, view: WindowView) -> None:
        """Show ``view``, and put the keyboard where it says."""
        self._drawing = True
        try:
            self._draw(view)
        finally:
            self._drawing = False
        self._view = view

    @property
    def drawn(self) -> WindowView:
        """What was drawn last.

        Raises:
            LookupError: nothing was yet.
        """
        if self._view is None:
            raise LookupError("nothing was drawn yet")
        return self._view

    def stay_on_top(self, *, on: bool) -> None:
        """Stay above all other windows, or not."""
        if on != bool(self.windowFlags() & Qt.WindowType.WindowStaysOnTopHint):
            visible = self.isVisible()
            self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, on)
            self.setVisible(visible)

    def take_focus(self, view: WindowView) -> None:
        """Put the keyboard where ``view`` says."""
        self._drawing = True
        try:
            self._focus(view, elsewhere=self.is_elsewhere())
        finally:
            self._drawing = False

    def is_elsewhere(self) -> bool:
        """Return whether the keyboard is on something beside the rows, their editors and the three ways out."""
        widget = self.focusWidget()
        if widget is None or not (widget.isVisible() and widget.isEnabled()):
            return False
        return not isinstance(widget, (AskWindow, RadioRow, CheckRow, TextEditor, ActionButton))

    def press_focused(self) -> bool:
        """Press what has the keyboard beside the rows and the three ways out; return whether it can be pressed."""
        widget = self.focusWidget()
        if not self.is_elsewhere() or not isinstance(widget, (QAbstractButton, QTabBar)):
            return False
        if isinstance(widget, QAbstractButton):
            widget.click()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.on_key_event(event):
            super().keyPressEvent(event)

    def on_key_event(self, event: QKeyEvent) -> bool:
        """Return whether a key press meant something here."""
        names = key_names(event)
        page = self._stack.currentWidget()
        if isinstance(page, QuestionPage) and event.matches(QKeySequence.StandardKey.Copy) and page.copy_selection():
            return True
        if any(self._on_key(name, event.isAutoRepeat()) for name in names):
            return True
        return "ctrl+f" in names and isinstance(page, QuestionPage) and page.open_search()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.yielding:
            return
        # The form decides: a dirty one asks first, an ended one lets its window be deleted.
        event.ignore()
        self.acted.emit(CancelForm())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.came_forward.emit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        u = round(unit(self.font()))
        compact = self.height() < u * _COMPACT_UNITS
        if compact != self._compact:
            self._compact = compact
            self._hints.setVisible(not compact and bool(self._hints.text()))
            self._set_margins(u)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            # A style sheet keeps the old font for everything below it; only a new sheet brings the new font there.
            QTimer.singleShot(0, self, self._restyle)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _draw(self, view: WindowView) -> None:
        # Qt takes the keyboard to a neighbour of an editor that is hidden; the person has not gone there.
        elsewhere = self.is_elsewhere()
        self.setWindowTitle(view.window_title)
        self._title.show_text(view.title)
        self._subtitle.show_text(view.subtitle)
        self._waiting.setText(view.waiting)
        self._waiting.setVisible(bool(view.waiting))
        # A form with one question has no steps; nobody shall find their bar there.
        self._steps.setObjectName("tabs" if view.steps else "")
        for widget in (self._steps, self._line):
            widget.setVisible(bool(view.steps))
        self._steps.draw(view.steps, view.step)
        for button, enabled in ((self._previous, view.has_previous), (self._next, view.has_next)):
            button.setVisible(bool(view.steps))
            button.setEnabled(enabled)
        self._draw_page(view)
        self._draw_notice(view.notice)
        self._hints.show_text("" if self._compact else view.hints)
        self._focus(view, elsewhere=elsewhere)

    def _draw_page(self, view: WindowView) -> None:
        page: QuestionPage | ReviewPage
        if view.question is not None:
            page = self._question_page(view.step, view.question)
        else:
            page = self._review_page()
            page.draw(view.review or ())
        self._stack.setCurrentWidget(page)
        if page is not self._ordered:
            self._ordered = page
            order = (
                self._waiting,
                self._subtitle,
                self._steps,
                self._previous,
                self._next,
                *page.tab_order(),
                *self._actions.values(),
            )
            for one, other in itertools.pairwise(order):
                QWidget.setTabOrder(one, other)

    def _question_page(self, step: int, view: QuestionView) -> QuestionPage:
        page = self._pages.get(step)
        if page is not None:
            page.draw(view)
            return page
        page = QuestionPage(view, self._stack, on_key=self.on_key_event, folder=self._folder)
        page.acted.connect(self._on_acted)
        page.rearranged.connect(self._on_rearranged)
        self._stack.addWidget(page)
        self._pages[step] = page
        return page

    def _review_page(self) -> ReviewPage:
        if self._review is None:
            from pi_ask_qt.widgets.review_page import ReviewPage  # noqa: PLC0415 - not for the first step of any form

            self._review = ReviewPage(self._stack)
            self._review.acted.connect(self._on_acted)
            self._stack.addWidget(self._review)
        return self._review

    def _draw_notice(self, text: str) -> None:
        if text == self._notice.text():
            return
        self._notice.show_text(text)
        if text:
            from PySide6.QtGui import QAccessible, QAccessibleEvent  # noqa: PLC0415 - its many names take milliseconds

            QAccessible.updateAccessibility(QAccessibleEvent(self._notice, QAccessible.Event.Alert))

    def _focus(self, view: WindowView, *, elsewhere: bool) -> None:
        page = self._pages.get(view.step)
        stays = elsewhere and self._stays_elsewhere(view)
        if view.action is not None:
            if not stays:
                self._actions[view.action].setFocus(Qt.FocusReason.OtherFocusReason)
        elif view.question is not None and page is not None:
            editor = view.question.focused_editor
            if editor is None:
                page.focus_row(view.question.focused_row, take=not stays)
            elif not stays:
                page.focus_editor(editor)

    def _stays_elsewhere(self, view: WindowView) -> bool:
        """Return whether the person took the keyboard to the filter, a preview or the like, and leaves it there."""
        before = self._view
        if before is None or before.step != view.step or not self.is_elsewhere():
            return False
        return _place(view) in {(None, None), _place(before)}

    def _restyle(self) -> None:
        sheet = style_sheet(colours(self.palette()), self.font())
        # A new style sheet is a change of style itself.
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)

    # --- places -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        self._title.set_max_lines(2)
        self._notice.set_max_lines(4)
        self._notice.setObjectName("notice")
        self._hints.setObjectName("hints")
        self._subtitle.setObjectName("subtitle")
        self._waiting.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        self._waiting.setProperty("quiet", True)
        self._waiting.setProperty("flush", True)
        for button in (self._previous, self._next):
            button.setProperty("quiet", True)
        self._notice.hide()
        layout = QVBoxLayout(self)
        layout.addLayout(self._header(u))
        layout.addLayout(self._step_row(u))
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._notice)
        layout.addLayout(self._buttons(u))
        layout.addWidget(self._hints)
        self._set_margins(u)
        self.setMinimumSize(u * 90, u * 75)
        self.resize(u * 180, u * 150)

    def _set_margins(self, u: int) -> None:
        """Leave air around things, as far as there is room for it."""
        layout = self.layout()
        if layout is not None:
            margins = (u * 3, u * 2, u * 3, u * 2) if self._compact else (u * 6, u * 5, u * 6, u * 4)
            layout.setContentsMargins(*margins)
            layout.setSpacing(u * 2 if self._compact else u * 3)

    def _header(self, u: int) -> QVBoxLayout:
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._waiting, 0, Qt.AlignmentFlag.AlignTop)
        header = QVBoxLayout()
        header.setSpacing(u)
        header.addLayout(top)
        header.addWidget(self._subtitle)
        return header

    def _step_row(self, u: int) -> QVBoxLayout:
        across = QHBoxLayout()
        across.setSpacing(u)
        across.addWidget(self._steps, 1)
        across.addWidget(self._previous)
        across.addWidget(self._next)
        self._line.setObjectName("line")
        self._line.setFixedHeight(1)
        row = QVBoxLayout()
        row.setSpacing(0)
        row.addLayout(across)
        row.addWidget(self._line)
        return row

    def _buttons(self, u: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(u * 2)
        row.addWidget(self._actions[FormAction.CANCEL])
        row.addStretch(1)
        row.addWidget(self._actions[FormAction.ELABORATE])
        row.addWidget(self._actions[FormAction.SUBMIT])
        return row

    def _connect(self) -> None:
        self._steps.currentChanged.connect(lambda index: self._on_acted(GoToStep(index)))
        self._previous.clicked.connect(lambda: self._on_acted(MoveStep(-1)))
        self._next.clicked.connect(lambda: self._on_acted(MoveStep(1)))
        self._waiting.clicked.connect(self.panel_requested)
        made = {FormAction.CANCEL: CancelForm(), FormAction.ELABORATE: ElaborateForm(), FormAction.SUBMIT: SubmitForm()}
        for action, button in self._actions.items():
            button.clicked.connect(lambda _=False, made=made[action]: self._on_acted(made))
            button.entered.connect(lambda action=action: self._on_entered(action))

    def _on_rearranged(self) -> None:
        self._ordered = None

    def _on_entered(self, action: FormAction) -> None:
        # Saying it again would drop what waits to be pressed a second time.
        if self._view is None or self._view.action is not action:
            self._on_acted(FocusAction(action))

    def _on_acted(self, action: object) -> None:
        # While it draws, a widget says what the form has just told it.
        if not self._drawing:
            self.acted.emit(action)


def _place(view: WindowView) -> tuple[FormAction | None, Editor | None]:
    """Return which button or editor has the keyboard; neither: a row."""
    return view.action, view.question.focused_editor if view.question is not None else None


def _button(parent: QWidget, name: str, text: str) -> QPushButton:
    button = QPushButton(text, parent)
    button.setObjectName(name)
    button.setAutoDefault(False)
    return button


def _action_button(parent: QWidget, name: str, text: str) -> ActionButton:
    button = ActionButton(text, parent)
    button.setObjectName(name)
    button.setAutoDefault(False)
    return button
