"""The same outcome in words, for a model to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pi_ask.models import AskAnswer, AskOption, AskQuestion, AskResult, ElaborationItem
from pi_ask.text import one_line, quoted

CANCELLED = "The person cancelled the form and gave no answer. Do not assume one."
ABORTED = "The form was withdrawn before it was answered. There is no answer; do not assume one."
ELABORATE = "The person wants an explanation before the form is settled."
FALLBACK = (
    "The questions could not be shown: no user interface is available here. There is no answer; do not assume one. "
    "Ask the person in another way:"
)
BACKGROUND = (
    "The questions were not shown, because the form asks to stay in the background. There is no answer; "
    "do not assume one. Ask the person in another way:"
)


def summarize(result: AskResult) -> str:
    """Return the text for a result that came from a surface: a line for every question."""
    if result.error is not None:
        return summarize_issues(result)
    if result.cancelled:
        return CANCELLED
    lines = [*_answer_lines(result), *_presented_lines(result)]
    if result.mode == "elaborate":
        lines = [ELABORATE, *lines, *_elaboration_lines(result)]
    return "\n".join(lines)


def summarize_issues(result: AskResult) -> str:
    """Return the text for a form that could not be opened; it names every issue."""
    issues = result.error.issues if result.error is not None else ()
    lines = [f"- {issue.path}: {issue.message}" if issue.path else f"- {issue.message}" for issue in issues]
    return "\n".join(["Invalid ask_user form; nothing was shown. Change this and ask again:", *lines])


def list_questions(questions: Sequence[AskQuestion], heading: str) -> str:
    """Return ``heading`` and the questions with their options, so that they can be asked in another way."""
    lines = [heading]
    for number, question in enumerate(questions, start=1):
        about = f"{one_line(question.label)} [id {one_line(question.id)}, {_HOW_MANY[question.type]}]"
        lines.append(f"{number}. {about}: {question.prompt}")
        lines.extend(f"   - {_option_line(option)}" for option in question.options)
        lines.append("   - or the person's own words")
    return "\n".join(lines)


_HOW_MANY = {"single": "choose one", "preview": "choose one", "multi": "choose any number"}


def _option_line(option: AskOption) -> str:
    recommended = " (recommended)" if option.recommended else ""
    description = f" - {one_line(option.description)}" if option.description else ""
    return f"{one_line(option.label)} [value {one_line(option.value)}]{recommended}{description}"


def _answer_lines(result: AskResult) -> Iterator[str]:
    repeated = Counter(one_line(question.label) for question in result.questions)
    for question in result.questions:
        answer = result.answers.get(question.id)
        label = one_line(question.label)
        name = label if repeated[label] == 1 else f"{label} [id {one_line(question.id)}]"
        yield f"{name}: {answer_text(answer) or 'no answer'}"
        if answer is not None and result.mode == "submit":
            yield from _note_lines(name, answer)


def answer_text(answer: AskAnswer | None) -> str:
    """Return what was chosen and written, ``""`` where there is neither.

    Labels and own words stand in quotation marks, and values beside the labels, which need not differ.
    """
    if answer is None:
        return ""
    chosen = [_chosen(label, value) for value, label in _labels(answer).items()]
    own = [f"own words {quoted(answer.custom_text)}"] if answer.custom_text is not None else []
    return ", ".join([*chosen, *own])


def _labels(answer: AskAnswer) -> dict[str, str]:
    """Return the labels of the chosen options by value. Own text, which may read like a value, has no index."""
    chosen = len(answer.indices)
    return dict(zip(answer.values[:chosen], answer.labels[:chosen], strict=True))


def _chosen(label: str, value: str) -> str:
    return f"{quoted(label)} [value {one_line(value)}]"


def _note_lines(name: str, answer: AskAnswer) -> Iterator[str]:
    if answer.note is not None:
        yield f"{name}, note: {quoted(answer.note)}"
    labels = _labels(answer)
    for value, note in (answer.option_notes or {}).items():
        yield f"{name}, note on {_chosen(labels[value], value)}: {quoted(note)}"


def _presented_lines(result: AskResult) -> Iterator[str]:
    changed = [one_line(question.label) for question in result.questions if question.presented_type is not None]
    if changed:
        types = {question.presented_type for question in result.questions if question.presented_type is not None}
        yield f"Shown as {' or '.join(sorted(types))} instead of the requested type: {', '.join(changed)}."


def _elaboration_lines(result: AskResult) -> Iterator[str]:
    if result.elaboration is None:
        return
    yield from (_item_line(item) for item in result.elaboration.items)
    yield result.elaboration.instruction


def _item_line(item: ElaborationItem) -> str:
    about = f"question {quoted(item.question.prompt)}"
    if item.option is not None:
        about += (
            f", option {_chosen(item.option.label, item.option.value)} ({'chosen' if item.selected else 'not chosen'})"
        )
    answer = answer_text(item.answer) or "no answer"
    return f"Elaborate on {about} with the note {quoted(item.note)}; answer so far: {answer}."
