"""A launcher that runs the service with a failing part, which the file named by `BREAKING` selects.

The errors contain a marker and the cards at hand, as errors of a real defect would.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import event

import rules
from rules.kernel import Ruleset
from service.core.database.batches import Text
from service.core.database.database import db
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app
from tests.support.writers import Around, plant

MARKER = "m4rk3r"
PARTS = ("act", "view", "lines", "legal", "turn", "insert", "commit")


class Defect(Exception):
    """A defect whose text reveals everything that it should not."""


def fail_at(part: str, *secrets: Any) -> None:
    """Raise Defect if `part` is broken at present."""
    if Path(os.environ["BREAKING"]).read_text() == part:
        raise Defect(f"{MARKER} {secrets}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Broken(Ruleset):
    """A ruleset that fails in the broken part."""

    def act(self, state: Any, event: Any) -> Any:
        fail_at("act", state, event)
        return super().act(state, event)

    def view(self, state: Any, seat: Any) -> Any:
        fail_at("view", state, seat)
        return super().view(state, seat)

    def lines(self, state: Any, seat: Any) -> Any:
        fail_at("lines", state, seat)
        return super().lines(state, seat)

    def legal(self, state: Any, seat: Any) -> Any:
        fail_at("legal", state, seat)
        return super().legal(state, seat)

    def turn(self, state: Any) -> Any:
        fail_at("turn", state)
        return super().turn(state)


def break_rulesets() -> None:
    """Replace each ruleset by a broken one."""
    known = rules._versions()
    for key, (ruleset, folder) in known.items():
        fields = {each.name: getattr(ruleset, each.name) for each in dataclasses.fields(ruleset)}
        known[key] = rules.Found(Broken(**fields), folder)


def break_database(app: Flask) -> None:
    """Make statements and commits fail in the database itself, with the rows in its message."""

    def execute(
        _connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any
    ) -> tuple[str, Any]:
        part = Path(os.environ["BREAKING"]).read_text()
        if part == "insert" and "INTO events" in statement:
            return statement, without_digest(parameters)
        return statement, parameters

    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", execute, retval=True)
        event.listen(db.engine, "commit", lambda _connection: fail_at("commit", "at the commit"))
    plant(app, Breaking)


class Breaking(Around):
    """A writer of batches that fails in the same way."""

    def write(self, texts: Sequence[Text]) -> None:
        """Write rows without a required column."""
        if Path(os.environ["BREAKING"]).read_text() == "insert":
            texts = [
                each._replace(values=without_digest(each.values))
                if "INTO events" in each.text
                else each
                for each in texts
            ]
        super().write(texts)

    def commit(self) -> None:
        """Commit, or fail."""
        fail_at("commit", "at the commit")
        super().commit()


def without_digest(parameters: Any) -> Any:
    """The rows, each without a required column."""
    if isinstance(parameters, dict):
        return {key: None if key.startswith("digest") else parameters[key] for key in parameters}
    return tuple(each if isinstance(each, str | int) else None for each in parameters)


def broken_app() -> Flask:
    """The application with its broken part."""
    app = create_app()
    break_rulesets()
    break_database(app)
    return app


if __name__ == "__main__":
    assert sys.argv[1:] == ["worker"]
    work(broken_app(), stop_on_signals())
