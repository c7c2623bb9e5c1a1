"""The forms that wait for the person: listed in short, and cancelled in the person's name."""

from __future__ import annotations

import uuid
from typing import Any

from pi_ask.models import CONTRACT_VERSION, SUBMIT, SUBMIT_RESULT, StartedEvent, SubmitResultEvent
from pi_ask.runtime.tool import PiAsk
from pi_ask.wire import WireError

_SHORT = 300


def list_flows(pi: PiAsk) -> list[dict[str, Any]]:
    """Return the open flows, oldest first, each in a few short fields; longer texts end in an ellipsis."""
    return [_summary(event) for event in pi.pending()]


def cancel_flow(pi: PiAsk, flow_id: Any) -> None:
    """End a flow as the person's explicit cancel.

    Raises:
        WireError: ``flow_not_found``, or ``invalid_message`` where ``flow_id`` is no id.
    """
    request_id = uuid.uuid4().hex
    results: list[SubmitResultEvent] = []
    stop = pi.events.on(SUBMIT_RESULT, results.append)
    try:
        pi.events.emit(SUBMIT, _cancel(request_id, flow_id))
    finally:
        stop()
    refused = [result for result in results if result.request_id == request_id and not result.ok]
    if refused:
        code = "flow_not_found" if refused[0].error == "flow_not_found" else "invalid_message"
        raise WireError(code, refused[0].message or code)


def _cancel(request_id: str, flow_id: Any) -> dict[str, Any]:
    return {
        "version": CONTRACT_VERSION,
        "requestId": request_id,
        "flowId": flow_id,
        "response": {"kind": "cancel"},
    }


def _summary(event: StartedEvent) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "flowId": event.flow_id,
        "toolCallId": _short(event.tool_call_id),
        "source": event.source,
        "title": _short(event.title),
        "requester": _requester(event),
        "prompt": _short(event.questions[0].prompt),
        "questions": len(event.questions),
        "createdAt": event.created_at,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _requester(event: StartedEvent) -> dict[str, Any] | None:
    if event.requester is None:
        return None
    wire = event.requester.to_wire()
    return {name: _short(value) if isinstance(value, str) else value for name, value in wire.items()}


def _short(text: str | None) -> str | None:
    return text if text is None or len(text) <= _SHORT else f"{text[:_SHORT]}…"
