"""A timer that can be set again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Calls ``ring`` once when the time is over that was last set. Needs a running event loop."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._handle: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        """Whether it is set and has not rung."""
        return self._handle is not None

    def set(self, seconds: float | None) -> None:
        """Ring after ``seconds`` from now, instead of any time set before; ``None``: never."""
        self.clear()
        if seconds is not None:
            self._handle = asyncio.get_running_loop().call_later(seconds, self._on_time)

    def clear(self) -> None:
        """Do not ring."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _on_time(self) -> None:
        self._handle = None
        self._ring()
