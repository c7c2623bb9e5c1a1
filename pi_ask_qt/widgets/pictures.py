"""The pictures that a text refers to, small, each with a way to remove it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from pi_ask_qt.theme import unit
from pi_ask_qt.views import sentences


class PictureStrip(QWidget):
    """Shows pictures side by side; ``on_remove`` gets the spelling of the reference that goes."""

    def __init__(self, name: str, parent: QWidget, on_remove: Callable[[str], None]) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._on_remove = on_remove
        self._shown: list[tuple[str, Path]] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addStretch(1)
        self.hide()

    def draw(self, pictures: list[tuple[str, Path]]) -> None:
        """Show ``pictures``."""
        if pictures == self._shown:
            return
        self._shown = pictures
        while self._row.count() > 1:
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        for index, (spelling, path) in enumerate(pictures):
            self._row.insertWidget(index * 2, self._thumbnail(path))
            self._row.insertWidget(index * 2 + 1, self._remover(spelling, index))
        self.setVisible(bool(pictures))

    def _thumbnail(self, path: Path) -> QLabel:
        size = round(unit(self.font()) * 14)
        label = QLabel(self)
        mode = Qt.TransformationMode.SmoothTransformation
        label.setPixmap(QPixmap(str(path)).scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio, mode))
        label.setAccessibleName(path.name)
        return label

    def _remover(self, spelling: str, index: int) -> QPushButton:
        button = QPushButton("✕", self)
        button.setObjectName(f"{self.objectName()}:remove:{index}")
        button.setProperty("quiet", True)
        button.setAccessibleName(sentences.REMOVE_PICTURE)
        button.clicked.connect(lambda: self._on_remove(spelling))
        return button
