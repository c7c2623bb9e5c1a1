"""On a real screen: nobody is robbed of the keyboard, a window says that it is there, and a token lets it forward."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from buses import NotificationService, session_bus
from helpers import form
from processes import environment, running, wait_for, x_server
from requirements import proves

OTHER = "where the person types"
TITLE = "Deploy <b>4.2</b>"
FULL = ("actions", "body", "body-markup")

_RULES = (
    '<?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">'
    "<focus><focusNew>no</focusNew></focus></openbox_config>"
)


@dataclass(frozen=True)
class Desktop:
    """A screen whose window manager gives the keyboard to no new window by itself, a bus, and a form."""

    env: dict[str, str]
    form: Path

    def say(self, *command: str) -> str:
        """Return what a command says of the screen."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=False, timeout=10)
        return done.stdout.strip()

    def window(self, title: str = TITLE) -> str:
        """Return the id of a window, empty where there is none."""
        return self.say("xdotool", "search", "--onlyvisible", "--name", title)

    def focused(self) -> str:
        """Return the title of the window with the keyboard."""
        return self.say("xdotool", "getwindowfocus", "getwindowname")

    def property(self, window: str, name: str) -> str:
        """Return a property of a window."""
        return self.say("xprop", "-id", window, name).partition("=")[2].strip()


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    programs = ("openbox", "xdotool", "xprop", "xev")
    missing = [name for name in programs if shutil.which(name) is None]
    assert not missing, f"these tests need {missing}; install openbox, xdotool and x11-utils"
    rules = tmp_path_factory.mktemp("openbox") / "rc.xml"
    rules.write_text(_RULES)
    with x_server("-noreset") as name:
        env = {**os.environ, "DISPLAY": name}
        # It starts the other program itself: what appears while it starts, it may overlook.
        startup = ("--startup", f"xev -name '{OTHER}'")
        with started("openbox", "--config-file", str(rules), *startup, env=env):
            yield name


@contextmanager
def started(*command: str, env: dict[str, str]) -> Iterator[None]:
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait(10)


@pytest.fixture
def desktop(screen: str, tmp_path: Path) -> Iterator[Desktop]:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(title=TITLE)))
    with session_bus(tmp_path) as address:
        env = environment(
            DISPLAY=screen, DBUS_SESSION_BUS_ADDRESS=address, PI_ASK_SOCKET=str(tmp_path / "run" / "resident.sock")
        )
        found = Desktop(env, path)
        other = wait_for(lambda: found.window(OTHER))
        found.say("xdotool", "windowactivate", other)
        wait_for(lambda: found.focused() == OTHER)
        yield found


@proves("notify-here", "notify-click", "notify-withdrawn")
def test_a_form_of_its_own_process_waits_for_the_person_and_opens_with_a_click(
    desktop: Desktop, tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"desktop": {"inputGuardMs": 0}}')
    env = {**desktop.env, "PI_ASK_CONFIG": str(config)}
    with (
        NotificationService(desktop.env["DBUS_SESSION_BUS_ADDRESS"], *FULL) as service,
        running("ask", "--here", str(desktop.form), "--requester", "agent", env=env) as process,
    ):
        window = wait_for(desktop.window)
        wait_for(lambda: service.shown)
        wait_for(lambda: desktop.focused() == OTHER)
        wait_for(lambda: "DEMANDS_ATTENTION" in desktop.property(window, "_NET_WM_STATE"))
        assert service.shown[0]["summary"] == "agent asks"
        assert service.shown[0]["body"] == "Deploy &lt;b&gt;4.2&lt;/b&gt;\nAbout q?"
        service.do("click", 1, "token_TIME1")
        wait_for(lambda: TITLE in desktop.focused())
        desktop.say("xdotool", "key", "--delay", "60", "Escape")
        assert process.wait(10) == 1
        wait_for(lambda: service.closed)
    assert [one["id"] for one in service.shown] == service.closed == [1]


@proves("notify-here", "notify-once")
def test_a_form_that_the_person_has_before_them_is_not_told(desktop: Desktop) -> None:
    """The second one has no token, and so it is told: by then the service has heard of all that there is."""
    with NotificationService(desktop.env["DBUS_SESSION_BUS_ADDRESS"], *FULL) as service:
        wanted = {**desktop.env, "XDG_ACTIVATION_TOKEN": "token_TIME1"}
        with running("ask", "--here", str(desktop.form), "--title", "seen", env=wanted):
            wait_for(lambda: "seen" in desktop.focused())
            with running("ask", "--here", str(desktop.form), env=desktop.env):
                wait_for(lambda: service.shown)
                assert "seen" in desktop.focused()
    assert [one["body"].splitlines()[0] for one in service.shown] == ["Deploy &lt;b&gt;4.2&lt;/b&gt;"]


@pytest.mark.parametrize("variable", ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"])
@pytest.mark.parametrize("way", ["--here", "resident"])
@proves("activation-token")
def test_a_window_comes_forward_by_the_token_of_who_asks(
    desktop: Desktop, tmp_path: Path, variable: str, way: str
) -> None:
    told = tmp_path / "told"
    command = {"type": "command", "command": f"env > {told}.new; mv {told}.new {told}"}
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"notifications": {"channels": [command]}}))
    env = {**desktop.env, "PI_ASK_CONFIG": str(config)}
    asking = {**env, variable: "launcher/pi_TIME12345"}
    with resident(env if way == "resident" else None):
        arguments = ["ask", str(desktop.form), *([way] if way == "--here" else [])]
        with running(*arguments, env=asking):
            window = wait_for(desktop.window)
            wait_for(lambda: TITLE in desktop.focused())
            assert desktop.property(window, "_NET_STARTUP_ID") == '"launcher/pi_TIME12345"'
            wait_for(told.exists)
    assert "launcher" not in told.read_text()


@contextmanager
def resident(env: dict[str, str] | None) -> Iterator[None]:
    """Run a resident, unless there is no ``env`` for it."""
    if env is None:
        yield
        return
    with running("tray", "--hidden", env=env) as process:
        wait_for(Path(env["PI_ASK_SOCKET"]).exists)
        yield
        process.terminate()
        process.wait(10)


@proves("notify-once", "notify-withdrawn")
def test_the_resident_tells_of_a_form_once_and_takes_it_back_when_it_is_told_to_end(desktop: Desktop) -> None:
    with NotificationService(desktop.env["DBUS_SESSION_BUS_ADDRESS"], *FULL) as service:
        with resident(desktop.env), running("ask", str(desktop.form), env=desktop.env) as process:
            wait_for(lambda: service.shown)
            wait_for(desktop.window)
            wait_for(lambda: desktop.focused() == OTHER)
            assert process.poll() is None
        wait_for(lambda: service.closed)
    assert [one["id"] for one in service.shown] == service.closed == [1]


@proves("notify-hangs")
def test_a_service_that_hangs_delays_neither_form_nor_end(desktop: Desktop) -> None:
    with NotificationService(desktop.env["DBUS_SESSION_BUS_ADDRESS"], *FULL) as service:
        service.hang(on=True)
        with running("ask", "--here", str(desktop.form), env=desktop.env) as process:
            wait_for(desktop.window)
            process.terminate()
            assert process.wait(3) == 130


def test_without_a_window_manager_a_window_takes_the_keyboard(tmp_path: Path) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(title=TITLE)))
    with x_server("-noreset") as name:
        bare = Desktop(environment(DISPLAY=name), path)
        with running("ask", "--here", str(path), env=bare.env):
            wait_for(lambda: TITLE in bare.focused())


@pytest.fixture
def tray(screen: str) -> Iterator[None]:
    if shutil.which("trayer") is None:
        pytest.skip("trayer is not installed")
    with started("trayer", "--edge", "top", "--align", "right", "--width", "5", env={**os.environ, "DISPLAY": screen}):
        yield


def balloon(desktop: Desktop) -> str:
    """Return the id of the message that Qt draws by a tray icon, empty where there is none."""
    # It has no title of its own; nor has the icon, which is small.
    for window in desktop.say("xdotool", "search", "--onlyvisible", "--class", "^pi-ask$").split():
        size = desktop.say("xdotool", "getwindowgeometry", "--shell", window)
        width = int(size.partition("WIDTH=")[2].partition("\n")[0] or 0)
        if width > 100 and TITLE not in desktop.say("xdotool", "getwindowname", window):
            return window
    return ""


@pytest.mark.usefixtures("tray")
@proves("notify-click", "notify-hangs", "notify-withdrawn")
def test_without_a_service_the_message_of_the_tray_opens_the_form_and_goes_with_it(desktop: Desktop) -> None:
    with resident(desktop.env):
        with running("ask", str(desktop.form), env=desktop.env) as process:
            message = wait_for(lambda: balloon(desktop))
            wait_for(lambda: desktop.focused() == OTHER)
            desktop.say("xdotool", "mousemove", "--window", message, "20", "60", "click", "1")
            wait_for(lambda: TITLE in desktop.focused())
            process.terminate()
            process.wait(10)
        with running("ask", str(desktop.form), env=desktop.env) as process:
            wait_for(lambda: balloon(desktop))
            process.terminate()
            process.wait(10)
            wait_for(lambda: not balloon(desktop))
