"""Building the result of a form from a checked response, with what an agent needs to go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pi_ask.models import (
    AskAnswer,
    AskError,
    AskIssue,
    AskOption,
    AskQuestion,
    AskQuestionSummary,
    AskResult,
    Continuation,
    Elaboration,
    ElaborationItem,
    ElaborationTarget,
    QuestionContext,
    QuestionState,
    QuestionType,
)
from pi_ask.state.answers import CheckedAnswer, CheckedResponse

INSTRUCTION = (
    "Clarify first: answer every note below in words. Then, if a decision is still open, ask again with ask_user, "
    "only the affected questions; keep the preserved answers as they are and do not ask them again."
)

_NO_ANSWER = CheckedAnswer()


def build_result(questions: Sequence[AskQuestion], checked: CheckedResponse, *, title: str | None = None) -> AskResult:
    """Return the result of a form that ended with ``checked``; labels and indices come from the form alone."""
    if checked.cancelled:
        return cancelled_result(questions, title=title)
    builder = _Builder(questions, checked)
    elaborate = checked.mode == "elaborate"
    return AskResult(
        title=title,
        cancelled=False,
        mode=checked.mode,
        questions=builder.summaries(),
        answers=builder.answers(),
        continuation=builder.continuation() if elaborate else None,
        elaboration=builder.elaboration() if elaborate else None,
    )


def cancelled_result(questions: Sequence[AskQuestion], *, title: str | None = None) -> AskResult:
    """Return the result of a form that ended without an answer."""
    return AskResult(title=title, cancelled=True, questions=tuple(summary(q, q.type) for q in questions))


def invalid_result(issues: tuple[AskIssue, ...]) -> AskResult:
    """Return the result of a form that could not be opened."""
    return AskResult(cancelled=True, error=AskError(issues=issues))


def summary(question: AskQuestion, presented: QuestionType) -> AskQuestionSummary:
    """Return ``question`` as a result names it: the requested type, and the presented one where it differs."""
    requested = question.requested_type or question.type
    return AskQuestionSummary(
        id=question.id,
        label=question.label,
        prompt=question.prompt,
        type=requested,
        presented_type=presented if presented != requested else None,
    )


class _Builder:
    """Puts together the parts of one result."""

    def __init__(self, questions: Sequence[AskQuestion], checked: CheckedResponse) -> None:
        self._questions = questions
        self._checked = checked
        self._built = {question.id: _answer(question, self._given(question)) for question in questions}

    def _given(self, question: AskQuestion) -> CheckedAnswer:
        return self._checked.answers.get(question.id, _NO_ANSWER)

    def summaries(self) -> tuple[AskQuestionSummary, ...]:
        return tuple(summary(question, self._checked.types[question.id]) for question in self._questions)

    def answers(self) -> dict[str, AskAnswer]:
        submitting = self._checked.mode == "submit"
        return {
            question.id: self._built[question.id]
            for question in self._questions
            if self._given(question).answered or (submitting and self._given(question).note is not None)
        }

    def continuation(self) -> Continuation:
        states = {question.id: _status(self._given(question)) for question in self._questions}
        return Continuation(
            affected_question_ids=tuple(id_ for id_, s in states.items() if s.status == "needs_clarification"),
            preserved_answers={id_: self._built[id_] for id_, s in states.items() if s.status == "answered"},
            question_states=states,
        )

    def elaboration(self) -> Elaboration:
        items = tuple(item for question in self._questions for item in self._items(question))
        return Elaboration(instruction=INSTRUCTION, items=items)

    def _items(self, question: AskQuestion) -> Iterator[ElaborationItem]:
        given = self._given(question)
        if given.note is not None:
            yield self._item(question, ElaborationTarget(kind="question"), given.note)
        for value, note in given.option_notes:
            yield self._item(question, ElaborationTarget(kind="option", option_value=value), note)

    def _item(self, question: AskQuestion, target: ElaborationTarget, note: str) -> ElaborationItem:
        given = self._given(question)
        named = summary(question, self._checked.types[question.id])
        on_option = target.kind == "option"
        return ElaborationItem(
            target=target,
            question=QuestionContext(**dict(named), options=question.options),
            option=_option(question, target.option_value) if on_option else None,
            selected=target.option_value in given.values if on_option else None,
            answered=given.answered,
            answer=self._built[question.id] if given.answered else None,
            note=note,
        )


def _answer(question: AskQuestion, given: CheckedAnswer) -> AskAnswer:
    places = {option.value: index for index, option in enumerate(question.options)}
    own = () if given.custom_text is None else (given.custom_text,)
    chosen_notes = {value: note for value, note in given.option_notes if value in given.values}
    return AskAnswer(
        values=given.values + own,
        labels=tuple(question.options[places[value]].label for value in given.values) + own,
        indices=tuple(places[value] + 1 for value in given.values),
        custom_text=given.custom_text,
        note=given.note,
        option_notes=chosen_notes or None,
    )


def _status(given: CheckedAnswer) -> QuestionState:
    if given.has_note:
        return QuestionState(status="needs_clarification")
    return QuestionState(status="answered" if given.answered else "unanswered")


def _option(question: AskQuestion, value: str | None) -> AskOption:
    return next(option for option in question.options if option.value == value)
