"""How a form ended, whoever showed it: what the command prints and returns then."""

from __future__ import annotations

import json

from pi_ask_qt.commands.output import Output, say

TYPE_CHECKING = False  # importing typing would cost a client of the resident more than all of this
if TYPE_CHECKING:
    from typing import Any

EXIT_ANSWERED = 0
EXIT_CANCELLED = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_ELABORATE = 4
EXIT_TIMED_OUT = 5
EXIT_INTERRUPTED = 130

CONFIRM_ID = "confirm"
YES = "yes"

_CODES = {"cancelled": EXIT_CANCELLED, "invalid": EXIT_USAGE, "aborted": EXIT_TIMED_OUT}


class Ending:
    """The outcome in a word (see ``AskUserResult.outcome``), the ``AskResult`` in its wire form, and the text."""

    def __init__(self, outcome: str, result: dict[str, Any], text: str) -> None:
        self.outcome = outcome
        self.result = result
        self.text = text

    @property
    def exit_code(self) -> int:
        """The exit code that stands for it."""
        if self.outcome == "answered":
            return EXIT_ELABORATE if self.result.get("mode") == "elaborate" else EXIT_ANSWERED
        return _CODES.get(self.outcome, EXIT_FAILED)


def report_result(ending: Ending, output: Output) -> int:
    """Write the result as one JSON document and return the exit code; an end without a result is one line."""
    code = ending.exit_code
    if code == EXIT_TIMED_OUT:
        say("the form was not answered in time; nothing was chosen")
    elif code in {EXIT_USAGE, EXIT_FAILED}:
        say(ending.text)
    if code not in {EXIT_TIMED_OUT, EXIT_FAILED}:
        output.write(json.dumps(ending.result, ensure_ascii=False, separators=(",", ":")))
    return code


def report_choice(ending: Ending, output: Output) -> int:
    """Write what was chosen for a question of yes or no; only an explicit yes returns 0."""
    code = ending.exit_code
    if code == EXIT_CANCELLED:
        return code
    if code != EXIT_ANSWERED:
        return report_result(ending, output)
    answer = ending.result["answers"].get(CONFIRM_ID, {})
    values = answer.get("values", [])
    if values:
        output.write("\n".join(values))
    notes = [answer.get("note"), *answer.get("optionNotes", {}).values()]
    for note in filter(None, notes):
        say(f"note: {note}")
    # Own words that read "yes" have no index; they are for a person or a model to understand, not for a script.
    return EXIT_ANSWERED if values == [YES] and len(answer["indices"]) == 1 else EXIT_CANCELLED
