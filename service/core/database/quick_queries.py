"""Queries that run so often that they bypass SQLAlchemy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Dialect, Engine, Select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.fixed_statements import Values, fixed, kept_connections


class QuickQuery:
    """A query that runs so often that threads keep connections for it: borrowing a connection takes as long as the
    query.

    `engine` is made with `polling_options`; it connects at its first use, which is after the fork. Unless `kept_plan`,
    PostgreSQL plans the query for its values each time: a plan for any time is a bad plan for finding everything due by
    a certain time. The values are then part of the text, because these connections plan statements with parameters for
    any values.
    """

    def __init__(self, engine: Engine, query: ClauseElement, *, kept_plan: bool = True) -> None:
        is_postgresql = engine.dialect.name == "postgresql"
        self._fixed = fixed(query, (), postgresql=is_postgresql)
        self._has_values_in_text = is_postgresql and not kept_plan
        self._kept = kept_connections(engine)
        self._readers = list(_readers(query, engine.dialect))
        self.errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """The errors that `all` raises."""

    def all(self, values: Values) -> list[tuple[Any, ...]]:
        """All rows. Raises `errors` if the database fails; the next call then connects again."""
        given = self._fixed.parameters(values)
        try:
            cursor = self._cursor()
            cursor.execute(self._fixed.text, given)
            found: list[tuple[Any, ...]] = cursor.fetchall()  # type: ignore[assignment]  # the same for both drivers
        except self.errors:
            self._kept.close()
            raise
        return [_as_read(row, self._readers) for row in found] if self._readers else found

    def _cursor(self) -> DBAPICursor:
        if not self._has_values_in_text:
            return self._kept.cursor()
        from psycopg import ClientCursor  # not loaded with SQLite

        driver = self._kept.connection().driver_connection
        return ClientCursor(driver)  # type: ignore[arg-type,return-value]  # only psycopg has this one


_Reader = Callable[[Any], Any]
"""A function that converts the value of a column as the driver found it."""


def _readers(query: ClauseElement, dialect: Dialect) -> Iterator[tuple[int, _Reader]]:
    """The columns of a SELECT that need a conversion, by number, each with its reader.

    The columns of plain text need none.
    """
    columns = query.selected_columns if isinstance(query, Select) else ()
    for number, column in enumerate(columns):
        reader = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if reader is not None:
            yield number, reader


def _as_read(row: tuple[Any, ...], readers: Sequence[tuple[int, _Reader]]) -> tuple[Any, ...]:
    values = list(row)
    for number, reader in readers:
        if values[number] is not None:  # which most of them are: NULL is None in every type
            values[number] = reader(values[number])
    return tuple(values)
