"""The panel: a card for every form that waits."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QCloseEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from pi_ask_qt.theme import colours, style_sheet, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import CardView, PanelView
from pi_ask_qt.widgets.checks import TickBox
from pi_ask_qt.widgets.faces import Look, paint_card
from pi_ask_qt.widgets.labels import OpeningLabel, TextLabel, without_mnemonic
from pi_ask_qt.widgets.lists import ListArea


class Card(QWidget):
    """One form that waits."""

    open_requested = Signal(str)
    cancel_requested = Signal(str)
    action_requested = Signal(str, int)

    def __init__(self, flow_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"card:{flow_id}")
        self._flow_id = flow_id
        self._actions: tuple[str, ...] = ()
        self._title = TextLabel(self, lambda c: c.text, weight=QFont.Weight.DemiBold)
        self._waited = TextLabel(self, lambda c: c.muted, factor=0.9)
        self._who = OpeningLabel(self, lambda c: c.muted, factor=0.9)
        self._who.setObjectName(f"who:{flow_id}")
        self._prompt = TextLabel(self, lambda c: c.text, factor=0.95)
        self._open = self._button("open", sentences.OPEN)
        self._cancel = self._button("cancel", sentences.CANCEL)
        self._quick = QHBoxLayout()
        self._lay_out()
        self._open.clicked.connect(lambda: self.open_requested.emit(flow_id))
        self._cancel.clicked.connect(lambda: self.cancel_requested.emit(flow_id))

    def draw(self, view: CardView) -> None:
        """Show ``view``."""
        self._title.show_text(view.title)
        self._waited.show_text(view.waited)
        self._who.show_text(view.who)
        self._prompt.show_text(view.prompt)
        self._cancel.setText(view.cancel_label)
        self.setAccessibleName(view.title)
        if view.actions != self._actions:
            self._actions = view.actions
            self._make_actions()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = Look(hovered=self.underMouse())
        paint_card(painter, QRectF(self.rect()), colours(self.palette()), look, unit(self.font()))
        painter.end()

    def _make_actions(self) -> None:
        while self._quick.count():
            item = self._quick.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        for index, label in enumerate(self._actions):
            button = self._button(f"action:{index}", without_mnemonic(label))
            button.clicked.connect(lambda _=False, index=index: self.action_requested.emit(self._flow_id, index))
            self._quick.addWidget(button)

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(f"{name}:{self._flow_id}")
        button.setProperty("quiet", name != "open")
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        for label, lines in ((self._title, 2), (self._waited, 1), (self._prompt, 2)):
            label.set_max_lines(lines)
        top = QHBoxLayout()
        top.addWidget(self._title, 4)
        top.addWidget(self._waited, 1, Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        buttons.addWidget(self._cancel)
        buttons.addStretch(1)
        buttons.addLayout(self._quick)
        buttons.addWidget(self._open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(u * 3, u * 2, u * 3, u * 2)
        layout.setSpacing(u)
        layout.addLayout(top)
        layout.addWidget(self._who)
        layout.addWidget(self._prompt)
        layout.addLayout(buttons)


class Panel(QWidget):
    """Shows the cards; closing it hides it."""

    open_requested = Signal(str)
    cancel_requested = Signal(str)
    action_requested = Signal(str, int)
    quiet_changed = Signal(bool)
    came_forward = Signal()

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("trayPanel")
        self.setWindowTitle("pi-ask")
        self._cards: dict[str, Card] = {}
        self._heading = TextLabel(self, lambda c: c.text, factor=1.25, weight=QFont.Weight.DemiBold)
        self._heading.setObjectName("panelHeading")
        self._quiet = TickBox(sentences.QUIET, self)
        self._quiet.setObjectName("quiet")
        self._notice = TextLabel(self, lambda c: c.warning, factor=0.95)
        self._notice.setObjectName("panelNotice")
        self._list = ListArea(self, round(unit(self.font())))
        self._lay_out()
        self._quiet.toggled.connect(self.quiet_changed)

    def draw(self, view: PanelView) -> None:
        """Show ``view``."""
        self._heading.show_text(view.heading)
        self._notice.show_text(view.notice)
        if self._quiet.isChecked() != view.quiet:
            self._quiet.setChecked(view.quiet)
        self._drop({card.flow_id for card in view.cards})
        for index, one in enumerate(view.cards):
            self._card(one.flow_id, index).draw(one)

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.WindowActivate}:
            self.came_forward.emit()
        return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.hide()

    def _drop(self, wanted: set[str]) -> None:
        for flow_id in set(self._cards) - wanted:
            card = self._cards.pop(flow_id)
            card.hide()
            card.deleteLater()

    def _card(self, flow_id: str, index: int) -> Card:
        card = self._cards.get(flow_id)
        if card is None:
            card = self._cards[flow_id] = Card(flow_id, self._list)
            card.open_requested.connect(self.open_requested)
            card.cancel_requested.connect(self.cancel_requested)
            card.action_requested.connect(self.action_requested)
            self._list.column.insertWidget(index, card)
        return card

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        top.addWidget(self._quiet)
        self._list.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(u * 4, u * 3, u * 4, u * 3)
        layout.setSpacing(u * 2)
        layout.addLayout(top)
        layout.addWidget(self._notice)
        layout.addWidget(self._list, 1)
        self._notice.hide()
        self.setStyleSheet(style_sheet(colours(self.palette()), self.font()))
        self.resize(u * 95, u * 110)
