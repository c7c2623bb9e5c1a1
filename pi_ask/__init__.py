"""The in-process ask contract: forms, flows, events and results, without a toolkit.

Everything public is here and is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pi_ask.config.schema import AskConfig as AskConfig
    from pi_ask.errors import AbortedError as AbortedError
    from pi_ask.errors import ConfigError as ConfigError
    from pi_ask.errors import ExtensionError as ExtensionError
    from pi_ask.errors import ExternalUIError as ExternalUIError
    from pi_ask.errors import InvalidResponseError as InvalidResponseError
    from pi_ask.errors import PiAskError as PiAskError
    from pi_ask.errors import UnansweredError as UnansweredError
    from pi_ask.errors import WrongThreadError as WrongThreadError
    from pi_ask.models import COMPLETED as COMPLETED
    from pi_ask.models import DISPOSED as DISPOSED
    from pi_ask.models import EXTERNAL_UI as EXTERNAL_UI
    from pi_ask.models import STARTED as STARTED
    from pi_ask.models import SUBMIT as SUBMIT
    from pi_ask.models import SUBMIT_RESULT as SUBMIT_RESULT
    from pi_ask.models import AskAnswer as AskAnswer
    from pi_ask.models import AskError as AskError
    from pi_ask.models import AskIssue as AskIssue
    from pi_ask.models import AskOption as AskOption
    from pi_ask.models import AskOptionParams as AskOptionParams
    from pi_ask.models import AskParams as AskParams
    from pi_ask.models import AskQuestion as AskQuestion
    from pi_ask.models import AskQuestionParams as AskQuestionParams
    from pi_ask.models import AskQuestionSummary as AskQuestionSummary
    from pi_ask.models import AskResult as AskResult
    from pi_ask.models import CompletedEvent as CompletedEvent
    from pi_ask.models import Continuation as Continuation
    from pi_ask.models import DisposedEvent as DisposedEvent
    from pi_ask.models import Elaboration as Elaboration
    from pi_ask.models import ElaborationItem as ElaborationItem
    from pi_ask.models import RemoteAskAnswer as RemoteAskAnswer
    from pi_ask.models import RemoteAskResponse as RemoteAskResponse
    from pi_ask.models import Requester as Requester
    from pi_ask.models import StartedEvent as StartedEvent
    from pi_ask.models import SubmitEvent as SubmitEvent
    from pi_ask.models import SubmitResultEvent as SubmitResultEvent
    from pi_ask.runtime.abort import AbortController as AbortController
    from pi_ask.runtime.abort import AbortSignal as AbortSignal
    from pi_ask.runtime.bus import EventBus as EventBus
    from pi_ask.runtime.external_ui import ExternalAskConnection as ExternalAskConnection
    from pi_ask.runtime.external_ui import ExternalAskProvider as ExternalAskProvider
    from pi_ask.runtime.external_ui import ExternalAskRequest as ExternalAskRequest
    from pi_ask.runtime.flows import AskUserResult as AskUserResult
    from pi_ask.runtime.tool import PiAsk as PiAsk

_HOMES = {
    "pi_ask.config.schema": ("AskConfig",),
    "pi_ask.errors": (
        "AbortedError",
        "ConfigError",
        "ExtensionError",
        "ExternalUIError",
        "InvalidResponseError",
        "PiAskError",
        "UnansweredError",
        "WrongThreadError",
    ),
    "pi_ask.models": (
        "COMPLETED",
        "DISPOSED",
        "EXTERNAL_UI",
        "STARTED",
        "SUBMIT",
        "SUBMIT_RESULT",
        "AskAnswer",
        "AskError",
        "AskIssue",
        "AskOption",
        "AskOptionParams",
        "AskParams",
        "AskQuestion",
        "AskQuestionParams",
        "AskQuestionSummary",
        "AskResult",
        "CompletedEvent",
        "Continuation",
        "DisposedEvent",
        "Elaboration",
        "ElaborationItem",
        "RemoteAskAnswer",
        "RemoteAskResponse",
        "Requester",
        "StartedEvent",
        "SubmitEvent",
        "SubmitResultEvent",
    ),
    "pi_ask.runtime.abort": ("AbortController", "AbortSignal"),
    "pi_ask.runtime.bus": ("EventBus",),
    "pi_ask.runtime.external_ui": ("ExternalAskConnection", "ExternalAskProvider", "ExternalAskRequest"),
    "pi_ask.runtime.flows": ("AskUserResult",),
    "pi_ask.runtime.tool": ("PiAsk",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
