"""Reading preview files off the event loop: regular, non-empty UTF-8 text without NUL, of 1 MiB at most."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pi_ask.errors import PreviewError
from pi_ask.files import FileError, read_regular
from pi_ask.models import AskIssue
from pi_ask.state.normalize import Form, PreviewFile

MAX_PREVIEW_BYTES = 1024 * 1024


async def load_previews(form: Form, cwd: Path) -> Form:
    """Return ``form`` with the text of its preview files, or an issue for every file that cannot be shown."""
    return form.with_previews(*await asyncio.to_thread(_read_all, form.preview_files, cwd))


def read_preview(path: Path) -> str:
    """Return the text of the preview file at ``path``.

    Raises:
        PreviewError: it is missing, no regular file, empty, too large or no plain UTF-8 text.
    """
    content = _read_bytes(path)
    if b"\0" in content:
        raise PreviewError("holds a NUL byte; give a text file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PreviewError(f"is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    if not text.strip():
        raise PreviewError("is empty; give a file with text in it")
    return text


def _read_all(files: Sequence[PreviewFile], cwd: Path) -> tuple[dict[PreviewFile, str], tuple[AskIssue, ...]]:
    texts: dict[PreviewFile, str] = {}
    issues: list[AskIssue] = []
    for file in files:
        try:
            texts[file] = read_preview(cwd / file.path)
        except PreviewError as error:
            issues.append(AskIssue(path=file.issue_path, message=str(error)))
    return texts, tuple(issues)


def _read_bytes(path: Path) -> bytes:
    try:
        return read_regular(path, MAX_PREVIEW_BYTES)
    except FileError as error:
        advice = "give the path of a text file that can be read, absolute or relative to the caller's folder"
        raise PreviewError(f"{error}; {advice}") from error
