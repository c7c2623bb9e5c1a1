"""The settings dialog: it draws a view, and saves what is switched at once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pi_ask.config.store import ConfigStore, LoadedConfig
from pi_ask.errors import ConfigError
from pi_ask.text import shown
from pi_ask_qt.keys import key_name
from pi_ask_qt.theme import colours, style_sheet, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.settings import SettingsView, build_settings
from pi_ask_qt.widgets.areas import PromptArea
from pi_ask_qt.widgets.checks import TickBox
from pi_ask_qt.widgets.labels import TextLabel


class _Choice(QComboBox):
    """A list to choose from, which the wheel leaves alone unless it has the keyboard."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class SettingsDialog(QDialog):
    """Shows the settings of a store. A save that fails puts the switch back and says so."""

    closed = Signal()

    def __init__(self, store: ConfigStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle(sentences.SETTINGS_TITLE)
        self._store = store
        self._resetting = False
        self._notice_text = sentences.notices(store.current.notices)
        self._title = TextLabel(self, lambda c: c.text, factor=1.4, weight=QFont.Weight.DemiBold)
        self._switches: dict[str, QCheckBox] = {}
        self._theme = _Choice(self)
        self._path = PromptArea("settingsPath", self)
        self._notice = TextLabel(self, lambda c: c.warning, factor=0.95)
        self._reset = QPushButton(sentences.RESET, self)
        self._close = QPushButton(sentences.CLOSE, self)
        self._lay_out()
        self._stop: Callable[[], None] = store.subscribe(self._on_config)
        self.finished.connect(self._on_finished)
        self.setStyleSheet(style_sheet(colours(self.palette()), self.font()))
        self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name, keymap = key_name(event), self._store.current.config.keymaps.settings_modal
        if name in keymap.close:
            self.reject()
        elif name in keymap.next_option:
            self.focusNextChild()
        elif name in keymap.previous_option:
            self.focusPreviousChild()
        elif name in keymap.toggle and not event.isAutoRepeat():
            self._press_focused()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            sheet = style_sheet(colours(self.palette()), self.font())
            if sheet != self.styleSheet():
                self.setStyleSheet(sheet)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _view(self) -> SettingsView:
        config = self._store.current.config
        return build_settings(config, str(self._store.path), notice=self._notice_text, resetting=self._resetting)

    def _draw(self) -> None:
        view = self._view()
        for switch in view.switches:
            box = self._switches[switch.place]
            with QSignalBlocker(box):
                box.setChecked(switch.on)
        with QSignalBlocker(self._theme):
            self._theme.setCurrentIndex(self._theme.findData(view.theme))
        self._path.show_text(shown(view.path))
        self._notice.show_text(view.notice)
        self._reset.setText(view.reset_label)

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        self._title.show_text(sentences.SETTINGS_TITLE)
        self._notice.setObjectName("settingsNotice")
        self._reset.setObjectName("settingsReset")
        self._close.setObjectName("settingsClose")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(u * 6, u * 5, u * 6, u * 5)
        layout.setSpacing(u * 3)
        layout.addWidget(self._title)
        for switch in self._view().switches:
            layout.addWidget(self._make_switch(switch.place, switch.label))
        layout.addLayout(self._theme_row())
        layout.addWidget(_plain(sentences.CONFIG_FILE, self))
        layout.addWidget(self._path)
        layout.addStretch(1)
        layout.addWidget(self._notice)
        layout.addLayout(self._buttons())
        self.resize(u * 130, u * 130)

    def _make_switch(self, place: str, label: str) -> QCheckBox:
        box = TickBox(label, self)
        box.setObjectName(f"setting:{place}")
        box.toggled.connect(lambda on: self._save(place, on))
        self._switches[place] = box
        return box

    def _theme_row(self) -> QHBoxLayout:
        self._theme.setObjectName("setting:desktop.theme")
        self._theme.setAccessibleName(sentences.THEME)
        for value, label in sentences.themes().items():
            self._theme.addItem(label, value)
        self._theme.currentIndexChanged.connect(lambda index: self._save("desktop.theme", self._theme.itemData(index)))
        row = QHBoxLayout()
        row.addWidget(_plain(sentences.THEME, self))
        row.addWidget(self._theme)
        row.addStretch(1)
        return row

    def _buttons(self) -> QHBoxLayout:
        for button in (self._reset, self._close):
            button.setAutoDefault(False)
        self._reset.clicked.connect(self._on_reset)
        self._close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self._reset)
        row.addStretch(1)
        row.addWidget(self._close)
        return row

    # --- acting -------------------------------------------------------------------------------------------------------

    def _press_focused(self) -> None:
        widget = self.focusWidget()
        if isinstance(widget, (QCheckBox, QPushButton)):
            widget.click()
        elif isinstance(widget, QComboBox):
            widget.showPopup()

    def _save(self, place: str, value: object) -> None:
        self._resetting = False
        self._attempt(lambda: self._store.save({place: value}))

    def _on_reset(self) -> None:
        if not self._resetting:
            self._resetting = True
            self._draw()
            return
        self._resetting = False
        self._attempt(self._store.reset)

    def _attempt(self, change: Callable[[], object]) -> None:
        try:
            change()
            self._notice_text = ""
        except ConfigError as error:
            self._notice_text = str(error)
        self._draw()

    def _on_config(self, loaded: LoadedConfig) -> None:
        self._notice_text = sentences.notices(loaded.notices)
        self._draw()

    def _on_finished(self) -> None:
        self._stop()
        self.closed.emit()
        self.deleteLater()


def _plain(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
