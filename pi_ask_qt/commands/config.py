"""``pi-ask config``: where the configuration is, what it comes to, and what is wrong with it."""

from __future__ import annotations

import argparse
import os

from pi_ask.config.store import ConfigStore
from pi_ask_qt.commands.output import Output, OutputError, say, say_in_one_line
from pi_ask_qt.ending import EXIT_FAILED, EXIT_USAGE


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask config`` and return its exit code."""
    store = ConfigStore(arguments.config)
    try:
        return _carry_out(arguments.what, store)
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED


def _carry_out(what: str, store: ConfigStore) -> int:
    if what == "path":
        Output(set_aside=False).write(os.fsencode(store.path))
        return 0
    loaded = store.load()
    for notice in loaded.notices:
        say_in_one_line(notice)
    if what == "show":
        Output(set_aside=False).write(loaded.config.to_json(indent=2))
        return 0
    return EXIT_USAGE if loaded.notices else 0
