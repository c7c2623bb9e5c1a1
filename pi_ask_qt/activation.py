"""The activation token that a caller hands over with its form, so that the window may come to the front."""

from __future__ import annotations

from contextvars import ContextVar

activation_token: ContextVar[str | None] = ContextVar("activation_token", default=None)
"""Set while a provider's ``open`` runs for a form that came with ``XDG_ACTIVATION_TOKEN``; for one use."""
