"""Settings are switched in a dialog or in the file, and reach open windows at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import form, until
from processes import environment, run, running
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QPushButton, QWidget
from surface import Surface, surface

from pi_ask.config.store import ConfigStore
from pi_ask_qt import QtAskProvider
from pi_ask_qt.settings.dialog import SettingsDialog
from pi_ask_qt.theme import apply_theme

UNGUARDED = {"desktop": {"inputGuardMs": 0}}


@pytest.fixture(autouse=True)
def _usual_colours(qapp: QApplication) -> Iterator[None]:
    yield
    apply_theme(qapp, "system")


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    store = ConfigStore(tmp_path / "config.json")
    store.path.write_text(json.dumps(UNGUARDED))
    store.load()
    return store


def following(store: ConfigStore) -> Any:
    return surface(provider=QtAskProvider(store=store))


def dialog() -> SettingsDialog:
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog) and w.isVisible())


def part(name: str) -> QWidget:
    found = dialog().findChild(QWidget, name)
    assert found is not None
    return found


def switch(place: str) -> QCheckBox:
    found = part(f"setting:{place}")
    assert isinstance(found, QCheckBox)
    return found


async def leave(desk: Surface, task: Any) -> None:
    desk.click("cancel")
    await task


async def test_a_question_mark_opens_the_settings_and_a_switch_is_saved_at_once(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        assert desk.find("hints").isVisible()
        desk.press("?")
        switch("behaviour.showFooterHints").click()
        assert json.loads(store.path.read_text())["behaviour"]["showFooterHints"] is False
        assert not desk.find("hints").isVisible()
        QTest.keyClick(dialog(), Qt.Key.Key_Escape)
        assert not task.done()
        await leave(desk, task)


async def test_keys_move_and_switch_in_the_dialog(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        desk.press("?")
        switch("behaviour.autoSubmitWhenAnsweredWithoutNotes").setFocus()
        QTest.keyClick(dialog(), Qt.Key.Key_Down)
        QTest.keyClick(dialog(), Qt.Key.Key_Return)
        assert json.loads(store.path.read_text())["behaviour"]["confirmDismissWhenDirty"] is False
        QTest.keyClick(dialog(), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert not task.done()
        await leave(desk, task)


async def test_a_save_that_fails_puts_the_switch_back_and_says_so(store: ConfigStore) -> None:
    store.path.chmod(0o444)
    async with following(store) as desk:
        task = await desk.ask(form())
        desk.press("?")
        box = switch("behaviour.showFooterHints")
        box.click()
        assert box.isChecked()
        assert "read-only" in str(part("settingsNotice").property("text"))
        dialog().reject()
        await leave(desk, task)


async def test_a_reset_wants_a_second_press(store: ConfigStore) -> None:
    store.save({"behaviour.showFooterHints": False})
    async with following(store) as desk:
        task = await desk.ask(form())
        desk.press("?")
        reset = part("settingsReset")
        assert isinstance(reset, QPushButton)
        reset.click()
        assert store.current.config.behaviour.show_footer_hints is False
        reset.click()
        assert store.current.config.behaviour.show_footer_hints is True
        dialog().reject()
        desk.provider.close()
        with pytest.raises(Exception, match="closed by the program"):
            await task


async def test_a_change_of_the_file_reaches_an_open_window(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        store.path.write_text(json.dumps({**UNGUARDED, "behaviour": {"showFooterHints": False}}))
        await until(lambda: not desk.find("hints").isVisible())
        replaced = store.path.with_name("new")
        replaced.write_text(json.dumps(UNGUARDED))
        replaced.replace(store.path)
        await until(lambda: desk.find("hints").isVisible())
        await leave(desk, task)


async def test_changed_keys_work_at_once(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        keymaps = desk.pi.config.keymaps.to_wire()
        keymaps["main"]["toggle"] = ["x"]
        store.path.write_text(json.dumps({**UNGUARDED, "keymaps": keymaps}))
        await until(lambda: desk.pi.config.keymaps.main.toggle == ("x",))
        desk.press(" ")
        assert not desk.button("option:q:a").isChecked()
        desk.press("x")
        assert desk.button("option:q:a").isChecked()
        desk.click("submit")
        await task


async def test_single_as_multi_counts_from_the_next_form_on(store: ConfigStore) -> None:
    async with following(store) as desk:
        first = await desk.ask(form())
        store.save({"behaviour.presentSingleAsMulti": True})
        desk.press("1", "2")
        desk.click("submit")
        assert (await first).details.answers["q"].values == ("b",)
        second = await desk.ask(form())
        desk.press("1", "2")
        desk.click("submit")
        assert (await second).details.answers["q"].values == ("a", "b")


async def test_a_broken_file_is_named_in_the_window_and_the_form_goes_on(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        store.path.write_text("{")
        await until(lambda: "not JSON" in desk.notice())
        store.path.write_text(json.dumps(UNGUARDED))
        await until(lambda: desk.notice() == "")
        await leave(desk, task)


async def test_the_theme_changes_while_a_window_is_open(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        for theme, is_dark in (("dark", True), ("light", False)):
            store.save({"desktop.theme": theme})
            QApplication.processEvents()
            assert (desk.window.palette().window().color().lightness() < 128) == is_dark
        await leave(desk, task)


async def test_the_wheel_over_a_choice_without_the_keyboard_changes_nothing(store: ConfigStore) -> None:
    async with following(store) as desk:
        task = await desk.ask(form())
        desk.press("?")
        theme = part("setting:desktop.theme")
        assert isinstance(theme, QComboBox)
        part("settingsClose").setFocus()
        middle = QPointF(theme.rect().center())
        down, none = QPoint(0, -120), Qt.KeyboardModifier.NoModifier
        event = QWheelEvent(
            middle,
            theme.mapToGlobal(middle),
            down,
            down,
            Qt.MouseButton.NoButton,
            none,
            Qt.ScrollPhase.NoScrollPhase,
            False,  # noqa: FBT003 - Qt takes it by place
        )
        QApplication.sendEvent(theme, event)
        assert theme.currentData() == "system"
        dialog().reject()
        await leave(desk, task)


def test_the_settings_by_themselves_need_a_screen() -> None:
    done = run("settings", env=environment())
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"no display" in done.stderr


def test_the_settings_by_themselves_end_by_sigterm(tmp_path: Path) -> None:
    env = environment(QT_QPA_PLATFORM="offscreen", PI_ASK_CONFIG=str(tmp_path / "config.json"))
    # What Qt says of the offscreen platform when the dialog is shown tells that it is there.
    with running("settings", env=env) as process:
        assert process.stderr is not None
        assert process.stderr.readline()
        process.terminate()
        assert process.wait(20) == 130
    assert not (tmp_path / "config.json").exists()
