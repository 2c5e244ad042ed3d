"""Log files: one JSON object a line to stderr. They hold no cards, no tokens, no addresses and no query strings.
They are ASCII: whoever reads them in a terminal is shown no text that it obeys.

The audit log is those lines whose `event` is `audit`.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import NotRequired, TypedDict

import structlog

from service.core.database.failures import UnreadableLog


def set_up() -> None:
    """Log by structlog alone."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,  # the id of the request at hand
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        # Looked up at each call; a line is one write, so that lines of several processes do not mix.
        logger_factory=lambda *_: structlog.WriteLogger(sys.stderr),
    )


def audit(what: str, outcome: str, **about: str | int | None) -> None:
    """Log that something was done that matters to the safety of people, or refused; `about` holds ids alone."""
    log = structlog.get_logger("tegami.audit")
    tell = log.info if outcome == "done" else log.warning
    tell("audit", what=what, outcome=outcome, **{k: v for k, v in about.items() if v is not None})


def places(error: BaseException) -> list[str]:
    """Function and line of every frame of the traceback, without the line's text and values: those may hold cards."""
    frames = traceback.walk_tb(error.__traceback__)
    return [f"{frame.f_code.co_qualname}:{line}" for frame, line in frames]


class FailureLine(TypedDict):
    """What is logged of a failure."""

    error: str
    """Its kind."""
    at: list[str]
    """Where it was raised."""
    game: NotRequired[str]
    """The id of the game that it is about, if that is known."""


def failure(error: BaseException, game_id: str | None = None) -> FailureLine:
    """What is logged of a failure, of the game that it names itself or of this one."""
    if isinstance(error, UnreadableLog):
        game_id, error = error.game_id, error.__cause__ or error
    line: FailureLine = {"error": type(error).__name__, "at": places(error)}
    return {**line, "game": game_id} if game_id else line


class JsonLines(logging.Formatter):
    """Makes a line like ours of a record of Python's own logging. An error shows its kind and places, no values."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object."""
        line: dict[str, object] = {"event": record.getMessage(), "pid": record.process}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line |= {"error": type(error).__name__, "at": places(error)}
        at = datetime.fromtimestamp(record.created, UTC)
        line |= {"level": record.levelname.lower(), "timestamp": _iso(at)}
        return json.dumps(line)


def with_program(name: str, line: str, level: str = "info") -> str:
    """A line that a program has printed, as one JSON object that names the program; a plain one is its `event`."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        found = {"event": line, "level": level, "timestamp": _iso(datetime.now(UTC))}
    return json.dumps({**found, "program": name})


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
