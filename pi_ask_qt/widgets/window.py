"""The window of one form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QCloseEvent, QFont, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from pi_ask.state.actions import (
    CancelForm,
    ElaborateForm,
    FocusAction,
    GoToStep,
    MoveStep,
    SubmitForm,
)
from pi_ask.state.form import FormAction
from pi_ask_qt.keys import key_names
from pi_ask_qt.theme import colours, style_sheet, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import QuestionView, WindowView
from pi_ask_qt.widgets.labels import TextLabel
from pi_ask_qt.widgets.question_page import QuestionPage
from pi_ask_qt.widgets.review_page import ReviewPage
from pi_ask_qt.widgets.steps import StepBar

_COMPACT_UNITS = 110

OnKey = Callable[[str, bool], bool]
"""Takes a key's name and whether it is held down; returns whether it meant something."""


class ActionButton(QPushButton):
    """One of the three ways out; every key on it is the window's."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit()
        return super().event(event)


class AskWindow(QWidget):
    """Draws a :class:`WindowView`. ``acted`` carries the actions of ``pi_ask.form``, the frame's close among them."""

    acted = Signal(object)
    came_forward = Signal()

    def __init__(self, flow_id: str, tool_call_id: str | None, *, on_key: OnKey, folder: Path | None = None) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("askWindow")
        self.setProperty("flowId", flow_id)
        self.setProperty("toolCallId", tool_call_id)
        self._on_key = on_key
        self._folder = folder or Path.cwd()
        self._drawing = False
        self._compact = False
        self._step: int | None = None
        self._pages: dict[int, QuestionPage] = {}
        self._review: ReviewPage | None = None
        self._title = TextLabel(self, lambda c: c.text, factor=1.5, weight=QFont.Weight.DemiBold)
        self._subtitle = TextLabel(self, lambda c: c.muted, factor=0.92)
        self._waiting = QPushButton(self)
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
            self._focus(view)
        finally:
            self._drawing = False

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
        self._focus(view)
        self._step = view.step

    def _draw_page(self, view: WindowView) -> None:
        if view.question is not None:
            page: QWidget = self._question_page(view.step, view.question)
        else:
            page = self._review_page()
            self._review_page().draw(view.review or ())
        self._stack.setCurrentWidget(page)

    def _question_page(self, step: int, view: QuestionView) -> QuestionPage:
        page = self._pages.get(step)
        if page is not None:
            page.draw(view)
            return page
        page = QuestionPage(view, self._stack, on_key=self.on_key_event, folder=self._folder)
        page.acted.connect(self._on_acted)
        self._stack.addWidget(page)
        self._pages[step] = page
        return page

    def _review_page(self) -> ReviewPage:
        if self._review is None:
            self._review = ReviewPage(self._stack)
            self._review.acted.connect(self._on_acted)
            self._stack.addWidget(self._review)
        return self._review

    def _draw_notice(self, text: str) -> None:
        if text == self._notice.text():
            return
        self._notice.show_text(text)
        if text:
            QAccessible.updateAccessibility(QAccessibleEvent(self._notice, QAccessible.Event.Alert))

    def _focus(self, view: WindowView) -> None:
        if view.action is not None:
            self._actions[view.action].setFocus(Qt.FocusReason.OtherFocusReason)
            return
        question, page = view.question, self._pages.get(view.step)
        if question is None or page is None:
            return
        editors = (question.custom_editor, question.note, *question.option_notes)
        focused = next((one.editor for one in editors if one.focused), None)
        if focused is not None:
            page.focus_editor(focused)
            return
        row = next((row for row in (*question.options, question.custom) if row.in_focus), None)
        if row is not None and not (view.step == self._step and self._keeps_focus()):
            page.focus_row(row.value)

    def _keeps_focus(self) -> bool:
        """Return whether the keyboard is somewhere that no action has to take it from, such as the filter."""
        widget = self.focusWidget()
        name = widget.objectName() if widget is not None else ""
        return (
            name.startswith(("filter:", "prompt:", "preview:", "search:")) and widget is not None and widget.isVisible()
        )

    def _restyle(self) -> None:
        sheet = style_sheet(colours(self.palette()), self.font())
        # A new style sheet is a change of style itself.
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)

    # --- places -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        self._title.set_max_lines(2)
        self._subtitle.set_max_lines(1)
        self._notice.set_max_lines(4)
        self._notice.setObjectName("notice")
        self._hints.setObjectName("hints")
        self._waiting.setObjectName("waiting")
        for button in (self._waiting, self._previous, self._next):
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
        made = {FormAction.CANCEL: CancelForm(), FormAction.ELABORATE: ElaborateForm(), FormAction.SUBMIT: SubmitForm()}
        for action, button in self._actions.items():
            button.clicked.connect(lambda _=False, made=made[action]: self._on_acted(made))
            button.entered.connect(lambda action=action: self._on_acted(FocusAction(action)))

    def _on_acted(self, action: object) -> None:
        # While it draws, a widget says what the form has just told it.
        if not self._drawing:
            self.acted.emit(action)


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
