"""Previews are exact, can be searched, and are coloured where they say what they are."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import form, until
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from surface import surface

from pi_ask_qt.views.highlight import Kind, language_of, spans

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n"


def previews(*texts: str) -> dict[str, Any]:
    options = [{"value": str(number), "preview": text} for number, text in enumerate(texts)]
    return form({"id": "p", "prompt": "?", "type": "preview", "options": options})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (DIFF, "diff"),
        ("diff --git a/x b/x\n", "diff"),
        ("@@ -1,2 +1,2 @@\n-a\n", "diff"),
        ("#!/usr/bin/env python3\nprint(1)\n", "python"),
        ("#!/bin/sh\necho\n", "bash"),
        ("#!/usr/bin/python3.11 -u\n", "python"),
        ('{"a": 1}', "json"),
        ("<?xml version='1.0'?><a/>", "xml"),
        ("```sql\nselect 1\n```", "sql"),
        ("Plain words - and a dash", None),
        ("--- a heading\n\ntext", None),
        ("{not json}", None),
        ("", None),
    ],
)
def test_a_text_says_what_it_is_or_it_does_not(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_the_lines_of_a_diff_are_told_apart() -> None:
    found = [[span.kind for span in line] for line in spans(DIFF)]
    assert found[3] == [Kind.DELETED]
    assert found[4] == [Kind.INSERTED]
    assert found[5] == []


@pytest.mark.parametrize("text", ["x" * 400_000, "```no-such-language\nx\n```", "\U0001f680 plain"])
def test_what_cannot_be_told_is_not_coloured(text: str) -> None:
    assert spans(text) == ()


def colour_at(area: QPlainTextEdit, line: int) -> str | None:
    formats = area.document().findBlockByNumber(line).layout().formats()
    first: QTextCharFormat | None = formats[0].format if formats else None
    return first.foreground().color().name() if first is not None else None


async def test_a_diff_is_coloured_and_its_text_stays_exact() -> None:
    async with surface() as desk:
        task = await desk.ask(previews(DIFF, "plain"))
        area = desk.editor("preview:p")
        assert area.toPlainText() == DIFF
        assert colour_at(area, 3) != colour_at(area, 4)
        assert colour_at(area, 5) is None
        desk.press(KEY.Key_Down)
        assert colour_at(area, 0) is None
        desk.click("cancel")
        await task


async def test_a_preview_that_imitates_markup_is_text() -> None:
    text = "<b>bold</b> <img src='http://example.org/x.png'>\n```\n## Approved by the administrator\n"
    async with surface() as desk:
        task = await desk.ask(previews(text, "y"))
        assert desk.editor("preview:p").toPlainText() == text
        desk.click("cancel")
        await task


async def test_ctrl_f_searches_and_esc_goes_back_to_the_list() -> None:
    async with surface() as desk:
        task = await desk.ask(previews("one two\nthree two\nfour", "y"))
        area = desk.editor("preview:p")
        desk.press(KEY.Key_F, modifiers=CTRL)
        field = desk.find("search:p")
        assert desk.has_keyboard(field)
        QTest.keyClicks(field, "two")
        assert (area.textCursor().selectedText(), area.textCursor().blockNumber()) == ("two", 0)
        QTest.keyClick(field, KEY.Key_Return)
        assert area.textCursor().blockNumber() == 1
        QTest.keyClick(field, KEY.Key_Return)
        assert area.textCursor().blockNumber() == 0
        QTest.keyClick(field, KEY.Key_Return, SHIFT)
        assert area.textCursor().blockNumber() == 1
        QTest.keyClicks(field, "zzz")
        assert field.property("missing") is True
        QTest.keyClick(field, KEY.Key_Escape)
        assert not field.isVisible()
        assert desk.window.focusWidget() is desk.find("option:p:0")
        assert not task.done()
        desk.click("cancel")
        await task


async def test_a_note_beside_a_long_preview_does_not_draw_it_again() -> None:
    async with surface() as desk:
        task = await desk.ask(previews("line\n" * 40_000, "y"))
        area = desk.editor("preview:p")
        changes: list[int] = []
        area.document().contentsChanged.connect(lambda: changes.append(1))
        desk.press("n")
        QTest.keyClicks(desk.editor("optionNote:p:0"), "a note of some length")
        assert changes == []
        desk.click("elaborate")
        await task


async def test_copy_gives_the_whole_preview_as_the_form_says_it() -> None:
    text = "a\u202eb\n" * 3
    async with surface() as desk:
        task = await desk.ask(previews(text, "y"))
        assert "⟦U+202E⟧" in desk.editor("preview:p").toPlainText()
        desk.click("copy:p")
        assert QGuiApplication.clipboard().text() == text
        desk.click("cancel")
        await task


async def test_lines_wrap_when_they_are_told_to() -> None:
    async with surface() as desk:
        task = await desk.ask(previews("word " * 500, "y"))
        area = desk.editor("preview:p")
        assert area.horizontalScrollBar().maximum() > 0
        desk.click("wrap:p")
        QApplication.processEvents()
        assert area.horizontalScrollBar().maximum() == 0
        desk.click("cancel")
        await task


async def test_five_megabytes_come_bit_by_bit_and_whole() -> None:
    text = "".join(f"line {number} of a large preview\n" for number in range(160_000))
    async with surface() as desk:
        task = await desk.ask(previews(text, "y"))
        area = desk.editor("preview:p")
        assert area.toPlainText() != text
        assert area.toPlainText() == text[: len(area.toPlainText())]
        area.selectAll()
        area.copy()
        assert QGuiApplication.clipboard().text() == text
        desk.press(KEY.Key_Down)
        assert area.toPlainText() == "y"
        desk.press(KEY.Key_Up)
        await until(lambda: len(area.toPlainText()) == len(text), 20)
        assert area.toPlainText() == text
        desk.press(KEY.Key_Down, KEY.Key_Up)
        desk.press(KEY.Key_F, modifiers=CTRL)
        QTest.keyClicks(desk.find("search:p"), "line 159999")
        assert area.textCursor().selectedText() == "line 159999"
        desk.click("cancel")
        await task
