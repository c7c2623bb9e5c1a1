"""The menu of the tray, made from what is so at the moment it is about to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMenu, QWidget

MenuEntry = tuple[str, bool | None, Callable[[], object]]
"""What it says, whether it is switched on (``None`` for what is no switch), and what it does."""

Entries = Callable[[], Sequence[MenuEntry]]
"""Returns the entries as they are now."""


def fill(menu: QMenu, entries: Sequence[MenuEntry]) -> None:
    """Put ``entries`` in place of what is in ``menu``."""
    menu.clear()
    for label, on, act in entries:
        entry = menu.addAction(label.replace("&", "&&"))
        if on is not None:
            entry.setCheckable(True)
            entry.setChecked(on)
        entry.triggered.connect(lambda _=False, act=act: act())


def filled_menu(entries: Entries, parent: QWidget) -> QMenu:
    """Return a menu that is gone once it was closed."""
    menu = QMenu(parent)
    menu.setObjectName("panelMenu")
    fill(menu, entries())
    menu.aboutToHide.connect(menu.deleteLater)
    return menu
