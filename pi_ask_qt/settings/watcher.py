"""Watching the configuration file, so that a change reaches open windows at once."""

from __future__ import annotations

import logging

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from pi_ask.config.store import ConfigStore

_log = logging.getLogger("pi_ask_qt")

# Editors write a file in several steps; the last of them counts.
_SETTLE_MS = 80


class ConfigWatcher(QObject):
    """Reads a store's file again when it changes, appears or goes away."""

    def __init__(self, store: ConfigStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._on_settled)
        self._watcher.fileChanged.connect(lambda _: self._timer.start())
        self._watcher.directoryChanged.connect(lambda _: self._timer.start())
        self._watch()

    def _watch(self) -> None:
        watched = {*self._watcher.files(), *self._watcher.directories()}
        # The folder too: a file that is replaced, or not there yet, is seen only there.
        for path in (self._store.path, self._store.path.parent):
            if path.exists() and str(path) not in watched:
                self._watcher.addPath(str(path))

    def _on_settled(self) -> None:
        self._watch()
        if self._store.changed():
            for notice in self._store.load().notices:
                _log.warning("%s", notice)
