"""What the agent asks, and what it does with the answers. The fixture ``ask_desk`` comes with pi-ask."""

import asyncio

import pytest
from release_agent import Store, release

from pi_ask import PiAsk
from pi_ask.testing import ScriptedPerson
from pi_ask_qt.testing import AskDesk, AskDriver

CHANGES = "A new dialog.\nThree bugs less."


@pytest.fixture
def store() -> Store:
    return Store()


# A test starts the program, waits for the form, and fills it in as a person would: by clicks and keys in the window.


async def test_it_goes_where_the_person_says(ask_desk: AskDesk, store: Store) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2"))
    form = await ask_desk.wait_for_form()
    form.choose("channels", "internal", "beta").submit()
    assert await agent == "4.2 was published to internal, beta"
    assert store.done == ["4.2 to internal", "4.2 to beta"]


async def test_the_form_says_what_changes(ask_desk: AskDesk, store: Store) -> None:
    ask_desk.start(release(ask_desk.pi, store, "4.2", CHANGES))
    form = await ask_desk.wait_for_form()
    assert form.screen.title == "Release 4.2"
    full, short = (form.focus("notes", value).screen.question for value in ("full", "short"))
    assert full is not None and full.preview == CHANGES
    assert short is not None and short.preview == "A new dialog."
    assert full.chosen == short.chosen == ()


async def test_own_words_are_not_taken_for_a_channel(ask_desk: AskDesk, store: Store) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2"))
    form = await ask_desk.wait_for_form()
    form.type("channels", "stable, but only on Monday").submit()
    assert await agent == "nothing was published"


async def test_a_required_question_is_named_before_the_form_goes_without(ask_desk: AskDesk, store: Store) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2"))
    form = await ask_desk.wait_for_form()
    form.submit(insist=False)
    assert "Channels needs an answer" in form.screen.notice
    form.submit()
    assert await agent == "nothing was published"


async def test_a_cancel_publishes_nothing_though_something_was_chosen(ask_desk: AskDesk, store: Store) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2"))
    form = await ask_desk.wait_for_form()
    form.choose("channels", "stable").cancel()
    assert await agent == "nothing was published"
    assert store.done == []


async def test_what_the_person_asks_is_in_the_next_form(ask_desk: AskDesk, store: Store) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2", CHANGES))
    form = await ask_desk.wait_for_form()
    form.note("notes", "which bugs?", option="short").elaborate()
    again = await ask_desk.wait_for_form()
    notes = again.focus("notes", "full").screen.question
    assert notes is not None and notes.preview == f"{CHANGES}\nYou asked: which bugs?"
    again.choose("channels", "beta").submit()
    assert await agent == "4.2 was published to beta"


@pytest.mark.parametrize(("answer", "done"), [("yes", ["4.2 to stable"]), ("no", [])])
async def test_a_stable_release_is_asked_for_twice(
    ask_desk: AskDesk, store: Store, answer: str, done: list[str]
) -> None:
    agent = ask_desk.start(release(ask_desk.pi, store, "4.2"))
    (await ask_desk.wait_for_form()).choose("channels", "stable").submit()
    (await ask_desk.wait_for_form()).choose("sure", answer).submit()
    await agent
    assert store.done == done


async def test_two_agents_are_answered_each_by_its_own_form(ask_desk: AskDesk, store: Store) -> None:
    agents = [ask_desk.start(release(ask_desk.pi, store, version)) for version in ("4.2", "5.0")]
    first, second = await ask_desk.wait_for_form(), await ask_desk.wait_for_form()
    assert first.is_in_front and not second.is_in_front
    await first.choose("channels", "beta").submit().result()
    second.choose("channels", "internal").submit()
    await asyncio.gather(*agents)
    assert store.done == ["4.2 to beta", "5.0 to internal"]


# Where a test is not about the forms, a script fills them in. This one works without a coroutine, too.


def test_a_release_from_a_plain_function(ask_desk: AskDesk, store: Store) -> None:
    def person(form: AskDriver) -> None:
        if "sure" in [question.id for question in form.request.questions]:
            form.choose("sure", "yes").submit()
        else:
            form.choose("channels", "beta", "stable").submit()

    ask_desk.fill_in(person)
    assert ask_desk.run(release(ask_desk.pi, store, "4.2")) == "4.2 was published to beta, stable"


# Without Qt the same is done by a scripted person.


def test_a_release_without_a_window(store: Store) -> None:
    async def test() -> str:
        async with PiAsk() as pi:
            ScriptedPerson(lambda form: form.choose("channels", "internal").submit()).register(pi)
            return await release(pi, store, "4.2")

    assert asyncio.run(test()) == "4.2 was published to internal"
