"""An agent of the Claude Agent SDK that asks before it acts. It runs offline: a transport plays Claude.

python examples/claude_agent.py                                  you answer, in windows
python examples/claude_agent.py resources/extensions/smoke.py    an extension answers
"""

import asyncio
import json
import sys

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient, TextBlock, Transport

from pi_ask import PiAsk
from pi_ask.integrations.claude_agent import can_use_tool
from pi_ask_qt import QtAskProvider, run

QUESTION = {
    "question": "Which builds may go?",
    "header": "Builds",
    "multiSelect": False,
    "options": [
        {"label": "All of them", "description": "The next build takes some minutes."},
        {"label": "Only old ones", "description": "Those of the last week stay."},
    ],
}


async def main(_):
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        for extension in sys.argv[1:]:
            pi.load_extension(extension)
        options = ClaudeAgentOptions(can_use_tool=can_use_tool(pi))
        # Without the transport the real Claude answers.
        async with ClaudeSDKClient(options, transport=Claude()) as client:
            await client.query("Tidy up the build folder.")
            async for message in client.receive_response():
                if isinstance(message, AssistantMessage):
                    print(*(block.text for block in message.content if isinstance(block, TextBlock)))


class Claude(Transport):
    """The other side of the SDK: asks a question, then for permission to run a command, and says what it was told."""

    def __init__(self):
        self.outgoing = asyncio.Queue()

    async def write(self, data):
        message = json.loads(data)
        if message["type"] == "control_request":
            self.reply(message["request_id"])
        elif message["type"] == "user":
            self.ask("1", "AskUserQuestion", {"questions": [QUESTION]})
        elif message["response"]["request_id"] == "1":
            self.say(f"The questions came back with: {message['response'].get('response')}")
            self.ask("2", "Bash", {"command": "rm -r build/*", "description": "Remove all builds"})
        else:
            self.say(f"The permission: {message['response'].get('response')}")
            self.end()

    def reply(self, request):
        response = {"subtype": "success", "request_id": request, "response": {}}
        self.outgoing.put_nowait({"type": "control_response", "response": response})

    def ask(self, id_, tool, arguments):
        request = {"subtype": "can_use_tool", "tool_name": tool, "input": arguments, "tool_use_id": f"toolu_{id_}"}
        self.outgoing.put_nowait({"type": "control_request", "request_id": id_, "request": request})

    def say(self, text):
        message = {"role": "assistant", "model": "played", "content": [{"type": "text", "text": text}]}
        self.outgoing.put_nowait({"type": "assistant", "message": message, "parent_tool_use_id": None})

    def end(self):
        result = {"duration_ms": 1, "duration_api_ms": 1, "is_error": False, "num_turns": 1, "session_id": "example"}
        self.outgoing.put_nowait({"type": "result", "subtype": "success", **result})

    async def read_messages(self):
        while (message := await self.outgoing.get()) is not None:
            yield message

    async def connect(self):
        pass

    async def end_input(self):
        pass

    async def close(self):
        self.outgoing.put_nowait(None)

    def is_ready(self):
        return True


if __name__ == "__main__":
    run(main)
