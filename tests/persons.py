"""What tests of the adapters share: a core whose person does what a script says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from pi_ask import PiAsk
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.testing import Script, ScriptedForm, ScriptedPerson

QUESTION = "approval"


class Desk:
    """A core with a person, and the forms that came to them."""

    def __init__(self, pi: PiAsk, requests: list[ExternalAskRequest]) -> None:
        self.pi = pi
        self.requests = requests

    @property
    def request(self) -> ExternalAskRequest:
        """The one form that came."""
        assert len(self.requests) == 1, self.requests
        return self.requests[0]


@asynccontextmanager
async def desk(*scripts: Script) -> AsyncIterator[Desk]:
    """Yield a core whose person plays ``scripts``, one for each form; the last one for all further forms."""
    requests: list[ExternalAskRequest] = []

    def play(form: ScriptedForm) -> object:
        requests.append(form.request)
        return scripts[min(len(requests), len(scripts)) - 1](form)

    async with PiAsk() as pi:
        ScriptedPerson(play).register(pi)
        yield Desk(pi, requests)


def approve(form: ScriptedForm) -> None:
    """Choose Approve, and submit."""
    form.choose(QUESTION, "approve").submit()


def deny(form: ScriptedForm) -> None:
    """Choose Deny with a note, and submit."""
    form.choose(QUESTION, "deny").note(QUESTION, "not on a Friday").submit()


def write(form: ScriptedForm) -> None:
    """Write own words that read like an approval, and submit."""
    form.type(QUESTION, "approve").submit()


def nothing(form: ScriptedForm) -> None:
    """Submit without an answer."""
    form.submit()


def elaborate(form: ScriptedForm) -> None:
    """Choose Approve, and ask for an explanation instead of submitting."""
    form.choose(QUESTION, "approve").note(QUESTION, "what is in it?").elaborate()


def cancel(form: ScriptedForm) -> None:
    """Leave without an answer."""
    form.cancel()


NOT_APPROVED: dict[str, tuple[Callable[[ScriptedForm], None], str]] = {
    "deny": (deny, "not on a Friday"),
    "own words": (write, '"approve"'),
    "nothing chosen": (nothing, "neither approved nor denied"),
    "elaborate": (elaborate, "what is in it?"),
    "cancel": (cancel, "cancelled"),
}
"""Everything a person can do that is no approval, and what the agent is told."""


def preview(request: ExternalAskRequest) -> str:
    """Return the text beside the question, which is the same for both of its options."""
    (question,) = request.questions
    previews = {option.preview for option in question.options}
    assert len(previews) == 1
    return previews.pop() or ""


class Endless:
    """A person who does not answer until told to."""

    def __init__(self) -> None:
        self.closed: list[str] = []
        self.shown = asyncio.Event()

    async def __call__(self, form: ScriptedForm) -> None:
        form.request.signal.on_abort(lambda: self.closed.append(form.request.flow_id))
        self.shown.set()
        await form.request.signal.wait()


def fails(_: Any) -> None:
    """Break down."""
    raise OSError("the screen is on fire")
