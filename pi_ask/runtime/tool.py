"""The tool itself: ``PiAsk`` takes a form, finds a surface for it and returns what came of it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import traceback
from collections.abc import Awaitable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, get_args

from pi_ask.config.schema import DEFAULTS, AskConfig
from pi_ask.errors import ExternalUIError, WrongThreadError
from pi_ask.models import SUBMIT, AskResult, FlowSource, Requester, StartedEvent, SurfaceMode
from pi_ask.runtime.abort import AbortController, AbortSignal
from pi_ask.runtime.bus import EventBus
from pi_ask.runtime.extensions import Extension, load_extension
from pi_ask.runtime.external_ui import ExternalAskProvider, negotiate, valid_provider
from pi_ask.runtime.flows import AskUserResult, Call, Flow, Flows
from pi_ask.runtime.previews import load_previews
from pi_ask.runtime.submit import handle_submit
from pi_ask.state.normalize import Form, read_form
from pi_ask.state.result import cancelled_result, invalid_result
from pi_ask.state.summary import ABORTED, BACKGROUND, FALLBACK, list_questions, summarize_issues
from pi_ask.text import has_surrogate

_log = logging.getLogger("pi_ask")

_T = TypeVar("_T")

_SOURCES = get_args(FlowSource)
_REAP_TURNS = 3
_REAP_SECONDS = 1.0


class PiAsk:
    """The in-process core: the ``ask_user`` tool and the bus ``events``.

    It belongs to one event loop, the one in which it is made or first used. ``native_ui`` is the provider of the
    native surface, used in mode ``"tui"`` only. ``cwd`` is where relative preview and extension files are looked for.
    """

    def __init__(
        self,
        mode: SurfaceMode = "rpc",
        cwd: str | os.PathLike[str] | None = None,
        config: AskConfig | None = None,
        *,
        native_ui: ExternalAskProvider | None = None,
    ) -> None:
        if mode not in get_args(SurfaceMode):
            raise ValueError(f"mode must be one of {', '.join(get_args(SurfaceMode))}, not {mode!r}")
        if config is not None and not isinstance(config, AskConfig):
            raise TypeError(f"config must be an AskConfig, not {type(config).__name__}")
        self.mode: SurfaceMode = mode
        self.cwd = Path.cwd() if cwd is None else Path(cwd).absolute()
        self.config = config if config is not None else DEFAULTS
        self.events = EventBus()
        self._native_ui = None if native_ui is None else valid_provider(native_ui)
        if native_ui is not None and self._native_ui is None:
            raise TypeError("native_ui must be a provider: version 1, an id that is not blank and open(request)")
        self._flows = Flows(self.events)
        self._closing = AbortController()
        self._calls: set[asyncio.Future[None]] = set()
        self.events.on(SUBMIT, lambda payload: handle_submit(self._flows, payload))

    async def ask_user(
        self,
        params: Any,
        *,
        tool_call_id: str | None = None,
        signal: AbortSignal | None = None,
        source: FlowSource = "tool",
        requester: Requester | Mapping[str, Any] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        present_single_as_multi: bool | None = None,
    ) -> AskUserResult:
        """Ask the person at this machine, and wait.

        Args:
            params: the form: an ``AskParams``, a mapping or JSON text.
            tool_call_id: the caller's own id for this call; it need not be unique.
            signal: withdraws the form when it fires.
            source: where the form comes from.
            requester: who asks, shown to the person: a name and, where known, a folder and a process id.
            cwd: where relative preview files are looked for, instead of this object's ``cwd``.
            present_single_as_multi: for this call, instead of the configuration's.

        Returns:
            The answer, a cancellation, the issues of the form or, without a surface, the questions in words.

        Raises:
            ExternalUIError: the surface failed; it is neither an answer nor a cancellation.
            WrongThreadError: called outside the loop that this object belongs to.
            RuntimeError: this object is closed.
        """
        loop = self._own_loop()
        call = _checked_call(tool_call_id, source, requester)
        if signal is not None and not isinstance(signal, AbortSignal):
            raise TypeError(f"signal must be an AbortSignal, not {type(signal).__name__}")
        done: asyncio.Future[None] = loop.create_future()
        self._calls.add(done)
        try:
            signals = [self._closing.signal] if signal is None else [self._closing.signal, signal]
            as_multi = self.config.behaviour.present_single_as_multi
            if present_single_as_multi is not None:
                as_multi = present_single_as_multi
            form = read_form(params, present_single_as_multi=as_multi)
            folder = self.cwd if cwd is None else self.cwd / Path(cwd)
            return await self._ask(form, folder, call, AbortSignal.any(signals))
        finally:
            self._calls.discard(done)
            done.set_result(None)

    def load_extension(self, source: str | os.PathLike[str] | Extension) -> None:
        """Run an extension: a Python file that defines ``extension(pi)``, or such a callable.

        Raises:
            ExtensionError: it cannot be loaded; the message names file and line.
        """
        load_extension(self, source)

    def pending(self) -> tuple[StartedEvent, ...]:
        """Return the started events of the flows now open, oldest first, for a listener that comes late."""
        return self._flows.pending()

    async def aclose(self) -> None:
        """End every flow as aborted, wait for the calls to return and remove every listener.

        Raises:
            WrongThreadError: called outside the loop that this object belongs to.
        """
        self._check_loop("pi.aclose()")
        self._closing.abort("closed")
        if self._calls:
            await asyncio.wait(set(self._calls))
        listeners = self.events.clear()
        if listeners:
            await asyncio.wait(listeners, timeout=_REAP_SECONDS)

    async def __aenter__(self) -> Self:
        self._own_loop()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        if self._closing.signal.aborted:
            raise RuntimeError("this PiAsk is closed; make a new one")
        return self._check_loop("pi.ask_user(...)")

    def _check_loop(self, call: str) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self.events.loop is None or self.events.loop.is_closed():
            self.events.bind(loop)
        if self.events.loop is not loop:
            raise WrongThreadError(
                "this PiAsk belongs to another event loop; from here call "
                f"asyncio.run_coroutine_threadsafe({call}, pi.events.loop)"
            )
        return loop

    async def _ask(self, form: Form, cwd: Path, call: Call, signal: AbortSignal) -> AskUserResult:
        if form.preview_files and not signal.aborted:
            form = await _unless_aborted(load_previews(form, cwd), signal) or form
        if form.issues:
            result = invalid_result(form.issues)
            return AskUserResult(result, summarize_issues(result), "invalid")
        provider = None if signal.aborted else self._surface(form, call)
        if signal.aborted:
            return AskUserResult(_cancelled(form), ABORTED, "aborted")
        if provider is None:
            heading = BACKGROUND if form.background and self.mode != "tui" else FALLBACK
            return AskUserResult(_cancelled(form), list_questions(form.questions, heading), "not_shown")
        return await self._run(self._flows.start(form, call, signal), provider)

    def _surface(self, form: Form, call: Call) -> ExternalAskProvider | None:
        if self.mode == "tui":
            return self._native_ui
        return None if form.background else negotiate(self.events, self.mode, call.tool_call_id)

    async def _run(self, flow: Flow, provider: ExternalAskProvider) -> AskUserResult:
        opened: asyncio.Task[Any] | None = None
        try:
            if self.events.dispatching:
                # Within a listener the started event still waits its turn; it comes before the surface opens.
                await asyncio.sleep(0)
            if not flow.ended:
                opened = _open(flow, provider)
            return await flow.outcome()
        except BaseException:
            # The awaiting task was cancelled, or the process is being ended; a failure has ended the flow by itself.
            flow.abandon()
            raise
        finally:
            if opened is not None:
                await _reap(opened)


def _open(flow: Flow, provider: ExternalAskProvider) -> asyncio.Task[Any] | None:
    try:
        returned = provider.open(flow.request())
    except (Exception, asyncio.CancelledError) as error:
        flow.fail(_failure(provider, error))
        return None
    if not inspect.isawaitable(returned):
        flow.respond_finally(returned, provider.id)
        return None
    task = asyncio.get_running_loop().create_task(_awaited(returned), name=f"user interface {provider.id}")
    task.add_done_callback(lambda task: _settle(flow, provider, task))
    return task


async def _awaited(returned: Awaitable[Any]) -> Any:
    return await returned


def _settle(flow: Flow, provider: ExternalAskProvider, task: asyncio.Task[Any]) -> None:
    error = asyncio.CancelledError("it was cancelled") if task.cancelled() else task.exception()
    if flow.ended:
        if isinstance(error, Exception):
            _log.debug("the user interface %r failed after the end of its flow", provider.id, exc_info=error)
    elif error is not None:
        flow.fail(_failure(provider, error))
    else:
        flow.respond_finally(task.result(), provider.id)


def _failure(provider: ExternalAskProvider, error: BaseException) -> ExternalUIError:
    what = traceback.format_exception_only(error)[-1].strip()
    failure = ExternalUIError(f"the user interface {provider.id!r} failed: {what}")
    failure.__cause__ = error
    return failure


async def _reap(task: asyncio.Task[Any]) -> None:
    """Leave no task behind: cancel the surface's, and give it a bounded time to end."""
    task.cancel()
    for _ in range(_REAP_TURNS):
        if task.done():
            return
        await asyncio.sleep(0)
    await asyncio.wait({task}, timeout=_REAP_SECONDS)
    if not task.done():
        _log.warning("%s goes on after its flow has ended", task.get_name())


async def _unless_aborted(work: Coroutine[Any, Any, _T], signal: AbortSignal) -> _T | None:
    """Return what ``work`` returns, or ``None`` as soon as ``signal`` fires."""
    task = asyncio.ensure_future(work)
    aborted = asyncio.ensure_future(signal.wait())
    try:
        await asyncio.wait({task, aborted}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        aborted.cancel()
        await asyncio.gather(task, aborted, return_exceptions=True)


def _checked_call(tool_call_id: Any, source: Any, requester: Any) -> Call:
    if tool_call_id is not None and not isinstance(tool_call_id, str):
        raise TypeError(f"tool_call_id must be text, not {type(tool_call_id).__name__}")
    if tool_call_id is not None and has_surrogate(tool_call_id):
        raise ValueError("tool_call_id holds a lone surrogate; send valid Unicode text")
    if source not in _SOURCES:
        raise ValueError(f"source must be one of {', '.join(_SOURCES)}, not {source!r}")
    return Call(
        tool_call_id=tool_call_id,
        source=source,
        requester=requester if requester is None or isinstance(requester, Requester) else _read_requester(requester),
    )


def _read_requester(requester: Any) -> Requester:
    return Requester.model_validate(requester)


def _cancelled(form: Form) -> AskResult:
    return cancelled_result(form.questions, title=form.title)
