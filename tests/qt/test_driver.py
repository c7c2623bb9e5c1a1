"""The driver does what a person could do with a window, and says what is on the screen where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from helpers import form, question
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from requirements import proves

from pi_ask import AskConfig, AskResult, PiAsk
from pi_ask.testing import ScriptedPerson
from pi_ask_qt.testing import REVIEW, AskDesk, AskDriver, AskDriverError

PREVIEWS = {
    "id": "diff",
    "prompt": "Which?",
    "type": "preview",
    "options": [{"value": "old", "preview": "- one"}, {"value": "new", "preview": "+ two\n" * 100_000}],
}
RELEASE = form(
    question("env", "prod", "stage", label="Env", required=True),
    question("parts", "api", "web", "docs", type="multi"),
    PREVIEWS,
    title="Release",
)
MANY = form(question("q", *[f"value-{number}" for number in range(200)]))

Play = Callable[[Any], object]


async def answers(driver: AskDriver) -> dict[str, Any]:
    found: dict[str, Any] = (await driver.result()).to_wire()["answers"]
    return found


# --- what arrives -----------------------------------------------------------------------------------------------------


@proves("testing-driver")
async def test_choices_own_text_and_notes_arrive(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.choose("parts", "docs", "api").note("parts", "why?").note("parts", "old", option="docs")
    driver.type("env", "own words").choose("diff", "new").submit()
    found = await answers(driver)
    assert found["env"]["values"] == ["own words"]
    assert (found["parts"]["values"], found["parts"]["note"]) == (["api", "docs"], "why?")
    assert found["parts"]["optionNotes"] == {"docs": "old"}
    assert found["diff"]["values"] == ["new"]


PLAYS: dict[str, Play] = {
    "choices": lambda form: form.choose("env", "prod").choose("parts", "web", "api").submit(),
    "own text": lambda form: form.type("env", "own").type("parts", "more").choose("parts", "api").submit(),
    "own text is replaced": lambda form: form.type("env", "own").choose("env", "stage").submit(),
    "a choice is replaced": lambda form: form.choose("env", "stage").type("env", "own").submit(),
    "notes": lambda form: form.note("env", "n").note("parts", "o", option="web").choose("parts", "web").submit(),
    "elaborate": lambda form: form.choose("env", "prod").note("env", "o", option="stage").elaborate(),
    "types": lambda form: form.change_type("env").choose("env", "prod", "stage").change_type("parts").submit(),
    "a type that gives up choices": lambda form: form.choose("parts", "api", "web").change_type("parts").submit(),
    "previews": lambda form: form.choose("diff", "new").go_to(REVIEW).submit(),
    "nothing": lambda form: form.submit(),
    "cancel": lambda form: form.choose("env", "prod").cancel(),
    "emptied text": lambda form: form.type("env", "own").type("env", "").note("env", "n").note("env", "").submit(),
}


async def by_scripted_person(play: Play) -> AskResult:
    async with PiAsk() as pi:
        ScriptedPerson(play).register(pi)
        return (await pi.ask_user(RELEASE)).details


@proves("testing-driver")
@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
async def test_driver_and_scripted_person_come_to_the_same_result(ask_desk: AskDesk, play: Play) -> None:
    driver = await ask_desk.ask(RELEASE)
    play(driver)
    assert await driver.result() == await by_scripted_person(play)


TEXTS = {
    "letters that are keys": "1 n T ? 9",
    "lines": "one\ntwo\n\nthree",
    "blanks that do not break": "20\u00a0000\u202f€",
    "a tab": "a\tb",
    "emoji": "👩‍👩‍👧 🚀",
    "right to left": "שלום עולם",
    "accents in parts": "e\u0301a\u0308",
    "a file": "see @README.md and @docs",
    "markup": "<b>x</b> & &y",
    "megabytes": "0123456789abcdef" * 65_536,
}


@proves("testing-driver")
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
async def test_text_arrives_as_it_was_given(ask_desk: AskDesk, text: str) -> None:
    driver = await ask_desk.ask(form())
    driver.type("q", text).note("q", text).submit()
    found = await answers(driver)
    assert (found["q"]["customText"], found["q"]["note"]) == (text, text)


async def test_other_ends_of_lines_become_those_of_an_editor(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    driver.type("q", "a\r\nb\rc\u2028d").submit()
    assert (await answers(driver))["q"]["customText"] == "a\nb\nc\nd"


async def test_own_text_that_was_given_up_counts_again_once_it_is_typed_again(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    driver.type("q", "own").choose("q", "a")
    assert driver.screen.question is not None
    assert not driver.screen.question.own_text_counts
    driver.type("q", "own").submit()
    assert (await answers(driver))["q"]["values"] == ["own"]


async def test_what_is_chosen_stays_so_and_can_be_taken_back(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.choose("parts", "api").choose("parts", "api", "docs").clear("parts", "api", "web")
    assert chosen(driver) == ("docs",)
    driver.choose("env", "prod").choose("env", "prod")
    assert chosen(driver) == ("prod",)
    driver.clear("env", "prod")
    assert chosen(driver) == ()
    driver.choose("parts", "web").type("parts", "own").clear("parts").submit()
    assert await answers(driver) == {}


async def test_space_toggles(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.toggle("env", "prod", "stage")
    assert chosen(driver) == ("stage",)
    driver.toggle("env", "stage")
    assert chosen(driver) == ()
    driver.toggle("parts", "api", "web", "api")
    assert chosen(driver) == ("web",)


def chosen(driver: AskDriver) -> tuple[str, ...]:
    assert driver.screen.question is not None
    return driver.screen.question.chosen


async def test_looking_at_a_preview_chooses_nothing(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    for value, preview in (("new", "+ two\n" * 100_000), ("old", "- one")):
        shown = driver.focus("diff", value).screen.question
        assert shown is not None
        assert (shown.preview, shown.chosen) == (preview, ())


async def test_a_long_list_is_filtered_and_a_row_far_down_is_clicked(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(MANY)
    driver.choose("q", "value-199").note("q", "far down", option="value-150")
    shown = driver.filter("q", "value 19").screen.question
    assert shown is not None
    assert [option.value for option in shown.options] == [
        "value-19",
        *[f"value-{number}" for number in range(190, 200)],
    ]
    with pytest.raises(AskDriverError, match=r"'value-5' of question 'q' is filtered out\n(.*\n)+.*only what matches"):
        driver.choose("q", "value-5")
    driver.filter("q", "").choose("q", "value-5").submit()
    assert (await answers(driver))["q"]["values"] == ["value-5"]


# --- moving -----------------------------------------------------------------------------------------------------------


async def test_every_step_is_reached_though_most_are_scrolled_out_of_sight(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(*[question(f"q{number}", label="A long label") for number in range(40)]))
    for step in ("q39", "q0", REVIEW, "q20", "q20", "q1"):
        assert driver.go_to(step).screen.step == step


async def test_ids_that_look_alike_are_told_apart(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(question("a", "b:c", "x"), question("a:b", "c", "y"), question(REVIEW, "z")))
    driver.choose("a", "b:c").choose("a:b", "c").note("a:b", "one", option="c").note("a", "two", option="b:c")
    driver.choose(REVIEW, "z").submit()
    found = await answers(driver)
    assert {id_: answer["values"] for id_, answer in found.items()} == {"a": ["b:c"], "a:b": ["c"], REVIEW: ["z"]}
    assert (found["a"]["optionNotes"], found["a:b"]["optionNotes"]) == ({"b:c": "two"}, {"c": "one"})


async def test_keys_are_pressed_by_their_names(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.press("down", "enter", "1", "3", "enter", "shift+n")
    assert driver.window.focusWidget().objectName() == "note:diff"
    driver.press("esc", "space", "ctrl+tab")
    assert driver.screen.step == REVIEW
    driver.press("1", "1")
    found = await answers(driver)
    assert {id_: answer["values"] for id_, answer in found.items()} == {
        "env": ["stage"],
        "parts": ["api", "docs"],
        "diff": ["old"],
    }


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.usefixtures("mirrored")
async def test_a_mirrored_window_is_used_as_any_other(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.choose("env", "prod").note("env", "n", option="stage").choose("parts", "web").elaborate()
    result = await driver.result()
    assert [item.note for item in result.elaboration.items] == ["n"] if result.elaboration else False
    assert result.answers["parts"].values == ("web",)


KEYMAPS = {
    "main": {"toggle": "x", "changeQuestionType": "m"},
    "editor": {"close": "f2"},
    "noteEditor": {"close": "f3"},
}


async def test_other_keys_than_the_defaults_serve_as_well() -> None:
    config = AskConfig.model_validate({"keymaps": KEYMAPS})
    async with AskDesk(config) as desk:
        driver = await desk.ask(form())
        driver.change_type("q").toggle("q", "a").type("q", "own").note("q", "n", option="b").toggle("q", "b").submit()
        assert (await answers(driver))["q"]["values"] == ["a", "b", "own"]


# --- leaving ----------------------------------------------------------------------------------------------------------


@proves("testing-driver")
async def test_what_is_asked_for_twice_is_done_twice_or_can_be_looked_at(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    driver.submit(insist=False)
    assert driver.screen.notice.startswith("Env needs an answer.")
    driver.choose("env", "prod").cancel(insist=False)
    assert driver.screen.notice.startswith("Leaving now discards")
    assert not driver.ended
    driver.cancel(insist=False)
    assert driver.ended
    assert (await driver.result()).cancelled
    assert (await driver.call).outcome == "cancelled"


async def test_a_form_that_submits_itself_ends() -> None:
    config = AskConfig.model_validate({"behaviour": {"autoSubmitWhenAnsweredWithoutNotes": True}})
    async with AskDesk(config) as desk:
        driver = await desk.ask(form())
        driver.press("2", "enter")
        assert driver.ended
        with pytest.raises(AskDriverError, match=r"the form has ended\non the screen is:\nnothing of 'About q\?'"):
            driver.submit()


# --- what is on the screen --------------------------------------------------------------------------------------------


@proves("testing-shown")
async def test_what_is_shown_is_told_in_words(ask_desk: AskDesk) -> None:
    options = [
        {"value": "prod", "description": "the\u202e real one", "recommended": True},
        {"value": "stage", "label": "Staging"},
    ]
    asked = {"id": "env", "prompt": "Where\nto?", "options": options}
    driver = await ask_desk.ask(form(asked, question("parts"), title="Release"), requester={"name": "bot"})
    driver.choose("parts", "a").choose("env", "stage").note("env", "why", option="prod").note("env", "n")
    driver.type("env", "own").cancel(insist=False)
    assert driver.shown().splitlines() == [
        "Release",
        "bot · asked just now",
        "> env (single): Where to?",
        "    [ ] prod: Prod · the⟦U+202E⟧ real one · recommended",
        "        note: why",
        "    [ ] stage: Staging",
        "    [x] own text: own",
        "    note: n",
        "  parts: answered",
        "  review",
        "! Leaving now discards what you chose or wrote. Do the same again to leave.",
        "[Cancel] [Elaborate…] [Submit]",
    ]


@proves("testing-shown")
async def test_review_is_told_in_words(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(question("q"), question("r")))
    driver.choose("q", "b").note("q", "n").go_to(REVIEW)
    assert driver.shown().splitlines() == [
        "A question for you",
        "asked just now",
        "  q: answered",
        "  r",
        "> review",
        "    q: B",
        "        note: n",
        "    r: no answer",
        "! Q2 has no answer. Submit sends the others as they are.",
        "[Cancel] [Elaborate…] [Submit]",
    ]


@proves("testing-shown")
async def test_what_is_shown_is_there_as_data(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(RELEASE)
    screen = driver.choose("parts", "web").type("parts", "more").screen
    assert (screen.title, screen.step, screen.notice, screen.review) == ("Release", "parts", "", ())
    assert [(step.id, step.label, step.answered) for step in screen.steps] == [
        ("env", "Env", False),
        ("parts", "Q2", True),
        ("diff", "Q3", False),
        ("review", "Review", False),
    ]
    assert screen.question is not None
    assert (screen.question.type, screen.question.chosen, screen.question.preview) == ("multi", ("web",), None)
    assert (screen.question.own_text, screen.question.own_text_counts) == ("more", True)
    review = driver.go_to(REVIEW).screen.review
    assert [(item.id, item.answered) for item in review] == [("env", False), ("parts", True), ("diff", False)]


async def test_the_words_for_a_very_long_form_stay_readable(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form({"id": "q", "prompt": "x" * 100_000, "options": MANY["questions"][0]["options"]}))
    assert len(driver.shown()) < 10_000
    assert "… and 140 more options" in driver.shown()
    with pytest.raises(AskDriverError, match=r"'value-59' and 140 more"):
        driver.choose("q", "value-200")


# --- errors -----------------------------------------------------------------------------------------------------------

IMPOSSIBLE: dict[str, tuple[Callable[[AskDriver], object], str]] = {
    "a question": (
        lambda form: form.choose("nobody", "prod"),
        "there is no question 'nobody'; there are 'env', 'parts', 'diff'",
    ),
    "an option": (
        lambda form: form.choose("env", "Prod"),
        "question 'env' has no option 'Prod'; there are 'prod', 'stage'",
    ),
    "an option to toggle": (lambda form: form.toggle("env", "x"), "question 'env' has no option 'x'"),
    "an option to clear": (lambda form: form.clear("env", "x"), "question 'env' has no option 'x'"),
    "an option to look at": (lambda form: form.focus("env", "x"), "question 'env' has no option 'x'"),
    "a note's question": (lambda form: form.note("nobody", "x"), "there is no question 'nobody'"),
    "a note's option": (lambda form: form.note("env", "x", option="api"), "question 'env' has no option 'api'"),
    "own text": (lambda form: form.type("nobody", "x"), "there is no question 'nobody'"),
    "a step": (
        lambda form: form.go_to("nowhere"),
        "there is no step 'nowhere'; there are 'env', 'parts', 'diff', 'review'",
    ),
    "two answers": (
        lambda form: form.choose("env", "prod", "stage"),
        r"question 'env' takes one answer; change_type\('env'\)",
    ),
    "a filter": (lambda form: form.filter("env", "x"), "question 'env' has no filter, its list is short"),
    "a key": (lambda form: form.press("enter", "nonsense"), "there is no key 'nonsense'"),
    "a type": (lambda form: form.change_type("nobody"), "there is no question 'nobody'"),
}


@proves("testing-errors")
@pytest.mark.parametrize(("act", "problem"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
async def test_what_cannot_be_done_fails_and_says_what_is_on_the_screen(
    ask_desk: AskDesk, act: Callable[[AskDriver], object], problem: str
) -> None:
    driver = await ask_desk.ask(RELEASE)
    with pytest.raises(AskDriverError, match=f"^{problem}") as caught:
        act(driver)
    told = str(caught.value)
    assert "on the screen is:\nRelease\n" in told
    assert "[Cancel] [Elaborate…] [Submit]" in told
    assert isinstance(caught.value, AssertionError)
    driver.cancel()
    await driver.result()


@proves("testing-errors")
async def test_review_is_no_step_of_a_form_with_one_question(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    with pytest.raises(AskDriverError, match=r"there is no step 'review'; there are 'q'\n"):
        driver.go_to(REVIEW)


ACTS: dict[str, Callable[[AskDriver], object]] = {
    "choose": lambda form: form.choose("env", "prod"),
    "clear": lambda form: form.clear("env"),
    "toggle": lambda form: form.toggle("env", "prod"),
    "focus": lambda form: form.focus("env", "prod"),
    "type": lambda form: form.type("env", "x"),
    "note": lambda form: form.note("env", "x"),
    "filter": lambda form: form.filter("env", "x"),
    "change_type": lambda form: form.change_type("env"),
    "go_to": lambda form: form.go_to("parts"),
    "submit": lambda form: form.submit(),
    "elaborate": lambda form: form.elaborate(),
    "cancel": lambda form: form.cancel(),
    "press": lambda form: form.press("enter"),
    "screen": lambda form: form.screen,
    "window": lambda form: form.window,
}


@proves("testing-errors")
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_an_ended_form_and_one_that_waits_take_nothing(
    ask_desk: AskDesk, act: Callable[[AskDriver], object]
) -> None:
    first, second = await ask_desk.ask(RELEASE), await ask_desk.ask({**RELEASE, "title": "Another"})
    with pytest.raises(AskDriverError, match=r"waits for its turn(.*\n)+.*in front is:\nRelease\n"):
        act(second)
    await first.cancel().result()
    with pytest.raises(AskDriverError, match=r"the form has ended\n(.*\n)*.*was cancelled; in front is:\nAnother\n"):
        act(first)
    assert second.is_in_front
    second.cancel()
    with pytest.raises(AskDriverError, match="left by 'cancel'; there is no form on the screen"):
        act(second)
    with pytest.raises(AskDriverError, match="the form has ended"):
        second.bring_forward()


@proves("testing-errors")
async def test_a_button_that_is_switched_off_is_named(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    submit = driver.window.findChild(QWidget, "submit")
    assert submit is not None
    submit.setEnabled(False)
    with pytest.raises(AskDriverError, match=r"^submit cannot be used now\non the screen is:"):
        driver.submit()
    driver.cancel()
