"""A person at a window, for tests: the real widgets are clicked and typed into, by what the form says."""

from __future__ import annotations

import asyncio
import builtins
from typing import Self, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QTabBar, QWidget

from pi_ask.errors import PiAskError
from pi_ask.models import AskResult, StartedEvent
from pi_ask.text import clipped
from pi_ask_qt.flow_window import FlowWindow
from pi_ask_qt.testing.screen import screen_text
from pi_ask_qt.views.window import QuestionView, WindowView
from pi_ask_qt.widgets.rows import CheckRow, RadioRow
from pi_ask_qt.widgets.window import AskWindow

REVIEW = "review"
"""The step after the questions, for :meth:`AskDriver.go_to`."""

_NAME_LIMIT = 200

_W = TypeVar("_W", bound=QWidget)


class AskDriverError(PiAskError, AssertionError):
    """The form does not offer what a test asked for; the message says what is on the screen."""


class AskDriver:
    """Fills in the form in one window, by the ids of its questions and the values of its options.

    A question that is not on the screen is gone to first. Every method but :meth:`shown` returns the driver, so that
    they can be chained, and raises :class:`AskDriverError` where a person could not do it.
    """

    def __init__(self, flow: FlowWindow, started: StartedEvent, result: asyncio.Future[AskResult]) -> None:
        self._flow = flow
        self._result = result
        self.started = started

    @property
    def window(self) -> AskWindow:
        """The window itself, for what the driver has no word for."""
        return self._flow.window

    @property
    def ended(self) -> bool:
        """Whether the form has left the screen for good, with or without an answer."""
        return self._flow.ended.done()

    @property
    def is_in_front(self) -> bool:
        """Whether the form is on the screen."""
        return self._flow.is_seen

    async def result(self) -> AskResult:
        """Wait for the end of the form; return its result, which is the ``details`` that ``ask_user`` returns.

        Raises:
            ExternalUIError: the surface failed.
        """
        return await asyncio.shield(self._result)

    def choose(self, question: str, *values: str) -> Self:
        """Choose options. Those that are chosen already stay so; a ``multi`` question keeps the others, too."""
        self.go_to(question)
        for value in values:
            row = self._row(question, value)
            if not row.isChecked():
                self._click(row, _mark_of(row))
                self._expect(row.isChecked(), f"a click on option {value!r} of question {question!r} did nothing")
        return self

    def clear(self, question: str, *values: str) -> Self:
        """Take chosen options back; those that are not chosen stay so."""
        self.go_to(question)
        for value in values:
            row = self._row(question, value)
            if row.isChecked():
                self._click(row, _mark_of(row))
                self._expect(not row.isChecked(), f"option {value!r} of question {question!r} stays chosen")
        return self

    def type(self, question: str, text: str) -> Self:
        """Write own text in place of what is there; it counts, as if a person had typed it."""
        self.go_to(question)
        row = self._find(QAbstractButton, f"customRow:{question}")
        if not self._is_open(f"custom:{question}"):
            self._click(row, _mark_of(row))
        return self._write(f"custom:{question}", text)

    def note(self, question: str, text: str, *, option: str | None = None) -> Self:
        """Write a note on a question or, where ``option`` is given, on that option, in place of what is there."""
        self.go_to(question)
        if option is None:
            if not self._is_open(f"note:{question}"):
                self._click(self._find(QAbstractButton, f"addNote:{question}"))
            return self._write(f"note:{question}", text)
        row = self._row(question, option)
        if not self._is_open(f"optionNote:{question}:{option}"):
            self._click(row, row.note_place())
        return self._write(f"optionNote:{question}:{option}", text)

    def go_to(self, step: str) -> Self:
        """Show a question by its id, or Review by :data:`REVIEW`."""
        view = self._view()
        if view.question is not None and view.question.id == step:
            return self
        steps = self._steps()
        if step not in steps:
            raise self._error(f"there is no step {step!r}; there are {', '.join(map(repr, steps))}")
        self._click_step(steps.index(step))
        return self

    def submit(self, *, insist: bool = True) -> Self:
        """Submit. Where the form wants that twice (a required question is open), do so if ``insist``."""
        return self._leave("submit", insist=insist)

    def elaborate(self, *, insist: bool = True) -> Self:
        """Answer with what there is, and ask for an explanation first."""
        return self._leave("elaborate", insist=insist)

    def cancel(self, *, insist: bool = True) -> Self:
        """Leave without an answer. Where the form wants that twice (something was chosen or written), if ``insist``."""
        return self._leave("cancel", insist=insist)

    def shown(self) -> str:
        """Return what is on the screen, in words."""
        return "nothing of this form: it has ended" if self.ended else screen_text(self._flow)

    # --- finding ------------------------------------------------------------------------------------------------------

    def _view(self) -> WindowView:
        if self.ended:
            raise self._error("the form has ended")
        if not self._flow.is_seen:
            raise self._error("this form waits for its turn; end the one in front first")
        return self.window.drawn

    def _steps(self) -> list[str]:
        ids = [question.id for question in self.started.questions]
        return [*ids, REVIEW] if len(ids) > 1 else ids

    def _row(self, question: str, value: str) -> RadioRow | CheckRow:
        shown = self._question()
        values = [row.value for row in shown.options]
        if value not in values:
            named = ", ".join(repr(clipped(str(one), _NAME_LIMIT)) for one in values)
            raise self._error(f"question {question!r} has no option {value!r}; there are {named}")
        row = self._find(QAbstractButton, f"option:{question}:{value}")
        if not isinstance(row, (RadioRow, CheckRow)) or row.isHidden():
            raise self._error(f"option {value!r} of question {question!r} is filtered out")
        return row

    def _question(self) -> QuestionView:
        shown = self._view().question
        if shown is None:
            raise self._error("no question is on the screen")
        return shown

    def _find(self, kind: builtins.type[_W], name: str) -> _W:
        for widget in self.window.findChildren(kind, name):
            if isinstance(widget, kind):
                return widget
        raise self._error(f"there is no {name}")

    def _is_open(self, name: str) -> bool:
        editors = self.window.findChildren(QPlainTextEdit, name)
        return any(editor.isVisible() for editor in editors)

    # --- doing --------------------------------------------------------------------------------------------------------

    def _click(self, widget: QWidget, place: QPoint | None = None) -> None:
        self._view()
        if not widget.isEnabled():
            raise self._error(f"{widget.objectName()} cannot be used now")
        button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(widget, button, none, widget.rect().center() if place is None else place)

    def _click_step(self, index: int) -> None:
        tabs = self._find(QTabBar, "tabs")
        place = tabs.tabRect(index).center()
        if tabs.rect().contains(place):
            self._click(tabs, place)
        while (step := self._view().step) != index:  # a step that is scrolled out of sight
            self._click(self._find(QAbstractButton, "next" if step < index else "previous"))
            self._expect(self._view().step != step, "the form does not go on to another step")

    def _write(self, name: str, text: str) -> Self:
        editor = self._find(QPlainTextEdit, name)
        self._expect(editor.isVisible(), f"the editor {name} did not open")
        self._click(editor)
        editor.selectAll()
        # As an input method does it, for keys could not write every character.
        event = QInputMethodEvent()
        event.setCommitString(text)
        QApplication.sendEvent(editor, event)
        editor.moveCursor(QTextCursor.MoveOperation.End)
        self._expect(editor.toPlainText() == text, f"the editor {name} did not take the text")
        return self

    def _leave(self, name: str, *, insist: bool) -> Self:
        self._click(self._find(QAbstractButton, name))
        if insist and not self.ended:
            self._click(self._find(QAbstractButton, name))
            self._expect(self.ended, f"the form does not end by {name!r}")
        return self

    def _expect(self, condition: bool, problem: str) -> None:  # noqa: FBT001 - like an assert
        if not condition:
            raise self._error(problem)

    def _error(self, problem: str) -> AskDriverError:
        return AskDriverError(f"{problem}\non the screen is:\n{self.shown()}")


def _mark_of(row: QAbstractButton) -> QPoint:
    """Return a place at the start of a row, away from its button for a note."""
    inset = min(row.width(), row.height()) // 4
    mirrored = row.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return QPoint(row.width() - inset if mirrored else inset, row.height() // 2)
