"""An agent of the OpenAI Agents SDK whose tool needs approval. It runs offline, with the kit's scripted model.

python examples/openai_agent.py                                  you answer, in windows
python examples/openai_agent.py resources/extensions/smoke.py    an extension answers
"""

import sys

from agents import Agent, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from pi_ask import PiAsk
from pi_ask.integrations import openai_agents
from pi_ask_qt import QtAskProvider, run

set_tracing_disabled(disabled=True)

PAYMENT = {"to": "Example Ltd.", "euros": 120}


@function_tool(needs_approval=True)
def pay(to: str, euros: int) -> str:
    """Pay a bill."""
    return f"{euros} euros were paid to {to}."


async def main(_):
    model = ScriptedModel([[function_call("pay", PAYMENT, call_id="call-1")], [assistant_message("That was it.")]])
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        for extension in sys.argv[1:]:
            pi.load_extension(extension)
        agent = Agent(name="bookkeeper", model=model, tools=[pay])
        result = await openai_agents.run(agent, "Pay what is due.", pi)
        told = [item["output"] for item in model.last_call.input if item.get("type") == "function_call_output"]
        print(f"The model was told: {told[0]}")
        print(result.final_output)


if __name__ == "__main__":
    run(main)
