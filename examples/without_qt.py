"""The core in a program without Qt: a surface of its own, here the simplest terminal that can be.

python examples/without_qt.py
"""

import asyncio

from pi_ask import EXTERNAL_UI, ExternalAskProvider, PiAsk

FORM = {
    "title": "Release 4.2",
    "questions": [
        {
            "id": "target",
            "prompt": "Where does it go first?",
            "options": [{"value": "staging"}, {"value": "production"}],
        },
        {"id": "notes", "prompt": "What belongs into the notes?", "options": [{"value": "all"}, {"value": "nothing"}]},
    ],
}


async def open_in_terminal(request):
    """Ask one question after the other; a number chooses, anything else is own text, and the end of input cancels."""
    answers = {}
    for question in request.questions:
        print(question.prompt)
        for number, option in enumerate(question.options, start=1):
            print(f"  {number}  {option.label}")
        try:
            # A thread that reads cannot be stopped. What is typed after the form was withdrawn is not used.
            line = (await asyncio.to_thread(input, "> ")).strip()
        except EOFError:
            return {"kind": "cancel"}
        chosen = {str(number): option.value for number, option in enumerate(question.options, start=1)}
        if line in chosen:
            answers[question.id] = {"values": [chosen[line]]}
        elif line:
            answers[question.id] = {"customText": line}
    return {"kind": "answer", "answers": answers}


async def main():
    terminal = ExternalAskProvider(id="terminal", open=open_in_terminal)
    async with PiAsk() as pi:
        pi.events.on(EXTERNAL_UI, lambda connection: connection.connect(terminal))
        result = await pi.ask_user(FORM)
    print(result.text)


if __name__ == "__main__":
    asyncio.run(main())
