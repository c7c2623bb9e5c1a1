"""An application with windows of its own, in which an agent asks the person on the application's loop.

python examples/embedding_app.py                                  you answer
python examples/embedding_app.py resources/extensions/smoke.py    an extension answers
"""

import asyncio
import signal
import sys

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from pi_ask import ExternalUIError, PiAsk
from pi_ask_qt import QtAskProvider, new_event_loop

FORM = {
    "title": "Release 4.2",
    "questions": [
        {
            "id": "target",
            "prompt": "Where does it go first?",
            "options": [{"value": "staging", "recommended": True}, {"value": "production"}],
        }
    ],
}


class MainWindow(QWidget):
    """Starts an agent by a button, and shows what came of it."""

    closed = Signal()

    def __init__(self, pi: PiAsk) -> None:
        super().__init__()
        self._pi = pi
        self._agent: asyncio.Task[None] | None = None
        self._button = QPushButton("Publish the release", objectName="publish")
        self._label = QLabel("Nothing was published yet.", objectName="outcome", wordWrap=True)
        layout = QVBoxLayout(self)
        layout.addWidget(self._button)
        layout.addWidget(self._label)
        self._button.clicked.connect(self._on_clicked)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def _on_clicked(self) -> None:
        self._button.setEnabled(False)
        self._agent = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        try:
            result = await self._pi.ask_user(FORM, requester={"name": "Publisher"})
        except ExternalUIError as error:
            self._label.setText(f"Nobody could be asked: {error}")
        else:
            answer = result.details.answers.get("target")
            done = f"Published to {', '.join(answer.values)}." if answer is not None and answer.values else result.text
            self._label.setText(done)
        finally:
            self._button.setEnabled(True)


async def main(extensions: list[str]) -> None:
    async with PiAsk() as pi:  # leaving it ends every form that is open, as aborted
        QtAskProvider().register(pi)
        for extension in extensions:
            pi.load_extension(extension)
        window = MainWindow(pi)
        closed = asyncio.Event()
        window.closed.connect(closed.set)
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, closed.set)
        window.show()
        await closed.wait()


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    # The loop ends with main(), not with the last window.
    app.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: new_event_loop(app)) as runner:
        runner.run(main(sys.argv[1:]))
