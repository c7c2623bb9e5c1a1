"""The card of one form that waits."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from pi_ask_qt.theme import colours, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import CardView
from pi_ask_qt.widgets.faces import Look, paint_card
from pi_ask_qt.widgets.flow import ButtonFlow
from pi_ask_qt.widgets.labels import OpeningLabel, TextLabel, without_mnemonic


class PanelButton(QPushButton):
    """A button whose keys are the panel's; held down, a key acts once."""

    def __init__(self, parent: QWidget, name: str, text: str = "", *, quiet: bool = True) -> None:
        super().__init__(text, parent)
        self.setObjectName(name)
        self.setProperty("quiet", quiet)
        self.setProperty("compact", not quiet)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        flags = int(Qt.TextFlag.TextShowMnemonic)
        said = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room, flags)
        option.text = said
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


class Card(QWidget):
    """One form that waits; a click on the card itself opens the form."""

    open_requested = Signal(str)
    cancel_requested = Signal(str)
    action_requested = Signal(str, int)

    def __init__(self, flow_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"card:{flow_id}")
        self._flow_id = flow_id
        self._actions: tuple[str, ...] = ()
        self._quick: list[PanelButton] = []
        self._title = TextLabel(self, lambda c: c.text, weight=QFont.Weight.DemiBold)
        self._waited = TextLabel(self, lambda c: c.muted, factor=0.9, wraps=False)
        self._who = OpeningLabel(self, lambda c: c.muted, factor=0.9)
        self._who.setObjectName(f"who:{flow_id}")
        self._prompt = TextLabel(self, lambda c: c.text, factor=0.95)
        self._notice = TextLabel(self, lambda c: c.warning, factor=0.95)
        self._notice.setObjectName(f"notice:{flow_id}")
        self._cancel = PanelButton(self, f"cancel:{flow_id}", sentences.CANCEL)
        self._cancel.setProperty("flush", True)
        self._open = PanelButton(self, f"open:{flow_id}", sentences.OPEN, quiet=False)
        self._buttons = ButtonFlow(round(unit(self.font())))
        self._lay_out()
        self._open.clicked.connect(lambda: self.open_requested.emit(flow_id))
        self._cancel.clicked.connect(lambda: self.cancel_requested.emit(flow_id))

    def draw(self, view: CardView) -> None:
        """Show ``view``."""
        self._title.show_text(view.title)
        self._waited.show_text(view.waited)
        self._who.show_text(view.who)
        self._prompt.show_text(view.prompt)
        self._notice.show_text(view.notice)
        if self._cancel.text() != view.cancel_label:
            self._cancel.setText(view.cancel_label)
        if view.actions != self._actions:
            self._actions = view.actions
            self._make_actions()
        self._name(view)

    def tab_order(self) -> list[QWidget]:
        """Return what the Tab key goes through, in the order in which it is seen."""
        return [self._who, self._cancel, *self._quick, self._open]

    def controls(self) -> list[QWidget]:
        """Return what the keyboard can go to on the card now; the last opens the form."""
        return [one for one in self.tab_order() if one.focusPolicy() != Qt.FocusPolicy.NoFocus]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(event.button() == Qt.MouseButton.LeftButton)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.open_requested.emit(self._flow_id)

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Enter, QEvent.Type.Leave}:
            self.update()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_distances()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.isAncestorOf(self.window().focusWidget() or self)
        look = Look(hovered=self.underMouse(), current=focused)
        paint_card(painter, QRectF(self.rect()), colours(self.palette()), look, unit(self.font()))
        painter.end()

    def _name(self, view: CardView) -> None:
        """Name the card and its buttons for a screen reader, which meets them one by one."""
        self.setAccessibleName(view.title)
        self.setAccessibleDescription(", ".join(text for text in (view.who, view.prompt, view.waited) if text))
        for button in (self._cancel, *self._quick, self._open):
            button.setAccessibleName(button.text().replace("&&", "&"))
            button.setAccessibleDescription(view.title)

    def _make_actions(self) -> None:
        for button in self._quick:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._quick = []
        for index, label in enumerate(self._actions):
            button = PanelButton(self, f"action:{index}:{self._flow_id}", without_mnemonic(label), quiet=False)
            button.clicked.connect(lambda _=False, index=index: self.action_requested.emit(self._flow_id, index))
            self._buttons.insert_widget(index + 1, button)
            self._quick.append(button)
        self.updateGeometry()

    def _lay_out(self) -> None:
        for label, lines in ((self._title, 2), (self._prompt, 2), (self._notice, 4)):
            label.set_max_lines(lines)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._waited, 0, Qt.AlignmentFlag.AlignTop)
        self._buttons.addWidget(self._cancel)
        self._buttons.addWidget(self._open)
        layout = QVBoxLayout(self)
        layout.addLayout(top)
        for label in (self._who, self._prompt, self._notice):
            layout.addWidget(label)
        layout.addSpacing(round(unit(self.font()) / 2))
        layout.addLayout(self._buttons)
        self._notice.hide()
        self._set_distances()

    def _set_distances(self) -> None:
        u, layout = round(unit(self.font())), self.layout()
        if layout is not None:
            layout.setContentsMargins(u * 3, round(u * 2.5), u * 3, u * 2)
            layout.setSpacing(max(round(u * 0.75), 1))
        self._buttons.setSpacing(u)
