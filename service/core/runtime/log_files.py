"""Log files: one JSON object on each line, on stderr. They hold no cards, no tokens, no addresses and no query strings.

They are ASCII, so that a terminal that shows them finds no control sequences to obey.

The audit log consists of the lines whose `event` is `audit`.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import NotRequired, TextIO, TypedDict

import structlog

from service.core.database.failures import UnreadableLog


def set_up() -> None:
    """Make structlog the only logger."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,  # the id of the request at hand
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=lambda *_: structlog.WriteLogger(_LINES),
    )


class _Lines:
    """Lines on stderr, which is looked up for each line. Each line is one write, so that lines of several processes do
    not mix.

    If a line cannot be written, for example because the disk is full, work goes on. Before the next line that can be
    written, a line says how many were lost.
    """

    def __init__(self) -> None:
        self._unwritten = 0

    def write(self, line: str) -> None:
        """Write a line if possible. The logger that calls this admits one thread at a time."""
        try:
            sys.stderr.write(self._notice() + line)
            sys.stderr.flush()
        except OSError:
            self._unwritten += 1
        else:
            self._unwritten = 0

    def flush(self) -> None:
        """Do nothing: `write` has flushed already."""

    def _notice(self) -> str:
        if not self._unwritten:
            return ""
        told = {"event": "log lines late or lost", "lines": self._unwritten, "level": "error"}
        return json.dumps({**told, "timestamp": _iso(datetime.now(UTC))}) + "\n"


_LINES: TextIO = _Lines()  # type: ignore[assignment]  # structlog uses no other method


def audit(what: str, outcome: str, **about: str | int | None) -> None:
    """Log that something relevant to people's security was done or refused; `about` holds only ids."""
    log = structlog.get_logger("tegami.audit")
    tell = log.info if outcome == "done" else log.warning
    tell("audit", what=what, outcome=outcome, **{k: v for k, v in about.items() if v is not None})


def places(error: BaseException) -> list[str]:
    """The function and line of every frame of the traceback, without source text and values, which may hold cards."""
    frames = traceback.walk_tb(error.__traceback__)
    return [f"{frame.f_code.co_qualname}:{line}" for frame, line in frames]


class FailureLine(TypedDict):
    """The data that is logged about a failure."""

    error: str
    """The kind of the error."""
    at: list[str]
    """The places through which the error was raised."""
    game: NotRequired[str]
    """The id of the game concerned, if known."""


def failure(error: BaseException, game_id: str | None = None) -> FailureLine:
    """The data to log about a failure. Its game is the one that the error names, or otherwise `game_id`."""
    if isinstance(error, UnreadableLog):
        game_id, error = error.game_id, error.__cause__ or error
    line: FailureLine = {"error": type(error).__name__, "at": places(error)}
    return {**line, "game": game_id} if game_id else line


class JsonLines(logging.Formatter):
    """A formatter that turns records of Python's own logging into lines like ours.

    It shows only the kind and the places of errors, and no values.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one JSON object."""
        line: dict[str, object] = {"event": record.getMessage(), "pid": record.process}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line |= {"error": type(error).__name__, "at": places(error)}
        at = datetime.fromtimestamp(record.created, UTC)
        line |= {"level": record.levelname.lower(), "timestamp": _iso(at)}
        return json.dumps(line)


def with_program(name: str, line: str, level: str = "info") -> str:
    """A line printed by a program, as one JSON object that names the program. Plain text becomes its `event`."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        found = {"event": line, "level": level, "timestamp": _iso(datetime.now(UTC))}
    return json.dumps({**found, "program": name})


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
