"""The provider: a request comes in, a window opens, the person's response goes out."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from pi_ask import (
    EXTERNAL_UI,
    AskConfig,
    ExternalAskConnection,
    ExternalAskProvider,
    ExternalAskRequest,
    PiAsk,
    RemoteAskResponse,
)
from pi_ask.config.store import ConfigStore, LoadedConfig
from pi_ask.errors import PiAskError, WrongThreadError
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
    is_dirty,
    open_form,
    reduce,
    response,
)
from pi_ask_qt import languages
from pi_ask_qt.geometry import remember_size, restore_size
from pi_ask_qt.loop import runs_qt
from pi_ask_qt.theme import apply_theme
from pi_ask_qt.views import sentences
from pi_ask_qt.views.guard import Guard, stops_click, stops_key
from pi_ask_qt.views.keys import Command, action_for
from pi_ask_qt.views.window import About, WindowView, build_window
from pi_ask_qt.widgets.window import AskWindow

if TYPE_CHECKING:
    from pi_ask_qt.settings.dialog import SettingsDialog
    from pi_ask_qt.settings.watcher import ConfigWatcher

_log = logging.getLogger("pi_ask_qt")

PROVIDER_ID = "pi-ask-qt"
_AGE_STEP_MS = 10_000


class SurfaceClosedError(PiAskError):
    """The window went away without the person's doing: the provider was closed, or Qt failed."""


class QtAskProvider:
    """Shows forms in windows, one in front and the others waiting, in order of arrival.

    ``config`` is used in place of the configuration of the :class:`PiAsk` that it is registered with; ``clock``
    gives the seconds that the input guard counts. With a ``store``, a change of its file reaches open windows at once.
    """

    def __init__(
        self,
        config: AskConfig | None = None,
        *,
        store: ConfigStore | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own_config = config
        self._store = store
        self._watcher: ConfigWatcher | None = None
        self._settings: SettingsDialog | None = None
        self._clock = clock
        self._config = config or AskConfig()
        self._desks: list[Desk] = []
        self._front: Desk | None = None
        self._quiet = False
        self._themed = False
        self._cwd = Path.cwd()
        self._notice = ""

    @property
    def windows(self) -> tuple[AskWindow, ...]:
        """The windows of the forms that it holds, in order of arrival; one is visible."""
        return tuple(desk.window for desk in self._desks)

    def register(self, pi: PiAsk) -> Callable[[], None]:
        """Offer itself for every call of ``pi`` while there is an application with a screen; return the way out.

        The way out also closes the windows: forms that are open then fail, they are not cancelled.
        """
        languages.install()
        self._cwd = pi.cwd
        self.set_config(self._own_config or pi.config)

        def on_external_ui(connection: ExternalAskConnection) -> None:
            if _has_screen():
                self.set_config(self._own_config or pi.config)
                connection.connect(ExternalAskProvider(id=PROVIDER_ID, open=self.open))

        stop = pi.events.on(EXTERNAL_UI, on_external_ui)
        stop_following = self._follow(pi) if self._store is not None else _nothing

        def unregister() -> None:
            stop()
            stop_following()
            self.close()

        return unregister

    def close(self) -> None:
        """Close every window; the forms in them fail."""
        for desk in tuple(self._desks):
            desk.fail(SurfaceClosedError("the window was closed by the program"))

    def set_config(self, config: AskConfig, notice: str | None = None) -> None:
        """Use ``config`` from now on, in open windows too; they show ``notice`` where they have nothing else to say."""
        notice = self._notice if notice is None else notice
        if (config, notice) == (self._config, self._notice) and self._themed:
            return
        self._config, self._notice = config, notice
        self._use_theme(config.desktop.theme)
        for desk in self._desks:
            desk.set_config(config, notice)

    @property
    def quiet(self) -> bool:
        """Whether forms wait without a window until they are brought forward."""
        return self._quiet

    def set_quiet(self, *, on: bool) -> None:
        """Let forms that arrive wait without a window, or show them again; an open window stays."""
        self._quiet = on
        self._show_first()

    def holds(self, flow_id: str) -> bool:
        """Return whether the form of a flow is shown here, now or once its turn comes."""
        return self._desk(flow_id) is not None

    def is_dirty(self, flow_id: str) -> bool:
        """Return whether a person has chosen or written anything in a form that is shown here."""
        desk = self._desk(flow_id)
        return desk is not None and is_dirty(desk.state)

    def bring_forward(self, flow_id: str) -> bool:
        """Show the form of a flow in front of all others; return whether it is one of ours."""
        desk = self._desk(flow_id)
        if desk is None:
            return False
        self._front = desk
        self._show_first()
        desk.come_forward()
        return True

    def _desk(self, flow_id: str) -> Desk | None:
        return next((desk for desk in self._desks if desk.flow_id == flow_id), None)

    def show_settings(self, parent: QWidget | None = None) -> SettingsDialog:
        """Open the settings dialog, or bring it forward."""
        from pi_ask_qt.settings.dialog import SettingsDialog  # noqa: PLC0415 - most forms do without it

        if self._settings is None:
            if self._store is None:
                self._store = ConfigStore()
                self._store.load()
            self._settings = SettingsDialog(self._store, parent)
            self._settings.closed.connect(self._on_settings_closed)
        self._settings.show()
        self._settings.activateWindow()
        return self._settings

    def _on_settings_closed(self) -> None:
        self._settings = None

    def _follow(self, pi: PiAsk) -> Callable[[], None]:
        """Use what is in the file of the store, now and whenever it changes."""
        store = self._store
        if store is None:
            return _nothing

        def on_config(loaded: LoadedConfig) -> None:
            pi.config = loaded.config
            self.set_config(loaded.config, sentences.notices(loaded.notices))

        from pi_ask_qt.settings.watcher import ConfigWatcher  # noqa: PLC0415 - only where there is a file

        on_config(store.current)
        self._watcher = ConfigWatcher(store)
        stop = store.subscribe(on_config)

        def stop_following() -> None:
            stop()
            self._watcher = None

        return stop_following

    def _use_theme(self, theme: str) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            if self._themed or theme != "system":
                apply_theme(app, theme)
            self._themed = True

    async def open(self, request: ExternalAskRequest) -> RemoteAskResponse:
        """Show the form of ``request`` until the person answers or its signal fires.

        Raises:
            WrongThreadError: this is not the loop that Qt's events run on.
            SurfaceClosedError: the window went away without the person's doing.
        """
        return await self._open(request)

    async def _open(self, request: ExternalAskRequest, *, in_front: bool = False) -> RemoteAskResponse:
        _check_loop()
        desk = Desk(request, self._config, self._clock, self._folder(request))
        desk.set_config(self._config, self._notice)
        desk.settings_requested = lambda: self.show_settings(desk.window)
        self._desks.append(desk)
        if in_front:
            self._front = desk
        desk.ended.add_done_callback(lambda _: self._remove(desk))
        stop = request.signal.on_abort(desk.withdraw)
        try:
            self._show_first()
            return await desk.ended
        finally:
            stop()
            desk.withdraw()
            self._remove(desk)

    async def open_in_front(self, request: ExternalAskRequest) -> RemoteAskResponse:
        """Show the form of ``request`` as :meth:`open` does, but before all others and in spite of quiet."""
        return await self._open(request, in_front=True)

    def _folder(self, request: ExternalAskRequest) -> Path:
        """Return the folder that files are looked for in: that of who asks, as far as it is known and there."""
        named = Path(request.requester.cwd) if request.requester is not None and request.requester.cwd else self._cwd
        return named if named.is_absolute() and named.is_dir() else self._cwd

    def _remove(self, desk: Desk) -> None:
        if desk in self._desks:
            self._desks.remove(desk)
            self._show_first()

    def _show_first(self) -> None:
        """Show one form: the one that was brought forward, else the one that is seen already, else the oldest."""
        if self._front not in self._desks:
            seen = next((desk for desk in self._desks if desk.is_seen), None)
            self._front = seen or (None if self._quiet else next(iter(self._desks), None))
        for desk in tuple(self._desks):
            if not desk.ended.done():
                desk.set_waiting(len(self._desks) - 1)
            if desk is self._front:
                desk.show()
            else:
                desk.hide()


class Desk:
    """One form on its way: its state, its window, and what comes of it.

    An error in Qt or in drawing ends it as a failure, whatever the person was doing.
    """

    def __init__(
        self, request: ExternalAskRequest, config: AskConfig, clock: Callable[[], float], folder: Path
    ) -> None:
        self.ended: asyncio.Future[RemoteAskResponse] = asyncio.get_running_loop().create_future()
        self._request = request
        self._config = config
        self.settings_requested: Callable[[], object] = _nothing
        self._waiting = 0
        self._notice = ""
        self._closed = False
        self._clock = clock
        self._since = clock()
        self._guard = Guard(config.desktop.input_guard_ms / 1000)
        self._last_key = ""
        self._state: FormState = open_form(request.questions, title=request.title, rules=_rules(config))
        self.window = AskWindow(request.flow_id, request.tool_call_id, on_key=self._on_key, folder=folder)
        self.window.stay_on_top(on=config.desktop.always_on_top)
        self.window.acted.connect(self._on_acted)
        self.window.came_forward.connect(self._raise_guard)
        self.window.destroyed.connect(self._on_destroyed)
        self._age = QTimer(self.window)
        self._age.timeout.connect(self._redraw)
        try:
            self._draw()
        except Exception:
            self._close()
            raise

    @property
    def state(self) -> FormState:
        """The form as it is filled in now."""
        return self._state

    def show(self) -> None:
        """Bring the window to the screen."""
        if self.ended.done() or not isValid(self.window) or self.window.isVisible():
            return
        with self._owning_failures():
            self._raise_guard()
            restore_size(self.window)
            self._draw()
            self.window.show()
            self.window.activateWindow()
            self.window.take_focus(self._view())
            self._age.start(_AGE_STEP_MS)

    @property
    def flow_id(self) -> str:
        """The flow that this form belongs to."""
        return self._request.flow_id

    @property
    def is_seen(self) -> bool:
        """Whether its window is on the screen."""
        return not self.ended.done() and isValid(self.window) and self.window.isVisible()

    def come_forward(self) -> None:
        """Put the window before all others, guarded."""
        if self.is_seen:
            self._raise_guard()
            self.window.activateWindow()

    def hide(self) -> None:
        """Let another form have the screen; nothing that was done is lost."""
        if self.is_seen:
            remember_size(self.window)
            self.window.hide()

    def set_waiting(self, count: int) -> None:
        """Say how many other forms wait."""
        if count != self._waiting:
            self._waiting = count
            self._redraw()

    def set_config(self, config: AskConfig, notice: str) -> None:
        """Use another configuration, whatever the form was opened with."""
        self._config, self._notice = config, notice
        self.window.stay_on_top(on=config.desktop.always_on_top)
        self._guard = replace(self._guard, span=config.desktop.input_guard_ms / 1000)
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
            if made is not None:
                self._end(made)
            else:
                self._draw()

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
        self.ended.set_result(made)

    def _view(self) -> WindowView:
        asked = self._clock() - self._since
        about = About(self._request.requester, asked, self._waiting, self._notice)
        return build_window(self._state, self._config, about)

    def _draw(self) -> None:
        if not self.ended.done() and isValid(self.window):
            self.window.draw(self._view())

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
        if self._closed or not isValid(self.window):
            return
        self._closed = True
        if self.window.isVisible():
            remember_size(self.window)
        self.window.destroyed.disconnect(self._on_destroyed)
        self.window.acted.disconnect(self._on_acted)
        self.window.hide()
        self.window.deleteLater()

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


def _nothing() -> None:
    return


def _rules(config: AskConfig) -> FormRules:
    behaviour = config.behaviour
    return FormRules(
        auto_submit_when_answered_without_notes=behaviour.auto_submit_when_answered_without_notes,
        confirm_dismiss_when_dirty=behaviour.confirm_dismiss_when_dirty,
        double_press_review_shortcuts=behaviour.double_press_review_shortcuts,
    )


def _has_screen() -> bool:
    app = QApplication.instance()
    return isinstance(app, QApplication) and app.primaryScreen() is not None


def _check_loop() -> None:
    app = QApplication.instance()
    if app is None or QThread.currentThread() is not app.thread():
        raise WrongThreadError(
            "windows belong to the thread of the QApplication; from another thread call "
            "asyncio.run_coroutine_threadsafe(pi.ask_user(...), pi.events.loop)"
        )
    if not runs_qt(asyncio.get_running_loop()):
        raise WrongThreadError(
            "this loop does not run Qt's events; start the program with pi_ask_qt.run(main) or "
            "asyncio.Runner(loop_factory=lambda: pi_ask_qt.new_event_loop(app))"
        )
