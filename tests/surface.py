"""A form in the real window, for tests of single widgets and keys; those of forms use the project's own driver."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from helpers import until
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget

from pi_ask import (
    AskConfig,
    AskUserResult,
    ExternalAskRequest,
    PiAsk,
    RemoteAskResponse,
)
from pi_ask_qt import QtAskProvider
from pi_ask_qt.widgets.window import AskWindow

UNGUARDED = AskConfig.model_validate({"desktop": {"inputGuardMs": 0}})


class WatchedProvider(QtAskProvider):
    """Remembers what it was asked, without holding it."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[weakref.ref[ExternalAskRequest]] = []

    async def open(self, request: ExternalAskRequest) -> RemoteAskResponse:
        """Open a window."""
        self.requests.append(weakref.ref(request))
        return await super().open(request)


class Surface:
    """A core, a provider, and the widgets of the window in front by their names."""

    def __init__(self, pi: PiAsk, provider: QtAskProvider) -> None:
        self.pi = pi
        self.provider = provider

    async def ask(self, form: Any, **options: Any) -> asyncio.Task[AskUserResult]:
        """Ask, and return once another window is there."""
        count = len(self.provider.windows)
        task = asyncio.create_task(self.pi.ask_user(form, **options))
        await until(lambda: len(self.provider.windows) > count or task.done())
        return task

    @property
    def window(self) -> AskWindow:
        """The window in front."""
        return next(window for window in self.provider.windows if window.isVisible())

    def find(self, name: str) -> QWidget:
        """Return a widget of the window in front."""
        widget = self.window.findChild(QWidget, name)
        assert widget is not None, f"there is no {name}; there are {self.names()}"
        return widget

    def names(self) -> list[str]:
        """Return the names of all widgets that have one."""
        return sorted(w.objectName() for w in self.window.findChildren(QWidget) if ":" in w.objectName())

    def button(self, name: str) -> QAbstractButton:
        """Return a button."""
        widget = self.find(name)
        assert isinstance(widget, QAbstractButton)
        return widget

    def editor(self, name: str) -> QPlainTextEdit:
        """Return an editor that is on the screen."""
        widget = self.find(name)
        assert isinstance(widget, QPlainTextEdit)
        assert widget.isVisible()
        return widget

    def has_keyboard(self, widget: QWidget) -> bool:
        """Return whether keys go to ``widget``, whether or not a busy machine has made its window active yet."""
        return self.window.focusWidget() is widget

    def click(self, name: str) -> None:
        """Click a widget in its middle."""
        QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)

    def press(self, *keys: Qt.Key | str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press keys where the keyboard is."""
        for key in keys:
            target = self.window.focusWidget() or self.window
            if isinstance(key, str):
                QTest.keyClicks(target, key, modifiers)
            else:
                QTest.keyClick(target, key, modifiers)

    def notice(self) -> str:
        """Return what the window says."""
        notice = self.find("notice")
        return str(notice.property("text")) if notice.isVisible() else ""


@asynccontextmanager
async def surface(config: AskConfig | None = None, provider: QtAskProvider | None = None) -> AsyncIterator[Surface]:
    """Yield a surface, and end all that is open on it afterwards."""
    async with PiAsk(config=config or UNGUARDED) as pi:
        provider = provider or QtAskProvider()
        unregister = provider.register(pi)
        try:
            yield Surface(pi, provider)
        finally:
            unregister()
