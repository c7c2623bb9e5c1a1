"""The contract in pydantic: the form, its questions, responses, results and events.

Wire names are camelCase, Python names snake_case; every model takes both. Models are frozen and hold tuples and
read-only mappings. Times are milliseconds since the Unix epoch, indices are 1-based.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    Strict,
    ValidatorFunctionWrapHandler,
    WrapSerializer,
    WrapValidator,
    model_serializer,
    model_validator,
)
from pydantic.alias_generators import to_camel

CONTRACT_VERSION = 1

EXTERNAL_UI = "@eko24ive/pi-ask:external-ui"
STARTED = "@eko24ive/pi-ask:started"
COMPLETED = "@eko24ive/pi-ask:completed"
SUBMIT = "@eko24ive/pi-ask:submit"
SUBMIT_RESULT = "@eko24ive/pi-ask:submit-result"
DISPOSED = "pi-ask:disposed"

QuestionType = Literal["single", "multi", "preview"]
ResponseMode = Literal["submit", "elaborate"]
SurfaceMode = Literal["tui", "rpc", "json", "print"]
FlowSource = Literal["tool", "answer", "answer:again", "ask:replay", "ask:resume"]
SubmitError = Literal["invalid_request", "flow_not_found", "invalid_answer"]
DisposeReason = Literal["surface_failed", "invalid_response"]

_V = TypeVar("_V")


def _as_dict(value: Any, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
    serialized: dict[str, Any] = handler(dict(value))
    return serialized


# pydantic validates a Mapping into a plain dict, which a listener could change for everybody else.
ReadOnly = Annotated[
    Mapping[str, _V],
    AfterValidator(MappingProxyType),
    WrapSerializer(_as_dict, return_type=dict[str, Any]),
]

# A flag as a person would write it ("yes", 1) is a wrong type in JSON, and no guess is made about it.
Flag = Annotated[bool, Strict()]


def _only_an_integer(value: Any) -> Any:
    if type(value) is not int:
        raise ValueError(f"a version is an integer, not {type(value).__name__}")
    return value


# True and 1.0 equal 1, but they are no versions.
Version = Annotated[Literal[1], BeforeValidator(_only_an_integer)]


class Model(BaseModel):
    """The base of everything that travels: frozen, both spellings in, camelCase out."""

    model_config = ConfigDict(
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        extra="ignore",
        arbitrary_types_allowed=True,
        defer_build=True,
    )

    @classmethod
    def made(cls, **values: Any) -> Self:
        """Return a model of values that need no look: pydantic is not even set up for the class, which costs time."""
        return cls.model_construct(**values)

    def to_wire(self) -> dict[str, Any]:
        """Return a JSON-ready ``dict`` with camelCase keys; absent fields are left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the same as :meth:`to_wire` as JSON text, in plain Unicode."""
        return self.model_dump_json(by_alias=True, exclude_none=True, indent=indent)


# --- the form ---------------------------------------------------------------------------------------------------------


class AskOptionParams(Model):
    """One option as an agent sends it."""

    value: str = Field(description="What a program reads. Trimmed, not blank, unique in its question.")
    label: str | None = Field(default=None, description="What a person reads. Derived from value when absent.")
    description: str | None = Field(
        default=None, description="One quiet line under the label: what the choice means, what it costs."
    )
    preview: str | None = Field(
        default=None, description="Text shown beside the options of a preview question: a diff, a command, a layout."
    )
    preview_file: str | None = Field(
        default=None,
        description="A UTF-8 text file of at most 1 MiB in place of preview; relative to the caller's cwd.",
    )
    recommended: Flag | None = Field(
        default=None, description="Marks the option that you would take. It is never preselected."
    )


class AskQuestionParams(Model):
    """One question as an agent sends it."""

    id: str = Field(description="Key of this question in the result. Trimmed, not blank, unique in the form.")
    prompt: str = Field(
        description="The question in full, as a person reads it: one decision, and what they need to know to take it."
    )
    label: str | None = Field(default=None, description="A word or two for the step. Q1, Q2, … when absent.")
    type: QuestionType = Field(
        default="single", description="single: one option. multi: any number. preview: one, each with a preview."
    )
    required: Flag = Field(default=False, description="A hint for the person; it never blocks submission.")
    options: tuple[AskOptionParams, ...] = Field(
        description="At least one option, all of them distinct. The person can always type their own text instead."
    )


class AskParams(Model):
    """A form: what an agent asks in one call. The rules are checked, all at once, by ``ask_user``."""

    title: str | None = Field(default=None, description="What the whole form is about, in a few words.")
    background: Flag = Field(default=False, description="True: do not open a window; return the questions as text.")
    questions: tuple[AskQuestionParams, ...] = Field(description="One or more questions, one decision each.")


class AskOption(Model):
    """One option, normalised: trimmed, with a label, its preview read from the file."""

    value: str
    label: str
    description: str | None = None
    preview: str | None = None
    recommended: bool | None = None


class AskQuestion(Model):
    """One question, normalised. ``type`` is the type as it is presented.

    ``requested_type`` and ``presented_type`` are there only where they differ from each other.
    """

    id: str
    label: str
    prompt: str
    type: QuestionType
    requested_type: QuestionType | None = None
    presented_type: QuestionType | None = None
    required: bool = False
    options: tuple[AskOption, ...]


class AskIssue(Model):
    """One thing that is wrong with a form: where (``questions[0].options[2].value``), and what to change."""

    path: str
    message: str


class AskError(Model):
    """Why a form was not opened."""

    kind: Literal["invalid_input"] = "invalid_input"
    issues: tuple[AskIssue, ...]


# --- responses --------------------------------------------------------------------------------------------------------


class RemoteAskAnswer(Model):
    """The answer to one question as a surface or a bridge sends it. Every part is optional."""

    values: tuple[str, ...] = ()
    custom_text: str | None = None
    note: str | None = None
    option_notes: ReadOnly[str] | None = None


class RemoteAskResponse(Model):
    """What ends a form: an answer (with ``answers``) or an explicit cancel.

    The core checks it against the form; this model only holds it.
    """

    kind: Literal["answer", "cancel"]
    mode: ResponseMode = "submit"
    answers: ReadOnly[RemoteAskAnswer] | None = None
    presented_types: ReadOnly[QuestionType] | None = None

    @model_validator(mode="after")
    def _needs_answers(self) -> Self:
        if self.kind == "answer" and self.answers is None:
            raise ValueError('a response of kind "answer" needs "answers", an object that may be empty')
        return self

    @model_serializer(mode="wrap")
    def _without_mode_of_cancel(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        wire: dict[str, Any] = handler(self)
        return {"kind": "cancel"} if self.kind == "cancel" else wire


# --- results ----------------------------------------------------------------------------------------------------------


class AskAnswer(Model):
    """The answer to one question in a result. Own text comes last in ``values`` and ``labels`` and has no index."""

    values: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()
    custom_text: str | None = None
    note: str | None = None
    option_notes: ReadOnly[str] | None = None


class AskQuestionSummary(Model):
    """A question as a result names it. ``type`` is the requested type."""

    id: str
    label: str
    prompt: str
    type: QuestionType
    presented_type: QuestionType | None = None


class QuestionContext(AskQuestionSummary):
    """A question with all its options, for an agent that has to clarify it."""

    options: tuple[AskOption, ...]


class QuestionState(Model):
    """Where a question stands after a request to elaborate."""

    status: Literal["answered", "needs_clarification", "unanswered"]


class Continuation(Model):
    """What an agent may ask again after a request to elaborate, and what it must keep."""

    strategy: Literal["refine_only"] = "refine_only"
    affected_question_ids: tuple[str, ...]
    preserved_answers: ReadOnly[AskAnswer]
    question_states: ReadOnly[QuestionState]


class ElaborationTarget(Model):
    """What a note is about."""

    kind: Literal["question", "option"]
    option_value: str | None = None


class ElaborationItem(Model):
    """One note, with everything needed to understand it."""

    target: ElaborationTarget
    question: QuestionContext
    option: AskOption | None = None
    selected: bool | None = None
    answered: bool
    answer: AskAnswer | None = None
    note: str


class Elaboration(Model):
    """The notes of the person, in the order of the form, and what the agent is to do with them."""

    instruction: str
    next_action: Literal["clarify_then_reask"] = "clarify_then_reask"
    items: tuple[ElaborationItem, ...]


class AskResult(Model):
    """The outcome of a form."""

    title: str | None = None
    cancelled: bool
    error: AskError | None = None
    mode: ResponseMode = "submit"
    questions: tuple[AskQuestionSummary, ...] = ()
    answers: ReadOnly[AskAnswer] = Field(default_factory=lambda: MappingProxyType({}))
    continuation: Continuation | None = None
    elaboration: Elaboration | None = None


class Requester(Model):
    """Who asks, as far as the caller says so: untrusted, for the eye only. ``pid`` is a process id."""

    name: str
    cwd: str | None = None
    pid: int | None = None


# --- events -----------------------------------------------------------------------------------------------------------


class StartedEvent(Model):
    """A flow was registered; its surface is about to open."""

    version: Version = 1
    flow_id: str
    tool_call_id: str | None = None
    source: FlowSource = "tool"
    title: str | None = None
    requester: Requester | None = None
    questions: tuple[AskQuestion, ...]
    created_at: int


class CompletedEvent(Model):
    """A flow ended with a result, which may be a cancellation."""

    version: Version = 1
    flow_id: str
    tool_call_id: str | None = None
    source: FlowSource = "tool"
    result: AskResult
    completed_at: int


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return tuple(_frozen(item) for item in value) if isinstance(value, (list, tuple)) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_wire()
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _as_it_came(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    return _frozen(value) if isinstance(value, Mapping) else handler(value)


# The core checks what a bridge sent: a model would take a null for an absent part before the core could see it.
ForeignResponse = Annotated[
    RemoteAskResponse | Mapping[str, Any], WrapValidator(_as_it_came), PlainSerializer(_thawed, return_type=dict)
]


class SubmitEvent(Model):
    """A bridge's response to a flow. ``response`` is checked by the core."""

    version: Version = 1
    request_id: str
    flow_id: str
    response: ForeignResponse


class SubmitResultEvent(Model):
    """What became of one submit."""

    version: Version = 1
    request_id: str
    flow_id: str
    ok: bool
    error: SubmitError | None = None
    message: str | None = None


class DisposedEvent(Model):
    """A started flow ended without ``completed``: its surface failed. An addition to pi-ask's channels."""

    version: Version = 1
    flow_id: str
    reason: DisposeReason
