"""What a caller of this library can catch."""


class PiAskError(Exception):
    """The base of every error that this library raises on purpose."""


class ExternalUIError(PiAskError):
    """A user interface failed: it raised, returned nothing, or returned an invalid response.

    It is never an answer and never a cancellation. ``__cause__`` is the interface's own error where there is one.
    """


class UnansweredError(PiAskError):
    """The person was not asked, or the form was withdrawn: there is neither an answer nor a cancellation."""


class ExtensionError(PiAskError):
    """An extension could not be loaded; the message names the file and the line."""


class WrongThreadError(PiAskError, RuntimeError):
    """A call came from a thread that does not own the event loop; the message names the way that works."""


class AbortedError(PiAskError):
    """Raised by :meth:`AbortSignal.throw_if_aborted`; ``reason`` is the first reason given."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"aborted: {reason}" if reason is not None else "aborted")
        self.reason = reason


class PreviewError(PiAskError):
    """A preview file cannot be shown; the message says why and what to change."""


class ConfigError(PiAskError):
    """A configuration cannot be used; the message says where and why."""


class InvalidResponseError(PiAskError, ValueError):
    """A response does not fit the form; ``problems`` has everything that was found."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
