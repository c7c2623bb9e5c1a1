"""Running a command whose arguments have been read."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pi_ask_qt.commands.output import say, say_failure
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable


def carry_out(arguments: Any) -> int:
    """Run the command whose module ``arguments`` name and return its exit code."""
    try:
        module = importlib.import_module(f"pi_ask_qt.commands.{arguments.module}")
        run: Callable[[Any], int] = module.run
        return run(arguments)
    except KeyboardInterrupt:
        say("interrupted; nothing was chosen")
        return EXIT_INTERRUPTED
    except (Exception, SystemExit) as error:
        # Python's own exit codes, 0 and 1, would read as an answer and as a person's cancel.
        say_failure(error)
        return EXIT_FAILED
