"""Stores which parts of the tables the released code uses, `python -m tests.release_tables`.

Until the next release, migrations may only add to it (CONTRIBUTING.md, Change the tables).
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module
from typing import Any

from sqlalchemy import Table, UniqueConstraint
from sqlalchemy.dialects import postgresql, sqlite

from service.core import models
from service.core.database.schema import OURS
from service.core.database.tables import Base
from service.core.settings.config import ROOT

FILE = ROOT / "tests/service/core/models/released_tables.json"
DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]

Json = dict[str, Any]


def released() -> Json:
    """The parts that the last release used, and the number of its last migration."""
    found: Json = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def used(table: Table) -> Json:
    """The parts of a table that the models name."""
    unique = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    indexes = [each for each in table.indexes if each.unique]
    return {
        "columns": {
            column.name: {
                "type": {
                    kind: column.type.compile(dialect=dialect) for kind, dialect in DIALECTS.items()
                },
                "nullable": column.nullable,
                "default": column.server_default is not None,
            }
            for column in table.columns
        },
        "key": [column.name for column in table.primary_key.columns],
        "unique": sorted(
            [column.name for column in each.columns]  # type: ignore[union-attr]
            for each in (*unique, *indexes)
        ),
        "refers": sorted([key.parent.name, key.target_fullname] for key in table.foreign_keys),
    }


def main() -> None:
    """Write it again."""
    for module in pkgutil.iter_modules(models.__path__, "service.core.models."):
        import_module(module.name)
    tables = {name: used(table) for name, table in sorted(Base.metadata.tables.items())}
    kept = {"migration": OURS.last, "tables": tables}
    FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
