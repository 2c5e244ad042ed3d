"""A glance at the database: whether anything may be due, for the price of one statement.

An idle worker does nothing else, and even less while nobody has written to an SQLite file. It asks instead of being
notified: no notification can get lost, and any number of processes on any number of machines may share the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

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

from service.core.database.database import db
from service.core.database.quick_queries import QuickQuery
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

LONGEST_REST = 50 * SECOND
"""Ms after which a worker looks properly, for the heartbeat and whatever a glance does not see."""
AHEAD = 25 * SECOND
"""Ms of which an SQLite file is asked at once whether anything gets due; until then it matters only who has written."""

NOW = bindparam("now", type_=BigInteger)
"""The time of the glance, for the queries that it makes use of."""


Query = Select[*tuple[object, ...]]
_VERSION = text("PRAGMA data_version")
"""SQLite's number that is another one as soon as another connection has written."""
_ONE: ColumnClause[int] = literal_column("1")


class Wakeup:
    """Wakes a thread beside the loop. While the loop rests, its glance is at what the thread waits for, too.

    So an idle process wakes up for one thread instead of three. As soon as the loop has something to do, which may take
    long, the thread glances for itself. `queries` select what is due for it at `NOW`.
    """

    def __init__(self, *queries: Query) -> None:
        self.is_due = or_(*map(_is_any, queries))
        self._woken = threading.Event()
        self._is_watched = False

    def wait(self, seconds: float) -> None:
        """Wait to be woken, and not longer than this unless the loop glances meanwhile."""
        self._woken.wait(LONGEST_REST / SECOND if self._is_watched else seconds)
        self._woken.clear()  # whoever has waited glances now, so nothing gets lost

    def wake(self) -> None:
        """Let the thread glance."""
        self._woken.set()

    def watch(self) -> None:
        """From now on the loop glances for the thread."""
        self._is_watched = True

    def leave(self) -> None:
        """From now on the thread glances for itself."""
        self._is_watched = False
        self.wake()


class Glance:
    """Glances in the application in context: each time at what `now_due` selects, once a second at what the others do.

    The others select what is due at `NOW`: once it is due it stays so until somebody writes. Once a second the glance
    is also at what `wakeups` wait for.
    """

    def __init__(
        self, runtime: Runtime, now_due: Query, *others: Query, wakeups: Sequence[Wakeup] = ()
    ) -> None:
        engine, self._now, self._wakeups = db.engines["polls"], runtime.now, wakeups
        due = or_(*map(_is_any, [now_due, *others]))
        self._often = QuickQuery(engine, select(_is_any(now_due)))
        self._seldom = QuickQuery(engine, select(due, *(each.is_due for each in wakeups)))
        self._ahead = QuickQuery(engine, select(or_(due, *(each.is_due for each in wakeups))))
        self._version = QuickQuery(engine, _VERSION) if engine.dialect.name == "sqlite" else None
        self._glanced_at = self._looked_at = runtime.now()
        self._forget()

    def _forget(self) -> None:
        """Take nothing for granted: what this thread writes itself does not change SQLite's number."""
        self._seen: object = None
        """The version of the database at which nothing was due that `now_due` selects."""
        self._until = 0
        """When something else may get due in that version; before, nothing does."""

    def rest(self, stop: threading.Event, wait: Callable[[], object]) -> None:
        """Wait until there may be something to do, or `stop` is set; meanwhile glance for those who have a wakeup."""
        self._forget()
        for wakeup in self._wakeups:
            wakeup.watch()
        try:
            while True:
                wait()
                if stop.is_set() or self.sees_work():
                    return
        finally:
            for wakeup in self._wakeups:
                wakeup.leave()

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
        is_seen = version is not None and version == self._seen
        if not 0 <= now - self._glanced_at < SECOND:
            self._glanced_at = now
            return not (is_seen and now < self._until) and self._is_anything_due(now, version)
        if is_seen:
            return False
        is_due = self._often.is_true({})
        self._seen, self._until = None if is_due else version, 0
        return is_due

    def _is_anything_due(self, now: int, version: object) -> bool:
        if version and not self._ahead.is_true({"now": now + AHEAD}):
            self._seen, self._until = version, now + AHEAD
            return False
        found = self._seldom.first({"now": now})
        if found is None:
            return True
        is_due, *others = found
        for wakeup, is_other_due in zip(self._wakeups, others, strict=True):
            if is_other_due:
                wakeup.wake()
        self._seen, self._until = None if is_due else version, 0
        return bool(is_due)


def _is_any(query: Query) -> Exists:
    return query.with_only_columns(_ONE).order_by(None).exists()
