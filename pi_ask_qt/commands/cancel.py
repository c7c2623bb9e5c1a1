"""``pi-ask cancel``: cancel a form that waits in the resident, in the person's name."""

from __future__ import annotations

import argparse

from pi_ask_qt.commands.output import say
from pi_ask_qt.conversation import LostError, RefusedError, request
from pi_ask_qt.ending import EXIT_FAILED, EXIT_USAGE


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask cancel`` and return its exit code."""
    try:
        waiting = [flow["flowId"] for flow in request("pending", "pending")["flows"]]
        fitting = [flow_id for flow_id in waiting if arguments.flow and flow_id.startswith(arguments.flow)]
        if len(fitting) != 1:
            what = f"{len(fitting)} waiting forms have" if fitting else "no waiting form has"
            say(f"{what} an id that begins with {arguments.flow!r}; see: pi-ask pending")
            return EXIT_USAGE
        request("cancel", "cancelled", flowId=fitting[0])
    except (LostError, RefusedError) as error:
        say(str(error))
        return EXIT_FAILED
    return 0
