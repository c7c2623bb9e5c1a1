"""The commands that use the resident: ask, confirm, pending and cancel, with real processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from requirements import proves
from residents import ROOT, WAIT, Resident, ended_with, eventually, finished, titled, write_form

from pi_ask.wire import LineBuffer, decode, encode
from pi_ask_qt.client import TOOL_CALL_ID, Call, connect, request_line, requester

ANSWERING = """
from pi_ask import STARTED, SUBMIT
def extension(pi):
    def on_started(event):
        question = event.questions[0]
        answers = {question.id: {"values": [question.options[-1].value], "note": "why?"}}
        response = {"kind": "answer", "mode": "elaborate", "answers": answers}
        pi.events.emit(SUBMIT, {"version": 1, "requestId": "1", "flowId": event.flow_id, "response": response})
    pi.events.on(STARTED, on_started)
"""


@pytest.fixture(scope="module")
def resident(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resident]:
    folder = tmp_path_factory.mktemp("commands")
    folder.chmod(0o700)
    with Resident(folder) as started:
        yield started
        assert started.errors == ""


@pytest.fixture
def alone(tmp_path: Path) -> dict[str, str]:
    """The environment of a user without a resident."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PI_ASK_SOCKET": str(tmp_path / "none.sock"),
        "QT_QPA_PLATFORM": "offscreen",
    }


# --- ask --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "code", "prints"),
    [
        ("answer", 0, {"values": ["a"], "labels": ["A"], "indices": [1]}),
        ("own", 0, {"values": ["yes"], "labels": ["yes"], "indices": [], "customText": "yes"}),
        ("elaborate", 4, {"values": ["b"], "labels": ["B"], "indices": [2], "note": "why?"}),
        ("cancel", 1, None),
        ("nothing", 0, None),
    ],
)
def test_ask_prints_the_result_and_returns_its_code(
    resident: Resident, tmp_path: Path, title: str, code: int, prints: dict[str, Any] | None
) -> None:
    done = resident.run("ask", write_form(tmp_path, titled(title)))
    assert (done.returncode, done.stderr) == (code, "")
    result = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert result["answers"].get("q") == prints
    assert result["cancelled"] == (title == "cancel")


@proves("resident-same")
def test_the_same_form_prints_the_same_with_a_resident_and_without(
    resident: Resident, alone: dict[str, str], tmp_path: Path
) -> None:
    question = {**WAIT["questions"][0], "prompt": "Größe\u2028 \x1b[31m & <b>?"}
    form = write_form(tmp_path, {"title": "elaborate", "questions": [question]})
    bridge = tmp_path / "bridge.py"
    bridge.write_text(ANSWERING, encoding="utf-8")
    with_it = resident.run("ask", form)
    without = finished(resident.command("ask", form, "-e", str(bridge), env=alone))
    assert (with_it.returncode, with_it.stdout) == (without.returncode, without.stdout)
    assert with_it.returncode == 4


@pytest.mark.parametrize(
    "text", ["{}", "nonsense", '{"questions": [], "a": NaN}', "[" * 20_000, '{"questions": [{"id": "q", "type": 7}]}']
)
def test_an_invalid_form_says_the_same_with_a_resident_and_without(
    resident: Resident, alone: dict[str, str], tmp_path: Path, text: str
) -> None:
    form = tmp_path / "form.json"
    form.write_text(text, encoding="utf-8")
    with_it = resident.run("ask", str(form))
    without = finished(resident.command("ask", str(form), env=alone))
    assert (with_it.returncode, with_it.stdout, with_it.stderr) == (2, without.stdout, without.stderr)
    assert json.loads(with_it.stdout)["error"]["kind"] == "invalid_input"


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b""])
def test_a_form_that_is_no_text_is_explained(resident: Resident, tmp_path: Path, content: bytes) -> None:
    form = tmp_path / "form.json"
    form.write_bytes(content)
    done = resident.run("ask", str(form))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_form_can_come_from_standard_input(resident: Resident, alone: dict[str, str]) -> None:
    text = json.dumps(titled("answer"))
    done = resident.command("ask", "-", stdin=subprocess.PIPE)
    out, err = done.communicate(text, timeout=20)
    assert (done.returncode, err) == (0, "")
    assert json.loads(out)["answers"]["q"]["values"] == ["a"]
    # What was read for a resident that is not there is not lost.
    done = resident.command("ask", "-", "--timeout", "0.2", stdin=subprocess.PIPE, env=alone)
    out, err = done.communicate(text, timeout=20)
    assert done.returncode == 5, err


def test_a_title_on_the_command_line_replaces_the_forms(resident: Resident, tmp_path: Path) -> None:
    done = resident.run("ask", write_form(tmp_path, WAIT), "--title", "answer")
    assert (done.returncode, json.loads(done.stdout)["title"]) == (0, "answer")


def test_single_questions_can_be_asked_for_several(resident: Resident, tmp_path: Path) -> None:
    done = resident.run("ask", "--present-single-as-multi", write_form(tmp_path, titled("answer")))
    assert json.loads(done.stdout)["questions"][0]["presentedType"] == "multi"


def test_preview_files_are_found_from_where_the_command_runs(resident: Resident, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    question = {"id": "q", "prompt": "Go?", "type": "preview", "options": [{"value": "a", "previewFile": "a.txt"}]}
    form = write_form(tmp_path, {"title": "answer", "questions": [question]})
    assert resident.run("ask", form, cwd=tmp_path).returncode == 0
    assert resident.run("ask", form, cwd="/").returncode == 2


@pytest.mark.parametrize("asked", [("ask", "{form}"), ("confirm", "wait")])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_an_interrupt_closes_the_form_and_chooses_nothing(
    resident: Resident, tmp_path: Path, asked: tuple[str, ...], number: int, code: int
) -> None:
    form = write_form(tmp_path, WAIT)
    client = resident.command(*(word.format(form=form) for word in asked))
    eventually(resident.waiting)
    client.send_signal(number)
    done = finished(client)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr == "pi-ask: interrupted; nothing was chosen\n"
    eventually(lambda: not resident.waiting(), seconds=1)


@pytest.mark.parametrize("asked", [("ask", "{form}"), ("confirm", "wait")])
def test_a_form_that_is_not_answered_in_time_is_withdrawn(
    resident: Resident, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    form = write_form(tmp_path, WAIT)
    start = time.monotonic()
    done = resident.run(*(word.format(form=form) for word in asked), "--timeout", "0.5")
    assert (done.returncode, done.stdout) == (5, "")
    assert "in time" in done.stderr
    assert 0.5 < time.monotonic() - start < 3
    assert resident.waiting() == []


def test_ask_here_does_not_use_the_resident(resident: Resident, tmp_path: Path) -> None:
    form = write_form(tmp_path, titled("answer"))
    assert resident.run("ask", form, "--here", "--timeout", "0.2").returncode == 5


@pytest.mark.parametrize("given", ["-e", "--config"])
def test_what_only_this_process_can_load_is_asked_in_this_process(
    resident: Resident, tmp_path: Path, given: str
) -> None:
    files = {"-e": "def extension(pi): pass\n", "--config": "{}"}
    file = tmp_path / "file.py"
    file.write_text(files[given], encoding="utf-8")
    form = write_form(tmp_path, titled("answer"))
    assert resident.run("ask", form, given, str(file), "--timeout", "0.2").returncode == 5


@pytest.mark.parametrize(
    "arguments", [["--timeout", "0"], ["--timeout", "x"], ["--timeout"], ["--nonsense"], ["--timeout=-1"], ["extra"]]
)
def test_wrong_usage_is_the_same_with_a_resident(resident: Resident, tmp_path: Path, arguments: list[str]) -> None:
    done = resident.run("ask", write_form(tmp_path, WAIT), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--help" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--timeout=20", "{form}"], ["--", "{form}"], ["{form}", "--requester=me"], ["--timeout", "2e1", "{form}"]],
)
def test_arguments_in_any_spelling_lead_to_the_resident(
    resident: Resident, tmp_path: Path, arguments: list[str]
) -> None:
    form = write_form(tmp_path, titled("answer"))
    assert resident.run("ask", *(word.format(form=form) for word in arguments)).returncode == 0


# --- who asks ---------------------------------------------------------------------------------------------------------


@proves("resident-requester")
@pytest.mark.parametrize(
    ("arguments", "variables", "name"),
    [
        (["--requester", "an agent"], {}, "an agent"),
        ([], {"PI_ASK_REQUESTER": "from the environment"}, "from the environment"),
        (["--requester", "an agent"], {"PI_ASK_REQUESTER": "other"}, "an agent"),
    ],
)
def test_the_person_is_told_who_asks(
    resident: Resident, tmp_path: Path, arguments: list[str], variables: dict[str, str], name: str
) -> None:
    environ = {**resident.environ, **variables}
    with ended_with(resident.command("ask", write_form(tmp_path, WAIT), *arguments, cwd=tmp_path, env=environ)):
        (flow,) = eventually(resident.waiting)
        assert flow["requester"] == {"name": name, "cwd": str(tmp_path), "pid": flow["requester"]["pid"]}
        assert flow["toolCallId"] == TOOL_CALL_ID
    eventually(lambda: not resident.waiting())


def test_without_a_name_the_program_that_runs_the_command_is_named_past_its_shells(
    resident: Resident, tmp_path: Path
) -> None:
    command = f"sh -c '{sys.executable} -m pi_ask_qt ask {write_form(tmp_path, WAIT)}; true'; true"
    with ended_with(subprocess.Popen(["sh", "-c", command], env=resident.environ, text=True)):
        (flow,) = eventually(resident.waiting)
        mine = Path("/proc/self/comm").read_text(encoding="utf-8").strip()
        assert flow["requester"] == {"name": mine, "cwd": str(Path.cwd()), "pid": os.getpid()}
        resident.run("cancel", flow["flowId"])


# --- confirm ----------------------------------------------------------------------------------------------------------


@proves("resident-confirm")
@pytest.mark.parametrize(
    ("question", "code", "out"),
    [
        ("answer", 0, "yes\n"),
        ("last", 1, "no\n"),
        ("own", 1, "yes\n"),  # own words are no choice, whatever they say
        ("nothing", 1, ""),
        ("cancel", 1, ""),
    ],
)
def test_confirm_prints_the_choice_and_only_an_explicit_yes_is_success(
    resident: Resident, question: str, code: int, out: str
) -> None:
    done = resident.run("confirm", question)
    assert (done.returncode, done.stdout) == (code, out)


def test_a_note_beside_the_choice_is_not_lost(resident: Resident) -> None:
    assert resident.run("confirm", "last").stderr == "pi-ask: note: why?\n"


def test_confirm_passes_a_request_to_elaborate_on_as_ask_does(resident: Resident) -> None:
    done = resident.run("confirm", "elaborate")
    assert done.returncode == 4
    assert json.loads(done.stdout)["elaboration"]["items"][0]["note"] == "why?"


def test_confirm_shows_labels_and_details_of_ones_own(resident: Resident, tmp_path: Path) -> None:
    details = tmp_path / "plan.diff"
    details.write_text("+ Größe\n", encoding="utf-8")
    words = ("elaborate", "--yes", "Deploy & go", "--no", "-", "--details", str(details))
    item = json.loads(resident.run("confirm", *words).stdout)["elaboration"]["items"][0]
    assert item["question"]["type"] == "preview"
    assert [option["label"] for option in item["question"]["options"]] == ["Deploy & go", "-"]
    assert [option["preview"] for option in item["question"]["options"]] == ["+ Größe\n"] * 2


def test_details_can_come_from_a_pipe(resident: Resident) -> None:
    command = f"printf '+ piped' | {sys.executable} -m pi_ask_qt confirm elaborate --details /dev/stdin"
    for text in (command, command.replace("/dev/stdin", "-")):
        done = subprocess.run(text, shell=True, env=resident.environ, capture_output=True, check=False, timeout=20)  # noqa: S602 - a pipe is the point
        item = json.loads(done.stdout)["elaboration"]["items"][0]
        assert item["question"]["options"][0]["preview"] == "+ piped"


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff", b"x" * (1024 * 1024 + 1), None])
def test_details_that_cannot_be_shown_are_wrong_usage(
    resident: Resident, tmp_path: Path, content: bytes | None
) -> None:
    details = tmp_path / "details"
    if content is not None:
        details.write_bytes(content)
    done = resident.run("confirm", "answer", "--details", str(details))
    assert (done.returncode, done.stdout) == (2, "")
    assert "details" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("label", ["", " ", "\u200b"])
def test_a_label_without_a_visible_character_is_an_invalid_form_or_the_word_itself(
    resident: Resident, label: str
) -> None:
    done = resident.run("confirm", "elaborate", "--yes", label)
    assert done.returncode == (2 if label == "\u200b" else 4)


def test_confirm_works_without_a_resident_too(resident: Resident, alone: dict[str, str], tmp_path: Path) -> None:
    bridge = tmp_path / "bridge.py"
    bridge.write_text(ANSWERING.replace('"elaborate"', '"submit"'), encoding="utf-8")
    done = finished(resident.command("confirm", "Go?", "-e", str(bridge), env=alone))
    assert (done.returncode, done.stdout) == (1, "no\n")
    assert finished(resident.command("confirm", "Go?", "--timeout", "0.2", env=alone)).returncode == 5


def test_confirm_is_never_asked_for_several(resident: Resident) -> None:
    done = resident.run("confirm", "elaborate")
    assert "presentedType" not in json.loads(done.stdout)["questions"][0]


# --- pending and cancel -----------------------------------------------------------------------------------------------


@proves("resident-pending")
def test_pending_lists_what_waits_with_foreign_text_made_visible(resident: Resident, tmp_path: Path) -> None:
    assert resident.run("pending").stdout == ""
    assert json.loads(resident.run("pending", "--json").stdout) == []
    evil = {**WAIT, "title": "\x1b]0;owned\x07\u202eabc\nsecond line"}
    with ended_with(resident.command("ask", write_form(tmp_path, evil), "--requester", "an \x1b[31magent")):
        (flow,) = eventually(resident.waiting)
        (line,) = resident.run("pending").stdout.splitlines()
        assert line.startswith(flow["flowId"][:8])
        assert "\x1b" not in line
        assert "\u202e" not in line
        assert "⟦U+001B⟧" in line
        assert line.endswith("Go?")
        assert json.loads(resident.run("pending", "--json").stdout) == [flow]
    eventually(lambda: not resident.waiting())


@proves("resident-pending")
def test_cancel_ends_a_form_as_the_persons_own_cancel(resident: Resident, tmp_path: Path) -> None:
    form = write_form(tmp_path, WAIT)
    first, second = (resident.command("ask", form) for _ in range(2))
    flows = eventually(lambda: len(found := resident.waiting()) == 2 and found)
    assert resident.run("cancel", flows[0]["flowId"][:10]).returncode == 0
    assert resident.run("cancel", flows[1]["flowId"]).returncode == 0
    for client in (first, second):
        done = finished(client)
        assert (done.returncode, json.loads(done.stdout)["cancelled"]) == (1, True)


@pytest.mark.parametrize("flow", ["", "x", "0" * 32])
def test_cancel_of_what_does_not_wait_is_wrong_usage(resident: Resident, tmp_path: Path, flow: str) -> None:
    with ended_with(resident.command("ask", write_form(tmp_path, WAIT))):
        eventually(resident.waiting)
        done = resident.run("cancel", flow)
        assert done.returncode == 2
        assert "pending" in done.stderr
        assert len(resident.waiting()) == 1
    eventually(lambda: not resident.waiting())


@pytest.mark.parametrize("command", [("pending",), ("pending", "--json"), ("cancel", "x")])
def test_without_a_resident_there_is_nothing_to_list(
    resident: Resident, alone: dict[str, str], command: tuple[str, ...]
) -> None:
    done = finished(resident.command(*command, env=alone))
    assert (done.returncode, done.stdout) == (3, "")
    assert "pi-ask tray" in done.stderr


# --- the client itself ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "changes"),
    [
        ("{}", {}),
        ('{"a": "\\" \\\\ \\u0000 é \U0001f600"}\n\t\r\x00\x1f\x7f\u2028', {}),
        ("not JSON at all", {"present_single_as_multi": False}),
        ("", {"present_single_as_multi": True}),
    ],
)
def test_the_request_that_is_written_by_hand_is_the_json_that_is_meant(form: str, changes: dict[str, Any]) -> None:
    call = Call(form)
    for name, value in changes.items():
        setattr(call, name, value)
    line = request_line(call)
    buffer = LineBuffer()
    buffer.feed(line)
    message = decode(buffer.take() or b"")
    assert buffer.held == 0
    assert message.pop("requester") == requester()
    assert message.pop("presentSingleAsMulti", None) is call.present_single_as_multi
    expected = {"version": 1, "type": "ask", "id": "1", "form": form, "cwd": str(Path.cwd()), "toolCallId": "pi-ask"}
    assert message == expected


def test_an_activation_token_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token-1")
    assert decode(request_line(Call("{}")))["activationToken"] == "token-1"


def test_a_folder_with_a_name_that_is_no_text_travels_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    monkeypatch.chdir(folder)
    message = decode(request_line(Call("{}")))
    assert message["cwd"] == str(folder)
    assert message["requester"]["cwd"] == f"{tmp_path}/\\udcff"


def test_a_folder_that_is_gone_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    message = decode(request_line(Call("{}")))
    assert "cwd" not in message
    assert "cwd" not in message["requester"]


@proves("resident-quick")
def test_nothing_but_the_plainest_modules_is_imported_before_the_request(tmp_path: Path) -> None:
    form = write_form(tmp_path, WAIT)
    code = (
        "import sys, types; before = set(sys.modules); sys.argv[1:] = ['ask', sys.argv[1]]\n"
        "from pi_ask_qt import client\n"
        "client.ask = lambda call: print(*sorted(set(sys.modules) - before)) or 0\n"
        "from pi_ask_qt.start import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}", form],
        capture_output=True,
        check=True,
        text=True,
    )
    imported = set(done.stdout.split())
    own = {name for name in imported if name.split(".")[0] in {"pi_ask", "pi_ask_qt"}}
    assert own == {f"pi_ask_qt{name}" for name in ("", ".client", ".forms", ".place", ".quick", ".start")}
    assert imported - own <= {"__future__", "_socket"}


def test_the_client_never_imports_what_only_a_surface_needs(resident: Resident, tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv[1:] = ['ask', sys.argv[1]]\n"
        "from pi_ask_qt.start import main\n"
        "code = main(); print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    form = write_form(tmp_path, titled("answer"))
    done = subprocess.run(
        [sys.executable, "-c", code, form], env=resident.environ, capture_output=True, check=True, text=True
    )
    tops = {name.split(".")[0] for name in done.stderr.split()}
    assert not tops & {"pydantic", "pydantic_core", "asyncio", "PySide6", "qasync", "argparse"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_at_any_moment_is_the_same(resident: Resident, tmp_path: Path, number: int) -> None:
    path = tmp_path / "r.sock"
    environ = {**resident.environ, "PI_ASK_SOCKET": str(path)}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        for greeted in (False, True):
            client = resident.command("ask", write_form(tmp_path, WAIT), env=environ)
            connection, _ = listener.accept()
            with connection:
                if greeted:
                    connection.sendall(encode("hello"))
                    assert b"ask" in connection.recv(65_536)  # and it has yet to import what it needs to wait
                client.send_signal(number)
                done = finished(client)
            assert (done.returncode, done.stdout, done.stderr) == (130, "", "pi-ask: interrupted; nothing was chosen\n")


def test_a_missing_resident_costs_next_to_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PI_ASK_SOCKET", str(tmp_path / "none.sock"))
    start = time.perf_counter()
    assert connect() is None
    assert time.perf_counter() - start < 0.02


@proves("resident-quick")
def test_a_resident_that_does_not_greet_costs_fifty_milliseconds(
    resident: Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PI_ASK_SOCKET", str(resident.path))
    resident.signal(signal.SIGSTOP)
    try:
        start = time.perf_counter()
        assert connect() is None
        assert 0.045 < time.perf_counter() - start < 0.2
    finally:
        resident.signal(signal.SIGCONT)
