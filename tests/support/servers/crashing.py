"""A launcher that runs the service and kills it at one point of a move, with SIGKILL.

The test chooses the point by writing it into the file that `CRASH` names. `statement 3` is before the third statement
of a write transaction, `commit` just before the commit of a move, `committed` just after. The process that gets there
removes the file and dies.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import event

from service.core.database.batches import Text, Writer
from service.core.database.database import db
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app
from tests.support.writers import Around, Watched, plant


class Crash:
    """Follows the write transactions of a process, and kills it at the point in `file`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._statements = 0
        self._moves = False

    def watch(self, app: Flask) -> None:
        """Listen to everything that the application does with its database."""
        with app.app_context():
            event.listen(db.engine, "begin", self.begun)
            event.listen(db.engine, "before_cursor_execute", self.execute)
            event.listen(db.engine, "commit", self.committing)
            event.listen(db.session, "after_commit", self.committed)
        plant(app, lambda writer: Crashing(writer, self))

    def begun(self, _connection: Any) -> None:
        self._statements, self._moves = 0, False

    def execute(self, connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not connection.get_execution_options().get("writes"):
            return
        self._statements += 1
        self._moves = self._moves or "INTO events" in statement
        self.reach(f"statement {self._statements}")

    def committing(self, _connection: Any) -> None:
        if self._moves:
            self.reach("commit")

    def committed(self, _session: Any) -> None:
        if self._moves:
            self.reach("committed")

    def reach(self, point: str) -> None:
        """Kill this process, if this is the point."""
        try:
            wanted = self._file.read_text()
            if wanted == point:
                self._file.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        except FileNotFoundError:
            return  # no crash is wanted, or another process was first


class Crashing(Around):
    """A writer of batches that crashes at the same points."""

    def __init__(self, inner: Writer, crash: Crash) -> None:
        super().__init__(inner)
        self._crash = crash

    def write(self, texts: Sequence[Text]) -> None:
        """Each statement is a point."""
        super().write(Watched(texts, lambda number: self._crash.reach(f"statement {number}")))

    def commit(self) -> None:
        """Commit, with a point before and one after."""
        self._crash.reach("commit")
        super().commit()
        self._crash.reach("committed")


def crashing_app(role: str) -> Flask:
    """The application, which crashes at the point in the file `CRASH`-`role`."""
    app = create_app()
    Crash(Path(f"{os.environ['CRASH']}-{role}")).watch(app)
    return app


if __name__ == "__main__":
    work(crashing_app(sys.argv[1]), stop_on_signals())
