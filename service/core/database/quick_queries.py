"""Queries that run so often that neither SQLAlchemy nor the driver's cursors are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg.pq.abc import PGresult
from sqlalchemy import ClauseElement, Dialect, Engine, PoolProxiedConnection, Select
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.fixed_statements import Sent, checked, fixed, kept_connections

T = TypeVar("T")


class QuickQuery:
    """A query that runs so often that threads keep connections for it: to borrow one takes as long as the query.

    `engine` is that of `polling_options`; it connects only when it is used, which is after the fork.
    """

    def __init__(self, engine: Engine, query: ClauseElement) -> None:
        on_postgresql = engine.dialect.name == "postgresql"
        self._ask = _ask_postgresql if on_postgresql else _ask_driver
        self._is_true = _is_true_on_postgresql if on_postgresql else _is_true_by_driver
        self._fixed = fixed(query, (), postgresql=on_postgresql)
        self._kept = kept_connections(engine)
        self._readers = list(_readers(query, engine.dialect))
        self.errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """What `first` raises."""

    def first(self, values: Mapping[str, object]) -> tuple[Any, ...] | None:
        """The first row, or None. Raises `errors`."""
        found = self.all(values)
        return found[0] if found else None

    def all(self, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """All rows. Raises `errors`; the next call connects anew then."""
        found = self._run(self._ask, values)
        return [_as_read(row, self._readers) for row in found] if self._readers else found

    def is_true(self, values: Mapping[str, object]) -> bool:
        """Whether the one value that it selects is true; no row is made of it. Raises `errors`."""
        return self._run(self._is_true, values)

    def _run(
        self,
        ask: Callable[[PoolProxiedConnection, str, list[object]], T],
        values: Mapping[str, object],
    ) -> T:
        given = self._fixed.parameters(values)
        try:
            return ask(self._kept.connection(), self._fixed.text, given)
        except self.errors:
            self._kept.close()
            raise


_READING = "tegami.reading"
"""Where a connection has what makes Python's values of PostgreSQL's."""
_Reader = Callable[[Any], Any]
"""Makes the value of a column of what the driver has found."""


def _readers(query: ClauseElement, dialect: Dialect) -> Iterator[tuple[int, _Reader]]:
    """The columns of a SELECT that are not taken as they are found, by number; a text's columns are."""
    columns = query.selected_columns if isinstance(query, Select) else ()
    for number, column in enumerate(columns):
        reader = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if reader is not None:
            yield number, reader


def _as_read(row: tuple[Any, ...], readers: Sequence[tuple[int, _Reader]]) -> tuple[Any, ...]:
    values = list(row)
    for number, reader in readers:
        if values[number] is not None:  # as most of them are: NULL is None in every type
            values[number] = reader(values[number])
    return tuple(values)


def _ask_driver(
    connection: PoolProxiedConnection, query: str, values: list[object]
) -> list[tuple[Any, ...]]:
    driver: Any = connection.dbapi_connection  # SQLite's
    found: list[tuple[Any, ...]] = driver.execute(query, values).fetchall()
    return found


def _is_true_by_driver(connection: PoolProxiedConnection, query: str, values: list[object]) -> bool:
    return bool(_ask_driver(connection, query, values)[0][0])


def _ask_postgresql(
    connection: PoolProxiedConnection, query: str, values: list[object]
) -> list[tuple[Any, ...]]:
    result, known = _result(connection, query, values), connection.info
    transformer = known.get(_READING) or known.setdefault(
        _READING,
        psycopg.adapt.Transformer(connection.dbapi_connection),  # type: ignore[arg-type]
    )
    transformer.set_pgresult(result)
    return list[tuple[Any, ...]](transformer.load_rows(0, result.ntuples, tuple))


def _is_true_on_postgresql(
    connection: PoolProxiedConnection, query: str, values: list[object]
) -> bool:
    return _result(connection, query, values).get_value(0, 0) == b"t"


def _result(connection: PoolProxiedConnection, query: str, values: list[object]) -> PGresult:
    """PostgreSQL's, of a statement that has succeeded."""
    driver: psycopg.Connection[Any] = connection.dbapi_connection  # type: ignore[assignment]
    library, sent = driver.pgconn, Sent.of(query, values)
    name = sent.prepare(connection)
    if name is None:
        result = library.exec_params(query.encode(), sent.values, sent.types, sent.formats)
    else:
        result = library.exec_prepared(name, sent.values, sent.formats)  # type: ignore[arg-type]  # None is NULL
    return checked(result)
