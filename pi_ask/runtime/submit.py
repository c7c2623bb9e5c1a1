"""The submit channel: a bridge's response, and exactly one word about what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pi_ask.errors import InvalidResponseError
from pi_ask.models import CONTRACT_VERSION, SUBMIT_RESULT, SubmitError, SubmitResultEvent
from pi_ask.runtime.flows import Flows
from pi_ask.state.raw import field, kind_of, plain, shown
from pi_ask.text import has_surrogate


class _RefusedError(Exception):
    def __init__(self, error: SubmitError, message: str) -> None:
        super().__init__(message)
        self.error: SubmitError = error


def handle_submit(flows: Flows, payload: Any) -> None:
    """Carry out one submit and emit its submit-result."""
    raw = plain(payload)
    envelope = raw if isinstance(raw, Mapping) else {}
    event = SubmitResultEvent(request_id=_id(envelope, "requestId"), flow_id=_id(envelope, "flowId"), ok=True)
    try:
        _carry_out(flows, raw)
    except _RefusedError as refusal:
        event = event.model_copy(update={"ok": False, "error": refusal.error, "message": str(refusal)})
    flows.bus.emit(SUBMIT_RESULT, event)


def _carry_out(flows: Flows, raw: Any) -> None:
    response = _checked_envelope(raw)
    flow = flows.get(field(raw, "flowId"))
    if flow is None:
        raise _RefusedError("flow_not_found", f"no open form has the flow id {shown(field(raw, 'flowId'))}")
    try:
        flow.respond(response)
    except InvalidResponseError as error:
        raise _RefusedError("invalid_answer", str(error)) from error


def _checked_envelope(raw: Any) -> Any:
    if not isinstance(raw, Mapping):
        raise _RefusedError("invalid_request", f"a submit must be an object, not {kind_of(raw)}")
    version = field(raw, "version")
    if type(version) is not int or version != CONTRACT_VERSION:
        raise _RefusedError("invalid_request", f"version must be {CONTRACT_VERSION}")
    for name in ("requestId", "flowId"):
        if not _id(raw, name).strip():
            raise _RefusedError("invalid_request", f"{name} must be text that is not blank")
    response = plain(field(raw, "response"))
    if not isinstance(response, Mapping):
        raise _RefusedError("invalid_request", f"response must be an object, not {kind_of(response)}")
    kind = field(response, "kind")
    if not (isinstance(kind, str) and kind in {"answer", "cancel"}):
        raise _RefusedError("invalid_request", f'response.kind must be "answer" or "cancel", not {shown(kind)}')
    return response


def _id(envelope: Mapping[Any, Any], name: str) -> str:
    value = field(envelope, name)
    return str(value) if isinstance(value, str) and not has_surrogate(value) else ""
