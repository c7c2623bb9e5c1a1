"""The icon in the tray, with a drawn count; nothing where the desktop has no tray."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QFont, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from pi_ask_qt.assets import resource
from pi_ask_qt.tray.menu import Entries, fill

_SIZE = 64
_MOST = 99


class TrayIcon(QObject):
    """Wraps a system tray icon; ``opened`` tells of a click. The menu is made when it is about to show.

    ``message_clicked`` tells of a click on the message that was shown last.
    """

    opened = Signal()
    message_clicked = Signal()

    def __init__(self, entries: Entries, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = entries
        self._menu = QMenu()
        self._menu.aboutToShow.connect(self._fill_menu)
        self._count = 0
        self._icon = QSystemTrayIcon(icon_with_count(0), self)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._on_activated)
        self._icon.messageClicked.connect(self._on_message_clicked)
        self._fill_menu()

    @property
    def is_there(self) -> bool:
        """Whether the desktop has a tray now."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def look(self) -> bool:
        """Return whether the desktop has a tray now, and put the icon there."""
        has_tray = self.is_there
        # Under X11 the icon waits by itself for a tray that appears; elsewhere Qt complains where there is none.
        if not self._icon.isVisible() and (has_tray or QGuiApplication.platformName() == "xcb"):
            self._icon.show()
        return has_tray

    @property
    def place(self) -> QRect:
        """Where the icon is on the screen; empty where that is not known."""
        return self._icon.geometry()

    def show_count(self, count: int, tool_tip: str) -> None:
        """Show how many forms wait."""
        if count != self._count:
            self._count = count
            self._icon.setIcon(icon_with_count(count))
        # A tool tip guesses rich text; this one is of the interface's own words.
        if tool_tip != self._icon.toolTip():
            self._icon.setToolTip(tool_tip)

    def show_message(self, title: str, message: str) -> None:
        """Show a message of the desktop's, where there is a tray to show it by."""
        if self.is_there:
            # It guesses rich text; markup in it is taken apart.
            plain = message.replace("<", "‹").replace(">", "›")
            self._icon.showMessage(title, plain, self._icon.icon())

    def hide_message(self) -> None:
        """Take the message away where Qt has drawn it itself; another's goes by itself."""
        for widget in QApplication.topLevelWidgets():
            if widget.metaObject().className() == "QBalloonTip":
                widget.close()

    def hide(self) -> None:
        """Take the icon away."""
        self._icon.hide()

    def _fill_menu(self) -> None:
        fill(self._menu, self._entries())

    def _on_message_clicked(self) -> None:
        # Under X11 Qt says so of a click on the icon, too, while there is a message.
        if not self.place.contains(QCursor.pos()):
            self.message_clicked.emit()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason != QSystemTrayIcon.ActivationReason.Context:
            self.opened.emit()


def icon_with_count(count: int) -> QIcon:
    """Return the program's icon with the number of waiting forms on it."""
    pixmap = QPixmap(_SIZE, _SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QIcon(str(resource("icons", "pi-ask.svg"))).paint(painter, pixmap.rect())
    if count:
        _paint_count(painter, str(count) if count <= _MOST else f"{_MOST}+")
    painter.end()
    return QIcon(pixmap)


def _paint_count(painter: QPainter, text: str) -> None:
    place = QRectF(_SIZE * 0.34, _SIZE * 0.34, _SIZE * 0.66, _SIZE * 0.66)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#c8372d"))
    painter.drawEllipse(place)
    font = QFont()
    font.setPixelSize(round(_SIZE * (0.46 if len(text) == 1 else 0.36 if len(text) == 2 else 0.28)))  # noqa: PLR2004 - one, two or three characters
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
