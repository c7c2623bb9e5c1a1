"""The files below a folder, for ``@`` in editors: those that git would take, found and matched off the event loop."""

from __future__ import annotations

import heapq
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    Rules = tuple[tuple[str, GitIgnoreSpec], ...]
    """The folder of every .gitignore, relative to where the search began, and what it says; the closest first."""

MAX_FILES = 200_000
MAX_MATCHES = 50
_GIT_SECONDS = 20


def list_files(folder: Path, stopped: Callable[[], bool] = lambda: False) -> list[str]:
    """Return the paths of the files below ``folder``, relative to it, without those that ``.gitignore`` names."""
    listed = _listed_by_git(folder)
    return listed if listed is not None else list(_walk(folder, stopped))


def match_files(files: Sequence[str], query: str, limit: int = MAX_MATCHES) -> list[str]:
    """Return the paths in which the letters of ``query`` stand in this order, the closest first."""
    if not query:
        return sorted(files, key=lambda path: (path.count("/"), path))[:limit]
    wanted = query.casefold()
    pattern = re.compile(".*?".join(re.escape(letter) for letter in wanted))
    found = ((path, match) for path in files if (match := pattern.search(path.casefold())))
    closest = heapq.nsmallest(limit, found, key=lambda pair: _distance(pair[0], wanted, pair[1]))
    return [path for path, _ in closest]


def _distance(path: str, wanted: str, match: re.Match[str]) -> tuple[int, int, int, str]:
    """Order matches: in the name before in the folders, whole before scattered, short before long."""
    name = path.rpartition("/")[2].casefold()
    whole = 0 if name.startswith(wanted) else 1 if wanted in name else 2 if wanted in path.casefold() else 3
    return (whole, match.end() - match.start(), len(path), path)


def _listed_by_git(folder: Path) -> list[str] | None:
    command = ["git", "-C", str(folder), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(  # noqa: S603 - git, on a folder of the caller's own
            command, capture_output=True, timeout=_GIT_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    names = done.stdout.decode("utf-8", "replace").split("\0")
    return list(dict.fromkeys(name for name in names[:MAX_FILES] if name))


def _walk(folder: Path, stopped: Callable[[], bool]) -> Iterator[str]:
    """Yield the files below a folder that is no git checkout, by its ``.gitignore`` files all the same."""
    count = 0
    pending: list[tuple[str, Rules]] = [("", ())]
    while pending and not stopped():
        place, rules = pending.pop()
        rules = (*_rules(folder, place), *rules)
        for name, is_folder in _entries(folder / place):
            path = f"{place}{name}"
            if name == ".git" or _is_ignored(path + ("/" if is_folder else ""), rules):
                continue
            if is_folder:
                pending.append((f"{path}/", rules))
                continue
            yield path
            count += 1
            if count >= MAX_FILES:
                return


def _entries(folder: Path) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError:
        return []


def _rules(folder: Path, place: str) -> Rules:
    """Return the rules in one folder, if there are any."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where git does not answer

    try:
        lines = (folder / place / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return ((place, GitIgnoreSpec.from_lines(lines)),)


def _is_ignored(path: str, rules: Rules) -> bool:
    """Ask the closest folder first; the first rule that has a word on a path has the last one."""
    words = (spec.check_file(path.removeprefix(place)).include for place, spec in rules)
    return next((word for word in words if word is not None), False)
