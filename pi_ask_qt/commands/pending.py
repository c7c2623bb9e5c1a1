"""``pi-ask pending``: list the forms that wait in the resident."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from pi_ask.text import one_line, visible
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.conversation import LostError, RefusedError, request
from pi_ask_qt.ending import EXIT_FAILED

_SHORT_ID = 8
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask pending`` and return its exit code."""
    try:
        flows: list[dict[str, Any]] = request("pending", "pending")["flows"]
        output = Output(set_aside=False)
        if arguments.json:
            output.write(json.dumps(flows, ensure_ascii=False, separators=(",", ":")))
        elif flows:
            output.write("\n".join(_line(flow, time.time()) for flow in flows))
        else:
            say("no form is waiting")
    except (LostError, RefusedError, OutputError) as error:
        say(str(error))
        return EXIT_FAILED
    return 0


def _line(flow: dict[str, Any], now: float) -> str:
    """Return one form in words; what others wrote is made visible, so that it cannot steer the terminal."""
    who = flow.get("requester", {}).get("name")
    about = [flow.get("title"), who and f"asked by {who}", flow["prompt"]]
    words = " - ".join(one_line(visible(text)) for text in about if text)
    return f"{flow['flowId'][:_SHORT_ID]}  {_age(now - flow['createdAt'] / 1000):>6}  {words}"


def _age(seconds: float) -> str:
    size, unit = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    return f"{max(0, int(seconds // size))} {unit}"
