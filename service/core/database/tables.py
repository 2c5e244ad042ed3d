"""The parts that all tables have in common; service/core/models/ defines the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

from sqlalchemy import Index, MetaData, String, text
from sqlalchemy.orm import DeclarativeBase

Id = String(26)
"""The type of an opaque id, such as `g_` and 22 letters and digits."""
Look = Callable[[Callable[[], int | None]], None]
"""A function that measures the difference between two clocks.

It gets a function that asks a database for its time (ms UTC; None if unknown).
"""


AHEAD = 60_000
"""The time (ms) by which a time may lie in the future, since the clocks of two machines differ a little."""


class Repaired(NamedTuple):
    """The declaration that a column has times (ms UTC) before which something cannot happen.

    They are set back after a wrong clock.
    """

    most: int
    """The time (ms) by which the column's times can lie ahead of the present."""
    by: str | None
    """Another column that shows whether the clock was wrong; None if the repaired column shows it itself."""


def repaired(most: int = AHEAD, by: str | None = None) -> dict[str, Repaired]:
    """The `info` of a column whose times service/core/readiness/clock_repair.py sets back."""
    return {REPAIRED: Repaired(most, by)}


REPAIRED = "repaired"


class Base(DeclarativeBase):
    """The base class of all tables.

    It names all constraints, so that migrations can refer to them on both databases.
    """

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )

    @classmethod
    def of(cls, *values: object) -> Self:
        """An object with the values of all columns in their order, as read; it belongs to no session, and is not
        changed.
        """
        return cls(**dict(zip(cls.__table__.c.keys(), values, strict=True)))


def partial_index(name: str, where: str, *columns: str, unique: bool = False) -> Index:
    """An index of only those few rows that are looked up often; `where` is their condition."""
    only = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=only, postgresql_where=only)
