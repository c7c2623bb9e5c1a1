"""The panel: a card for every form that waits."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QEvent, QPoint, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QVBoxLayout, QWidget

from pi_ask_qt.geometry import PANEL, remember_size, restore_size
from pi_ask_qt.theme import colours, style_sheet, unit
from pi_ask_qt.tray.card import Card, PanelButton
from pi_ask_qt.tray.menu import Entries, filled_menu
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import PanelView
from pi_ask_qt.widgets.checks import TickBox
from pi_ask_qt.widgets.labels import TextLabel, without_mnemonic
from pi_ask_qt.widgets.lists import ListArea

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_BESIDE = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}


class MoreButton(PanelButton):
    """Three dots, which stand for a menu."""

    def sizeHint(self) -> QSize:
        side = round(unit(self.font()) * 7)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        c, u, middle = colours(self.palette()), unit(self.font()), QRectF(self.rect()).center()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus() or self.underMouse():
            painter.setPen(c.accent if self.hasFocus() else c.border)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), u * 1.6, u * 1.6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c.muted)
        for step in (-1, 0, 1):
            painter.drawEllipse(QRectF(middle.x() + step * u * 1.4 - u * 0.4, middle.y() - u * 0.4, u * 0.8, u * 0.8))
        painter.end()


class Panel(QWidget):
    """Shows the cards. Closing it hides it, or puts it into the task bar where it ``stands_in`` for a missing tray."""

    open_requested = Signal(str)
    cancel_requested = Signal(str)
    action_requested = Signal(str, int)
    quiet_changed = Signal(bool)
    confirmed = Signal()
    came_forward = Signal()

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("trayPanel")
        self.setWindowTitle("pi-ask")
        self.stands_in = False
        self._cards: dict[str, Card] = {}
        self._ordered: list[QWidget] = []
        self._entries: Entries | None = None
        self._heading = TextLabel(self, lambda c: c.text, factor=1.25, weight=QFont.Weight.DemiBold)
        self._heading.setObjectName("panelHeading")
        self._quiet = TickBox(sentences.QUIET, self)
        self._quiet.setObjectName("quiet")
        self._more = MoreButton(self, "more")
        self._notice = TextLabel(self, lambda c: c.warning, factor=0.95)
        self._notice.setObjectName("panelNotice")
        self._confirm = PanelButton(self, "panelConfirm", quiet=False)
        self._list = ListArea(self, round(unit(self.font())))
        self._lay_out()
        self._connect()

    def draw(self, view: PanelView) -> None:
        """Show ``view``."""
        self.setWindowTitle(view.window_title)
        self._heading.show_text(view.heading)
        self._notice.show_text(view.notice)
        self._confirm.setText(without_mnemonic(view.confirm))
        self._confirm.setVisible(bool(view.confirm))
        with QSignalBlocker(self._quiet):
            self._quiet.setChecked(view.quiet)
        self._drop({card.flow_id for card in view.cards})
        for index, one in enumerate(view.cards):
            self._card(one.flow_id, index).draw(one)
        self._order()

    def offer(self, entries: Entries) -> None:
        """Offer a menu, which is made anew whenever it is asked for."""
        self._entries = entries
        self._more.show()

    def come_forward(self, *, active: bool = True) -> None:
        """Show the panel, or bring it forward; not ``active``: the keyboard stays where it is."""
        if not self.isVisible():
            restore_size(self, PANEL)
            self._take_focus()
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not active)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        if active:
            self.raise_()
            self.activateWindow()

    def leave(self) -> None:
        """Go out of the way."""
        if self.stands_in:
            self.showMinimized()
        else:
            self.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.leave()

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.WindowActivate}:
            self.came_forward.emit()
        elif event.type() == QEvent.Type.Hide and not event.spontaneous():
            remember_size(self, PANEL)
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.PaletteChange, QEvent.Type.FontChange}:
            # A style sheet keeps the old font for everything below it; only a new sheet brings the new font there.
            QTimer.singleShot(0, self, self._restyle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ENTER:
            if not event.isAutoRepeat():
                self._press_focused()
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in _STEPS:
            self._go_to_card(_STEPS[key])
        elif key in _BESIDE:
            self._go_beside(_BESIDE[key])
        else:
            super().keyPressEvent(event)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _drop(self, wanted: set[str]) -> None:
        for flow_id in [one for one in self._cards if one not in wanted]:
            card = self._cards.pop(flow_id)
            had_keyboard = card.isAncestorOf(self.focusWidget() or self)
            card.hide()
            card.deleteLater()
            if had_keyboard:
                self._take_focus()

    def _card(self, flow_id: str, index: int) -> Card:
        card = self._cards.get(flow_id)
        if card is None:
            card = Card(flow_id, self._list)
            card.open_requested.connect(self.open_requested)
            card.cancel_requested.connect(self.cancel_requested)
            card.action_requested.connect(self.action_requested)
            self._list.column.insertWidget(index, card)
            self._cards[flow_id] = card
        return card

    def _order(self) -> None:
        order: list[QWidget] = [self._quiet, self._more, self._confirm]
        for card in self._in_order():
            order += card.tab_order()
        if order != self._ordered:
            self._ordered = order
            for one, other in itertools.pairwise(order):
                QWidget.setTabOrder(one, other)

    def _lay_out(self) -> None:
        self._top = QHBoxLayout()
        self._top.addWidget(self._heading, 1, Qt.AlignmentFlag.AlignVCenter)
        self._top.addWidget(self._quiet)
        self._top.addWidget(self._more)
        said = QHBoxLayout()
        said.addWidget(self._notice, 1)
        said.addWidget(self._confirm, 0, Qt.AlignmentFlag.AlignTop)
        self._list.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addLayout(self._top)
        layout.addLayout(said)
        layout.addWidget(self._list, 1)
        self._more.setAccessibleName(sentences.MORE)
        for widget in (self._notice, self._confirm, self._more):
            widget.hide()
        self._restyle()
        u = round(unit(self.font()))
        self.setMinimumSize(u * 70, u * 50)
        self.resize(u * 95, u * 110)

    def _restyle(self) -> None:
        u, layout = round(unit(self.font())), self.layout()
        if layout is not None:
            layout.setContentsMargins(u * 4, u * 3, u * 4, u * 3)
            layout.setSpacing(u * 2)
        self._top.setSpacing(u * 2)
        sheet = style_sheet(colours(self.palette()), self.font())
        # A new style sheet is a change of style itself.
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)

    # --- acting -------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._quiet.toggled.connect(self.quiet_changed)
        self._confirm.clicked.connect(self.confirmed)
        self._more.clicked.connect(self._on_more)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def _on_more(self) -> None:
        if self._entries is not None:
            menu = filled_menu(self._entries, self)
            menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        for card in self._cards.values():
            if now is not None and card.isAncestorOf(now):
                self._list.reveal(card, now)
                card.update()
            elif before is not None and card.isAncestorOf(before):
                card.update()

    def _press_focused(self) -> None:
        widget = self.focusWidget()
        if isinstance(widget, QAbstractButton) and widget.isVisible():
            widget.click()

    def _take_focus(self) -> None:
        """Put the keyboard where a key harms nothing: on what opens the first form."""
        first = next(iter(self._in_order()), None)
        target = first.controls()[-1] if first is not None else self._quiet
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _in_order(self) -> list[Card]:
        column = self._list.column
        return sorted(self._cards.values(), key=column.indexOf)

    def _current(self, cards: list[Card]) -> int | None:
        focused = self.focusWidget() or self
        return next((index for index, card in enumerate(cards) if card.isAncestorOf(focused)), None)

    def _go_to_card(self, step: int) -> None:
        cards = self._in_order()
        if not cards:
            return
        now = self._current(cards)
        index = 0 if now is None else min(max(now + step, 0), len(cards) - 1)
        cards[index].controls()[-1].setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_beside(self, step: int) -> None:
        cards = self._in_order()
        now = self._current(cards)
        if now is None:
            return
        step = -step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step
        controls, focused = cards[now].controls(), self.focusWidget()
        place = next((index for index, one in enumerate(controls) if one is focused), len(controls) - 1)
        controls[min(max(place + step, 0), len(controls) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
