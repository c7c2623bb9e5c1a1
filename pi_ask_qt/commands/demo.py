"""``pi-ask demo``: a sample form on the screen; without one, answered by the smoke extension and photographed."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import TYPE_CHECKING

from pi_ask_qt.assets import resource
from pi_ask_qt.commands.ask import Job, carry_out, open_store
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.display import is_offscreen, screen_problem
from pi_ask_qt.ending import EXIT_FAILED

if TYPE_CHECKING:
    from pi_ask import PiAsk
    from pi_ask_qt.provider import QtAskProvider

_DEFAULT_SCREENSHOT = "pi-ask-demo.png"
_SCREENSHOT_AFTER_SECONDS = 1.0


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask demo`` and return its exit code."""
    problem = screen_problem()
    if problem is not None:
        say(f"{problem} The sample form runs offscreen, answered by the smoke extension.")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    smoke = arguments.smoke or is_offscreen()
    try:
        output = Output()
        return carry_out(lambda: _job(arguments, smoke=smoke), output)
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED


def _job(arguments: argparse.Namespace, *, smoke: bool) -> Job:
    screenshot = arguments.screenshot or (_DEFAULT_SCREENSHOT if smoke else None)
    own = (str(resource("extensions", "smoke.py")),) if smoke else ()
    return Job(
        form=resource("forms", "demo.json").read_bytes(),
        store=open_store(arguments.config),
        present_single_as_multi=arguments.present_single_as_multi,
        timeout=arguments.timeout,
        extensions=(*own, *arguments.extension),
        requester="pi-ask demo",
        prepare=lambda pi, provider: _photograph(pi, provider, screenshot),
    )


def _photograph(pi: PiAsk, provider: QtAskProvider, path: str | None) -> None:
    if path is None:
        return
    from pi_ask import STARTED  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    pi.events.on(STARTED, lambda _: loop.call_later(_SCREENSHOT_AFTER_SECONDS, _save_picture, provider, path))


def _save_picture(provider: QtAskProvider, path: str) -> None:
    window = next((window for window in provider.windows if window.isVisible()), None)
    if window is None or not window.grab().save(path, "PNG"):
        say(f"no picture could be written to {path}")
    else:
        say(f"a picture of the window is in {path}")
