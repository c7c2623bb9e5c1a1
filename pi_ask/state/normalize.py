"""Reading a form as an agent sent it: every issue at once, and the questions, normalised."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from pi_ask.models import AskIssue, AskOption, AskQuestion, QuestionType
from pi_ask.state.raw import is_list, kind_of, plain, shown, snake
from pi_ask.text import has_surrogate, has_visible_character

QUESTION_TYPES = ("single", "multi", "preview")


class PreviewFile(NamedTuple):
    """A preview that is still in a file: for which option, and the path as the agent gave it."""

    question: int
    option: int
    path: str

    @property
    def issue_path(self) -> str:
        """Where an issue about this file belongs."""
        return f"questions[{self.question}].options[{self.option}].previewFile"


class Form(NamedTuple):
    """A form as it was read. It may be opened only where ``issues`` is empty and no preview file is left to read."""

    questions: tuple[AskQuestion, ...] = ()
    title: str | None = None
    background: bool = False
    preview_files: tuple[PreviewFile, ...] = ()
    issues: tuple[AskIssue, ...] = ()

    def with_previews(self, texts: Mapping[PreviewFile, str], issues: Sequence[AskIssue]) -> Form:
        """Return the form with the text of each preview file in its option, and what was wrong with the others."""
        questions = tuple(
            question.model_copy(update={"options": _options_with(texts, index, question.options)})
            for index, question in enumerate(self.questions)
        )
        return self._replace(questions=questions, preview_files=(), issues=_in_order([*self.issues, *issues]))


def read_form(params: Any, *, present_single_as_multi: bool = False) -> Form:
    """Return the form in ``params`` (an ``AskParams``, a mapping or JSON text), with every issue found in it."""
    reader = _Reader()
    raw = _raw_form(params, reader)
    form = Form() if raw is None else _read_form(_At(reader, "", raw))
    if present_single_as_multi:
        form = form._replace(questions=tuple(_as_multi(question) for question in form.questions))
    return form._replace(issues=_in_order(reader.issues))


def _in_order(issues: Sequence[AskIssue]) -> tuple[AskIssue, ...]:
    """Return the issues as their places stand in the form."""
    return tuple(sorted(issues, key=_place))


def _place(issue: AskIssue) -> tuple[int, int]:
    numbers = [int(number) for number in re.findall(r"\[(\d+)\]", issue.path)]
    return (numbers[0] if numbers else -1, numbers[1] if len(numbers) > 1 else -1)


class _Reader:
    """Collects the issues, and the preview files met on the way."""

    def __init__(self) -> None:
        self.issues: list[AskIssue] = []
        self.preview_files: list[PreviewFile] = []

    def issue(self, path: str, message: str) -> None:
        self.issues.append(AskIssue(path=path, message=message))


class _At(NamedTuple):
    """A mapping at a place in the form; each method reads one field and notes what is wrong with it."""

    reader: _Reader
    path: str
    raw: Mapping[Any, Any]

    def where(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def issue(self, name: str, message: str) -> None:
        self.reader.issue(self.where(name), message)

    def value(self, name: str) -> Any:
        """Return the field, in either spelling; ``None`` where it is absent."""
        return self.raw.get(name, self.raw.get(snake(name)))

    def text(self, name: str) -> str | None:
        """Return a text that is not blank, exactly as it came; ``None`` for a blank, absent or wrong one."""
        value = self.value(name)
        if value is None:
            return None
        if not isinstance(value, str):
            self.issue(name, f"must be text, not {kind_of(value)}")
            return None
        if has_surrogate(value):
            self.issue(name, "holds a lone surrogate; send valid Unicode text")
            return None
        return str(value) if value.strip() else None

    def trimmed(self, name: str) -> str | None:
        text = self.text(name)
        return text.strip() if text is not None else None

    def required(self, name: str) -> str | None:
        """Return a trimmed text; an absent or blank one is an issue."""
        before = len(self.reader.issues)
        text = self.trimmed(name)
        if text is None and len(self.reader.issues) == before:
            self.issue(name, "is required; give it some text")
        return text

    def seen(self, name: str) -> str | None:
        """Return a trimmed text of which a person can see at least one character."""
        text = self.trimmed(name)
        if text is not None and not has_visible_character(text):
            self.issue(name, "has no visible character; give it text that a person can read")
        return text

    def flag(self, name: str) -> bool | None:
        value = self.value(name)
        if value is None or isinstance(value, bool):
            return value
        self.issue(name, f"must be true or false, not {kind_of(value)}")
        return None

    def items(self, name: str, noun: str) -> list[_At]:
        """Return the mappings of a list that must not be empty."""
        value = self.value(name)
        if value is None or (is_list(value) and not value):
            self.issue(name, f"needs at least one {noun}")
            return []
        if not is_list(value):
            self.issue(name, f"must be a list with at least one {noun}, not {kind_of(value)}")
            return []
        return [at for index, item in enumerate(value) if (at := self._item(name, index, item)) is not None]

    def _item(self, name: str, index: int, item: Any) -> _At | None:
        where = f"{self.where(name)}[{index}]"
        item = plain(item)
        if isinstance(item, Mapping):
            return _At(self.reader, where, item)
        self.reader.issue(where, f"must be an object, not {kind_of(item)}")
        return None


def _raw_form(params: Any, reader: _Reader) -> Mapping[Any, Any] | None:
    raw = _from_json(params, reader) if isinstance(params, (str, bytes, bytearray)) else plain(params)
    if reader.issues:
        return None
    if not isinstance(raw, Mapping):
        reader.issue("", f"the form must be an object with a list of questions, not {kind_of(raw)}")
        return None
    return raw


def _from_json(text: str | bytes | bytearray, reader: _Reader) -> Any:
    try:
        decoded = text if isinstance(text, str) else text.decode()
        return json.loads(decoded.removeprefix("\ufeff"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        reader.issue("", f"the form is not UTF-8 text (byte {error.start}); save it as UTF-8")
    except json.JSONDecodeError as error:
        reader.issue(
            "", f"the form is not JSON: {error.msg} (line {error.lineno}, column {error.colno}); send JSON text"
        )
    except RecursionError:
        reader.issue("", "the form is nested too deeply; send an object with a list of questions")
    except ValueError as error:
        reader.issue("", f"the form is not JSON that can be read: {error}")
    return None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value; send a finite number or text")


def _read_form(at: _At) -> Form:
    title = at.trimmed("title")
    background = at.flag("background")
    questions = [_read_question(index, question) for index, question in _numbered(at.items("questions", "question"))]
    _issue_repeated([(where, question.id) for where, question in questions], "id", "this form")
    return Form(
        questions=tuple(question for _, question in questions),
        title=title,
        background=bool(background),
        preview_files=tuple(at.reader.preview_files),
    )


def _numbered(items: Sequence[_At]) -> list[tuple[int, _At]]:
    return [(int(at.path[at.path.rindex("[") + 1 : -1]), at) for at in items]


def _read_question(index: int, at: _At) -> tuple[_At, AskQuestion]:
    id_ = at.required("id")
    prompt = at.required("prompt")
    label = at.seen("label")
    type_ = _read_type(at)
    required = at.flag("required")
    options = [_read_option((index, number), option) for number, option in _numbered(at.items("options", "option"))]
    _issue_repeated([(read.at, read.option.value) for read in options], "value", "this question")
    if type_ == "preview":
        _need_previews(options)
    question = AskQuestion.made(
        id=id_ or "",
        label=label or f"Q{index + 1}",
        prompt=prompt or "",
        type=type_ or "single",
        required=bool(required),
        options=tuple(read.option for read in options),
    )
    return at, question


def _read_type(at: _At) -> QuestionType | None:
    value = at.value("type")
    if value is None:
        return "single"
    if isinstance(value, str) and value in QUESTION_TYPES:
        return cast("QuestionType", str(value))
    at.issue("type", f"must be one of {', '.join(QUESTION_TYPES)}, not {shown(value)}")
    return None


class _ReadOption(NamedTuple):
    at: _At
    option: AskOption
    lacks_preview: bool


def _read_option(place: tuple[int, int], at: _At) -> _ReadOption:
    value = at.required("value")
    label = _read_label(at, value)
    description = at.trimmed("description")
    before = len(at.reader.issues)
    preview = at.text("preview")
    path = at.text("previewFile")
    lacks_preview = preview is None and path is None and len(at.reader.issues) == before
    if preview is not None and path is not None:
        at.issue("previewFile", "give either preview or previewFile, not both")
    elif path is not None:
        at.reader.preview_files.append(PreviewFile(*place, path))
    option = AskOption.made(
        value=value or "", label=label, description=description, preview=preview, recommended=at.flag("recommended")
    )
    return _ReadOption(at, option, lacks_preview)


def _read_label(at: _At, value: str | None) -> str:
    before = len(at.reader.issues)
    label = at.seen("label")
    if label is not None or len(at.reader.issues) > before:
        return label or ""
    derived = label_from(value or "")
    if not has_visible_character(derived):
        at.issue("label", "cannot be made from the value; give it text that a person can read")
    return derived


def label_from(value: str) -> str:
    """Return the label that an option's ``value`` stands for: ``staging-eu`` reads ``Staging eu``."""
    words = value.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _need_previews(options: Sequence[_ReadOption]) -> None:
    for read in options:
        if read.lacks_preview:
            read.at.issue(
                "preview",
                "is required on every option of a preview question; add preview text or a previewFile, "
                'or make the question type "single"',
            )


def _issue_repeated(keys: Sequence[tuple[_At, str]], name: str, scope: str) -> None:
    seen: set[str] = set()
    for at, key in keys:
        if key and key in seen:
            at.issue(name, f"{shown(key)} is used twice in {scope}; make every {name} unique")
        seen.add(key)


def _as_multi(question: AskQuestion) -> AskQuestion:
    if question.type != "single":
        return question
    changes = {"type": "multi", "requested_type": "single", "presented_type": "multi"}
    return question.model_copy(update=changes)


def _options_with(
    texts: Mapping[PreviewFile, str], question: int, options: tuple[AskOption, ...]
) -> tuple[AskOption, ...]:
    read = {file.option: text for file, text in texts.items() if file.question == question}
    return tuple(
        option.model_copy(update={"preview": read[index]}) if index in read else option
        for index, option in enumerate(options)
    )
