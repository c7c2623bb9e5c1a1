"""The models: both spellings in, camelCase out, nothing that a listener could change."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from requirements import proves

import pi_ask
from pi_ask import models
from pi_ask.models import (
    AskAnswer,
    AskError,
    AskIssue,
    AskOption,
    AskParams,
    AskQuestion,
    AskQuestionSummary,
    AskResult,
    CompletedEvent,
    Continuation,
    DisposedEvent,
    Elaboration,
    ElaborationItem,
    ElaborationTarget,
    Model,
    QuestionContext,
    QuestionState,
    RemoteAskAnswer,
    RemoteAskResponse,
    Requester,
    StartedEvent,
    SubmitEvent,
    SubmitResultEvent,
)
from pi_ask.runtime.abort import AbortSignal
from pi_ask.runtime.external_ui import ExternalAskConnection, ExternalAskRequest

OPTION = AskOption(value="a", label="A", description="d", preview="p", recommended=True)
QUESTION = AskQuestion(
    id="q", label="Q1", prompt="?", type="multi", requested_type="single", presented_type="multi", options=(OPTION,)
)
SUMMARY = AskQuestionSummary(id="q", label="Q1", prompt="?", type="single", presented_type="multi")
ANSWER = AskAnswer(
    values=("a", "x"), labels=("A", "x"), indices=(1,), custom_text="x", note="n", option_notes={"a": "m"}
)
ITEM = ElaborationItem(
    target=ElaborationTarget(kind="option", option_value="a"),
    question=QuestionContext(**dict(SUMMARY), options=(OPTION,)),
    option=OPTION,
    selected=True,
    answered=True,
    answer=ANSWER,
    note="m",
)
RESULT = AskResult(
    title="T",
    cancelled=False,
    mode="elaborate",
    questions=(SUMMARY,),
    answers={"q": ANSWER},
    continuation=Continuation(
        affected_question_ids=("q",),
        preserved_answers={"r": ANSWER},
        question_states={"q": QuestionState(status="needs_clarification")},
    ),
    elaboration=Elaboration(instruction="clarify", items=(ITEM,)),
)
RESPONSE = RemoteAskResponse(
    kind="answer",
    mode="elaborate",
    answers={"q": RemoteAskAnswer(values=("a",), custom_text="x", note="n", option_notes={"a": "m"})},
    presented_types={"q": "multi"},
)
FULL: list[Model] = [
    AskParams.model_validate(
        {
            "title": "T",
            "background": True,
            "questions": [{"id": "q", "prompt": "?", "options": [{"value": "a", "preview_file": "f"}]}],
        }
    ),
    QUESTION,
    RESULT,
    AskResult(cancelled=True, error=AskError(issues=(AskIssue(path="questions", message="m"),))),
    RESPONSE,
    RemoteAskResponse(kind="cancel"),
    StartedEvent(
        flow_id="f",
        tool_call_id="t",
        source="ask:replay",
        title="T",
        requester=Requester(name="n", cwd="/", pid=1),
        questions=(QUESTION,),
        created_at=1,
    ),
    CompletedEvent(flow_id="f", tool_call_id="t", result=RESULT, completed_at=2),
    SubmitEvent(request_id="r", flow_id="f", response=RESPONSE),
    SubmitEvent(request_id="r", flow_id="f", response={"kind": "answer", "answers": {"q": {"values": ["a"]}}}),
    SubmitResultEvent(request_id="r", flow_id="f", ok=False, error="invalid_answer", message="m"),
    DisposedEvent(flow_id="f", reason="surface_failed"),
    ExternalAskConnection(mode="rpc", tool_call_id="t"),
]
VERSIONED: list[tuple[type[Model], dict[str, Any]]] = [
    (StartedEvent, {"flow_id": "f", "questions": (), "created_at": 1}),
    (CompletedEvent, {"flow_id": "f", "result": RESULT, "completed_at": 1}),
    (SubmitEvent, {"request_id": "r", "flow_id": "f", "response": {"kind": "cancel"}}),
    (SubmitResultEvent, {"request_id": "r", "flow_id": "f", "ok": True}),
    (DisposedEvent, {"flow_id": "f", "reason": "surface_failed"}),
    (ExternalAskConnection, {"mode": "rpc"}),
    (ExternalAskRequest, {"flow_id": "f", "questions": (), "signal": AbortSignal()}),
]


def every_key(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from every_key(item)
    elif isinstance(value, list):
        for item in value:
            yield from every_key(item)


def every_value(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from every_value(getattr(value, name))
    elif hasattr(value, "items"):
        for item in value.values():
            yield from every_value(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from every_value(item)


@proves("form-spellings")
@pytest.mark.parametrize("model", FULL, ids=lambda model: type(model).__name__)
def test_what_a_model_writes_reads_back_as_the_same(model: Model) -> None:
    wire = model.to_wire()
    assert type(model).model_validate(wire).to_wire() == wire
    assert type(model).model_validate_json(model.to_json()).to_wire() == wire
    assert json.loads(model.to_json()) == json.loads(json.dumps(wire)) == wire


@proves("form-spellings")
@pytest.mark.parametrize("model", FULL, ids=lambda model: type(model).__name__)
def test_a_model_writes_camel_case_and_leaves_absent_fields_out(model: Model) -> None:
    wire = model.to_wire()
    assert [key for key in every_key(wire) if "_" in key] == []
    assert "null" not in model.to_json()


@proves("form-spellings")
def test_a_model_takes_both_spellings() -> None:
    snake = RemoteAskAnswer.model_validate({"custom_text": "x", "option_notes": {"a": "m"}})
    camel = RemoteAskAnswer.model_validate({"customText": "x", "optionNotes": {"a": "m"}})
    assert snake == camel == RemoteAskAnswer(custom_text="x", option_notes={"a": "m"})


def test_json_is_plain_unicode_on_one_line_or_indented() -> None:
    issue = AskIssue(path="p", message="größer ⟦U+202E⟧ 🚀")
    assert issue.to_json() == '{"path":"p","message":"größer ⟦U+202E⟧ 🚀"}'
    assert issue.to_json(indent=2).splitlines()[1] == '  "path": "p",'


@proves("form-frozen")
@pytest.mark.parametrize("model", FULL, ids=lambda model: type(model).__name__)
def test_a_listener_can_change_no_part_of_a_model(model: Model) -> None:
    for value in every_value(model):
        assert not isinstance(value, (list, dict, set, bytearray))
        if isinstance(value, BaseModel):
            with pytest.raises(ValidationError, match="frozen"):
                setattr(value, next(iter(type(value).model_fields)), None)


@proves("form-frozen")
def test_a_model_does_not_follow_what_it_was_made_from() -> None:
    answers = {"q": AskAnswer(values=("a",))}
    sent: dict[str, Any] = {"kind": "answer", "answers": {"q": {"values": ["a"]}}}
    result, event = AskResult(cancelled=False, answers=answers), SubmitEvent(request_id="r", flow_id="f", response=sent)
    answers.clear()
    sent["answers"]["q"]["values"].append("b")
    assert list(result.answers) == ["q"]
    assert event.to_wire()["response"]["answers"] == {"q": {"values": ["a"]}}


def test_a_submit_keeps_what_a_bridge_sent_so_that_the_core_can_check_it() -> None:
    sent = {"kind": "answer", "answers": {"q": {"note": None, "values": 5}}, "extra": None}
    event = SubmitEvent(request_id="r", flow_id="f", response=sent)
    assert event.to_wire()["response"] == sent
    with pytest.raises(ValidationError):
        SubmitEvent.model_validate({"request_id": "r", "flow_id": "f", "response": "cancel"})


@pytest.mark.parametrize("version", [True, "1", 1.0, 2, 0, None])
@pytest.mark.parametrize(("model", "fields"), VERSIONED, ids=[model.__name__ for model, _ in VERSIONED])
def test_only_the_integer_one_is_a_version(model: type[Model], fields: dict[str, Any], version: object) -> None:
    assert model.model_validate({**fields, "version": 1}).to_wire()["version"] == 1
    with pytest.raises(ValidationError):
        model.model_validate({**fields, "version": version})


@pytest.mark.parametrize("flag", ["yes", "true", 1, 0, 1.0])
def test_a_flag_of_a_form_is_true_or_false(flag: object) -> None:
    with pytest.raises(ValidationError):
        AskParams.model_validate({"background": flag, "questions": []})


def test_a_cancel_is_written_without_a_mode() -> None:
    assert RemoteAskResponse(kind="cancel", mode="elaborate").to_wire() == {"kind": "cancel"}


def test_an_answer_needs_answers() -> None:
    with pytest.raises(ValidationError, match="answers"):
        RemoteAskResponse(kind="answer")


def test_a_request_does_not_send_its_signal() -> None:
    request = ExternalAskRequest(flow_id="f", title="T", questions=(QUESTION,), signal=AbortSignal())
    assert request.to_wire() == {"version": 1, "flowId": "f", "title": "T", "questions": [QUESTION.to_wire()]}


@pytest.mark.parametrize("name", [name for name in dir(models) if name[0].isupper()])
def test_every_model_has_a_schema(name: str) -> None:
    model = getattr(models, name)
    if isinstance(model, type) and issubclass(model, Model):
        assert model.model_json_schema(by_alias=True)["type"] == "object"


@proves("core-imports")
@pytest.mark.parametrize("name", sorted(pi_ask._HOME_OF))
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(pi_ask, name) is not None
    assert name in dir(pi_ask)


@proves("core-imports")
def test_type_checkers_see_every_public_name() -> None:
    tree = ast.parse(Path(pi_ask.__file__).read_text(encoding="utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        (node.module, name.asname) for node in checked.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert seen == {(home, name) for name, home in pi_ask._HOME_OF.items()}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="NoSuchName"):
        _ = pi_ask.NoSuchName


@proves("core-imports")
def test_the_core_is_imported_without_qt() -> None:
    script = (
        "import importlib, pkgutil, sys\n"
        "class NoQt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'PySide6', 'shiboken6', 'qasync'}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, NoQt())\n"
        "import pi_ask\n"
        "assert 'pydantic' not in sys.modules\n"
        "for name in pi_ask._HOME_OF: getattr(pi_ask, name)\n"
        "for folder in ('state', 'runtime', 'config'):\n"
        "    package = importlib.import_module('pi_ask.' + folder)\n"
        "    for module in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
