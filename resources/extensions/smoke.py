"""The smallest bridge: answers every form through the submit channel, 2.5 s after it has started.

It is for smoke tests, where nobody is at the screen: it takes the first option of every question. Copy it to write a
bridge of your own; a real one sends what a person decided.
"""

import asyncio
import itertools
import logging

from pi_ask import COMPLETED, DISPOSED, STARTED, SUBMIT, SUBMIT_RESULT

DELAY_SECONDS = 2.5

log = logging.getLogger("smoke")


def extension(pi):
    numbers = itertools.count(1)
    timers = {}

    def on_started(event):
        loop = asyncio.get_running_loop()
        timers[event.flow_id] = loop.call_later(DELAY_SECONDS, answer, event)

    def answer(event):
        values = {question.id: {"values": [question.options[0].value]} for question in event.questions}
        submit = {
            "version": 1,
            "requestId": f"smoke-{next(numbers)}",
            "flowId": event.flow_id,
            "response": {"kind": "answer", "answers": values},
        }
        pi.events.emit(SUBMIT, submit)

    def on_end(event):
        timer = timers.pop(event.flow_id, None)
        if timer is not None:
            timer.cancel()

    def on_submit_result(event):
        if not event.ok:
            log.error("%s: %s", event.error, event.message)

    pi.events.on(STARTED, on_started)
    pi.events.on(COMPLETED, on_end)
    pi.events.on(DISPOSED, on_end)
    pi.events.on(SUBMIT_RESULT, on_submit_result)
