"""Rows in the form in which they are exported to the person whom they concern."""

from __future__ import annotations

from sqlalchemy import Select

from rules.kernel import Json
from service.core.database.database import db
from service.core.runtime.time_and_random import rfc3339


def exported_rows(query: Select[*tuple[object, ...]]) -> list[Json]:
    """The rows of a query as JSON objects, by column name. Columns named `at`, or ending in `_at`, become times."""
    found = [dict(row) for row in db.session.execute(query).mappings()]
    for row in found:
        for name, value in row.items():
            if (name == "at" or name.endswith("_at")) and value is not None:
                row[name] = rfc3339(value)
    return found
