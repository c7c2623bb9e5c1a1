"""The smoke extension, the smallest bridge that a reader can copy."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from asking import Surface, asked
from helpers import form, question, until

from pi_ask import SUBMIT, AbortController, PiAsk, SubmitEvent
from pi_ask_qt.assets import resource

SMOKE = resource("extensions", "smoke.py")


async def test_it_answers_every_form_2500_ms_after_its_start() -> None:
    async with PiAsk() as pi:
        surface = Surface(pi)
        pi.load_extension(SMOKE)
        start = asyncio.get_running_loop().time()
        tasks = [
            await asked(pi, surface, form(question("x", "one", "two"), question("y", "three", type="multi"))),
            await asked(pi, surface, form(question("z", "four"))),
        ]
        first, second = await asyncio.gather(*tasks)
        assert 2.5 <= asyncio.get_running_loop().time() - start < 4
    assert {id_: answer.values for id_, answer in first.details.answers.items()} == {"x": ("one",), "y": ("three",)}
    assert second.details.answers["z"].values == ("four",)
    assert surface.closed == [request.flow_id for request in surface.requests]


async def test_it_says_nothing_to_a_form_that_ended_before(caplog: pytest.LogCaptureFixture) -> None:
    submits: list[Any] = []
    async with PiAsk() as pi:
        pi.events.on(SUBMIT, submits.append)
        surface = Surface(pi)
        pi.load_extension(SMOKE)
        withdrawn = AbortController()
        gone = await asked(pi, surface, form(), signal=withdrawn.signal)
        withdrawn.abort()
        await gone
        await asked(pi, surface, form())
        await until(lambda: submits)
        assert [submit["flowId"] for submit in submits] == [surface.requests[1].flow_id]
        await until(lambda: not pi.pending())
    assert caplog.records == []


async def test_it_logs_an_answer_that_was_refused(caplog: pytest.LogCaptureFixture) -> None:
    async with PiAsk() as pi:
        pi.load_extension(SMOKE)
        with caplog.at_level(logging.ERROR):
            pi.events.emit(SUBMIT, SubmitEvent(request_id="1", flow_id="nowhere", response={"kind": "cancel"}))
    assert "flow_not_found" in caplog.text
