"""An agent that publishes a release, after its person has said where to and how.

python release_agent.py 4.2     asks in a window
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from pi_ask import AskResult, PiAsk

CHANNELS = ("internal", "beta", "stable")


@dataclass
class Store:
    """Where releases go: here only a list of what was done."""

    done: list[str] = field(default_factory=list)

    def publish(self, version: str, channels: Sequence[str]) -> None:
        """Publish a version in some channels."""
        self.done += [f"{version} to {channel}" for channel in channels]


def release_form(version: str, changes: str) -> dict[str, object]:
    """Return the form that the person gets."""
    return {
        "title": f"Release {version}",
        "questions": [
            {
                "id": "channels",
                "label": "Channels",
                "prompt": "Where does it go?",
                "type": "multi",
                "required": True,
                "options": [{"value": channel} for channel in CHANNELS],
            },
            {
                "id": "notes",
                "label": "Notes",
                "prompt": "Which release notes?",
                "type": "preview",
                "options": [
                    {"value": "full", "preview": changes},
                    {"value": "short", "preview": changes.partition("\n")[0]},
                ],
            },
        ],
    }


async def release(pi: PiAsk, store: Store, version: str, changes: str = "Everything is new.") -> str:
    """Ask, and do what was answered; ask again where the person wants it explained first. Return what came of it."""
    result = (await pi.ask_user(release_form(version, changes))).details
    while result.elaboration is not None:
        explained = "\n".join([changes, *[f"You asked: {item.note}" for item in result.elaboration.items]])
        result = (await pi.ask_user(release_form(version, explained))).details
    channels = _channels(result)
    if not channels:
        return "nothing was published"
    if "stable" in channels and not await _is_sure(pi, version):
        return "nothing was published: not sure"
    store.publish(version, channels)
    return f"{version} was published to {', '.join(channels)}"


def _channels(result: AskResult) -> list[str]:
    """Return the channels that were chosen: own words are for a human to read, not for this program."""
    answer = result.answers.get("channels")
    return [] if answer is None else [value for value in answer.values if value in CHANNELS]


async def _is_sure(pi: PiAsk, version: str) -> bool:
    form = {
        "title": f"{version} for everybody?",
        "questions": [
            {"id": "sure", "prompt": "This reaches every user.", "options": [{"value": "yes"}, {"value": "no"}]}
        ],
    }
    answer = (await pi.ask_user(form)).details.answers.get("sure")
    return answer is not None and answer.values == ("yes",)


def main(version: str) -> None:
    """Ask in a window of this program's own."""
    from pi_ask_qt import QtAskProvider, run

    async def ask(_: object) -> str:
        async with PiAsk() as pi:
            QtAskProvider().register(pi)
            return await release(pi, Store(), version)

    print(run(ask))


if __name__ == "__main__":
    main(*sys.argv[1:])
