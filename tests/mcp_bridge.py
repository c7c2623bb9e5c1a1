"""The person of the MCP server's tests: does with each form what its title says, and writes down what happens."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from PySide6.QtWidgets import QApplication

from pi_ask import COMPLETED, STARTED, SUBMIT, PiAsk, StartedEvent


def response_to(event: StartedEvent) -> dict[str, Any] | None:
    """Return the response that the title names; ``None``: the person thinks, and goes on thinking."""
    if event.title == "megabyte":
        return {"kind": "answer", "answers": {"q": {"values": ["a"], "note": "ü" * 1_048_576}}}
    try:
        response = json.loads(event.title or "")
    except ValueError:
        return None
    return response if isinstance(response, dict) else None


def log(**fields: Any) -> None:
    """Write down one thing that happened."""
    with open(os.environ["MCP_BRIDGE_LOG"], "a", encoding="utf-8") as file:
        file.write(json.dumps(fields) + "\n")


async def window_of(event: StartedEvent) -> None:
    """Wait until the form has a window."""
    app = QApplication.instance()
    while isinstance(app, QApplication):
        if event.flow_id in [widget.property("flowId") for widget in app.topLevelWidgets()]:
            return
        await asyncio.sleep(0.01)


def extension(pi: PiAsk) -> None:
    """Play the person."""

    async def on_started(event: StartedEvent) -> None:
        await window_of(event)
        print("a stray word on standard output", flush=True)
        os.write(1, b"another one\n")
        log(kind="opened", title=event.title, pid=os.getpid(), event=event.to_wire())
        response = response_to(event)
        if response is not None:
            submit = {"version": 1, "requestId": "r", "flowId": event.flow_id, "response": response}
            pi.events.emit(SUBMIT, submit)

    pi.events.on(STARTED, on_started)
    pi.events.on(COMPLETED, lambda event: log(kind="completed", cancelled=event.result.cancelled))
