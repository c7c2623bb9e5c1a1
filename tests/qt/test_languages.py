"""The interface speaks its person's language, complete, and keeps its shape in every one."""

from __future__ import annotations

import re
import string
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import form, question
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QWidget
from surface import surface

from pi_ask.config.store import ConfigStore
from pi_ask_qt import languages
from pi_ask_qt.assets import resource
from pi_ask_qt.settings.dialog import SettingsDialog
from pi_ask_qt.views import sentences

FORM = form(question("q", required=True, note="x"), question("r", type="multi"), title="Title")


@pytest.fixture(autouse=True)
def _english_again(qapp: QApplication) -> Iterator[None]:
    yield
    languages.install("en")
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_every_sentence_is_translated_with_its_placeholders(language: str) -> None:
    root = ET.parse(resource("translations", f"pi_ask_{language}.ts"))  # noqa: S314 - our own file
    messages = {message.findtext("source", ""): message for message in root.iter("message")}
    assert set(messages) == set(sentences.SOURCES)
    for source, message in messages.items():
        translation = message.find("translation")
        assert translation is not None
        assert translation.get("type") is None, source
        forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        for text in forms:
            assert text.strip(), source
            assert placeholders(text) == placeholders(source), source


@pytest.mark.parametrize(
    ("language", "submit", "one", "many"),
    [
        ("de", "Absenden", "1 weiteres wartet", "2 weitere warten"),
        ("zh_CN", "提交", "还有 1 份在等待", "还有 2 份在等待"),
        ("en", "Submit", "1 more waiting", "2 more waiting"),
    ],
)
def test_the_compiled_translations_are_up_to_date(language: str, submit: str, one: str, many: str) -> None:
    assert languages.install(language) == language
    assert (sentences.SUBMIT, sentences.waiting(1), sentences.waiting(2)) == (submit, one, many)


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("de-AT", "de"),
        ("de_CH", "de"),
        ("zh-CN", "zh_CN"),
        ("zh-Hans-SG", "zh_CN"),
        ("zh-TW", "en"),
        ("fr", "en"),
        ("C", "en"),
        ("nonsense!", "en"),
    ],
)
def test_a_language_is_spoken_where_it_is_known(wanted: str, spoken: str) -> None:
    assert languages.install(wanted) == spoken


async def test_a_window_speaks_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_ASK_LANGUAGE", "de")
    async with surface() as desk:
        task = await desk.ask(FORM)
        assert desk.button("submit").text() == "Absenden"
        assert desk.button("customRow:q").text() == "Eigene Antwort"
        desk.click("submit")
        assert desk.notice().startswith("Q1 braucht eine Antwort")
        desk.click("cancel")
        await task


def stretched(source: str, count: int) -> str:
    text = sentences.english(source, count)
    return text if re.fullmatch(r"\W*", text) else f"{text} {'~' * (len(text) // 2 + 3)}"


@pytest.mark.parametrize("mirrored", [False, True])
async def test_longer_words_and_the_other_direction_cut_no_button(qapp: QApplication, mirrored: bool) -> None:
    async with surface() as desk:
        sentences.use(stretched)
        if mirrored:
            qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        task = await desk.ask(FORM)
        for _ in range(3):
            QApplication.processEvents()
            for button in desk.window.findChildren(QPushButton):
                if button.isVisible() and not button.objectName().startswith("review:"):
                    needed = QFontMetricsF(button.font()).horizontalAdvance(button.text())
                    assert button.width() >= needed, button.objectName()
                    assert desk.window.rect().contains(button.mapTo(desk.window, button.rect().center()))
            desk.press(Qt.Key.Key_Right)
        submit, cancel = desk.find("submit"), desk.find("cancel")
        assert (submit.x() < cancel.x()) == mirrored
        desk.click("cancel")
        await task


async def test_a_mirrored_row_has_its_mark_on_the_other_side(qapp: QApplication) -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        row = desk.find("option:q:a")
        left = darkness(row)
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        QApplication.sendEvent(desk.window, QEvent(QEvent.Type.LayoutDirectionChange))
        QApplication.processEvents()
        right = darkness(row)
        assert left[0] > left[1]
        assert right[1] > right[0]
        desk.click("cancel")
        await task


def darkness(row: QWidget) -> tuple[int, int]:
    """Return how much is drawn in the left and in the right half, without the border."""
    image = row.grab().toImage()
    ground = image.pixelColor(image.width() // 2, image.height() // 2)
    halves = [0, 0]
    for x in range(6, image.width() - 6, 2):
        for y in range(6, image.height() - 6, 2):
            if image.pixelColor(x, y) != ground:
                halves[x >= image.width() // 2] += 1
    return halves[0], halves[1]


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_settings_keep_their_shape_too(qapp: QApplication, tmp_path: Path, mirrored: bool) -> None:
    sentences.use(stretched)
    if mirrored:
        qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    dialog = SettingsDialog(ConfigStore(tmp_path / "config.json"))
    dialog.show()
    QApplication.processEvents()
    for button in dialog.findChildren(QAbstractButton):
        needed = QFontMetricsF(button.font()).horizontalAdvance(button.text())
        assert button.width() >= needed, button.objectName()
        assert dialog.rect().contains(button.mapTo(dialog, button.rect().center()))
    dialog.reject()
