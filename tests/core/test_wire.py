"""The protocol's lines: what is understood, what is refused, and how a stream is cut."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_ask.wire import MAX_ID_LENGTH, LineBuffer, WireError, decode, encode, message_id

TEXT = st.text(st.characters(codec=None, exclude_categories=()))
JSON = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=10,
)


def code_of(line: bytes) -> str:
    with pytest.raises(WireError) as caught:
        decode(line)
    assert str(caught.value)
    return caught.value.code


@given(value=JSON)
def test_whatever_json_holds_comes_back_from_one_line(value: Any) -> None:
    line = encode("ask", id="1", form=value)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == {"version": 1, "type": "ask", "id": "1", "form": value}


def test_absent_fields_are_left_out_and_text_stays_readable() -> None:
    assert encode("error", id=None, message="Größe") == '{"version":1,"type":"error","message":"Größe"}\n'.encode()


def test_a_lone_surrogate_travels_as_json_spells_it() -> None:
    assert decode(encode("ask", id="1", cwd="/x\udc80"))["cwd"] == "/x\udc80"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"GET / HTTP/1.1", "invalid_json"),
        (b"\xff\xfe", "invalid_json"),
        (b'{"version":1,"type":"ping","id":NaN}', "invalid_json"),
        (b'{"version":1,', "invalid_json"),
        (b"[" * 20_000 + b"]" * 20_000, "invalid_json"),
        (b"1" * 5_000, "invalid_json"),
        (b"[]", "invalid_message"),
        (b"null", "invalid_message"),
        (b'{"version":1}', "invalid_message"),
        (b'{"version":1,"type":7}', "invalid_message"),
        (b"{}", "unsupported_version"),
        (b'{"version":2,"type":"ping"}', "unsupported_version"),
        (b'{"version":true,"type":"ping"}', "unsupported_version"),
        (b'{"version":"1","type":"ping"}', "unsupported_version"),
        (b'{"version":1.0,"type":"ping"}', "unsupported_version"),
    ],
)
def test_what_is_no_message_is_refused_with_a_code(line: bytes, code: str) -> None:
    assert code_of(line) == code


@pytest.mark.parametrize("id_", [None, 1, "", " ", "x" * (MAX_ID_LENGTH + 1), ["1"]])
def test_an_id_is_text_of_some_length(id_: Any) -> None:
    with pytest.raises(WireError, match="id"):
        message_id({"id": id_})


def test_a_fitting_id_is_returned_as_it_is() -> None:
    assert message_id({"id": " é" * (MAX_ID_LENGTH // 2)}) == " é" * (MAX_ID_LENGTH // 2)


@given(lines=st.lists(st.binary().map(lambda data: data.replace(b"\n", b""))), cuts=st.lists(st.integers(0, 60)))
def test_lines_are_the_same_however_the_stream_was_cut(lines: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(line + b"\n" for line in lines) + b"unfinished"
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    buffer, taken = LineBuffer(), []
    for start, end in itertools.pairwise(places):
        buffer.feed(stream[start:end])
        while (line := buffer.take()) is not None:
            taken.append(line)
    assert taken == lines
    assert buffer.held == len(b"unfinished")


def test_lines_before_one_that_is_too_long_are_still_there() -> None:
    buffer = LineBuffer(limit=4)
    buffer.feed(b"1234\n12345")
    assert buffer.take() == b"1234"
    with pytest.raises(WireError) as caught:
        buffer.take()
    assert caught.value.code == "line_too_long"
    assert buffer.held == 0


def test_a_whole_line_may_not_be_too_long_either() -> None:
    buffer = LineBuffer(limit=4)
    buffer.feed(b"12345\n1\n")
    with pytest.raises(WireError):
        buffer.take()


def test_a_long_line_in_small_pieces_takes_time_in_proportion() -> None:
    def seconds(size: int) -> float:
        buffer, start = LineBuffer(), time.perf_counter()
        for _ in range(size // 1024):
            buffer.feed(b"x" * 1024)
            assert buffer.take() is None
        return time.perf_counter() - start

    seconds(1024 * 1024)
    assert seconds(8 * 1024 * 1024) < 40 * seconds(1024 * 1024) + 0.5


def test_the_protocol_needs_neither_pydantic_nor_asyncio_nor_qt() -> None:
    code = "import pi_ask.wire, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    modules = set(json.loads(done.stdout))
    assert not modules & {"pydantic", "asyncio", "PySide6", "qasync", "pi_ask.models"}
