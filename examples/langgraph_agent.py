"""A graph of LangGraph that asks a person on its way. It runs offline: there is no model in it.

python examples/langgraph_agent.py                                  you answer, in windows
python examples/langgraph_agent.py resources/extensions/smoke.py    an extension answers
"""

import sys
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from pi_ask import PiAsk
from pi_ask.integrations import langgraph
from pi_ask_qt import QtAskProvider, run

FORM = {
    "title": "Release 4.2",
    "questions": [
        {
            "id": "target",
            "prompt": "Where does it go first?",
            "options": [{"value": "staging", "recommended": True}, {"value": "production"}],
        }
    ],
}


class State(TypedDict, total=False):
    target: list[str]


def choose(_: State) -> State:
    result = langgraph.ask_user(FORM)
    answer = result.answers.get("target")
    return {"target": list(answer.values) if answer is not None else []}


async def main(_):
    builder = StateGraph(State)
    builder.add_node("choose", choose)
    builder.add_edge(START, "choose")
    builder.add_edge("choose", END)
    graph = builder.compile(checkpointer=InMemorySaver())
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        for extension in sys.argv[1:]:
            pi.load_extension(extension)
        output = await langgraph.run(graph, {"target": []}, {"configurable": {"thread_id": "1"}}, pi)
        print("The release goes to:", ", ".join(output["target"]) or "nowhere, for nobody chose")


if __name__ == "__main__":
    run(main)
