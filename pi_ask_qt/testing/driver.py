"""A person at a window, for tests: the real widgets are clicked and typed into, by what the form says."""

from __future__ import annotations

import asyncio
from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from pi_ask.models import AskResult
from pi_ask.runtime.flows import AskUserResult
from pi_ask_qt.testing import hands
from pi_ask_qt.testing.errors import AskDriverError
from pi_ask_qt.testing.reach import Reach, named
from pi_ask_qt.testing.screen import REVIEW

__tracebackhide__ = True  # what failed is a line of the test


class AskDriver(Reach):
    """Fills in one form in its window, by the ids of its questions and the values of its options.

    A question that is not on the screen is gone to first, as a person would. Every method returns the driver, so that
    they can be chained, and raises :class:`AskDriverError` where a person could not do it; the message says what is on
    the screen.
    """

    def __repr__(self) -> str:
        state = "ended" if self.ended else "in front" if self.is_in_front else "waiting"
        return f"<AskDriver of {self._asked.name!r}, {state}>"

    @property
    def call(self) -> asyncio.Task[AskUserResult]:
        """The call of ``ask_user``, where ``desk.ask`` has made it.

        Raises:
            AskDriverError: the program under test has made it.
        """
        if self._asked.call is None:
            raise AskDriverError("the program under test has asked this form; result() tells what came of it")
        return self._asked.call

    async def result(self, seconds: float = 5.0) -> AskResult:
        """Wait for the end of the form; return its result, which is the ``details`` that ``ask_user`` returns.

        Raises:
            AskDriverError: the form is still open after ``seconds``.
            ExternalUIError: the surface failed.
        """
        done, _ = await asyncio.wait({self._asked.result}, timeout=seconds)
        if not done:
            raise self._error(f"the form is still open after {seconds:g} s")
        return self._asked.result.result()

    # --- answering ----------------------------------------------------------------------------------------------------

    def choose(self, question: str, *values: str) -> Self:
        """Choose options. Those that are chosen already stay so; where several can be chosen, so do the others."""
        shown = self._at(question)
        if len(set(values)) > 1 and shown.type != "multi":
            raise self._error(f"question {question!r} takes one answer; change_type({question!r}) lets it take several")
        for value in values:
            row = self._row(question, value)
            if not row.isChecked():
                self._click(row)
                self._expect(row.isChecked(), f"a click on option {value!r} of question {question!r} did nothing")
        return self

    def clear(self, question: str, *values: str) -> Self:
        """Take back what is chosen: these options or, where none is named, all, and own text, which stays written."""
        shown = self._at(question)
        for value in values or shown.chosen:
            if self._row(question, value).isChecked():
                self.toggle(question, value)
        own = self._find(QAbstractButton, f"customRow:{question}")
        if not values and own.isChecked():
            self._click(own)
            self._expect(not own.isChecked(), f"the own text of question {question!r} stays part of the answer")
        return self

    def toggle(self, question: str, *values: str) -> Self:
        """Press Space on options: choose what is not chosen, take back what is."""
        for value in values:
            self.focus(question, value)
            before = self._row(question, value).isChecked()
            self.press(self._keys.main.toggle[0])
            self._expect(self._row(question, value).isChecked() != before, f"option {value!r} cannot be toggled")
        return self

    def focus(self, question: str, value: str) -> Self:
        """Put the keyboard on an option, as Tab and the arrows do, and choose nothing; its preview is shown."""
        self._at(question)
        self._row(question, value).setFocus(Qt.FocusReason.TabFocusReason)
        return self

    def type(self, question: str, text: str) -> Self:
        """Write own text in place of what is there; as a person's it counts, and replaces the choice of a single."""
        self._at(question)
        name = f"custom:{question}"
        if not self._is_open(name):
            self._click(self._find(QAbstractButton, f"customRow:{question}"))
        return self._write(name, text, self._keys.editor.close)

    def note(self, question: str, text: str, *, option: str | None = None) -> Self:
        """Write a note on a question or, where ``option`` is given, on that option, in place of what is there."""
        self._at(question)
        if option is not None:
            name = f"optionNote:{question}:{option}"
            row = self._row(question, option)
            if not self._is_open(name):
                self._click(row, row.note_place())
        else:
            name = f"note:{question}"
            if not self._is_open(name):
                self._click(self._find(QAbstractButton, f"addNote:{question}"))
        return self._write(name, text, self._keys.note_editor.close)

    def change_type(self, question: str) -> Self:
        """Let a question take several answers, or one again; insist where that gives up choices."""
        before = self._at(question).type
        self._take_rows()
        self.press(self._keys.main.change_question_type[0])
        if self._at(question).type == before:
            self.press(self._keys.main.change_question_type[0])
        self._expect(self._at(question).type != before, f"the type of question {question!r} does not change")
        return self

    def filter(self, question: str, text: str) -> Self:
        """Narrow a long list of options to those that contain ``text``."""
        self._at(question)
        drawn = self.window.drawn.question
        if drawn is None or not drawn.has_filter:
            raise self._error(f"question {question!r} has no filter, its list is short")
        field = self._find(QLineEdit, f"filter:{question}")
        self._click(field)
        hands.write(field, text)
        self._expect(self._at(question).filter == text, f"the filter holds {field.text()!r}")
        return self

    # --- moving and leaving -------------------------------------------------------------------------------------------

    def go_to(self, step: str) -> Self:
        """Show a question by its id, or Review by :data:`REVIEW`."""
        steps = [question.id for question in self.request.questions]
        if len(steps) > 1:
            steps.append(REVIEW)
        if step not in steps:
            raise self._error(f"there is no step {step!r}; there are {named(steps)}")
        self._go_to(steps.index(step))  # a question may have Review's name; it comes first
        return self

    def bring_forward(self) -> Self:
        """Show this form before all others, as the tray does when it is told to open one."""
        if not self._provider.bring_forward(self._asked.flow_id):
            raise self._error("the form has ended")
        return self

    def submit(self, *, insist: bool = True) -> Self:
        """Submit. Where the form wants that twice (a required question is open), do so if ``insist``."""
        return self._leave("submit", insist=insist)

    def elaborate(self) -> Self:
        """Answer with what there is, and ask for an explanation first."""
        return self._leave("elaborate", insist=True)

    def cancel(self, *, insist: bool = True) -> Self:
        """Leave without an answer. Where the form wants that twice (something was chosen or written), if ``insist``."""
        return self._leave("cancel", insist=insist)

    def press(self, *keys: str) -> Self:
        """Press keys where the keyboard is, by their names in the keymaps: ``"2"``, ``"enter"``, ``"shift+n"``."""
        for key in keys:
            window = self.window
            try:
                hands.press(window.focusWidget() or window, key)
            except ValueError as error:
                raise self._error(str(error)) from None
        return self

    def _leave(self, name: str, *, insist: bool) -> Self:
        self._click(self._find(QAbstractButton, name))
        if insist and not self.ended:
            self._click(self._find(QAbstractButton, name))
            self._expect(self.ended, f"the form does not end by {name!r}")
        if self.ended:
            self._asked.ending = f"it was left by {name!r}"
        return self
