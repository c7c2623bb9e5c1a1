"""Activation tokens: by such a token a window may come to the front, because of what the person did elsewhere.

Sources: the Startup Notification Protocol of freedesktop.org, the Wayland protocol xdg-activation-v1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WAYLAND_VARIABLE = "XDG_ACTIVATION_TOKEN"
X11_VARIABLE = "DESKTOP_STARTUP_ID"
VARIABLES = (WAYLAND_VARIABLE, X11_VARIABLE)

activation_token: ContextVar[str | None] = ContextVar("activation_token", default=None)
"""Set while a provider's ``open`` runs for a form that came with ``XDG_ACTIVATION_TOKEN``; for one use."""

_MAX_LENGTH = 4096

_own: list[str] = []


def take_from_environment() -> None:
    """Take the token that this program was started with out of the environment: no child of it may use it again."""
    given = [os.environ.pop(name, "") for name in VARIABLES]
    _own[:] = [token for token in given if _is_usable(token)][:1]


def take() -> str | None:
    """Return the token of who asks or clicks now, else the one that this program was started with; each is for once."""
    token = activation_token.get()
    activation_token.set(None)
    if token is not None and _is_usable(token):
        return token
    return _own.pop() if _own else None


def _is_usable(token: str) -> bool:
    """Return whether a token can be passed on: some clients send what no environment can hold."""
    return 0 < len(token) <= _MAX_LENGTH and "\0" not in token


@contextmanager
def handed_over(token: str | None) -> Iterator[None]:
    """Let ``token`` be taken in the block, and no longer."""
    before = activation_token.set(token)
    try:
        yield
    finally:
        activation_token.reset(before)
