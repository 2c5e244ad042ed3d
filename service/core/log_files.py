"""Log files: one JSON object a line to stderr. They hold no cards, no tokens, no addresses and no query strings."""

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
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # looked up at each call
    )


def places(error: BaseException) -> list[str]:
    """Function and line of every frame of the traceback, without the line's text and values: those may hold cards."""
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found
