"""Checking a response against the form: an explicit cancel, or an answer that names only what the form offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from pi_ask.errors import InvalidResponseError
from pi_ask.models import AskQuestion, QuestionType, ResponseMode
from pi_ask.state.raw import field, is_list, kind_of, plain, shown
from pi_ask.text import has_surrogate

_ABSENT: Any = object()


class CheckedAnswer(NamedTuple):
    """One question's answer as it was sent, blank text taken away. ``option_notes`` may be about any option."""

    values: tuple[str, ...] = ()
    custom_text: str | None = None
    note: str | None = None
    option_notes: tuple[tuple[str, str], ...] = ()

    @property
    def answered(self) -> bool:
        """Whether there is a value or own text."""
        return bool(self.values) or self.custom_text is not None

    @property
    def has_note(self) -> bool:
        """Whether there is a note on the question or on any of its options."""
        return self.note is not None or bool(self.option_notes)


class CheckedResponse(NamedTuple):
    """A response that fits the form. ``answers`` and ``types`` (as presented in the end) are by question id."""

    cancelled: bool
    mode: ResponseMode
    answers: Mapping[str, CheckedAnswer]
    types: Mapping[str, QuestionType]


def check_response(questions: Sequence[AskQuestion], response: Any) -> CheckedResponse:
    """Return ``response`` (a ``RemoteAskResponse`` or a mapping) checked against ``questions``.

    Raises:
        InvalidResponseError: with every problem that was found.
    """
    check = _Check()
    raw = plain(response)
    if not isinstance(raw, Mapping):
        raise InvalidResponseError((f"the response must be an object with a kind, not {kind_of(raw)}",))
    kind = field(raw, "kind")
    if kind == "cancel":
        return CheckedResponse(cancelled=True, mode="submit", answers={}, types={q.id: q.type for q in questions})
    if kind != "answer" or not isinstance(kind, str):
        raise InvalidResponseError((f'kind must be "answer" or "cancel", not {shown(kind)}',))
    checked = check.answer(questions, raw)
    if check.problems:
        raise InvalidResponseError(tuple(check.problems))
    return checked


def allowed_types(question: AskQuestion) -> tuple[QuestionType, ...]:
    """Return the types that a person may give ``question``: the requested one, and ``multi`` or ``single``."""
    requested = question.requested_type or question.type
    return (requested, "single" if requested == "multi" else "multi")


class _Check:
    """Collects every problem with one answer."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def answer(self, questions: Sequence[AskQuestion], raw: Mapping[Any, Any]) -> CheckedResponse:
        by_id = {question.id: question for question in questions}
        types = self._types(by_id, field(raw, "presentedTypes", _ABSENT))
        answers: dict[str, CheckedAnswer] = {}
        for id_, item in self._object("answers", field(raw, "answers", None)).items():
            question = by_id.get(id_) if isinstance(id_, str) else None
            if question is None:
                self.problems.append(f"answers: there is no question {shown(id_)} in this form")
            else:
                answers[question.id] = self._question(question, types[question.id], item)
        return CheckedResponse(cancelled=False, mode=self._mode(raw), answers=answers, types=types)

    def _mode(self, raw: Mapping[Any, Any]) -> ResponseMode:
        mode = field(raw, "mode", "submit")
        if not (isinstance(mode, str) and mode in {"submit", "elaborate"}):
            self.problems.append(f'mode must be "submit" or "elaborate", not {shown(mode)}')
        return cast("ResponseMode", mode)

    def _types(self, by_id: Mapping[str, AskQuestion], raw: Any) -> dict[str, QuestionType]:
        types: dict[str, QuestionType] = {id_: question.type for id_, question in by_id.items()}
        for id_, type_ in ({} if raw is _ABSENT else self._object("presentedTypes", raw)).items():
            question = by_id.get(id_) if isinstance(id_, str) else None
            if question is None:
                self.problems.append(f"presentedTypes: there is no question {shown(id_)} in this form")
            elif not isinstance(type_, str) or type_ not in allowed_types(question):
                allowed = " or ".join(allowed_types(question))
                self.problems.append(f"presentedTypes.{question.id} must be {allowed}, not {shown(type_)}")
            else:
                types[question.id] = type_
        return types

    def _question(self, question: AskQuestion, type_: QuestionType, item: Any) -> CheckedAnswer:
        where = f"answers.{question.id}"
        raw = self._object(where, item)
        answer = CheckedAnswer(
            values=self._values(question, f"{where}.values", field(raw, "values", ())),
            custom_text=self._text(f"{where}.customText", field(raw, "customText", "")),
            note=self._text(f"{where}.note", field(raw, "note", "")),
            option_notes=self._option_notes(question, f"{where}.optionNotes", field(raw, "optionNotes", {})),
        )
        if type_ != "multi" and len(answer.values) + (answer.custom_text is not None) > 1:
            self.problems.append(f"{where}: a {type_} question takes one value or own text, not more")
        return answer

    def _values(self, question: AskQuestion, where: str, raw: Any) -> tuple[str, ...]:
        if not is_list(raw):
            self.problems.append(f"{where} must be a list of option values, not {kind_of(raw)}")
            return ()
        offered = {option.value for option in question.options}
        values: dict[str, None] = {}
        for value in raw:
            if not isinstance(value, str) or value not in offered:
                self.problems.append(f"{where}: {shown(value)} is no option of this question")
            elif value in values:
                self.problems.append(f"{where}: {shown(value)} is there twice")
            else:
                values[str(value)] = None
        return tuple(values)

    def _option_notes(self, question: AskQuestion, where: str, raw: Any) -> tuple[tuple[str, str], ...]:
        offered = {option.value for option in question.options}
        notes = []
        for value, note in self._object(where, raw).items():
            if not isinstance(value, str) or value not in offered:
                self.problems.append(f"{where}: {shown(value)} is no option of this question")
            elif (text := self._text(f"{where}.{value}", note)) is not None:
                notes.append((str(value), text))
        return tuple(notes)

    def _text(self, where: str, raw: Any) -> str | None:
        if not isinstance(raw, str):
            self.problems.append(f"{where} must be text, not {kind_of(raw)}")
            return None
        if has_surrogate(raw):
            self.problems.append(f"{where} holds a lone surrogate; send valid Unicode text")
        return str(raw) if raw.strip() else None

    def _object(self, where: str, raw: Any) -> Mapping[Any, Any]:
        value = plain(raw)
        if isinstance(value, Mapping):
            return value
        self.problems.append(f"{where} must be an object, not {kind_of(value)}")
        return {}
