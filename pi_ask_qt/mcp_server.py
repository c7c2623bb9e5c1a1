"""The Model Context Protocol's server: two tools by which an agent asks the person at this desktop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

import pi_ask
from pi_ask.text import clipped, has_visible_character, one_line, without_surrogates
from pi_ask_qt.client import requester
from pi_ask_qt.desks import Desk, DeskError, NoScreenError, in_words
from pi_ask_qt.ending import Ending
from pi_ask_qt.mcp_stdio import stdio_streams
from pi_ask_qt.mcp_tools import (
    ASK_USER,
    CONFIRM_ACTION,
    confirm_form,
    confirm_problems,
    confirm_result,
    failure,
    form_result,
    tools,
)

HEARTBEAT_SECONDS = 15.0

_MAX_NAME = 100
_log = logging.getLogger("pi_ask_qt.mcp")

Context: TypeAlias = ServerRequestContext[Any, Any]

_INSTRUCTIONS = (
    "The person you work for sits at this desktop. Use ask_user when a decision is theirs: when requirements are "
    "unclear, when several ways are reasonable and the choice matters to them, when only they know something. Use "
    "confirm_action before anything that is hard to undo. Do not ask what you can find out yourself. An answer may "
    "take minutes; wait for it. No answer is no consent."
)


class AskServer:
    """Serves one client with forms that ``desk`` shows."""

    def __init__(self, desk: Desk, *, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self._desk = desk
        self._heartbeat_seconds = heartbeat_seconds
        self._server: Server[Any] = Server(
            "pi-ask",
            version=pi_ask.__version__,
            title="pi-ask",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._on_list_tools,
            on_call_tool=self._on_call_tool,
        )

    async def serve(self, source: int, sink: int) -> None:
        """Speak the protocol over two descriptors until the input ends; forms that are open then close."""
        async with stdio_streams(source, sink) as (received, sent):
            await self._server.run(received, sent, self._server.create_initialization_options())

    async def _on_list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools())

    async def _on_call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        arguments = params.arguments or {}
        if params.name == ASK_USER:
            return await self._answer(self._ask(context, arguments), form_result)
        if params.name != CONFIRM_ACTION:
            raise MCPError(code=INVALID_PARAMS, message=f"there is no tool {params.name!r}")
        problems = confirm_problems(arguments)
        if problems:
            return failure("\n".join(problems))
        # A decision is one choice, whatever the person prefers elsewhere.
        asking = self._ask(context, confirm_form(arguments), presentSingleAsMulti=False)
        return await self._answer(asking, confirm_result)

    async def _answer(self, asking: Awaitable[Ending], made: Callable[[Ending], CallToolResult]) -> CallToolResult:
        try:
            ending = await asking
        except DeskError as error:
            return failure(f"The form could not be answered: {error} Do not assume an answer.")
        except Exception as error:
            _log.exception("a form failed")
            return failure(f"The form failed: {type(error).__name__}: {error}. Do not assume an answer.")
        return made(ending)

    async def _ask(self, context: Context, form: Any, **more: Any) -> Ending:
        call = {"requester": requester(_client_name(context)), "toolCallId": str(context.request_id), **more}
        async with _heartbeat(context, self._heartbeat_seconds):
            try:
                return await self._desk.ask(form, call)
            except NoScreenError as error:
                return await in_words(form, str(error))


def _client_name(context: Context) -> str | None:
    """Return what the client calls itself, for the person's eyes."""
    params = context.session.client_params
    if params is None:
        return None
    name = one_line(without_surrogates(params.client_info.title or params.client_info.name))
    return clipped(name, _MAX_NAME) if has_visible_character(name) else None


@asynccontextmanager
async def _heartbeat(context: Context, seconds: float) -> AsyncIterator[None]:
    """Tell a client that wants to know, at once and again and again, that the person is still thinking."""
    beating = asyncio.ensure_future(_beat(context, seconds))
    try:
        yield
    finally:
        beating.cancel()


async def _beat(context: Context, seconds: float) -> None:
    start = monotonic()
    with contextlib.suppress(Exception):  # a client that has gone is noticed elsewhere
        while True:
            await context.session.report_progress(round(monotonic() - start, 3), None, "waiting for the person")
            await asyncio.sleep(seconds)
