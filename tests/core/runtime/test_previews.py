"""Preview files: what may be shown, and what is said of the others, without a moment's hold-up."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from asking import Record, connect
from helpers import form, question
from requirements import proves

from pi_ask.errors import PreviewError
from pi_ask.runtime import previews
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.runtime.previews import MAX_PREVIEW_BYTES, load_previews, read_preview
from pi_ask.runtime.tool import PiAsk
from pi_ask.state.normalize import read_form


def preview_form(*paths: str | os.PathLike[str]) -> dict[str, Any]:
    options = [{"value": f"v{n}", "previewFile": os.fspath(path)} for n, path in enumerate(paths)]
    return form(question(type="preview", options=options))


async def shown(params: dict[str, Any], folder: Path, **arguments: Any) -> list[ExternalAskRequest]:
    """Ask, with a person who cancels; return what was shown."""
    requests: list[ExternalAskRequest] = []

    def open_(request: ExternalAskRequest) -> dict[str, str]:
        requests.append(request)
        return {"kind": "cancel"}

    async with PiAsk(cwd=folder) as pi:
        connect(pi, open_)
        await pi.ask_user(params, **arguments)
    return requests


GOOD: dict[str, bytes] = {
    "text": b"+ one\n- two\n",
    "one character": b"x",
    "white space around": b"\n  x  \n\n",
    "Windows lines": b"a\r\nb\r\n",
    "UTF-8": "größer 日本 🚀\n".encode(),
    "markup": b"<b>x</b> R&D",
    "1 MiB exactly": b"x" * MAX_PREVIEW_BYTES,
    "1 MiB in two-byte characters": "ä".encode() * (MAX_PREVIEW_BYTES // 2),
}


@proves("preview-file")
@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_text_is_read_exactly_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "preview.txt"
    path.write_bytes(content)
    assert read_preview(path).encode() == content


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "preview.txt"
    path.write_bytes(b"\xef\xbb\xbfx")
    assert read_preview(path) == "x"


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "white space": (b" \n\t\r\n", "empty"),
    "only a mark": (b"\xef\xbb\xbf", "empty"),
    "NUL": (b"a\x00b", "NUL"),
    "NUL at the end": (b"text\n\x00", "NUL"),
    "Latin-1": (b"gr\xf6\xdfer", "UTF-8"),
    "cut character": ("日本".encode()[:-1], "UTF-8"),
    "surrogate": (b"\xed\xa0\x80", "UTF-8"),
    "1 MiB and a byte": (b"x" * (MAX_PREVIEW_BYTES + 1), "1 MiB"),
}


@proves("preview-file")
@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_what_is_no_short_plain_text_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "preview.txt"
    path.write_bytes(content)
    with pytest.raises(PreviewError, match=message):
        read_preview(path)


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def bound_socket(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket"))
    return folder / "socket"


def link(folder: Path, to: str) -> Path:
    (folder / "link").symlink_to(to)
    return folder / "link"


def file_as_folder(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file" / "x"


NO_FILE: dict[str, tuple[Any, str]] = {
    "missing": (lambda folder: folder / "missing", "does not exist"),
    "directory": (lambda folder: folder, "regular"),
    "FIFO": (fifo, "regular"),
    "socket": (bound_socket, "regular"),
    "/dev/zero": (lambda _: Path("/dev/zero"), "regular"),
    "/dev/null": (lambda _: Path("/dev/null"), "regular"),
    "terminal": (lambda _: Path("/dev/tty"), "regular"),
    "link to a device": (lambda folder: link(folder, "/dev/zero"), "regular"),
    "dangling link": (lambda folder: link(folder, "nowhere"), "does not exist"),
    "link to itself": (lambda folder: link(folder, "link"), "cannot be read"),
    "below a file": (file_as_folder, "cannot be read"),
    "NUL in the path": (lambda folder: folder / "a\0b", "cannot be read"),
    "a name too long": (lambda folder: folder / ("x" * 5_000), "cannot be read"),
}


@proves("preview-file")
@pytest.mark.parametrize(("make", "message"), NO_FILE.values(), ids=NO_FILE)
def test_what_is_no_regular_file_is_refused_at_once(make: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(PreviewError, match=message):
        read_preview(make(tmp_path))


@proves("preview-file")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("x")
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # root may read everything
    try:
        with pytest.raises(PreviewError, match="cannot be read: Permission denied; give"):
            read_preview(path)
    finally:
        os.seteuid(user)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_fails_while_it_is_read_is_refused() -> None:
    with pytest.raises(PreviewError, match="cannot be read: Input/output error"):
        read_preview(Path("/proc/self/mem"))


@proves("preview-read", "surface-request")
async def test_what_was_read_stands_in_preview_and_the_path_is_gone(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("relative")
    (tmp_path / "b.txt").write_text("absolute")
    (tmp_path / "c.txt").symlink_to("b.txt")
    params = preview_form("sub/a.txt", tmp_path / "b.txt", "c.txt", "sub/../b.txt")
    (request,) = await shown(params, tmp_path)
    texts = ["relative", "absolute", "absolute", "absolute"]
    assert [option.preview for option in request.questions[0].options] == texts
    assert "previewFile" not in request.to_json()
    assert str(tmp_path) not in request.to_json()


async def test_paths_are_relative_to_the_folder_of_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("object", "call"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    monkeypatch.chdir(tmp_path / "object")
    for cwd, arguments, expected in (
        (Path.cwd(), {}, "object"),
        (Path(), {}, "object"),
        (tmp_path, {"cwd": "call"}, "call"),
        (tmp_path, {"cwd": tmp_path / "object"}, "object"),
    ):
        (request,) = await shown(preview_form("a.txt"), cwd, **arguments)
        assert request.questions[0].options[0].preview == expected


@proves("preview-file", "form-all-issues", "form-nothing-opens")
async def test_every_failure_is_an_issue_at_its_file_together_with_all_others(tmp_path: Path) -> None:
    (tmp_path / "good").write_text("text")
    (tmp_path / "empty").write_text("")
    params = form(
        question(
            type="preview",
            options=[
                {"value": "a", "previewFile": "missing"},
                {"value": "b", "previewFile": "good"},
                {"value": "c", "previewFile": "good", "preview": "p"},
                {"value": "d"},
                {"value": "e", "previewFile": 5},
                {"value": "", "previewFile": "empty"},
            ],
        ),
        question(" ", options=[{"value": "x", "previewFile": str(tmp_path)}]),
    )
    async with PiAsk(cwd=tmp_path) as pi:
        record = Record(pi)
        result = await pi.ask_user(params)
    assert (record.events, result.details.cancelled) == ([], True)
    assert result.details.error is not None
    assert [issue.path for issue in result.details.error.issues] == [
        "questions[0].options[0].previewFile",
        "questions[0].options[2].previewFile",
        "questions[0].options[3].preview",
        "questions[0].options[4].previewFile",
        "questions[0].options[5].value",
        "questions[0].options[5].label",
        "questions[0].options[5].previewFile",
        "questions[1].id",
        "questions[1].options[0].previewFile",
    ]
    assert all(f"- {issue.path}: {issue.message}" in result.text for issue in result.details.error.issues)


@proves("preview-off-loop")
async def test_the_loop_goes_on_while_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("text")
    loop, reading, go_on, threads = asyncio.get_running_loop(), asyncio.Event(), threading.Event(), list[int]()

    def slow(path: Path) -> str:
        threads.append(threading.get_ident())
        loop.call_soon_threadsafe(reading.set)
        assert go_on.wait(10)
        return read_preview(path)

    monkeypatch.setattr(previews, "read_preview", slow)
    loading = asyncio.create_task(load_previews(read_form(preview_form("a")), tmp_path))
    await asyncio.wait_for(reading.wait(), 10)
    go_on.set()
    loaded = await loading
    assert loaded.questions[0].options[0].preview == "text"
    assert threads != [threading.get_ident()]
