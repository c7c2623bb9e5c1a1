"""Cards follow the flows of a process, and say no more than they know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_ask import AskOption, AskQuestion, Requester, StartedEvent
from pi_ask_qt.views.cards import Board, build_panel
from pi_ask_qt.views.sentences import waited


def started(
    flow_id: str, created_at: int = 0, title: str | None = "T", requester: Requester | None = None
) -> StartedEvent:
    question = AskQuestion(
        id="q", label="Q1", prompt="What?\nNow?", type="single", options=(AskOption(value="a", label="A"),)
    )
    return StartedEvent(flow_id=flow_id, title=title, requester=requester, questions=(question,), created_at=created_at)


def ids(board: Board) -> list[str]:
    return [event.flow_id for event in board.waiting]


def test_cards_stand_oldest_first_whatever_the_order_of_arrival() -> None:
    board = Board().started(started("b", 2)).started(started("a", 1)).started(started("c", 3))
    assert ids(board) == ["a", "b", "c"]


def test_a_form_has_one_card_and_loses_it_with_its_flow() -> None:
    board = Board().started(started("a")).started(started("a")).warn("a")
    assert ids(board) == ["a"]
    assert board.ended("a") == Board()
    assert board.ended("nothing") == board


def test_only_one_card_asks_for_a_second_press() -> None:
    board = Board().started(started("a")).started(started("b", 1)).warn("a").warn("b")
    labels = [card.cancel_label for card in build_panel(board, 0, quiet=False).cards]
    assert labels == ["Cancel", "Cancel: press again"]


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (-5, "0 s"),
        (0, "0 s"),
        (12_345, "12 s"),
        (59_999, "59 s"),
        (60_000, "1 min"),
        (150_000, "2 min"),
        (3_600_000, "1 h"),
        (90_000_000, "25 h"),
    ],
)
def test_a_time_is_said_in_its_largest_unit(ms: int, words: str) -> None:
    assert waited(ms) == words


@given(st.lists(st.integers(-(10**7), 10**9), min_size=1, max_size=5))
def test_the_next_change_is_the_first_moment_at_which_a_card_says_another_time(ages: list[int]) -> None:
    board = Board()
    for number, age in enumerate(ages):
        board = board.started(started(str(number), -age))
    delay = board.next_change(0)
    assert delay is not None
    assert [waited(age + delay - 1) for age in ages] == [waited(age) for age in ages]
    assert [waited(age + delay) for age in ages] != [waited(age) for age in ages]


def test_nothing_changes_where_nothing_waits() -> None:
    assert Board().next_change(0) is None


def test_a_refusal_is_on_its_card_until_it_is_answered_cancelled_or_gone() -> None:
    board = Board().started(started("a")).started(started("b", 1)).refuse("a", "no\u202e\nway").refuse("x", "late")
    assert [card.notice for card in build_panel(board, 0, quiet=False).cards] == ["no⟦U+202E⟧ way", ""]
    for after in (board.refuse("a", ""), board.warn("a"), board.ended("a")):
        assert after.refused == {}
    assert board.warn("b").refused == {"a": "no\u202e\nway"}


def test_a_long_label_is_cut_before_it_gets_to_a_button() -> None:
    board = Board().started(started("a"))
    (card,) = build_panel(board, 0, quiet=False, actions={"a": ["W" * 5_000, "\u202eok"]}).cards
    assert card.actions == ("W" * 39 + "…", "⟦U+202E⟧ok")


def test_a_card_says_who_asks_what_and_since_when_in_plain_visible_text() -> None:
    asker = Requester(name="agent\u202e", cwd="/srv\n/shop")
    board = Board().started(started("a", 1_000, "<b>T</b>", asker))
    (card,) = build_panel(board, 13_000, quiet=False, actions={"a": ["&Yes"]}).cards
    assert card.title == "<b>T</b>"
    assert card.who == "agent⟦U+202E⟧ · /srv /shop"
    assert card.prompt == "What? Now?"
    assert card.waited == "12 s"
    assert card.actions == ("&Yes",)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=30))
def test_a_card_never_outlives_its_flow(events: list[tuple[str, bool]]) -> None:
    board, alive = Board(), set[str]()
    for flow_id, begins in events:
        board = board.started(started(flow_id)) if begins else board.ended(flow_id)
        alive = alive | {flow_id} if begins else alive - {flow_id}
        assert set(ids(board)) == alive
