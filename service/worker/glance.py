"""A glance at the database: whether anything may be due, for the price of one statement.

An idle worker does nothing else, and even less while nobody has written to an SQLite file. It asks instead of being
notified: no notification can get lost, and any number of processes on any number of machines may share the work.
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
    text,
)

from service.core.database import db
from service.core.direct.quick_queries import QuickQuery
from service.core.time_and_random import Runtime
from service.core.units import SECOND

LONGEST_REST = 25 * SECOND
"""Ms after which a worker looks properly, for the heartbeat and whatever a glance does not see."""

NOW = bindparam("now", type_=BigInteger)
"""The time of the glance, for the queries that it makes use of."""


Query = Select[*tuple[object, ...]]
_VERSION = text("PRAGMA data_version")
"""SQLite's number that is another one as soon as another connection has written."""
_ONE: ColumnClause[int] = literal_column("1")


class Glance:
    """Glances in the application in context: each time at what `now_due` selects, once a second at what the others do.

    The others select what is due at `NOW`.
    """

    def __init__(self, runtime: Runtime, now_due: Query, *others: Query) -> None:
        engine, self._now = db.engines["polls"], runtime.now
        self._often, self._seldom = (
            QuickQuery(engine, select(or_(*map(_is_any, queries))))
            for queries in ([now_due], [now_due, *others])
        )
        self._version = QuickQuery(engine, _VERSION) if engine.dialect.name == "sqlite" else None
        self._seen: object = None
        """The version of the database at which nothing was due that `now_due` selects."""
        self._glanced_at = self._looked_at = runtime.now()

    def rest(self, stop: threading.Event, wait: Callable[[], object]) -> None:
        """Wait until there may be something to do, or `stop` is set."""
        while True:
            wait()
            if stop.is_set() or self.sees_work():
                return

    def sees_work(self) -> bool:
        """Whether something may be due; so it is after LONGEST_REST, and if the database fails."""
        try:
            return self._sees_work(self._now())
        except self._often.errors:
            return True

    def _sees_work(self, now: int) -> bool:
        if not 0 <= now - self._looked_at < LONGEST_REST:
            self._looked_at = now
            return True
        version = self._version and self._version.first({})
        if not 0 <= now - self._glanced_at < SECOND:
            self._glanced_at = now
            return self._is_due(self._seldom, now)
        if version and version == self._seen:
            return False
        is_due = self._is_due(self._often, now)
        self._seen = None if is_due else version
        return is_due

    @staticmethod
    def _is_due(query: QuickQuery, now: int) -> bool:
        found = query.first({"now": now})
        return found is None or bool(found[0])


def _is_any(query: Query) -> Exists:
    return query.with_only_columns(_ONE).order_by(None).exists()
