"""A resident as ``pi-ask tray`` runs it, with a test's limits, and a bridge that answers by the title of a form."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
import sys
from typing import Any

from pi_ask import STARTED, SUBMIT, PiAsk, StartedEvent
from pi_ask_qt import QtAskProvider, app
from pi_ask_qt.resident import Limits, ResidentServer


def answer(event: StartedEvent) -> dict[str, Any] | None:
    """Return what the person at this screen does with a form; with most of them: nothing."""
    first = {question.id: {"values": [question.options[0].value]} for question in event.questions}
    last = {question.id: {"values": [question.options[-1].value], "note": "why?"} for question in event.questions}
    own = {question.id: {"customText": "yes"} for question in event.questions}
    responses: dict[str, dict[str, Any]] = {
        "answer": {"kind": "answer", "answers": first},
        "elaborate": {"kind": "answer", "mode": "elaborate", "answers": last},
        "last": {"kind": "answer", "answers": last},
        "own": {"kind": "answer", "answers": own},
        "nothing": {"kind": "answer", "answers": {}},
        "cancel": {"kind": "cancel"},
    }
    return responses.get(event.title or event.questions[0].prompt)


def bridge(pi: PiAsk) -> None:
    """Answer as soon as a form has started."""

    def on_started(event: StartedEvent) -> None:
        response = answer(event)
        if response is not None:
            submit = {"version": 1, "requestId": "1", "flowId": event.flow_id, "response": response}
            pi.events.emit(SUBMIT, submit)

    pi.events.on(STARTED, on_started)


async def reside(_: app.AskApplication) -> None:
    """Listen until told to end; on SIGUSR1 say what is held."""
    async with PiAsk() as pi:
        provider = QtAskProvider()
        unregister = provider.register(pi)
        bridge(pi)
        async with ResidentServer(pi, limits=Limits(**json.loads(sys.argv[1]))) as server:

            def report() -> None:
                gc.collect()
                held = {
                    "peers": len(server.peers),
                    "forms": server.service.forms,
                    "heldBytes": server.service.held_bytes,
                    "windows": len(provider.windows),
                    "tasks": len(asyncio.all_tasks()),
                }
                print(json.dumps(held), flush=True)

            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, report)
            print("ready", flush=True)
            await asyncio.Event().wait()
        unregister()


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr)
    try:
        app.run(reside)
    except app.InterruptedByUser:
        sys.exit(0)
