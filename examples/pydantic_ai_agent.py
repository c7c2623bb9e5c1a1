"""An agent of Pydantic AI whose tool needs approval. It runs offline: a function plays the model.

python examples/pydantic_ai_agent.py                                  you answer, in windows
python examples/pydantic_ai_agent.py resources/extensions/smoke.py    an extension answers
"""

import sys

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from pi_ask import PiAsk
from pi_ask.integrations.pydantic_ai import request_input
from pi_ask_qt import QtAskProvider, run


async def main(_):
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        for extension in sys.argv[1:]:
            pi.load_extension(extension)
        agent = Agent(FunctionModel(play), capabilities=[request_input(pi)])

        @agent.tool_plain(requires_approval=True)
        def send_mail(to: str, subject: str, body: str) -> str:
            return f"The mail about {subject!r} is on its way to {to}; it has {len(body)} characters."

        result = await agent.run("Tell Ada that the release is ready.")
        print(result.output)


def play(messages, _):
    """Want to send a mail, and then say what became of it."""
    returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if returned:
        return ModelResponse(parts=[TextPart(f"The model was told: {returned[0].content}")])
    mail = {"to": "ada@example.org", "subject": "Release 4.2", "body": "It is ready. Shall we publish it today?"}
    return ModelResponse(parts=[ToolCallPart("send_mail", mail)])


if __name__ == "__main__":
    run(main)
