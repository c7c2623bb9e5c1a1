"""The provider: a request comes in, a window opens, the person's response goes out."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication, QWidget

from pi_ask import (
    EXTERNAL_UI,
    AskConfig,
    ExternalAskConnection,
    ExternalAskProvider,
    ExternalAskRequest,
    PiAsk,
    RemoteAskResponse,
)
from pi_ask.config.schema import DEFAULTS
from pi_ask.config.store import ConfigStore, LoadedConfig
from pi_ask.errors import WrongThreadError
from pi_ask.form import is_dirty
from pi_ask_qt import languages
from pi_ask_qt.activation import take
from pi_ask_qt.card_actions import CardActions, actions_of
from pi_ask_qt.flow_window import Deliver, FlowWindow, SurfaceClosedError
from pi_ask_qt.loop import runs_qt
from pi_ask_qt.quitting import QuitWatch
from pi_ask_qt.theme import apply_theme
from pi_ask_qt.views import sentences
from pi_ask_qt.views.guard import Guard
from pi_ask_qt.widgets.window import AskWindow

if TYPE_CHECKING:
    from pi_ask_qt.notify.notifier import Notifier
    from pi_ask_qt.settings.dialog import SettingsDialog
    from pi_ask_qt.settings.watcher import ConfigWatcher
    from pi_ask_qt.tray.cards import Cards


PROVIDER_ID = "pi-ask-qt"

_SETTLED_SECONDS = 0.03  # until then a window has better to do than to have notifications loaded


class QtAskProvider:
    """Shows forms in windows, one in front and the others waiting, in order of arrival.

    ``config`` is used in place of the configuration of the :class:`PiAsk` that it is registered with; ``clock``
    gives the seconds that the input guard counts. With a ``store``, a change of its file reaches open windows at once.
    ``card_actions`` are the quick answers that cards offer, see :data:`CardActions`; without them a card has none.

    Raises:
        TypeError, ValueError: ``card_actions`` holds what is no quick answer.
    """

    def __init__(
        self,
        config: AskConfig | None = None,
        *,
        store: ConfigStore | None = None,
        card_actions: CardActions | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own_config = config
        self._store = store
        self._watcher: ConfigWatcher | None = None
        self._settings: SettingsDialog | None = None
        self._clock = clock
        self._config = config or DEFAULTS
        self._flows: list[FlowWindow] = []
        self._front: FlowWindow | None = None
        self._quiet = False
        self._themed = False
        self._cwd = Path.cwd()
        self._notice = ""
        self.actions_of = actions_of(card_actions)
        self._pi: PiAsk | None = None
        self._cards: Cards | None = None
        self._show_panel: Callable[[], object] | None = None
        self._notifier: Notifier | None = None
        self._quit_watch = QuitWatch(
            on_asked=lambda: self._set_yielding(on=True),
            on_left=lambda: self._fail_all("the program has quit"),
            on_stayed=self._on_stayed,
        )

    @property
    def windows(self) -> tuple[AskWindow, ...]:
        """The windows of the forms that it holds, in order of arrival; one is visible."""
        return tuple(flow.window for flow in self._flows if not flow.ended.done())

    @property
    def config(self) -> AskConfig:
        """The configuration in force."""
        return self._config

    def register(self, pi: PiAsk) -> Callable[[], None]:
        """Offer itself for every call of ``pi`` while there is an application with a screen; return the way out.

        The way out also closes the windows: forms that are open then fail, they are not cancelled.
        """
        languages.install()
        self._pi = pi
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
            if self._cards is not None:
                self._cards.close()
                self._cards = None

        return unregister

    def panel_shown_by(self, show: Callable[[], object] | None) -> None:
        """Have ``show`` called where a person wants to see all forms that wait; ``None``: a panel of our own."""
        self._show_panel = show

    def show_panel(self) -> None:
        """Show a card for every form that waits."""
        if self._show_panel is not None:
            self._show_panel()
        elif self._pi is not None:
            from pi_ask_qt.tray.cards import Cards  # noqa: PLC0415 - most programs have one form at a time

            if self._cards is None:
                self._cards = Cards(self._pi, self)
            self._cards.show_panel()

    def close(self) -> None:
        """Close every window; the forms in them fail."""
        self._fail_all("the window was closed by the program")
        if self._notifier is not None:
            self._notifier.close()

    @property
    def notifier(self) -> Notifier:
        """What tells the person that a form waits."""
        if self._notifier is None:
            from pi_ask_qt.notify.notifier import Notifier  # noqa: PLC0415 - not before the window is there

            self._notifier = Notifier(lambda: self._config.notifications, lambda: self._quiet)
            self._notifier.clicked.connect(self.bring_forward)
        return self._notifier

    def _announce(self, request: ExternalAskRequest, asked_for: bool) -> None:  # noqa: FBT001 - a callback
        """Tell of a form, unless the person has one before them, or there is no screen for one to be at."""
        if self._config.notifications.enabled and not asked_for:
            self.notifier.announce(request, lambda: _is_unseen() or any(flow.has_keyboard for flow in self._flows))

    def _fail_all(self, reason: str) -> None:
        for flow in tuple(self._flows):
            flow.fail(SurfaceClosedError(reason))

    def _set_yielding(self, *, on: bool) -> None:
        for flow in self._flows:
            flow.set_yielding(on=on)

    def _on_stayed(self) -> None:
        self._set_yielding(on=False)
        self._show_first()

    def set_config(self, config: AskConfig, notice: str | None = None) -> None:
        """Use ``config`` from now on, in open windows too; they show ``notice`` where they have nothing else to say."""
        notice = self._notice if notice is None else notice
        if (config, notice) == (self._config, self._notice) and self._themed:
            return
        self._config, self._notice = config, notice
        self._use_theme(config.desktop.theme)
        for flow in self._flows:
            flow.set_config(config, notice)

    def new_guard(self) -> Guard:
        """Return a guard that was raised now, for a window that has just come forward."""
        return Guard(self._config.desktop.input_guard_ms / 1000).raised(self._clock())

    @property
    def now(self) -> float:
        """The time that guards count, in seconds."""
        return self._clock()

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
        return self.flow(flow_id) is not None

    def is_dirty(self, flow_id: str) -> bool:
        """Return whether a person has chosen or written anything in a form that is shown here."""
        flow = self.flow(flow_id)
        return flow is not None and is_dirty(flow.state)

    def bring_forward(self, flow_id: str) -> bool:
        """Show the form of a flow in front of all others; return whether it is one of ours."""
        flow = self.flow(flow_id)
        if flow is None:
            return False
        self._front = flow
        flow.token = take()
        self._show_first(wanted=True)
        flow.come_forward()
        return True

    def flow(self, flow_id: str) -> FlowWindow | None:
        """Return the form of a flow on its way, ``None`` where it is not shown here or has ended."""
        return next((flow for flow in self._flows if flow.flow_id == flow_id and not flow.ended.done()), None)

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

    async def _open(self, request: ExternalAskRequest, deliver: Deliver | None = None) -> RemoteAskResponse:
        _check_loop()
        flow = FlowWindow(request, self._config, self._clock, self._folder(request))
        flow.set_config(self._config, self._notice)
        flow.settings_requested = lambda: self.show_settings(flow.window)
        flow.panel_requested = self.show_panel
        flow.token = take()
        self._flows.append(flow)
        self._quit_watch.set_watching(on=True)
        if deliver is not None:
            flow.deliver = deliver
            self._front = flow
        flow.ended.add_done_callback(lambda _: self._remove(flow))
        stop = request.signal.on_abort(flow.withdraw)
        telling = asyncio.get_running_loop().call_later(_SETTLED_SECONDS, self._announce, request, deliver is not None)
        try:
            self._show_first(wanted=deliver is not None)
            return await flow.ended
        finally:
            stop()
            telling.cancel()
            flow.withdraw()
            self._remove(flow)

    async def open_in_front(self, request: ExternalAskRequest, deliver: Deliver) -> RemoteAskResponse:
        """Show the form of ``request`` as :meth:`open` does, but before all others and in spite of quiet.

        What the person says goes to ``deliver``; where it is refused the form stays, and says why.
        """
        return await self._open(request, deliver)

    def _folder(self, request: ExternalAskRequest) -> Path:
        """Return the folder that files are looked for in: that of who asks, as far as it is known and there."""
        named = Path(request.requester.cwd) if request.requester is not None and request.requester.cwd else self._cwd
        # Path.is_dir() raises for a name that is too long.
        return named if named.is_absolute() and os.path.isdir(named) else self._cwd

    def _remove(self, flow: FlowWindow) -> None:
        if flow in self._flows:
            self._flows.remove(flow)
            self._quit_watch.set_watching(on=bool(self._flows))
            if self._notifier is not None:
                self._notifier.withdraw(flow.flow_id)
            self._show_first(wanted=flow.left_from)

    def _show_first(self, *, wanted: bool = False) -> None:
        """Show one form: the one that was brought forward, else the one that is seen already, else the oldest.

        ``wanted``: the person is at our windows, and would write in it at once.
        """
        if self._front not in self._flows:
            seen = next((flow for flow in self._flows if flow.is_seen), None)
            self._front = seen or (None if self._quiet else next(iter(self._flows), None))
        for flow in tuple(self._flows):
            if not flow.ended.done():
                flow.set_waiting(len(self._flows) - 1)
            if flow is self._front:
                flow.show(wanted=wanted)
            else:
                flow.hide()


def _nothing() -> None:
    return


def _is_unseen() -> bool:
    return QApplication.platformName() in {"offscreen", "minimal"}


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
