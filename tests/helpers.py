"""What tests share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any


async def until(condition: Callable[[], Any], seconds: float = 5) -> None:
    """Wait until ``condition`` holds, for ``seconds`` at most."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"did not happen within {seconds} s: {inspect_source(condition)}"
        await asyncio.sleep(0.005)


def inspect_source(condition: Callable[[], Any]) -> str:
    """Return where ``condition`` stands."""
    code = condition.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def form(*questions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a form of ``questions``; one single question ``q`` with options ``a`` and ``b`` where none is given."""
    return {"questions": list(questions or [question()]), **fields}


def question(id_: str = "q", *values: str, **fields: Any) -> dict[str, Any]:
    """Return a question with an option for every value."""
    options = [{"value": value} for value in values or ("a", "b")]
    return {"id": id_, "prompt": f"About {id_}?", "options": options, **fields}
