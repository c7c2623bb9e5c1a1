"""A window remembers its size, whatever the file says and whatever screen it is on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from helpers import form
from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication
from surface import surface


@pytest.fixture(autouse=True)
def settings() -> Iterator[QSettings]:
    kept = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "pi-ask", "state")
    kept.clear()
    yield kept
    kept.clear()


async def test_the_next_window_has_the_size_of_the_last() -> None:
    async with surface() as desk:
        first = await desk.ask(form())
        desk.window.resize(555, 444)
        desk.click("cancel")
        await first
        second = await desk.ask(form())
        assert (desk.window.width(), desk.window.height()) == (555, 444)
        desk.click("cancel")
        await second


@pytest.mark.parametrize(
    "garbage",
    ["@@@", ["a", "b"], ["-5", "900000"], ["1"], ["100", "200", "300"], "", ["99999999999999", "10"], b"\x00"],
)
async def test_garbage_in_the_file_is_no_size(settings: QSettings, garbage: Any) -> None:
    settings.setValue("window/size", garbage)
    settings.sync()
    async with surface() as desk:
        task = await desk.ask(form())
        screen = QGuiApplication.primaryScreen().availableGeometry()
        assert 300 < desk.window.width() <= screen.width()
        assert 200 < desk.window.height() <= screen.height()
        desk.click("cancel")
        await task


async def test_a_size_from_a_larger_screen_is_cut_to_this_one(settings: QSettings) -> None:
    settings.setValue("window/size", [9_000, 9_000])
    settings.sync()
    async with surface() as desk:
        task = await desk.ask(form())
        screen = QGuiApplication.primaryScreen().availableGeometry()
        assert desk.window.width() < screen.width()
        assert desk.window.height() < screen.height()
        desk.click("cancel")
        await task
