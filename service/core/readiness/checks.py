"""The things that a server needs for its work, checked one by one for `GET /readyz`, the log and `tegami doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, select, text
from sqlalchemy.engine import make_url

from service.core.database.batches import Text, send
from service.core.database.database import db, has_row_locks
from service.core.database.failures import (
    NO_PRIMARY,
    NOT_MIGRATED,
    READ_ONLY,
    SchemaIsNewer,
    cause_of,
)
from service.core.database.quick_queries import QuickQuery
from service.core.database.schema import OURS, present_revisions
from service.core.readiness import heartbeats, key_checks
from service.core.readiness.heartbeats import AHEAD, SILENCE
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE, ago
from service.core.settings.config import Config

LEAST_FREE = 128 * 1024 * 1024
"""The number of bytes that have to be free where the server writes."""

WORKER_SILENT = "worker silent"
SOME_SILENT = "one of several workers silent"
CLOCK_SET_BACK = "clock set back"
LITTLE_SPACE = "little free space"
CAUSES = frozenset(
    {
        *(WORKER_SILENT, SOME_SILENT, key_checks.OTHER_KEY, CLOCK_SET_BACK),
        *(LITTLE_SPACE, NOT_MIGRATED, NO_PRIMARY, SchemaIsNewer.cause),
    }
)
"""The causes of faults whose end only these checks notice."""


class Check(NamedTuple):
    """The result of one check."""

    name: str
    """The name of the check in /readyz."""
    told: str
    """The finding, for the operator; it contains no secret."""
    cause: str | None = None
    """The fault, in words that stay the same as long as it lasts; None if nothing is wrong."""
    degraded: bool = False
    """Whether the server is ready in spite of the fault, because other parts do the missing part's work."""


def ready(config: Config, runtime: Runtime) -> Iterator[Check]:
    """The results of all checks. Without a database, the checks that need one are left out."""
    yield disk(config, runtime)
    reached = database(config)
    yield reached
    if reached.cause is None:
        migrated = migrations()
        yield migrated
        if migrated.cause is None:
            yield worker(runtime.now())
            yield keys(config)


_QUICK = select(bindparam("any", type_=Integer))
_WRITABLE = text("SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'")


def database(config: Config) -> Check:
    """The result of using the database in each of the ways in which requests use it, with its version."""
    kind = make_url(config.database_url).get_backend_name()

    def check() -> Check:
        connection = db.session.connection()
        connection.execute(text("SELECT 1"))
        version = ".".join(map(str, connection.dialect.server_version_info or ()))
        polls = db.engines["polls"]
        QuickQuery(polls, _QUICK).all({"any": 0})
        if has_row_locks():  # on SQLite this would wait for others who are writing
            is_standby, is_read_only = connection.execute(_WRITABLE).one()
            send(polls, lambda: [Text.of(polls, _QUICK, {"any": 0})])
            if is_standby or is_read_only:
                wrong = NO_PRIMARY if is_standby else READ_ONLY
                return Check("database", f"{kind} cannot be written to ({wrong})", wrong)
        return Check("database", f"{kind} {version}")

    return _unless_it_fails("database", f"{kind} cannot be used", check)


def migrations() -> Check:
    """The result of checking that the tables are the ones of this release."""

    def check() -> Check:
        present = present_revisions(db.session.connection())
        told = f"at {', '.join(sorted(present)) or 'nothing'}"
        if present == {OURS.last}:
            return Check("migrations", told)
        if present <= OURS.known:
            told += f", and this release needs {OURS.last}: run bin/tegami migrate"
            return Check("migrations", told, NOT_MIGRATED)
        told += f", which this release does not know: its last one is {OURS.last}"
        return Check("migrations", told, SchemaIsNewer.cause)

    return _unless_it_fails("migrations", "cannot be read", check)


def worker(now: int) -> Check:
    """The result of checking that a worker has run lately, and that all known workers have, with all of their
    thinkers.
    """
    beat = heartbeats.latest()
    if beat is None:
        return Check("worker", "has never run: start bin/tegami work", WORKER_SILENT)
    if beat - now > AHEAD:
        ahead = (beat - now) // MINUTE
        told = f"its last heartbeat lies {ahead} min in the future: a clock is wrong"
        return Check("worker", told, CLOCK_SET_BACK)
    told = f"last heartbeat {ago(now - beat)}"
    if now - beat > SILENCE:
        return Check("worker", told, WORKER_SILENT)
    silent = heartbeats.processes(now).silent
    if silent:
        told += f"; silent: {'; '.join(each.told(now) for each in silent)}"
        return Check("worker", told, SOME_SILENT, degraded=True)
    return Check("worker", told)


def keys(config: Config) -> Check:
    """The result of checking that the database has been used with our keys, by this host or another one."""
    names = key_checks.other_keys(config)
    if names:
        return Check("keys", key_checks.told(names), key_checks.OTHER_KEY)
    return Check("keys", "those of this database")


def disk(config: Config, runtime: Runtime) -> Check:
    """The result of checking that the disk has room for the keys, and for the embedded database."""
    free = free_space(config, runtime)
    told = f"{free // 1024**2} MiB free"
    return Check("disk", told, None if free >= LEAST_FREE else LITTLE_SPACE)


def free_space(config: Config, runtime: Runtime) -> int:
    """The number of free bytes where the server writes; if it writes on two disks, on the fuller one."""
    folders, url = {config.data_dir}, make_url(config.database_url)
    if url.get_backend_name() == "sqlite" and url.database:
        folders.add(Path(url.database).parent)
    return min(map(runtime.free_space, folders))


def _unless_it_fails(name: str, failed: str, check: Callable[[], Check]) -> Check:
    """The result of a check, or the report that it failed.

    That never contains the text of the error, which may hold a password.
    """
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever it is, the operator is told
        db.session.rollback()
        cause = cause_of(error)
        return Check(name, f"{failed} ({cause})", cause)
