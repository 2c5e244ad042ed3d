"""Log files: one JSON object a line to stderr. They hold no cards, no tokens, no addresses and no query strings."""

from __future__ import annotations

import logging
import sys

import structlog
from flask import Flask


def set_up(app: Flask) -> None:
    """Log by structlog alone; Flask's own logger would print tracebacks with values in them."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=lambda *_: structlog.PrintLogger(
            sys.stderr
        ),  # as it is when something is told
    )
    app.logger.handlers.clear()
    app.logger.addHandler(logging.NullHandler())
    app.logger.propagate = False
