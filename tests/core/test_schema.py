"""The published schemas are those of the models, and they judge as the core does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from asking import ANSWER, CANCEL, Record, Surface, asked, submit
from helpers import form, question
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import proves

from pi_ask import COMPLETED, DISPOSED, STARTED, SUBMIT, SUBMIT_RESULT, AskConfig, ExternalUIError, PiAsk
from pi_ask.config.document import read_document
from pi_ask.schema import SCHEMAS, SchemaName, json_schema
from pi_ask.state.normalize import read_form

ROOT = Path(__file__).parents[2]
TWO = form(question("q", "a", "b"), question("r", "c", type="multi"), title="t")


@proves("schema")
@pytest.mark.parametrize("name", SCHEMAS)
def test_the_files_that_travel_are_up_to_date(name: SchemaName) -> None:
    published = json.loads((ROOT / "resources" / "schemas" / f"{name}.json").read_bytes())
    assert published == json_schema(name), "run scripts/schemas.py"


def test_every_schema_has_a_name_and_every_name_a_schema() -> None:
    assert get_args(SchemaName) == SCHEMAS


@pytest.mark.parametrize("name", SCHEMAS)
def test_names_are_those_of_the_wire_and_nothing_that_stays_here_is_there(name: SchemaName) -> None:
    text = json.dumps(json_schema(name))
    assert "flow_id" not in text
    assert "preview_file" not in text
    assert "AbortSignal" not in text
    assert '"signal"' not in text


# --- what they say, judged by somebody else ---------------------------------------------------------------------------

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed; it comes with the group kits")


def validator(schema: dict[str, Any], pointer: str = "") -> Callable[[Any], bool]:
    """Return what tells whether a document is valid by ``schema``, or by the part of it at ``pointer``."""
    jsonschema.Draft202012Validator.check_schema(schema)
    kept: dict[str, Any] = {key: schema[key] for key in ("$defs", "properties") if key in schema}
    kept["$ref"] = f"#{pointer}"
    checked = jsonschema.Draft202012Validator(kept if pointer else schema)
    return lambda document: bool(checked.is_valid(document))


def channel(name: str) -> Callable[[Any], bool]:
    escaped = name.replace("~", "~0").replace("/", "~1")
    return validator(json_schema("events"), f"/properties/{escaped}")


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_valid_schema(name: SchemaName) -> None:
    validator(json_schema(name))


is_form = validator(json_schema("form"))

FORMS: list[Any] = [
    form(),
    TWO,
    {**form(), "title": None, "background": None},
    {**form(), "extra": [1]},
    form(question(type=None, required=None, label=None)),
    form(question(type="preview")),
    form({**question(), "type": "preview", "options": [{"value": "a", "preview": "x"}]}),
    form({**question(), "type": "preview", "options": [{"value": "a", "preview": " "}]}),
    form({**question(), "type": "preview", "options": [{"value": "a", "preview": "x"}, {"value": "b"}]}),
    form({**question(), "options": [{"value": "a", "preview": "x", "previewFile": "y"}]}),
    form({**question(), "options": [{"value": "a", "preview": "", "previewFile": None}]}),
    form({**question(), "options": [{"value": "a", "recommended": "yes"}]}),
    form({**question(), "options": [{"value": ""}]}),
    form({**question(), "options": [{"value": " \n"}]}),
    form({**question(), "options": []}),
    form({**question(), "options": ["a"]}),
    form({**question(), "options": None}),
    form({**question(), "prompt": " "}),
    form({**question(), "id": 7}),
    form(question(type="radio")),
    form(question(required="yes")),
    {"questions": []},
    {"questions": {}},
    {},
    [],
    None,
    "form",
]


@proves("schema")
@pytest.mark.parametrize("document", FORMS)
def test_a_form_is_judged_as_the_core_does(document: Any) -> None:
    text = json.dumps(document)
    assert is_form(document) == (read_form(text).issues == ())


TEXTS = st.one_of(st.none(), st.sampled_from(["", " ", "a", "b", "x y"]), st.integers(0, 1), st.booleans())
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "value": TEXTS,
        "label": TEXTS,
        "description": TEXTS,
        "preview": TEXTS,
        "recommended": TEXTS,
    },
)
QUESTIONS = st.fixed_dictionaries(
    {},
    optional={
        "id": TEXTS,
        "prompt": TEXTS,
        "label": TEXTS,
        "type": st.sampled_from([None, "single", "multi", "preview", "", 1]),
        "required": TEXTS,
        "options": st.one_of(st.none(), st.lists(OPTIONS, max_size=1)),
    },
)


@settings(max_examples=300)
@given(st.fixed_dictionaries({}, optional={"title": TEXTS, "questions": st.lists(QUESTIONS, max_size=1)}))
def test_forms_of_all_kinds_are_judged_as_the_core_does(document: dict[str, Any]) -> None:
    assert is_form(document) == (read_form(document).issues == ())


ENDINGS: dict[str, Any] = {
    "submit": {"kind": "answer", "answers": {"q": {"values": ["a"], "note": "n", "optionNotes": {"a": "m"}}}},
    "own text": {"kind": "answer", "answers": {"r": {"values": ["c"], "customText": "own"}}},
    "elaborate": {
        "kind": "answer",
        "mode": "elaborate",
        "answers": {"q": {"note": "why?", "optionNotes": {"b": "?"}}, "r": {"values": ["c"]}},
    },
    "changed": {"kind": "answer", "answers": {}, "presentedTypes": {"q": "multi"}},
    "cancel": CANCEL,
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_results_and_events_are_valid(ending: str) -> None:
    is_result = validator(json_schema("result"))
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, TWO, tool_call_id="call-1", requester={"name": "agent", "pid": 1})
        submit(pi, "nobody", CANCEL, "r0")
        surface.respond(ENDINGS[ending])
        result = await call
    assert is_result(result.details.to_wire())
    for name in (STARTED, COMPLETED, SUBMIT_RESULT):
        (event,) = record.of(name)
        assert channel(name)(event.to_wire())
        assert not channel(name)({**event.to_wire(), "version": 2})
        assert not channel(name)({})


async def test_an_invalid_form_and_a_failed_surface_are_valid_too() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        assert validator(json_schema("result"))((await pi.ask_user({"questions": []})).details.to_wire())
        call = await asked(pi, surface, form())
        surface.fail(OSError("gone"))
        with pytest.raises(ExternalUIError):
            await call
    (event,) = record.of(DISPOSED)
    assert channel(DISPOSED)(event.to_wire())
    assert not channel(DISPOSED)({**event.to_wire(), "reason": "bored"})


SUBMITS: list[Any] = [
    *({"version": 1, "requestId": "r", "flowId": "f", "response": response} for response in ENDINGS.values()),
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "cancel", "more": 1}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer"}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer", "answers": None}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer", "answers": {"q": None}}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer", "answers": {}, "mode": None}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer", "answers": {}, "mode": "maybe"}},
    *(
        {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "answer", "answers": {"q": answer}}}
        for answer in (
            {},
            {"values": None},
            {"values": "a"},
            {"values": [1]},
            {"values": ["a", "a"]},
            {"customText": None},
            {"customText": ""},
            {"note": 7},
            {"optionNotes": {"a": None}},
            {"optionNotes": {"a": "n"}},
            {"optionNotes": None},
        )
    ),
    {"version": 1, "requestId": " ", "flowId": "f", "response": CANCEL},
    {"version": 1, "flowId": "f", "response": CANCEL},
    {"version": True, "requestId": "r", "flowId": "f", "response": CANCEL},
    {"version": "1", "requestId": "r", "flowId": "f", "response": CANCEL},
    {"requestId": "r", "flowId": "f", "response": CANCEL},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {"kind": "maybe"}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": "cancel"},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {**ANSWER, "presentedTypes": {"q": "radio"}}},
    {"version": 1, "requestId": "r", "flowId": "f", "response": {**ANSWER, "presentedTypes": None}},
    "cancel",
    None,
]


@pytest.mark.parametrize("payload", SUBMITS)
async def test_a_submit_is_judged_as_the_core_does(payload: Any) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, TWO)
        sent = {**payload, "flowId": surface.requests[0].flow_id} if isinstance(payload, dict) else payload
        pi.events.emit(SUBMIT, sent)
        await asyncio.sleep(0)
        (result,) = record.submit_results
        assert channel(SUBMIT)(sent) == result.ok, result
        if not call.done():
            call.cancel()
        await asyncio.wait({call})


CONFIGS: list[dict[str, Any]] = [
    {},
    AskConfig().to_wire(),
    {"schemaVersion": 5, "unknown": {}},
    {"behaviour": {"showFooterHints": False, "more": 1}},
    {"behaviour": {"showFooterHints": "no"}},
    {"behaviour": {"showFooterHints": None}},
    {"behaviour": []},
    {"desktop": {"theme": "dark", "inputGuardMs": 0}},
    {"desktop": {"theme": "pink"}},
    {"desktop": {"inputGuardMs": -1}},
    {"desktop": {"inputGuardMs": 20_000}},
    {"desktop": {"inputGuardMs": 1.5}},
    {"notifications": {"channels": []}},
    {"notifications": {"channels": ["bell", {"type": "command", "command": "notify-send hello"}]}},
    {"notifications": {"channels": ["horn"]}},
    {"notifications": {"channels": "bell"}},
    {"notifications": {"channels": [{"type": "command", "command": " "}]}},
    {"notifications": {"channels": [{"command": "notify-send hello"}]}},
    {"keymaps": {}},
    {"keymaps": AskConfig().keymaps.to_wire()},
    {"keymaps": {**AskConfig().keymaps.to_wire(), "global": {"dismiss": "ctrl+q", "settings": ["?", "f1"]}}},
    {"keymaps": {**AskConfig().keymaps.to_wire(), "global": {"dismiss": [], "settings": ["?"]}}},
    {"keymaps": {**AskConfig().keymaps.to_wire(), "global": {"dismiss": 7, "settings": ["?"]}}},
    {"keymaps": {**AskConfig().keymaps.to_wire(), "global": {"settings": ["?"]}}},
]


@pytest.mark.parametrize("document", CONFIGS)
def test_a_configuration_is_judged_as_the_program_does(document: dict[str, Any]) -> None:
    _, notices = read_document(document)
    assert validator(json_schema("config"))(document) == (not notices), notices
