"""The tables of the database: a class for each of them, and nothing else."""

from collections.abc import Mapping
from typing import Any

LEFT_OVER = frozenset[str]()
"""Tables, and columns as `table.column`, that the previous release still uses but this one does not.

They stay until a migration of a later release drops them (CONTRIBUTING.md, Change the tables). No model has them.
"""


def is_compared(name: str | None, kind: str, parents: Mapping[Any, str | None]) -> bool:
    """Whether Alembic compares this part of the database with the models; it leaves out what is LEFT_OVER."""
    return (f"{parents['table_name']}.{name}" if kind == "column" else name) not in LEFT_OVER
