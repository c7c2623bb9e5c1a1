"""One form on its way: its state, its window, and what comes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QTimer
from shiboken6 import isValid

from pi_ask import AskConfig, ExternalAskRequest, RemoteAskResponse
from pi_ask.errors import PiAskError
from pi_ask.form import (
    Action,
    ApplyRules,
    ConfirmRow,
    FocusRow,
    FormRules,
    FormState,
    MoveRow,
    ToggleRow,
    at_review,
    current_entry,
    open_form,
    reduce,
    response,
)
from pi_ask_qt import front
from pi_ask_qt.geometry import remember_size, restore_size
from pi_ask_qt.views.guard import Guard, stops_click, stops_key
from pi_ask_qt.views.keys import Command, action_for
from pi_ask_qt.views.window import About, WindowView, build_window
from pi_ask_qt.widgets.window import AskWindow

_log = logging.getLogger("pi_ask_qt")

_AGE_STEP_MS = 10_000
_ALERT_MS = 100


Deliver = Callable[[RemoteAskResponse], str]
"""Sends a response on its way; returns why it was refused, ``""`` where it was not."""


class SurfaceClosedError(PiAskError):
    """The window went away without the person's doing: the provider was closed, or Qt failed."""


class FlowWindow:
    """One form on its way: its state, its window, and what comes of it.

    The window is made when it is first needed: a form that waits for its turn does without. An error in Qt or in
    drawing ends it as a failure, whatever the person was doing.
    """

    def __init__(
        self, request: ExternalAskRequest, config: AskConfig, clock: Callable[[], float], folder: Path
    ) -> None:
        self.ended: asyncio.Future[RemoteAskResponse] = asyncio.get_running_loop().create_future()
        self._request = request
        self._config = config
        self.settings_requested: Callable[[], object] = lambda: None
        self.panel_requested: Callable[[], object] = lambda: None
        self.token: str | None = None  # by which its window may come to the front, once
        self.left_from = False  # whether the person was in its window when that closed
        self.deliver: Deliver = lambda _: ""
        self._waiting = 0
        self._notice = ""
        self._refusal = ""
        self._closed = False
        self._clock = clock
        self._since = clock()
        self._guard = Guard(config.desktop.input_guard_ms / 1000)
        self._last_key = ""
        self._state: FormState = open_form(request.questions, title=request.title, rules=_rules(config))
        self._folder = folder
        self._window: AskWindow | None = None

    @property
    def window(self) -> AskWindow:
        """The window, which is made now where there is none yet."""
        if self._window is None:
            self._window = self._made_window()
            self._draw()
        return self._window

    def _made_window(self) -> AskWindow:
        request = self._request
        window = AskWindow(request.flow_id, request.tool_call_id, on_key=self._on_key, folder=self._folder)
        window.stay_on_top(on=self._config.desktop.always_on_top)
        window.acted.connect(self._on_acted)
        window.came_forward.connect(self._raise_guard)
        window.panel_requested.connect(self.panel_requested)
        window.destroyed.connect(self._on_destroyed)
        age = QTimer(window)
        age.timeout.connect(self._redraw)
        age.start(_AGE_STEP_MS)
        return window

    def _living(self) -> AskWindow | None:
        """Return the window, where it was made and Qt still has it."""
        return self._window if self._window is not None and isValid(self._window) else None

    @property
    def state(self) -> FormState:
        """The form as it is filled in now."""
        return self._state

    def show(self, *, wanted: bool) -> None:
        """Bring the window to the screen; ``wanted``: before all others, for the person has just asked for it."""
        if self.ended.done() or self.is_seen:
            return
        with self._owning_failures():
            window = self.window
            self._raise_guard()
            restore_size(window)
            self._draw()
            self._bring_to_front(window, wanted=wanted)
            window.take_focus(self._view())
            QTimer.singleShot(_ALERT_MS, window, lambda: front.point_to(window))

    @property
    def flow_id(self) -> str:
        """The flow that this form belongs to."""
        return self._request.flow_id

    @property
    def is_seen(self) -> bool:
        """Whether its window is on the screen."""
        window = self._living()
        return not self.ended.done() and window is not None and window.isVisible()

    def come_forward(self) -> None:
        """Put the window before all others, guarded."""
        if self.is_seen:
            self._raise_guard()
            self._bring_to_front(self.window, wanted=True)

    @property
    def has_keyboard(self) -> bool:
        """Whether its window is the one that the person writes in."""
        return self.is_seen and self.window.isActiveWindow()

    def _bring_to_front(self, window: AskWindow, *, wanted: bool) -> None:
        token, self.token = self.token, None
        front.show(window, token, wanted=wanted)

    def hide(self) -> None:
        """Let another form have the screen; nothing that was done is lost."""
        if self.is_seen:
            remember_size(self.window)
            self.window.hide()

    def set_yielding(self, *, on: bool) -> None:
        """Let the window be closed without a word, because the program quits; or not any more."""
        window = self._living()
        if window is not None:
            window.yielding = on

    def set_waiting(self, count: int) -> None:
        """Say how many other forms wait."""
        if count != self._waiting:
            self._waiting = count
            self._redraw()

    def set_config(self, config: AskConfig, notice: str) -> None:
        """Use another configuration, whatever the form was opened with."""
        self._config, self._notice = config, notice
        window = self._living()
        if window is not None:
            window.stay_on_top(on=config.desktop.always_on_top)
        self._guard = self._guard._replace(span=config.desktop.input_guard_ms / 1000)
        self.act(ApplyRules(_rules(config)))
        self._redraw()

    def act(self, action: Action) -> None:
        """Carry out an action of the person."""
        if self.ended.done():
            return
        with self._owning_failures():
            before = self._state
            self._state = reduce(before, action)
            if at_review(self._state) and not at_review(before):
                self._raise_guard()
            made = response(self._state)
            if made is None:
                self._draw()
            elif refusal := self.deliver(made):
                # As it was before: nothing that was chosen or written is lost, and it can be sent once more.
                self._state, self._refusal = before, refusal
                self._draw()
            else:
                self._end(made)

    def fail(self, error: Exception) -> None:
        """End as a failure of the surface."""
        self._close()
        if not self.ended.done():
            self.ended.set_exception(error)

    def withdraw(self) -> None:
        """Close the window because the flow has ended."""
        self._close()
        if not self.ended.done():
            self.ended.cancel()

    def _end(self, made: RemoteAskResponse) -> None:
        self._close()
        if not self.ended.done():
            self.ended.set_result(made)

    def _view(self) -> WindowView:
        asked = self._clock() - self._since
        about = About(self._request.requester, asked, self._waiting, self._refusal or self._notice)
        return build_window(self._state, self._config, about)

    def _draw(self) -> None:
        window = self._living()
        if not self.ended.done() and window is not None:
            window.draw(self._view())

    def _redraw(self) -> None:
        """Draw for another's sake: what fails here is this form's failure, not theirs."""
        with self._owning_failures():
            self._draw()

    @contextmanager
    def _owning_failures(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            _log.exception("the window failed")
            self.fail(error)

    def _close(self) -> None:
        window = self._living()
        if self._closed or window is None:
            return
        self._closed = True
        self.left_from = window.isActiveWindow()
        if window.isVisible():
            remember_size(window)
        window.destroyed.disconnect(self._on_destroyed)
        window.acted.disconnect(self._on_acted)
        window.hide()
        window.deleteLater()

    def _raise_guard(self) -> None:
        self._guard = self._guard.raised(self._clock())
        self._last_key = ""

    def _on_acted(self, action: Action) -> None:
        if not (self._guard.holds(self._clock()) and stops_click(action)):
            self.act(action)

    def _on_key(self, key: str, held: bool) -> bool:  # noqa: FBT001 - a callback of the window
        self._take_up_rows()
        now = self._clock()
        guarded = self._guard.holds(now)
        self._guard = self._guard.pressed(now)
        meaning = action_for(key, self._state, self._config)
        if meaning is None:
            return False
        if isinstance(meaning, Command):
            self._on_command(held=held, guarded=guarded)
            return True
        # A key that is held down acts once; only the way through a list goes on, if it was pressed here.
        held_here = isinstance(meaning, MoveRow) and key == self._last_key
        if not held:
            self._last_key = key
        if (not held or held_here) and not (guarded and stops_key(meaning)):
            presses = isinstance(meaning, (ConfirmRow, ToggleRow)) and self.window.press_focused()
            if not presses:
                self.act(meaning)
        return True

    def _take_up_rows(self) -> None:
        """Mean the rows again where the keyboard was taken from a button or an editor to something beside them."""
        entry = current_entry(self._state)
        left = self._state.action is not None or self._state.editing is not None
        if entry is not None and left and self.window.is_elsewhere():
            self.act(FocusRow(entry.row))

    def _on_command(self, *, held: bool, guarded: bool) -> None:
        """The settings are the only command; somebody who types elsewhere does not want them."""
        if not held and not guarded:
            self.settings_requested()

    def _on_destroyed(self) -> None:
        self.fail(SurfaceClosedError("Qt destroyed the window"))


def _rules(config: AskConfig) -> FormRules:
    behaviour = config.behaviour
    return FormRules(
        auto_submit_when_answered_without_notes=behaviour.auto_submit_when_answered_without_notes,
        confirm_dismiss_when_dirty=behaviour.confirm_dismiss_when_dirty,
        double_press_review_shortcuts=behaviour.double_press_review_shortcuts,
    )
