"""Bringing up Qt for commands that are nothing without a window."""

from __future__ import annotations

import logging
import sys
from types import ModuleType

from pi_ask_qt.commands.output import say
from pi_ask_qt.compiled import kept_compiled
from pi_ask_qt.display import screen_problem
from pi_ask_qt.libraries import missing_library_line


def load_app() -> ModuleType | None:
    """Return ``pi_ask_qt.app`` where a window can be shown; where none can, say why and return ``None``."""
    logging.basicConfig(stream=sys.stderr, format="pi-ask: %(message)s")
    problem = screen_problem()
    if problem is not None:
        say(problem)
        return None
    try:
        with kept_compiled():
            from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that it is certain that there is a screen
    except ImportError as error:
        say(missing_library_line(error))
        return None
    return app
