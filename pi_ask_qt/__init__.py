"""The desktop surface of pi-ask: a PySide6 window in the same process, on one loop with asyncio."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would take a client of the resident longer than asking
if TYPE_CHECKING:
    from typing import Any

    from pi_ask_qt.app import run as run
    from pi_ask_qt.card_actions import CardAction as CardAction
    from pi_ask_qt.loop import new_event_loop as new_event_loop
    from pi_ask_qt.provider import QtAskProvider as QtAskProvider

_HOMES = {
    "CardAction": "pi_ask_qt.card_actions",
    "QtAskProvider": "pi_ask_qt.provider",
    "new_event_loop": "pi_ask_qt.loop",
    "run": "pi_ask_qt.app",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - see above

    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
