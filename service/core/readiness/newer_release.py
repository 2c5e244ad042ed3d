"""A process notices that the tables are those of a newer release, and ends: its supervisor then starts the new code.

It looks when it starts, and then at each beat, in a thread of its own: no request asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.failures import SchemaIsNewer
from service.core.database.schema import OURS, is_newer

EXIT_CODE = 75
"""Of a process that ends because of that: EX_TEMPFAIL, to be started again."""
BEATS = "tegami.beats"
"""Where an application may have other `Beats` than the usual ones."""

_log = structlog.get_logger("tegami")


class Beats(NamedTuple):
    """When a process looks, and when it ends."""

    every: float = 10.0
    """Seconds between two looks."""
    goodbye: float = 5.0
    """Seconds for which a web process still answers when it has noticed: what would write, with 503."""


def beats_of(extensions: Mapping[str, Any]) -> Beats:
    """Those of the application that has these extensions."""
    found: Beats = extensions.get(BEATS) or Beats()
    return found


def watch(engine: Engine, pause: Callable[[], object], end: Callable[[], None]) -> None:
    """Look again after each `pause`, and `end` once the database is newer. A pause that is true ends this."""
    while not notices_newer(engine):
        if pause():
            return
    end()


def notices_newer(engine: Engine) -> bool:
    """Whether the database is newer; logged. One that does not answer is an outage, which others tell of."""
    with suppress(SQLAlchemyError):
        if is_newer(engine):
            _log.error("ending", task="update", cause=SchemaIsNewer.cause, known=OURS.last)
            return True
    return False
