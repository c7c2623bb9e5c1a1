"""The smallest bridge: answers every form through the submit channel, 2.5 s after it has started.

It is for smoke tests, where nobody is at the screen: it takes the first option of every question. Copy it to write a
bridge of your own; a real one sends what a person decided.
"""

import asyncio
import itertools
import logging

from pi_ask import STARTED, SUBMIT, SUBMIT_RESULT

DELAY_SECONDS = 2.5

log = logging.getLogger("smoke")
numbers = itertools.count(1)


def extension(pi):
    def on_started(event):
        answers = {question.id: {"values": [question.options[0].value]} for question in event.questions}
        submit = {
            "version": 1,
            "requestId": f"smoke-{next(numbers)}",
            "flowId": event.flow_id,
            "response": {"kind": "answer", "answers": answers},
        }
        asyncio.get_running_loop().call_later(DELAY_SECONDS, pi.events.emit, SUBMIT, submit)

    def on_submit_result(event):
        if not event.ok:
            log.error("%s: %s", event.error, event.message)

    pi.events.on(STARTED, on_started)
    pi.events.on(SUBMIT_RESULT, on_submit_result)
