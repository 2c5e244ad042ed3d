"""Log files: one JSON object a line to stderr. They hold no cards, no tokens, no addresses and no query strings.

The audit log is those lines whose `event` is `audit`.
"""

from __future__ import annotations

import sys

import structlog


def set_up() -> None:
    """Log by structlog alone."""
    structlog.configure(
        processors=[
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
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found
