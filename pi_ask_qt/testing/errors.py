"""What goes wrong in a test that fills in forms."""

from __future__ import annotations

from pi_ask.errors import PiAskError


class AskDriverError(PiAskError, AssertionError):
    """The form does not offer what a test asked for; the message says what is on the screen."""
