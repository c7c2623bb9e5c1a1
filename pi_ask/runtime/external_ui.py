"""Negotiating for a user interface: what an extension may offer, and what a provider is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import Field, PrivateAttr

from pi_ask.models import CONTRACT_VERSION, EXTERNAL_UI, AskQuestion, Model, Requester, SurfaceMode, Version
from pi_ask.runtime.abort import AbortSignal
from pi_ask.runtime.bus import EventBus


class ExternalAskRequest(Model):
    """A form for a provider to show.

    ``signal`` fires on every way the flow can end; the provider closes its user interface then. It does not travel.
    """

    version: Version = 1
    flow_id: str
    tool_call_id: str | None = None
    title: str | None = None
    requester: Requester | None = None
    questions: tuple[AskQuestion, ...]
    signal: AbortSignal = Field(exclude=True)


Open = Callable[[ExternalAskRequest], Any]
"""Shows the form and returns the response, or an awaitable of it. A failure raises."""


@dataclass(frozen=True, slots=True)
class ExternalAskProvider:
    """A user interface that an extension offers. Any object with these three attributes will do."""

    id: str
    open: Open
    version: int = CONTRACT_VERSION


class ExternalAskConnection(Model):
    """The offer to show one call, valid while the event that carries it is being delivered."""

    version: Version = 1
    mode: SurfaceMode
    tool_call_id: str | None = None
    _provider: ExternalAskProvider | None = PrivateAttr(default=None)
    _open: bool = PrivateAttr(default=True)

    def connect(self, provider: Any) -> bool:
        """Offer ``provider``; return whether it was taken. The first valid one wins; never raises."""
        if not self._open or self._provider is not None:
            return False
        self._provider = valid_provider(provider)
        return self._provider is not None

    def close(self) -> ExternalAskProvider | None:
        """Return the provider that was taken, if any; from now on ``connect`` refuses."""
        self._open = False
        return self._provider


def negotiate(bus: EventBus, mode: SurfaceMode, tool_call_id: str | None) -> ExternalAskProvider | None:
    """Ask the extensions once, synchronously, for a provider."""
    connection = ExternalAskConnection.made(mode=mode, tool_call_id=tool_call_id)
    try:
        bus.emit(EXTERNAL_UI, connection)
    finally:
        connection.close()
    return connection.close()


def valid_provider(provider: Any) -> ExternalAskProvider | None:
    """Return what ``provider`` offers, or ``None`` where it is no provider that this version can use."""
    try:
        version, id_, open_ = provider.version, provider.id, provider.open
    except Exception:
        return None
    if type(version) is not int or version != CONTRACT_VERSION:
        return None
    if not (isinstance(id_, str) and id_.strip() and callable(open_)):
        return None
    return ExternalAskProvider(id=id_, open=open_)
