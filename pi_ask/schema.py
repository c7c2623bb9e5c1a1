"""The contract as JSON Schemas, made from the models: what is read, what is written, and the events."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from pi_ask.config.schema import AskConfig
from pi_ask.models import (
    COMPLETED,
    DISPOSED,
    STARTED,
    SUBMIT,
    SUBMIT_RESULT,
    AskParams,
    AskResult,
    CompletedEvent,
    DisposedEvent,
    Model,
    RemoteAskResponse,
    StartedEvent,
    SubmitEvent,
    SubmitResultEvent,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS = ("form", "result", "config", "events")

SchemaName: TypeAlias = Literal["form", "result", "config", "events"]
Schema: TypeAlias = dict[str, Any]

_REFS = "#/$defs/{model}"
_NOT_BLANK = {"minLength": 1, "pattern": "\\S"}
_TITLES = {
    "form": "A form of pi-ask",
    "result": "The result of a form of pi-ask",
    "config": "The configuration file of pi-ask",
    "events": "The events of pi-ask, by channel",
}


def json_schema(name: SchemaName) -> Schema:
    """Return the JSON Schema of what travels under ``name``, in its wire form.

    A schema says what JSON Schema can say. That ids and values are unique, and that a response fits its form, is for
    the core to check.
    """
    made = {"form": _form, "result": _result, "config": _config, "events": _events}[name]()
    plain: Schema = _in_plain_words(made)
    models = plain.pop("$defs")
    return {"$schema": DIALECT, **plain, "title": _TITLES[name], "$defs": models}


class _Read(GenerateJsonSchema):
    """For what is read: a field that may be absent may be null too."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        return {key: value for key, value in made.items() if key != "default" or value is not None}

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return _nullable(self.generate_inner(schema["schema"]))


class _Strict(_Read):
    """For what is read and knows no null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


class _Written(_Strict):
    """For what is written: only fields without a value are absent."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return {key: value for key, value in super().default_schema(schema).items() if key != "default"}

    def field_is_required(self, field: Any, total: bool) -> bool:
        inner = field["schema"]
        may_be_absent = inner["type"] == "default" and inner.get("default", ...) is None
        return super().field_is_required(field, total) or not may_be_absent


def _form() -> Schema:
    schema = AskParams.model_json_schema(schema_generator=_Read)
    question, option = schema["$defs"]["AskQuestionParams"], schema["$defs"]["AskOptionParams"]
    _need(schema, "questions", {"minItems": 1})
    _need(question, "options", {"minItems": 1})
    for name in ("id", "prompt"):
        _need(question, name, _NOT_BLANK)
    _need(option, "value", _NOT_BLANK)
    for owner, name in ((schema, "background"), (question, "required"), (question, "type")):
        owner["properties"][name] = _nullable(owner["properties"][name])
    shown, read = _given("preview"), _given("previewFile")
    option["not"] = {"allOf": [shown, read]}
    question["if"] = {"properties": {"type": {"const": "preview"}}, "required": ["type"]}
    question["then"] = {"properties": {"options": {"items": {"anyOf": [shown, read]}}}}
    return schema


def _result() -> Schema:
    schema = AskResult.model_json_schema(schema_generator=_Written)
    _need_indices(schema["$defs"])
    return schema


def _config() -> Schema:
    schema = AskConfig.model_json_schema(schema_generator=_Strict)
    models = schema["$defs"]
    models["CommandChannel"]["required"] = ["type", "command"]
    _need(models["CommandChannel"], "command", _NOT_BLANK)
    for name, model in models.items():
        # Where a file has keymaps, it has all of them.
        if name.endswith(("Keymap", "KeymapsConfig")):
            model["required"] = list(model["properties"])
    for name in (name for name in models if name.endswith("Keymap")):
        for action in models[name]["properties"].values():
            _let_one_stand_for_a_list(action)
    return schema


def _events() -> Schema:
    said: dict[str, type[Model]] = {
        STARTED: StartedEvent,
        COMPLETED: CompletedEvent,
        SUBMIT_RESULT: SubmitResultEvent,
        DISPOSED: DisposedEvent,
    }
    _, written = models_json_schema([(model, "validation") for model in said.values()], schema_generator=_Written)
    _need_indices(written["$defs"])
    models = {**written["$defs"], **_submit()}
    channels: dict[str, type[Model]] = {**said, SUBMIT: SubmitEvent}
    return {
        "description": "Each property is a channel; its schema is that of the payload.",
        "type": "object",
        "properties": {channel: {"$ref": _REFS.format(model=model.__name__)} for channel, model in channels.items()},
        "additionalProperties": False,
        "$defs": {name: models[name] for name in sorted(models)},
    }


def _submit() -> Schema:
    """Return the models of a bridge's submit. ``null`` and a missing version are refused."""
    submit = SubmitEvent.model_json_schema(schema_generator=_Strict)
    submit.pop("$defs", None)
    submit["properties"]["version"] = {"const": 1}
    submit["properties"]["response"] = {"$ref": _REFS.format(model="RemoteAskResponse")}
    submit["required"] = ["version", "requestId", "flowId", "response"]
    for name in ("requestId", "flowId"):
        _need(submit, name, _NOT_BLANK)
    response = RemoteAskResponse.model_json_schema(schema_generator=_Strict)
    answer = response.pop("$defs")["RemoteAskAnswer"]
    _need(answer, "values", {"uniqueItems": True})
    fields = {name: field for name, field in response["properties"].items() if name != "kind"}
    models = {
        "description": response["description"],
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "cancel"}}, "required": ["kind"]},
            {
                "type": "object",
                "properties": {"kind": {"const": "answer"}, **fields},
                "required": ["kind", "answers"],
            },
        ],
    }
    return {"SubmitEvent": submit, "RemoteAskResponse": models, "RemoteAskAnswer": answer}


def _need(model: Schema, name: str, rules: Schema) -> None:
    model["properties"][name].update(rules)


def _need_indices(models: Schema) -> None:
    _need(models["AskAnswer"], "indices", {"items": {"type": "integer", "minimum": 1}})


def _given(name: str) -> Schema:
    """Return the schema of an object in which ``name`` is there and not blank."""
    return {"properties": {name: {"type": "string", **_NOT_BLANK}}, "required": [name]}


def _let_one_stand_for_a_list(action: Schema) -> None:
    keys = {"type": action.pop("type"), "items": action.pop("items"), "minItems": 1}
    action["anyOf"] = [{"type": "string", **_NOT_BLANK}, keys]


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "type": [schema["type"], "null"], "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _in_plain_words(value: Any) -> Any:
    """Return ``value`` with the first paragraph of each description, without the marks of our docstrings."""
    if isinstance(value, list):
        return [_in_plain_words(item) for item in value]
    if not isinstance(value, dict):
        return value
    described = value.get("description")
    if isinstance(described, str):
        value = {**value, "description": " ".join(described.split("\n\n")[0].replace("``", "").split())}
    return {key: _in_plain_words(item) for key, item in value.items()}


def tool_parameters() -> Schema:
    """Return the schema of a form as the parameters of a model's tool: in one piece, and without what few models know.

    What it leaves out (``null`` for absent fields, rules between fields) the core says where it matters.
    """
    schema = json_schema("form")
    models = schema.pop("$defs")
    for name in ("$schema", "title"):
        del schema[name]
    # A model has no use for a form that is not shown.
    del schema["properties"]["background"]
    parameters: Schema = _in_one_piece(schema, models)
    return parameters


_BETWEEN_FIELDS = frozenset(("if", "then", "not"))


def _in_one_piece(value: Any, models: Schema) -> Any:
    if isinstance(value, list):
        return [_in_one_piece(item, models) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        model = models[value["$ref"].rpartition("/")[2]]
        return _in_one_piece({key: item for key, item in model.items() if key != "title"}, models)
    value = {key: item for key, item in value.items() if key not in _BETWEEN_FIELDS}
    if isinstance(value.get("type"), list):
        value["type"] = next(kind for kind in value["type"] if kind != "null")
    if isinstance(value.get("enum"), list):
        value["enum"] = [item for item in value["enum"] if item is not None]
    return {key: _in_one_piece(item, models) for key, item in value.items()}
