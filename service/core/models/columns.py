"""Columns and indexes that several tables have."""

from __future__ import annotations

from sqlalchemy import Index, String, text

Id = String(26)
"""An opaque id, such as `g_` and 22 letters and digits."""


def partial_index(name: str, columns: str | tuple[str, ...], where: str) -> Index:
    """An index of the few rows that are looked up often."""
    columns = (columns,) if isinstance(columns, str) else columns
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))
