"""``@`` in an editor offers files; what is pasted or dropped becomes text or a reference."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import form, until
from PySide6.QtCore import QMimeData, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget
from surface import Surface, surface

from pi_ask_qt.file_index import list_files, match_files
from pi_ask_qt.references import References, open_reference

KEY = Qt.Key
FILES = ["README.md", "src/app.py", "src/deep/application.txt", "with blank.txt", "build/out.o", "src/notes.tmp"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (tmp_path / ".gitignore").write_text("build/\n*.tmp\n!src/keep.tmp\n")
    (tmp_path / "src" / ".gitignore").write_text("deep/\n")
    (tmp_path / "src" / "keep.tmp").write_text("x")
    return tmp_path


@pytest.fixture(autouse=True)
def _own_cache() -> Iterator[None]:
    QStandardPaths.setTestModeEnabled(True)
    yield
    QStandardPaths.setTestModeEnabled(False)


SEEN = {"README.md", "src/app.py", "with blank.txt", ".gitignore", "src/.gitignore", "src/keep.tmp"}


def test_ignored_files_are_left_out_without_git(folder: Path) -> None:
    assert set(list_files(folder)) == SEEN


def test_ignored_files_are_left_out_with_git(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    assert set(list_files(folder)) == SEEN


def test_a_folder_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    assert list_files(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("query", "first"),
    [("app", "src/app.py"), ("APP", "src/app.py"), ("rdm", "README.md"), ("srcapp", "src/app.py"), ("", "README.md")],
)
def test_the_closest_match_comes_first(query: str, first: str) -> None:
    assert match_files(["src/wrapper.txt", "README.md", "src/app.py", "src/x/application.txt"], query)[0] == first


def test_what_does_not_match_is_not_offered() -> None:
    assert match_files(["a.py"], "zzz") == []
    assert match_files(["a(b).py"], "(b)") == ["a(b).py"]


def test_a_hundred_thousand_files_give_a_short_list() -> None:
    files = [f"folder{number % 100}/sub{number % 7}/file-{number}.txt" for number in range(100_000)]
    assert match_files(files, "file-99999")[0].endswith("file-99999.txt")
    assert len(match_files(files, "f")) == 50


@pytest.mark.parametrize(
    ("before", "query"),
    [
        ("@", ""),
        ("see @re", "re"),
        ("mail a@b", None),
        ("@a b", None),
        ("@src/ap", "src/ap"),
        ("x", None),
        ("@@", None),
    ],
)
def test_only_an_at_sign_at_the_start_of_a_word_is_a_reference(before: str, query: str | None) -> None:
    assert open_reference(before) == query


def test_a_reference_is_relative_below_the_folder_and_quoted_with_blanks(tmp_path: Path) -> None:
    references = References(tmp_path)
    assert references.spelled(tmp_path / "a" / "b.py") == "@a/b.py"
    assert references.spelled(tmp_path / "with blank.txt") == '@"with blank.txt"'
    assert references.spelled(Path("/etc/hosts")) == "@/etc/hosts"


async def opened(desk: Surface, folder: Path) -> Any:
    task = await desk.ask(form(), requester={"name": "test", "cwd": str(folder)})
    desk.click("customRow:q")
    return task


async def leave(desk: Surface, task: Any) -> None:
    desk.click("cancel")
    if not task.done() and desk.notice():
        desk.click("cancel")
    await task


def offered(desk: Surface) -> QListWidget:
    found = desk.window.findChild(QListWidget, "completions")
    assert found is not None
    return found


async def test_an_at_sign_offers_files_and_enter_takes_one(folder: Path) -> None:
    async with surface() as desk:
        task = await opened(desk, folder)
        editor = desk.editor("custom:q")
        QTest.keyClicks(editor, "see @app")
        await until(lambda: desk.window.findChild(QListWidget, "completions") and offered(desk).isVisible())
        assert offered(desk).item(0).text() == "src/app.py"
        QTest.keyClick(editor, KEY.Key_Return)
        assert editor.toPlainText() == "see @src/app.py "
        assert desk.has_keyboard(editor)
        assert not offered(desk).isVisible()
        await leave(desk, task)


async def test_esc_closes_the_list_and_not_the_editor(folder: Path) -> None:
    async with surface() as desk:
        task = await opened(desk, folder)
        editor = desk.editor("custom:q")
        QTest.keyClicks(editor, "@")
        await until(lambda: desk.window.findChild(QListWidget, "completions") and offered(desk).isVisible())
        QTest.keyClick(editor, KEY.Key_Down)
        QTest.keyClick(editor, KEY.Key_Escape)
        assert not offered(desk).isVisible()
        assert desk.has_keyboard(editor)
        assert editor.toPlainText() == "@"
        await leave(desk, task)


async def test_a_dropped_file_becomes_its_reference(folder: Path) -> None:
    async with surface() as desk:
        task = await opened(desk, folder)
        editor = desk.editor("custom:q")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(folder / "src" / "app.py")), QUrl.fromLocalFile("/etc/hosts")])
        assert editor.canInsertFromMimeData(data)
        editor.insertFromMimeData(data)
        assert editor.toPlainText() == "@src/app.py @/etc/hosts "
        await leave(desk, task)


async def test_pasted_markup_is_text(folder: Path) -> None:
    async with surface() as desk:
        task = await opened(desk, folder)
        editor = desk.editor("custom:q")
        data = QMimeData()
        data.setHtml("<b>bold</b>")
        data.setText("bold")
        editor.insertFromMimeData(data)
        assert editor.toPlainText() == "bold"
        await leave(desk, task)


async def test_a_picture_from_the_clipboard_is_saved_shown_and_can_be_removed(folder: Path) -> None:
    async with surface() as desk:
        task = await opened(desk, folder)
        editor = desk.editor("custom:q")
        image = QImage(40, 30, QImage.Format.Format_RGB32)
        image.fill(QColor("red"))
        data = QMimeData()
        data.setImageData(image)
        QTest.keyClicks(editor, "see ")
        editor.insertFromMimeData(data)
        path = Path(editor.toPlainText().removeprefix("see @").strip())
        assert (QImage(str(path)).width(), os.stat(path).st_mode & 0o777) == (40, 0o600)
        strip = desk.find("pictures:custom:q")
        assert strip.isVisible()
        desk.click("pictures:custom:q:remove:0")
        assert editor.toPlainText() == "see "
        assert not strip.isVisible()
        os.unlink(path)
        await leave(desk, task)
