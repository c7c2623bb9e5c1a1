"""A person for tests, without a toolkit: fills in forms by the same state that every surface draws."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Self

from pi_ask.errors import PiAskError
from pi_ask.form import (
    Action,
    CancelForm,
    ChangeType,
    ChooseOption,
    Editor,
    EditorKind,
    EditText,
    ElaborateForm,
    Entry,
    FormRules,
    FormState,
    GoToStep,
    SubmitForm,
    at_review,
    open_form,
    option_note,
    reduce,
    response,
)
from pi_ask.models import CONTRACT_VERSION, EXTERNAL_UI, AskQuestion, RemoteAskResponse
from pi_ask.runtime.external_ui import ExternalAskConnection, ExternalAskRequest
from pi_ask.runtime.tool import PiAsk
from pi_ask.text import visible

REVIEW = "review"

Script = Callable[["ScriptedForm"], object]
"""What the person does with a form; a coroutine function may wait in between."""


class ScriptError(PiAskError, AssertionError):
    """A script asked for something that the form does not offer; the message says what is on the screen."""


class ScriptedForm:
    """A form as a person has it before them. Every method speaks of questions and options by id and value.

    Each returns the form, so that they can be chained, and raises :class:`ScriptError` where it cannot be done.
    """

    def __init__(self, request: ExternalAskRequest, rules: FormRules) -> None:
        self.request = request
        self.state = open_form(request.questions, title=request.title, rules=rules)
        self._response: asyncio.Future[RemoteAskResponse] = asyncio.get_running_loop().create_future()
        self._withdrawn = False

    @property
    def ended(self) -> bool:
        """Whether the person has left the form, or it was withdrawn."""
        return self._withdrawn or self.state.outcome is not None

    def choose(self, question: str, *values: str) -> Self:
        """Choose options. Those that are chosen already stay so; where several can be chosen, so do the others."""
        offered = [option.value for option in self._question(question).options]
        for value in values:
            if value not in offered:
                raise self._error(f"question {question!r} has no option {value!r}")
        if len(set(values)) > 1 and self._entry(question).type != "multi":
            raise self._error(f"question {question!r} takes one answer; change_type({question!r}) lets it take several")
        for value in values:
            entry = self._entry(question)
            if value not in entry.selected:
                self.do(ChooseOption(question, value))
        return self

    def type(self, question: str, text: str) -> Self:
        """Write own text in place of what is there."""
        return self._edit(Editor(EditorKind.CUSTOM, question), text)

    def note(self, question: str, text: str, *, option: str | None = None) -> Self:
        """Write a note on a question or, where ``option`` is given, on one of its options."""
        kind = EditorKind.QUESTION_NOTE if option is None else EditorKind.OPTION_NOTE
        return self._edit(Editor(kind, question, option), text)

    def go_to(self, step: str) -> Self:
        """Show a question by its id, or Review by :data:`REVIEW`."""
        ids = [question.id for question in self.state.questions]
        if step in ids:
            return self.do(GoToStep(ids.index(step)))
        if step == REVIEW and len(ids) > 1:
            return self.do(GoToStep(len(ids)))
        raise self._error(f"there is no step {step!r}")

    def change_type(self, question: str) -> Self:
        """Change a question's type between one choice and many, and insist where that drops choices."""
        self.go_to(question).do(ChangeType())
        return self.do(ChangeType()) if self.state.pending is not None else self

    def submit(self, *, insist: bool = True) -> Self:
        """Submit; a required question without an answer asks for it twice, which is done where ``insist``."""
        return self._leave(SubmitForm(), insist=insist)

    def elaborate(self) -> Self:
        """Answer with what there is, and ask for an explanation first."""
        return self.do(ElaborateForm())

    def cancel(self, *, insist: bool = True) -> Self:
        """Leave without an answer; a form with anything in it asks for it twice, which is done where ``insist``."""
        return self._leave(CancelForm(), insist=insist)

    def do(self, action: Action) -> Self:
        """Carry out any action of :mod:`pi_ask.form`."""
        if self.ended:
            raise self._error("the form has ended")
        self.state = reduce(self.state, action)
        made = response(self.state)
        if made is not None and not self._response.done():
            self._response.set_result(made)
        return self

    def shown(self) -> str:
        """Return what is on the screen, in words."""
        return "\n".join(_lines(self.state))

    async def outcome(self) -> RemoteAskResponse:
        """Wait until the person leaves the form; return the response."""
        return await self._response

    def withdraw(self) -> None:
        """Take the form away: the flow has ended by itself."""
        self._withdrawn = True

    def _leave(self, action: Action, *, insist: bool) -> Self:
        self.do(action)
        return self.do(action) if insist and not self.ended else self

    def _edit(self, editor: Editor, text: str) -> Self:
        question = self._question(editor.question_id)
        if editor.option_value is not None and editor.option_value not in [o.value for o in question.options]:
            raise self._error(f"question {question.id!r} has no option {editor.option_value!r}")
        return self.do(EditText(editor, text))

    def _question(self, id_: str) -> AskQuestion:
        for question in self.state.questions:
            if question.id == id_:
                return question
        raise self._error(f"there is no question {id_!r}")

    def _entry(self, id_: str) -> Entry:
        return self.state.entries[self.state.questions.index(self._question(id_))]

    def _error(self, problem: str) -> ScriptError:
        return ScriptError(f"{problem}; on the screen:\n{self.shown()}")


class ScriptedPerson:
    """A provider without a screen.

    With a script it fills in every form that comes, and a script that leaves a form open is an error. Without one the
    test waits for each form and fills it in::

        person = ScriptedPerson()
        person.register(pi)
        call = asyncio.create_task(pi.ask_user(form))
        (await person.form()).choose("env", "prod").submit()
        result = await call
    """

    version = CONTRACT_VERSION
    id = "scripted-person"

    def __init__(self, script: Script | None = None, *, rules: FormRules | None = None) -> None:
        self._script = script
        self._rules = rules if rules is not None else FormRules()
        self._forms: list[ScriptedForm] = []
        self._arrived = asyncio.Event()

    @property
    def forms(self) -> tuple[ScriptedForm, ...]:
        """The forms that are open, in order of arrival."""
        return tuple(self._forms)

    def register(self, pi: PiAsk) -> Callable[[], None]:
        """Offer this person to every call of ``pi``; return a function that ends the offer."""

        def offer(connection: ExternalAskConnection) -> None:
            connection.connect(self)

        return pi.events.on(EXTERNAL_UI, offer)

    async def form(self, seconds: float = 5.0) -> ScriptedForm:
        """Wait for a form, and return the oldest that is open.

        Raises:
            ScriptError: none came within ``seconds``.
        """
        try:
            async with asyncio.timeout(seconds):
                while not self._forms:
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            raise ScriptError(f"no form came within {seconds:g} s") from None
        return self._forms[0]

    async def open(self, request: ExternalAskRequest) -> RemoteAskResponse:
        """Have the form filled in; return the response."""
        form = ScriptedForm(request, self._rules)
        stop = request.signal.on_abort(form.withdraw)
        self._forms.append(form)
        self._arrived.set()
        try:
            await self._play(form)
            return await form.outcome()
        finally:
            stop()
            self._forms.remove(form)

    async def _play(self, form: ScriptedForm) -> None:
        if self._script is None:
            return
        played: Any = self._script(form)
        if inspect.isawaitable(played):
            await played
        if not form.ended:
            raise ScriptError(f"the script has ended and left the form open; on the screen:\n{form.shown()}")


def _lines(state: FormState) -> Iterator[str]:
    if state.title is not None:
        yield visible(state.title)
    for index, (question, entry) in enumerate(zip(state.questions, state.entries, strict=True)):
        here = ">" if index == state.step else " "
        yield f"{here} {question.id} ({entry.type}): {visible(question.prompt)}"
        yield from _question_lines(question, entry)
    if at_review(state):
        yield "> review"
    if state.pending is not None:
        missing = f" without {', '.join(state.pending.missing)}" if state.pending.missing else ""
        yield f"! asks for a second {state.pending.what.value}{missing}"
    if state.dismiss_warned and state.outcome is None:
        yield "! asks for a second cancel"
    if state.outcome is not None:
        yield "ended: cancelled" if state.outcome.cancelled else f"ended: {state.outcome.mode}"


def _question_lines(question: AskQuestion, entry: Entry) -> Iterator[str]:
    for option in question.options:
        mark = "x" if option.value in entry.selected else " "
        yield f"    [{mark}] {option.value}: {visible(option.label)}"
        if note := option_note(entry, option.value):
            yield f"        note: {note}"
    if entry.custom_text:
        yield f"    [{'x' if entry.custom_on else ' '}] own text: {entry.custom_text}"
    if entry.note:
        yield f"    note: {entry.note}"
