"""What a driver reaches of its window: the widgets by their names, or an error that says what is on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QTabBar, QWidget

from pi_ask.config.schema import KeymapsConfig
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.text import clipped
from pi_ask_qt.testing import hands
from pi_ask_qt.testing.errors import AskDriverError
from pi_ask_qt.testing.flows import Asked, DeskProvider
from pi_ask_qt.testing.screen import QuestionShown, Screen, read_screen
from pi_ask_qt.widgets.editors import TextEditor
from pi_ask_qt.widgets.rows import CheckRow, RadioRow
from pi_ask_qt.widgets.window import AskWindow

_NAME_LIMIT = 200
_NAMES_LIMIT = 60

_W = TypeVar("_W", bound=QWidget)

__tracebackhide__ = True  # what failed is a line of the test


class Reach:
    """One form, its window while it is on the screen, and the widgets in it."""

    def __init__(self, asked: Asked, provider: DeskProvider) -> None:
        self._asked = asked
        self._provider = provider

    @property
    def request(self) -> ExternalAskRequest:
        """What was asked: the title, the questions, the tool call, who asks."""
        return self._asked.request

    @property
    def ended(self) -> bool:
        """Whether the form has left the screen for good, with or without an answer."""
        return self._provider.flow(self._asked.flow_id) is None

    @property
    def is_in_front(self) -> bool:
        """Whether the form is on the screen."""
        flow = self._provider.flow(self._asked.flow_id)
        return flow is not None and flow.is_seen

    @property
    def window(self) -> AskWindow:
        """The window itself, for what the driver has no word for.

        Raises:
            AskDriverError: the form is not on the screen.
        """
        flow = self._provider.flow(self._asked.flow_id)
        if flow is None:
            raise self._error("the form has ended")
        if not flow.is_seen:
            raise self._error("this form waits for its turn; end the one in front first, or call bring_forward()")
        return flow.window

    @property
    def screen(self) -> Screen:
        """What the window shows, as plain data.

        Raises:
            AskDriverError: the form is not on the screen.
        """
        return read_screen(self.window, self.request.questions)

    def shown(self) -> str:
        """Return what is on the screen, in words: this form or, where it is not there, that and what is instead."""
        if self.is_in_front:
            return str(self.screen)
        state = self._asked.ending if self.ended else "it waits for its turn"
        return f"nothing of {clipped(self._asked.name, _NAME_LIMIT)!r}: {state}; {self._provider.shown()}"

    # --- finding ------------------------------------------------------------------------------------------------------

    def _find(self, kind: type[_W], name: str) -> _W:
        """Return a widget of the page that is on the screen, or else of the window."""
        window = self.window
        page = window.findChild(QWidget, f"question:{self.screen.step}")
        for place in (page, window):
            widget = place.findChild(kind, name) if place is not None else None
            if isinstance(widget, kind):
                return widget
        raise self._error(f"the window has no {name}")

    @property
    def _keys(self) -> KeymapsConfig:
        return self._provider.config.keymaps

    def _take_rows(self) -> None:
        """Put the keyboard back on the row that is in focus, or was."""
        shown = self.window.drawn.question
        if shown is not None:
            row = shown.focused_row
            name = f"customRow:{shown.id}" if row is None else f"option:{shown.id}:{row}"
            self._find(QAbstractButton, name).setFocus(Qt.FocusReason.TabFocusReason)

    def _is_open(self, name: str) -> bool:
        return any(editor.isVisible() for editor in self.window.findChildren(TextEditor, name))

    def _at(self, question: str) -> QuestionShown:
        """Return what is shown of a question, which is gone to where it is not on the screen."""
        ids = [one.id for one in self.request.questions]
        if question not in ids:
            raise self._error(f"there is no question {question!r}; there are {named(ids)}")
        self._go_to(ids.index(question))
        shown = self.screen.question
        if shown is None or shown.id != question:
            raise self._error(f"question {question!r} does not come to the screen")
        return shown

    def _row(self, question: str, value: str) -> RadioRow | CheckRow:
        (asked,) = (one for one in self.request.questions if one.id == question)
        values = [option.value for option in asked.options]
        if value not in values:
            raise self._error(f"question {question!r} has no option {value!r}; there are {named(values)}")
        row = self._find(QAbstractButton, f"option:{question}:{value}")
        if not isinstance(row, (RadioRow, CheckRow)) or not row.isVisible():
            raise self._error(f"option {value!r} of question {question!r} is filtered out")
        return row

    # --- doing --------------------------------------------------------------------------------------------------------

    def _click(self, widget: QWidget, place: QPoint | None = None) -> None:
        if not (widget.isVisible() and widget.isEnabled()):
            raise self._error(f"{widget.objectName()} cannot be used now")
        hands.click(widget, place)

    def _go_to(self, index: int) -> None:
        """Show a step, by its tab or, where that is scrolled out of sight, one after the other."""
        if self.window.drawn.step == index:
            return
        tabs = self._find(QTabBar, "tabs")
        place = tabs.tabRect(index).center()
        if tabs.rect().contains(place):
            self._click(tabs, place)
        while (step := self.window.drawn.step) != index:
            self._click(self._find(QAbstractButton, "next" if step < index else "previous"))
            self._expect(self.window.drawn.step != step, "the form does not go to another step")

    def _write(self, name: str, text: str, closing: Sequence[str]) -> Self:
        """Write into an editor, and close it by the first of the keys ``closing``."""
        editor = self._find(TextEditor, name)
        self._click(editor)
        hands.write(editor, text)
        self._expect(editor.typed() == _lines(text), f"the editor {name} holds {editor.typed()!r}")
        for _ in range(2):  # a list of files that is offered meanwhile takes the first
            if not self.ended and self.window.focusWidget() is editor:
                hands.press(editor, closing[0])
        return self

    def _expect(self, condition: bool, problem: str) -> None:  # noqa: FBT001 - like an assert
        if not condition:
            raise self._error("the form has ended" if self.ended else problem)

    def _error(self, problem: str) -> AskDriverError:
        return AskDriverError(f"{problem}\non the screen is:\n{self.shown()}")


def named(names: Iterable[str]) -> str:
    """Return names as an error tells them."""
    listed = list(names)
    told = ", ".join(repr(clipped(name, _NAME_LIMIT)) for name in listed[:_NAMES_LIMIT])
    return told if len(listed) <= _NAMES_LIMIT else f"{told} and {len(listed) - _NAMES_LIMIT} more"


def _lines(text: str) -> str:
    """Return ``text`` with the line ends that an editor has."""
    for end in ("\r\n", "\r", "\u2028", "\u2029"):
        text = text.replace(end, "\n")
    return text
