"""Reading a form: every issue at once, each at its place; and the questions, normalised."""

from __future__ import annotations

import copy
import json
import re
import time
from types import MappingProxyType
from typing import Any

import pytest
from helpers import form, question
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.models import AskParams
from pi_ask.state.normalize import Form, label_from, read_form
from pi_ask.text import has_surrogate, has_visible_character

Path = tuple[str | int, ...]

FULL: dict[str, Any] = {
    "title": "Release",
    "background": False,
    "questions": [
        {
            "id": "look",
            "prompt": "Which one?",
            "label": "Look",
            "type": "preview",
            "required": True,
            "options": [
                {"value": "a", "label": "A", "description": "first", "preview": "text", "recommended": True},
                {"value": "b", "label": "B", "previewFile": "b.txt"},
            ],
        }
    ],
}

QUESTION: Path = ("questions", 0)
OPTION: Path = ("questions", 0, "options", 0)
OPTIONAL_TEXTS: list[Path] = [
    ("title",),
    (*QUESTION, "label"),
    (*OPTION, "label"),
    (*OPTION, "description"),
    (*OPTION, "preview"),
    ("questions", 0, "options", 1, "previewFile"),
]
REQUIRED_TEXTS: list[Path] = [(*QUESTION, "id"), (*QUESTION, "prompt"), (*OPTION, "value")]
FLAGS: list[Path] = [("background",), (*QUESTION, "required"), (*OPTION, "recommended")]
LISTS: list[Path] = [("questions",), (*QUESTION, "options")]
OBJECTS: list[Path] = [QUESTION, OPTION]

NO_TEXT: list[Any] = [
    0,
    -1.5,
    True,
    False,
    [],
    ["x"],
    {},
    {"a": 1},
    float("nan"),
    float("inf"),
    10**400,
    b"x",
    {1},
    object(),
    int,
]
NO_FLAG: list[Any] = ["true", "", 0, 1, 1.0, [], {}, float("nan"), b"", object()]
NO_LIST: list[Any] = ["x", "", 0, 1.5, True, {}, {"0": {}}, float("inf"), b"x", {1}, object(), iter([])]
NO_OBJECT: list[Any] = [None, "x", 0, 1.5, True, [], [{}], float("nan"), b"x", {1}, object(), dict]

WRONG = [
    *((path, value) for path in OPTIONAL_TEXTS + REQUIRED_TEXTS for value in NO_TEXT),
    *((path, None) for path in REQUIRED_TEXTS),
    *((path, "\ud800") for path in OPTIONAL_TEXTS + REQUIRED_TEXTS),
    *((path, value) for path in FLAGS for value in NO_FLAG),
    *((path, value) for path in LISTS for value in (*NO_LIST, None, [], ())),
    *((path, value) for path in OBJECTS for value in NO_OBJECT),
    *(
        ((*QUESTION, "type"), value)
        for value in ("", "Single", " single", "radio", 0, True, [], {}, ["single"], object())
    ),
]


def with_value(path: Path, value: Any) -> dict[str, Any]:
    """Return the full form with ``value`` at ``path``."""
    changed = copy.deepcopy(FULL)
    at: Any = changed
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return changed


def written(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def paths(read: Form) -> list[str]:
    return [issue.path for issue in read.issues]


def stands_in(path: str, raw: Any) -> bool:
    """Return whether the place of ``path`` exists in the form, but for the field that is its last part."""
    parts: list[Any] = [int(index) if index else name for name, index in re.findall(r"([A-Za-z]+)|\[(\d+)\]", path)]
    try:
        for part in parts[:-1]:
            raw = raw[part]
        return isinstance(raw, dict) if isinstance(parts[-1], str) else bool(raw[parts[-1]] or True)
    except (LookupError, TypeError):
        return False


# --- what is wrong, and where ----------------------------------------------------------------------------------------


def test_the_full_form_has_no_issue() -> None:
    assert read_form(FULL).issues == ()


@proves("form-wrong-types", "form-all-issues", "form-type", "form-not-empty")
@pytest.mark.parametrize(
    ("path", "value"), WRONG, ids=[f"{written(path)}={str(value)[:12]!a}" for path, value in WRONG]
)
def test_a_wrong_type_is_one_issue_at_its_place(path: Path, value: Any) -> None:
    read = read_form(with_value(path, value))
    assert paths(read) == [written(path)]
    assert len(read.issues[0].message) > 10


@pytest.mark.parametrize("path", [*REQUIRED_TEXTS, *LISTS], ids=written)
def test_a_missing_field_is_one_issue_at_its_place(path: Path) -> None:
    raw = with_value(path, None)
    at: Any = raw
    for part in path[:-1]:
        at = at[part]
    del at[path[-1]]
    assert paths(read_form(raw)) == [written(path)]


@proves("form-all-issues", "form-wrong-types")
def test_every_issue_of_a_form_is_told_at_once_in_the_order_of_the_form() -> None:
    raw = {
        "title": 5,
        "background": "no",
        "questions": [
            {"id": " ", "prompt": None, "label": "\u200b", "type": "x", "required": 1, "options": []},
            "nothing",
            {
                "id": "look",
                "prompt": "?",
                "type": "preview",
                "options": [
                    {"value": "a", "preview": "p", "previewFile": "f"},
                    {"value": "a"},
                    None,
                    {"value": "--", "preview": "p", "recommended": "yes"},
                ],
            },
            {"id": " look ", "prompt": "?", "options": [{"value": "x"}]},
        ],
    }
    assert paths(read_form(raw)) == [
        "title",
        "background",
        "questions[0].id",
        "questions[0].prompt",
        "questions[0].label",
        "questions[0].type",
        "questions[0].required",
        "questions[0].options",
        "questions[1]",
        "questions[2].options[0].previewFile",
        "questions[2].options[1].value",
        "questions[2].options[1].preview",
        "questions[2].options[2]",
        "questions[2].options[3].label",
        "questions[2].options[3].recommended",
        "questions[3].id",
    ]


@pytest.mark.parametrize(
    "params", [None, 5, True, [], [FULL], object(), AskParams, float("nan"), memoryview(b"{}")], ids=repr
)
@proves("form-wrong-types")
def test_what_is_no_form_at_all_is_one_issue(params: Any) -> None:
    read = read_form(params)
    assert paths(read) == [""]
    assert "must be an object" in read.issues[0].message


@proves("form-unique")
def test_ids_and_values_are_unique_after_trimming() -> None:
    raw = form(question("a", "x", " x ", "X"), question("b", "x"), question(" a\n", "x"))
    assert paths(read_form(raw)) == ["questions[0].options[1].value", "questions[2].id"]


def test_two_missing_ids_are_missing_and_not_repeated() -> None:
    raw = form(question(" ", "a", ""), question("", "b", " "))
    places = [(issue.path, issue.message) for issue in read_form(raw).issues if not issue.path.endswith("label")]
    assert [path for path, _ in places] == [
        f"questions[{q}]{part}" for q in (0, 1) for part in (".id", ".options[1].value")
    ]
    assert {message for _, message in places} == {"is required; give it some text"}


@proves("form-preview-needed", "form-preview-both")
def test_a_preview_question_needs_one_preview_on_every_option() -> None:
    options = [
        {"value": "text", "preview": "p"},
        {"value": "file", "previewFile": "f"},
        {"value": "blank", "preview": " \n"},
        {"value": "none"},
        {"value": "both", "preview": "p", "previewFile": "f"},
        {"value": "blank text and file", "preview": " ", "previewFile": "f"},
    ]
    read = read_form(form(question(type="preview", options=options)))
    assert paths(read) == [
        f"questions[0].options[{i}].{name}" for i, name in ((2, "preview"), (3, "preview"), (4, "previewFile"))
    ]
    other = read_form(form(question(type="multi", options=options)))
    assert paths(other) == ["questions[0].options[4].previewFile"]


@proves("form-label-derived")
@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("staging", "Staging"),
        ("staging-eu", "Staging eu"),
        ("blue_green-v2", "Blue green v2"),
        ("--force", "Force"),
        ("API", "API"),
        ("2nd", "2nd"),
        ("élan", "Élan"),
        ("日本", "日本"),
        ("🚀", "🚀"),
    ],
)
def test_an_absent_label_is_made_from_the_value(value: str, label: str) -> None:
    assert label_from(value) == label
    for given_label in ({}, {"label": ""}, {"label": " \t"}, {"label": None}):
        read = read_form(form(question(options=[{"value": value, **given_label}])))
        assert (read.issues, read.questions[0].options[0].label) == ((), label)


@proves("form-label-derived")
@pytest.mark.parametrize("value", ["-", "_-_", "- -"])
def test_a_value_of_which_no_label_can_be_made_is_an_issue_at_the_label(value: str) -> None:
    assert paths(read_form(form(question("q", value)))) == ["questions[0].options[0].label"]
    assert read_form(form(question(options=[{"value": value, "label": "None"}]))).issues == ()


@proves("form-label-visible")
@pytest.mark.parametrize("label", ["\u200b", "\u2800", "\u3164 \u00ad", "\u202e", "\x00", "\U000e0061"], ids=ascii)
def test_a_label_that_nobody_can_see_is_an_issue(label: str) -> None:
    raw = form(question(label=label, options=[{"value": "a", "label": label}, {"value": label}]))
    expected = ["questions[0].label", "questions[0].options[0].label", "questions[0].options[1].label"]
    assert paths(read_form(raw)) == expected


# --- how it comes ----------------------------------------------------------------------------------------------------


@proves("form-params", "form-spellings")
def test_a_form_reads_the_same_however_it_comes() -> None:
    text = json.dumps(FULL)
    snake: dict[str, Any] = copy.deepcopy(FULL)
    option = snake["questions"][0]["options"][1]
    option["preview_file"] = option.pop("previewFile")
    expected = read_form(FULL)
    same = [text, f"\ufeff{text}", text.encode(), b"\xef\xbb\xbf" + text.encode(), bytearray(text.encode())]
    for params in (
        *same,
        snake,
        MappingProxyType(FULL),
        AskParams.model_validate(FULL),
        AskParams.model_validate(snake),
    ):
        assert read_form(params) == expected


@proves("form-defaults")
def test_null_and_blank_optional_fields_count_as_absent() -> None:
    bare = form(question("q", "a"))
    names = {"label": None, "type": None, "required": None}
    options = [{"value": "a", **dict.fromkeys(("label", "description", "preview", "previewFile", "recommended"))}]
    null = {**form(question("q", **names, options=options)), "title": None, "background": None}
    blank_options = [{"value": "a", "label": "", "description": " ", "preview": "\n", "previewFile": "\t"}]
    blank = {**form(question("q", label=" ", options=blank_options)), "title": "  "}
    assert read_form(bare) == read_form(null) == read_form(blank)
    assert read_form(bare).questions[0].to_wire() == {
        "id": "q",
        "label": "Q1",
        "prompt": "About q?",
        "type": "single",
        "required": False,
        "options": [{"value": "a", "label": "A"}],
    }


@proves("form-trimmed", "form-defaults")
def test_texts_are_trimmed_and_labels_numbered_by_position() -> None:
    first = question(
        " a ", prompt="\n One\n two ", label=" First ", options=[{"value": " v ", "label": " V ", "description": " d "}]
    )
    read = read_form({"title": " T ", "questions": [first, question("b"), question("c", label=" ")]})
    assert (read.title, [q.label for q in read.questions]) == ("T", ["First", "Q2", "Q3"])
    option = {"value": "v", "label": "V", "description": "d"}
    assert read.questions[0].to_wire() | {"options": [option]} == read.questions[0].to_wire()
    assert (read.questions[0].id, read.questions[0].prompt) == ("a", "One\n two")


def test_preview_text_and_paths_stay_exactly_as_they_came() -> None:
    read = read_form(
        form(question(options=[{"value": "a", "preview": "  x\n\n"}, {"value": "b", "previewFile": " f "}]))
    )
    assert read.questions[0].options[0].preview == "  x\n\n"
    assert [(file.path, file.issue_path) for file in read.preview_files] == [
        (" f ", "questions[0].options[1].previewFile")
    ]


NOT_JSON: dict[str, str | bytes] = {
    "empty": "",
    "blank": "  \n",
    "words": "deploy?",
    "cut off": '{"questions": [',
    "trailing comma": '{"questions": [],}',
    "two documents": "{} {}",
    "NaN": '{"title": NaN}',
    "Infinity": '{"questions": Infinity}',
    "-Infinity": "-Infinity",
    "a number of 5,000 digits": '{"title": ' + "9" * 5_000 + "}",
    "20,000 lists": "[" * 20_000,
    "20,000 lists, closed": '{"questions": ' + "[" * 20_000 + "]" * 20_000 + "}",
    "20,000 objects": '{"a":' * 20_000,
    "invalid UTF-8": b'{"title": "\xff"}',
    "cut UTF-8": b'{"title": "\xe2\x82"}',
    "UTF-16": '{"title": "x"}'.encode("utf-16"),
    "surrogate in UTF-8": b'{"title": "\xed\xa0\x80"}',
    "NUL": b"\x00",
}


@proves("form-hostile")
@pytest.mark.parametrize("text", NOT_JSON.values(), ids=NOT_JSON)
def test_text_that_cannot_be_read_is_one_issue(text: str | bytes) -> None:
    read = read_form(text)
    assert (paths(read), read.questions) == ([""], ())
    assert len(read.issues[0].message) > 20


@proves("form-hostile")
@pytest.mark.parametrize("text", ["null", "5", '"form"', "[]", "true"])
def test_json_that_is_no_object_is_one_issue(text: str) -> None:
    assert paths(read_form(text)) == [""]


@proves("form-hostile")
def test_an_escaped_lone_surrogate_is_an_issue_and_a_pair_is_text() -> None:
    text = json.dumps(form(question("q", "a"), title="T"))
    assert paths(read_form(text.replace('"T"', r'"\ud800"'))) == ["title"]
    assert read_form(text.replace('"T"', r'"\ud83d\ude80"')).title == "🚀"


@proves("form-hostile")
def test_a_number_beyond_every_float_is_a_wrong_type_and_no_more() -> None:
    assert paths(read_form('{"title": 1e999, "questions": 1' + "0" * 4000 + "}")) == ["title", "questions"]


@proves("form-large")
def test_two_thousand_options_and_long_words_are_read_at_once() -> None:
    word = "w" * 10_000
    options = [{"value": f"v{number}", "label": word, "description": word} for number in range(2_000)]
    started = time.perf_counter()
    read = read_form(form(question(prompt=word * 10, options=options)))
    assert time.perf_counter() - started < 5
    assert (read.issues, len(read.questions[0].options), read.questions[0].options[-1].label) == ((), 2_000, word)


def test_markup_and_mnemonics_are_kept_as_text() -> None:
    label = "<b>x</b> R&D &amp; &Yes <user@example.org> \u202egnp"
    read = read_form(form(question(label=label, prompt=label, options=[{"value": label, "label": label}]), title=label))
    assert read.issues == ()
    assert {read.title, read.questions[0].label, read.questions[0].prompt} == {label}
    assert {read.questions[0].options[0].value, read.questions[0].options[0].label} == {label}


@proves("form-recommended")
def test_recommended_changes_neither_value_nor_label() -> None:
    read = read_form(
        form(question(options=[{"value": "a-b", "recommended": True}, {"value": "c", "recommended": False}]))
    )
    assert [option.to_wire() for option in read.questions[0].options] == [
        {"value": "a-b", "label": "A b", "recommended": True},
        {"value": "c", "label": "C", "recommended": False},
    ]


@proves("questions-as-multi")
def test_single_questions_can_be_presented_as_multi() -> None:
    options = [{"value": "a", "preview": "p"}]
    raw = form(*(question(type_, type=type_, options=options) for type_ in ("single", "multi", "preview")))
    read = read_form(raw, present_single_as_multi=True)
    assert [(q.type, q.requested_type, q.presented_type) for q in read.questions] == [
        ("multi", "single", "multi"),
        ("multi", None, None),
        ("preview", None, None),
    ]
    assert [q.type for q in read_form(raw).questions] == ["single", "multi", "preview"]


def test_two_spellings_of_a_field_read_as_the_wire_one() -> None:
    options = [{"value": "a", "previewFile": "wire", "preview_file": "python"}]
    assert [file.path for file in read_form(form(question(options=options))).preview_files] == ["wire"]


# --- any form at all -------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(), max_size=6) | st.sampled_from(
    ["a", " a ", "", "\u200b", "-", "a-b_c", "<b>x</b>", "\ud800"]
)
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JUNK = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return objects with some of ``fields``, now and then with something else in them."""
    return st.fixed_dictionaries({}, optional={name: strategy | JUNK for name, strategy in fields.items()})


OPTIONS = st.lists(
    some(value=TEXT, label=TEXT, description=TEXT, preview=TEXT, previewFile=TEXT, recommended=st.booleans()) | JUNK,
    max_size=4,
)
QUESTIONS = some(
    id=TEXT,
    prompt=TEXT,
    label=TEXT,
    type=st.sampled_from(["single", "multi", "preview"]),
    required=st.booleans(),
    options=OPTIONS,
)
FORMS = some(title=TEXT, background=st.booleans(), questions=st.lists(QUESTIONS | JUNK, max_size=3)) | JUNK

GOOD_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def good_forms(draw: st.DrawFn) -> dict[str, Any]:
    """Return a form without an issue, in none too tidy a state."""

    def option(number: int) -> dict[str, Any]:
        blank = draw(st.sampled_from(["", " ", "\n\t"]))
        fields: dict[str, Any] = {
            "value": f"{blank}v{number}{draw(GOOD_TEXT)}w{blank}",
            "preview": f"p{draw(GOOD_TEXT)}",
        }
        for name in draw(st.sets(st.sampled_from(["label", "description", "recommended"]))):
            fields[name] = draw(st.booleans()) if name == "recommended" else f"{draw(GOOD_TEXT)}x{draw(GOOD_TEXT)}"
        return fields

    return {
        "title": draw(GOOD_TEXT),
        "questions": [
            {
                "id": f" q{number} ",
                "prompt": f"p{draw(GOOD_TEXT)}",
                "type": draw(st.sampled_from(["single", "multi", "preview"])),
                "required": draw(st.booleans()),
                "options": [option(index) for index in range(draw(st.integers(1, 3)))],
            }
            for number in range(draw(st.integers(1, 3)))
        ],
    }


@proves("form-wrong-types", "form-all-issues")
@given(FORMS, st.booleans())
def test_any_json_is_read_and_every_issue_can_be_found_in_it(raw: Any, as_multi: bool) -> None:
    read = read_form(raw, present_single_as_multi=as_multi)
    for issue in read.issues:
        assert issue.message
        assert not has_surrogate(issue.message)
        assert issue.path == "" or stands_in(issue.path, raw), issue
    if not read.issues:
        assert read.questions
        for one in read.questions:
            assert has_visible_character(one.label)
            assert one.id == one.id.strip() != ""
            assert len({option.value for option in one.options}) == len(one.options) > 0
            assert all(has_visible_character(option.label) for option in one.options)


@given(st.text() | st.binary())
def test_any_text_is_read_as_a_form(text: str | bytes) -> None:
    assert read_form(text).issues != ()


@proves("questions-normalised")
@given(good_forms())
def test_normalising_a_normalised_form_changes_nothing(raw: dict[str, Any]) -> None:
    once = read_form(raw)
    assert once.issues == ()
    wire: dict[str, Any] = {"questions": [one.to_wire() for one in once.questions]}
    again = read_form({**wire, "title": once.title})
    assert (again.issues, again.questions, again.title) == ((), once.questions, once.title)
    assert read_form(json.dumps(wire)).questions == once.questions


@proves("form-params")
@given(good_forms())
def test_the_model_of_a_form_reads_like_the_form(raw: dict[str, Any]) -> None:
    model = AskParams.model_validate(raw)
    assert read_form(model) == read_form(raw) == read_form(model.to_wire()) == read_form(model.to_json())
