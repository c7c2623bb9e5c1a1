"""The shared vectors: forms and responses with the right outcome each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pi_ask.errors import InvalidResponseError
from pi_ask.state.answers import check_response
from pi_ask.state.normalize import read_form
from pi_ask.state.result import build_result

VECTORS = json.loads((Path(__file__).parents[1] / "answers.json").read_text(encoding="utf-8"))


def outcome(vector: dict[str, Any]) -> dict[str, Any]:
    form = read_form(vector["params"], present_single_as_multi=vector["presentSingleAsMulti"])
    if form.issues:
        return {"outcome": "invalid_input", "issuePaths": [issue.path for issue in form.issues]}
    seen: dict[str, Any] = {"questions": [question.to_wire() for question in form.questions]}
    try:
        checked = check_response(form.questions, vector["response"])
    except InvalidResponseError:
        return seen | {"outcome": "rejected"}
    result = build_result(form.questions, checked, title=form.title).to_wire()
    result.get("elaboration", {}).pop("instruction", None)
    return seen | {"outcome": "result", "result": result}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_a_vector_has_its_outcome(vector: dict[str, Any]) -> None:
    assert outcome(vector) == vector["expect"]


def test_there_are_240_vectors_of_every_outcome() -> None:
    assert len(VECTORS) == 240
    assert {vector["expect"]["outcome"] for vector in VECTORS} == {"result", "rejected", "invalid_input"}
