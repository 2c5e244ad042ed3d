"""The tables of the database, and nothing else."""

from collections.abc import Mapping
from typing import Any

LEFT_OVER = frozenset[str]()
"""Tables, and columns as `table.column`, that this release no longer uses but the previous one does.

They stay until a migration of a later release drops them (CONTRIBUTING.md, Change the tables). No model has them.
"""


def is_compared(name: str | None, kind: str, parents: Mapping[Any, str | None]) -> bool:
    """Whether Alembic compares this part of the database with the models."""
    return (f"{parents['table_name']}.{name}" if kind == "column" else name) not in LEFT_OVER
