"""Queries that run so often that SQLAlchemy is not asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Dialect, Engine, Select
from sqlalchemy.exc import SQLAlchemyError

from service.core.database.fixed_statements import Values, fixed, kept_connections


class QuickQuery:
    """A query that runs so often that threads keep connections for it: to borrow one takes as long as the query.

    `engine` is that of `polling_options`; it connects only when it is used, which is after the fork.
    """

    def __init__(self, engine: Engine, query: ClauseElement) -> None:
        self._fixed = fixed(query, (), postgresql=engine.dialect.name == "postgresql")
        self._kept = kept_connections(engine)
        self._readers = list(_readers(query, engine.dialect))
        self.errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """What `all` raises."""

    def all(self, values: Values) -> list[tuple[Any, ...]]:
        """All rows. Raises `errors`; the next call connects anew then."""
        given = self._fixed.parameters(values)
        try:
            cursor = self._kept.cursor()
            cursor.execute(self._fixed.text, given)
            found: list[tuple[Any, ...]] = cursor.fetchall()  # type: ignore[assignment]  # of both drivers
        except self.errors:
            self._kept.close()
            raise
        return [_as_read(row, self._readers) for row in found] if self._readers else found


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
