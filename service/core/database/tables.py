"""What all tables have in common; service/core/models/ has the tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

from sqlalchemy import Index, MetaData, String, text
from sqlalchemy.orm import DeclarativeBase

Id = String(26)
"""An opaque id, such as `g_` and 22 letters and digits."""
Look = Callable[[Callable[[], int | None]], None]
"""Takes what asks a database for the time (ms UTC; None: it does not say), and looks how late it is."""


AHEAD = 60_000
"""Ms that a time may lie in the future: clocks of two machines differ a little."""


class Repaired(NamedTuple):
    """Of a time (ms UTC) that keeps something from happening until it has come: it is set back after a wrong clock."""

    most: int
    """Ms that it can lie ahead of the present."""
    by: str | None
    """The column that says so; None: itself."""


def repaired(most: int = AHEAD, by: str | None = None) -> dict[str, Repaired]:
    """The `info` of such a column; service/core/readiness/clock_repair.py sets it back."""
    return {REPAIRED: Repaired(most, by)}


REPAIRED = "repaired"


class Base(DeclarativeBase):
    """Tables with names for all constraints, so that migrations can name them on both databases."""

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
        """An object with the values of all columns in their order, as it is read: no session knows or changes it."""
        return cls(**dict(zip(cls.__table__.c.keys(), values, strict=True)))


def partial_index(name: str, where: str, *columns: str, unique: bool = False) -> Index:
    """An index of the few rows that are looked up often."""
    only = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=only, postgresql_where=only)
