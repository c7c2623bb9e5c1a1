"""The response that a form makes: what the person chose and wrote, and nothing else."""

from __future__ import annotations

from pi_ask.models import AskQuestion, RemoteAskAnswer, RemoteAskResponse, ResponseMode
from pi_ask.state.form import Entry, FormState
from pi_ask.state.selectors import custom_counts, is_blank
from pi_ask.text import without_surrogates


def response(state: FormState) -> RemoteAskResponse | None:
    """Return the response of an ended form, ``None`` while it is open."""
    if state.outcome is None:
        return None
    if state.outcome.cancelled:
        return RemoteAskResponse(kind="cancel")
    return answer_response(state, state.outcome.mode)


def answer_response(state: FormState, mode: ResponseMode = "submit") -> RemoteAskResponse:
    """Return the answer that the form would make now."""
    pairs = list(zip(state.questions, state.entries, strict=True))
    answers = {question.id: _answer(entry) for question, entry in pairs if _says_something(entry)}
    types = {question.id: entry.type for question, entry in pairs if _was_changed(question, entry)}
    return RemoteAskResponse(kind="answer", mode=mode, answers=answers, presented_types=types or None)


def _answer(entry: Entry) -> RemoteAskAnswer:
    # A paste can bring half a character along, for which nobody's answer is refused.
    notes = {value: without_surrogates(note) for value, note in entry.option_notes if not is_blank(note)}
    return RemoteAskAnswer(
        values=entry.selected,
        custom_text=without_surrogates(entry.custom_text) if custom_counts(entry) else None,
        note=None if is_blank(entry.note) else without_surrogates(entry.note),
        option_notes=notes or None,
    )


def _says_something(entry: Entry) -> bool:
    answer = _answer(entry)
    return bool(answer.values or answer.custom_text or answer.note or answer.option_notes)


def _was_changed(question: AskQuestion, entry: Entry) -> bool:
    return entry.type != question.type
