"""The standby servers of a PostgreSQL database: their number, and how far the slowest is behind the primary server.

PostgreSQL tells everybody their number, but tells their positions only to roles with `pg_read_all_stats`.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import text

from service.core.database.database import db

_FOUND = text("""
SELECT count(*),
       max(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_wal_lsn() END, replay_lsn)),
       max(CASE WHEN replay_lsn IS NULL THEN NULL ELSE coalesce(extract(epoch FROM replay_lag), 0) END)
FROM pg_stat_replication
WHERE state IS DISTINCT FROM 'backup'
""")


class Replicas(NamedTuple):
    """The primary server's knowledge of the servers that follow it."""

    number: int
    behind_bytes: float | None
    """The number of bytes by which the slowest of these servers is behind; None if there is none, or we may not
    know.
    """
    behind_seconds: float | None
    """The number of seconds by which the slowest of these servers is behind; None as for `behind_bytes`."""


def replicas() -> Replicas | None:
    """The standby servers of our database; None for an embedded database, which has none."""
    if db.engine.dialect.name != "postgresql":
        return None
    number, size, seconds = db.session.execute(_FOUND).one()
    return Replicas(
        number, None if size is None else float(size), None if seconds is None else float(seconds)
    )
