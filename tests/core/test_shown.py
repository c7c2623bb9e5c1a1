"""What is shown, and what a copy of it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_ask.text import isolated, shown, visible


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("rm" + " " * 3_000 + "-rf /", "rm⟦3,000 spaces⟧-rf /"),
        ("safe\n" + "\n" * 300 + "not safe", "safe\n⟦300 empty lines⟧\nnot safe"),
        ("a\n" + " \n" * 40 + "b", "a\n⟦40 empty lines⟧\nb"),
        ("    indented\n\n\nthrice", "    indented\n\n\nthrice"),
        ("a" + "\u3000" * 100 + "b", "a⟦100 spaces⟧b"),
        (" " * 40 + "code", " " * 40 + "code"),
    ],
)
def test_padding_is_shown_for_what_it_is(source: str, text: str) -> None:
    assert visible(source) == text


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [(0, 1, "a"), (1, 9, "\u202e"), (3, 5, "\u202e"), (9, 10, "b"), (0, 10, "a\u202eb"), (2, 2, ""), (0, 0, "")],
)
def test_a_part_says_what_the_source_says(start: int, end: int, said: str) -> None:
    seen = shown("a\u202eb")
    assert seen.text == "a⟦U+202E⟧b"
    assert seen.said(start, end) == said


@given(st.text(st.sampled_from("ab \n\r\t\u200b\u202e\u05d0\u200d\U0001f469\ufe0f") | st.characters(), max_size=200))
def test_the_whole_says_the_whole_and_parts_add_up(source: str) -> None:
    seen = shown(source)
    assert seen.said(0, len(seen.text)) == source
    middle = len(seen.text) // 2
    start = seen.said(0, middle)
    assert source.startswith(start)


def test_only_text_that_runs_the_other_way_is_isolated() -> None:
    assert isolated("plain") == "plain"
    assert isolated("שלום") == "\u2068שלום\u2069"
