"""An agent in a thread of its own, blocking or with a loop of its own, asks in windows of the main thread.

python examples/worker_thread.py                                  you answer
python examples/worker_thread.py resources/extensions/smoke.py    an extension answers
"""

import asyncio
import sys

from pi_ask import PiAsk
from pi_ask_qt import QtAskProvider, run


def blocking_agent(pi, loop):
    """A program that knows nothing of asyncio."""
    form = {"questions": [{"id": "go", "prompt": "Begin?", "options": [{"value": "yes"}, {"value": "no"}]}]}
    result = asyncio.run_coroutine_threadsafe(pi.ask_user(form), loop).result()
    return result.text


async def asyncio_agent(pi, loop):
    """A program with a loop of its own. Cancelling it closes the form."""
    form = {"questions": [{"id": "on", "prompt": "Go on?", "options": [{"value": "yes"}, {"value": "no"}]}]}
    result = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(pi.ask_user(form), loop))
    return result.text


async def main(_):
    loop = asyncio.get_running_loop()
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        for extension in sys.argv[1:]:
            pi.load_extension(extension)
        print(await asyncio.to_thread(blocking_agent, pi, loop))
        print(await asyncio.to_thread(lambda: asyncio.run(asyncio_agent(pi, loop))))


if __name__ == "__main__":
    run(main)
