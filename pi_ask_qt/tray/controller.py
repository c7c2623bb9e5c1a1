"""The tray as a whole: an icon with the number of forms that wait, their cards, and a word when one comes."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from pi_ask import PiAsk, StartedEvent
from pi_ask_qt.geometry import put_beside
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.tray.cards import Cards
from pi_ask_qt.tray.icon import TrayIcon
from pi_ask_qt.tray.menu import MenuEntry
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import Board, PanelView, Word
from pi_ask_qt.views.notices import Notice

_LOOK_FOR_TRAY_MS = 2_000
_NAME = "pi-ask"


class Tray(QObject):
    """Follows ``pi`` from now on, with the forms that are open already; :meth:`close` lets go of it.

    ``hidden``: where the desktop has no tray, the panel does not stand in for it before a form comes.
    """

    quit_requested = Signal()

    def __init__(self, pi: PiAsk, provider: QtAskProvider, *, hidden: bool = False) -> None:
        super().__init__()
        self._provider = provider
        self._hidden = hidden
        self._had_tray = False
        self._said_no_tray = False
        self._quitting = False
        self.icon = TrayIcon(self._entries, self)
        self._notifier = provider.notifier
        self._notifier.fallback = self._show_message
        self._told = ""
        self.cards = Cards(pi, provider, self)
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_FOR_TRAY_MS)
        self._looking.timeout.connect(self._look_for_tray)
        self._connect()
        for event in self.board.waiting:
            self._on_started(event)
        self.cards.draw()
        self._look_for_tray()
        self._looking.start()

    @property
    def board(self) -> Board:
        """The forms that wait."""
        return self.cards.board

    @property
    def panel(self) -> Panel:
        """The panel with their cards."""
        return self.cards.panel

    def close(self) -> None:
        """Let go of the flows, and take icon and panel away."""
        self._provider.panel_shown_by(None)
        self._notifier.fallback = None
        self._notifier.clicked.disconnect(self._on_notice_clicked)
        self._looking.stop()
        self.cards.close()
        self.icon.hide()
        self.deleteLater()

    def show_panel(self) -> None:
        """Show the panel, or bring it forward."""
        self.cards.show_panel()

    def set_quiet(self, *, on: bool) -> None:
        """Do not disturb: forms wait as cards, with no window and no sound."""
        self.cards.set_quiet(on=on)

    def quit(self) -> None:
        """Ask to end the program; with forms waiting it wants a second time, since they would end as failed."""
        if self.board.waiting and not self._quitting:
            self._quitting = True
            self.cards.show_panel(Word(sentences.QUIT_AGAIN, sentences.QUIT_ANYWAY))
        else:
            self.quit_requested.emit()

    def _connect(self) -> None:
        self.icon.opened.connect(self._on_icon_clicked)
        self.icon.message_clicked.connect(lambda: self.cards.open_form(self._told))
        self._notifier.clicked.connect(self._on_notice_clicked)
        self.cards.started.connect(self._on_started)
        self.cards.ended.connect(self._on_ended)
        self.cards.drawn.connect(self._on_drawn)
        self.cards.confirmed.connect(self.quit)
        self.panel.offer(self._panel_entries)
        self._provider.panel_shown_by(self.show_panel)

    def _on_icon_clicked(self) -> None:
        was_there = self.panel.isVisible()
        self.show_panel()
        if not was_there:
            put_beside(self.panel, self.icon.place)

    def _on_started(self, event: StartedEvent) -> None:
        if self._hidden:
            self._hidden = False
            self._look_for_tray()
        if not self._provider.quiet:
            self._notifier.announce(event)

    def _on_ended(self, flow_id: str) -> None:
        self._notifier.withdraw(flow_id)
        if flow_id == self._told:
            self._told = ""
            self.icon.hide_message()
        self._quitting = False

    def _show_message(self, flow_id: str, notice: Notice) -> None:
        """Tell of a form by the icon, where the desktop has no better way."""
        self._told = flow_id
        self.icon.show_message(_NAME, notice.sentence)

    def _on_notice_clicked(self, flow_id: str) -> None:
        # The provider has brought forward what is its own.
        if not self._provider.holds(flow_id):
            self.cards.open_form(flow_id)

    def _on_drawn(self, view: PanelView) -> None:
        self.icon.show_count(len(view.cards), view.heading)

    def _look_for_tray(self) -> None:
        """A tray may appear later, go away and come back; without one the panel stands in for it, and says so once."""
        has_tray = self.icon.look()
        if has_tray and self.panel.stands_in:
            self._end_standing_in()
        elif not has_tray and not self._had_tray and not self._hidden and not self.panel.stands_in:
            self._stand_in()
        # One that is only being started again is not missed at once.
        self._had_tray = has_tray

    def _stand_in(self) -> None:
        self.panel.stands_in = True
        word = None if self._said_no_tray else Word(sentences.NO_TRAY)
        self._said_no_tray = True
        self.cards.show_panel(word, active=False)

    def _end_standing_in(self) -> None:
        self.panel.stands_in = False
        if self.panel.isMinimized() or not (self.board.waiting or self.panel.isActiveWindow()):
            self.panel.hide()
        self.cards.say(Word())

    def _entries(self) -> list[MenuEntry]:
        return [(sentences.SHOW_PANEL, None, self.show_panel), *self._panel_entries()]

    def _panel_entries(self) -> list[MenuEntry]:
        return [
            (sentences.QUIET, self._provider.quiet, lambda: self.set_quiet(on=not self._provider.quiet)),
            (sentences.SETTINGS_TITLE, None, self._provider.show_settings),
            (sentences.QUIT, None, self.quit),
        ]
