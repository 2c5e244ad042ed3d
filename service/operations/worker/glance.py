"""A glance at the database: whether anything is due, for the price of one statement that uses only indexes.

An idle thread of the worker does nothing else. It asks instead of being notified, so no notification can get lost, and
any number of processes on any number of machines can share the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy import BigInteger, Exists, Select, bindparam, literal_column, or_, select

from service.core.database.database import db
from service.core.database.quick_queries import QuickQuery
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

LONGEST_REST = 50 * SECOND
"""How long (ms) a worker can go without a proper look, which it needs for its heartbeat and for everything that a
glance does not see.
"""

NOW = bindparam("now", type_=BigInteger)
"""The time of the glance, as a parameter of its queries."""

Query = Select[*tuple[object, ...]]


class Glance:
    """Glances in the application that is in context. Each checks what `now_due` selects; once a second, it also checks
    `others`.

    `others` select what is due at `NOW`.
    """

    def __init__(self, runtime: Runtime, now_due: Query, *others: Query) -> None:
        engine, self._now = db.engines["polls"], runtime.now
        self._often = QuickQuery(engine, select(_is_any(now_due)))
        every = or_(*map(_is_any, (now_due, *others)))
        self._seldom = QuickQuery(engine, select(every), kept_plan=False)
        self._looked_at = self._glanced_at = runtime.now()

    def rest(self, stop: threading.Event, wait: Callable[[], object]) -> None:
        """Wait until there may be something to do, or `stop` is set; `wait` returns True if it knows that there is."""
        while True:
            is_woken = wait() is True
            if is_woken or stop.is_set() or self.sees_work():
                return

    def sees_work(self) -> bool:
        """Whether something may be due; also true after LONGEST_REST, or if the database fails."""
        now = self._now()
        if not 0 <= now - self._looked_at < LONGEST_REST:
            self._looked_at = now
            return True
        is_seldom = not 0 <= now - self._glanced_at < SECOND
        if is_seldom:
            self._glanced_at = now
        due = self._seldom if is_seldom else self._often
        try:
            return due.all({"now": now}) != [(False,)]
        except due.errors:
            return True


def _is_any(query: Query) -> Exists:
    return query.with_only_columns(literal_column("1")).order_by(None).exists()
