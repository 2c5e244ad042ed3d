"""A glance at the database: whether anything is due, for the price of one statement that only looks into indexes.

An idle thread of the worker does nothing else. It asks instead of being notified: no notification can get lost, and any
number of processes on any number of machines may share the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    ColumnClause,
    Exists,
    Select,
    bindparam,
    literal_column,
    or_,
    select,
)

from service.core.database.database import db
from service.core.database.quick_queries import QuickQuery
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

LONGEST_REST = 50 * SECOND
"""Ms after which a worker looks properly, for the heartbeat and whatever a glance does not see."""

NOW = bindparam("now", type_=BigInteger)
"""The time of the glance, for the queries that it makes use of."""

Query = Select[*tuple[object, ...]]
_ONE: ColumnClause[int] = literal_column("1")


class Glance:
    """Glances in the application in context at what `queries` select, which is due at `NOW`."""

    def __init__(self, runtime: Runtime, *queries: Query) -> None:
        self._now, self._looked_at = runtime.now, runtime.now()
        self._due = QuickQuery(db.engines["polls"], select(or_(*map(_is_any, queries))))

    def rest(self, stop: threading.Event, wait: Callable[[], object]) -> None:
        """Wait until there may be something to do, or `stop` is set."""
        while True:
            wait()
            if stop.is_set() or self.sees_work():
                return

    def sees_work(self) -> bool:
        """Whether something may be due; so it is after LONGEST_REST, and if the database fails."""
        now = self._now()
        if not 0 <= now - self._looked_at < LONGEST_REST:
            self._looked_at = now
            return True
        try:
            found = self._due.first({"now": now})
        except self._due.errors:
            return True
        return found is None or bool(found[0])


def _is_any(query: Query) -> Exists:
    return query.with_only_columns(_ONE).order_by(None).exists()
