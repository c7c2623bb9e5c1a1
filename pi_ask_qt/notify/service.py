"""Notifications by the desktop's service, ``org.freedesktop.Notifications`` on the session bus.

Source: the Desktop Notifications Specification of freedesktop.org. Nothing here waits for the service: one that hangs,
goes away, comes back or is not there costs nobody any time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, new_method_call
from jeepney.bus_messages import message_bus
from PySide6.QtGui import QGuiApplication

from pi_ask_qt.assets import resource
from pi_ask_qt.notify.bus import Bus, BusError, open_bus
from pi_ask_qt.views import sentences
from pi_ask_qt.views.notices import Notice

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"

_log = logging.getLogger("pi_ask_qt")

_RULE = MatchRule(type="signal", sender=NAME, interface=NAME, path=PATH)
_ACTION = "default"
_PROGRAM = "pi-ask"
_CATEGORY = "x-pi-ask.question"
_NORMAL = 1
_SERVER_DECIDES, _NEVER = -1, 0

# A service that is started by the first call takes its time. One that takes longer has failed, and whatever it shows
# later is taken away at once.
_PATIENCE_SECONDS = 5.0
_LAST_WORD_SECONDS = 30.0
_FAREWELL_SECONDS = 0.5


class DesktopService:
    """Shows notices; ``clicked`` is called with a flow's id and the activation token of the click, if there is one."""

    def __init__(self, clicked: Callable[[str, str | None], object]) -> None:
        self._clicked = clicked
        self._bus: Bus | None = None
        self._connecting = asyncio.Lock()
        self._shown: dict[str, _Shown] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def show(self, flow_id: str, notice: Notice, failed: Callable[[], object]) -> None:
        """Show ``notice``; ``failed`` is called once where that does not work."""
        shown = self._shown[flow_id] = _Shown(failed)
        task = asyncio.get_running_loop().create_task(self._show(shown, notice), name=f"notification of {flow_id}")
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def withdraw(self, flow_id: str) -> None:
        """Take the notice of a form away, now or as soon as it is known which one it is."""
        shown = self._shown.pop(flow_id, None)
        if shown is not None:
            shown.unwant()
        self._close_if_idle()

    def close(self) -> None:
        """Take everything away, and leave the bus."""
        for flow_id in tuple(self._shown):
            self.withdraw(flow_id)
        for task in self._tasks:
            task.cancel()

    async def _show(self, shown: _Shown, notice: Notice) -> None:
        late = asyncio.get_running_loop().call_later(_PATIENCE_SECONDS, shown.give_up)
        try:
            async with asyncio.timeout(_LAST_WORD_SECONDS):
                bus = await self._connected()
                capabilities = (await bus.call(_method("GetCapabilities"))).body[0]
                if not shown.unwanted:
                    await _patiently(bus.call(_notify(notice, capabilities), lambda reply: shown.arrived(bus, reply)))
        except (BusError, TimeoutError, OSError, LookupError) as error:
            _log.debug("the notification service failed: %s", error)
            shown.give_up()
        finally:
            late.cancel()

    async def _connected(self) -> Bus:
        async with self._connecting:
            if self._bus is None or not self._bus.is_open:
                self._bus = await open_bus(self._on_signal)
                self._bus.call(message_bus.AddMatch(_RULE))
            return self._bus

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a notification failed", exc_info=task.exception())
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        if self._bus is not None and not self._shown and not self._tasks:
            self._bus.close()
            self._bus = None

    def _on_signal(self, message: Message) -> None:
        found = [(flow_id, shown) for flow_id, shown in self._shown.items() if shown.is_meant(message)]
        member = message.header.fields.get(HeaderFields.member)
        for flow_id, shown in found:
            if member == "NotificationClosed":
                del self._shown[flow_id]
                self._close_if_idle()
            elif member == "ActivationToken":
                shown.token = str(message.body[1])
            elif member == "ActionInvoked" and message.body[1] == _ACTION:
                token, shown.token = shown.token, None
                self._clicked(flow_id, token)


class _Shown:
    """One notice: which one it is to the service, once that is known, and whether anybody wants it still."""

    def __init__(self, failed: Callable[[], object]) -> None:
        self._failed = failed
        self.unwanted = False
        self._bus: Bus | None = None
        self._owner = ""
        self._id = 0
        self.token: str | None = None

    def arrived(self, bus: Bus, reply: Message) -> None:
        """Take note of what the service calls it."""
        self._bus, self._owner, self._id = bus, _sender(reply), int(reply.body[0])
        if self.unwanted:
            self._withdraw()

    def is_meant(self, message: Message) -> bool:
        """Return whether a signal is about this notice."""
        values = message.body
        return bool(self._id) and _sender(message) == self._owner and len(values) > 1 and values[0] == self._id

    def unwant(self) -> None:
        """Take it away."""
        self.unwanted = True
        self._withdraw()

    def give_up(self) -> None:
        """Say that it does not come, unless it has, or nobody wants it."""
        if not self.unwanted and not self._id:
            self.unwanted = True
            self._failed()

    def _withdraw(self) -> None:
        # To the very process that has shown it: to another one, its number would mean somebody else's notice.
        if self._bus is not None:
            self._bus.call(_method("CloseNotification", "u", self._id, to=self._owner))
            self._bus = None


def _method(member: str, signature: str | None = None, *arguments: Any, to: str = NAME) -> Message:
    return new_method_call(DBusAddress(PATH, bus_name=to, interface=NAME), member, signature, arguments)


def _sender(message: Message) -> str:
    return str(message.header.fields.get(HeaderFields.sender, ""))


def _notify(notice: Notice, capabilities: Collection[str]) -> Message:
    """Return the call that shows ``notice`` in a way that the service is capable of."""
    has_body = "body" in capabilities
    body = "\n".join(notice.lines) if has_body else ""
    hints = {
        "urgency": ("y", _NORMAL),
        "category": ("s", _CATEGORY),
        "suppress-sound": ("b", True),
        "desktop-entry": ("s", QGuiApplication.desktopFileName() or _PROGRAM),
    }
    return _method(
        "Notify",
        "susssasa{sv}i",
        _PROGRAM,
        0,
        resource("icons", "pi-ask.svg").as_uri(),
        notice.who if has_body else notice.sentence,
        _escaped(body) if "body-markup" in capabilities else body,
        [_ACTION, sentences.OPEN] if "actions" in capabilities else [],
        hints,
        # Where it would be gone for good with the time, it stays until the form ends.
        _SERVER_DECIDES if "persistence" in capabilities else _NEVER,
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


async def _patiently(reply: asyncio.Future[Message]) -> None:
    """Wait for ``reply``; where the program ends meanwhile, a little longer, so that the notice does not outlive it."""
    try:
        await asyncio.shield(reply)
    except asyncio.CancelledError:
        loop = asyncio.get_running_loop()
        end = loop.time() + _FAREWELL_SECONDS
        while not reply.done() and (remaining := end - loop.time()) > 0:
            # A loop that ends cancels a second time.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({reply}, timeout=remaining)
        raise
