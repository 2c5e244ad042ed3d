"""The parts of the tables that an earlier release would miss, or could no longer write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, inspect

Json = dict[str, Any]
_KEEP_OTHERS = {"CASCADE", "SET NULL"}
"""The actions that a new table may take when a row to which it refers is deleted: an old process does not know it."""


def narrowed(connection: Connection, released: Json) -> list[str]:
    """The reductions compared with what `tests.release_tables` has kept, in words."""
    return [*_of_old_tables(connection, released), *_of_new_tables(connection, released)]


def _of_old_tables(connection: Connection, released: Json) -> Iterator[str]:
    there = set(inspect(connection).get_table_names())
    for name, table in released.items():
        if name not in there:
            yield f"{name} is gone"
            continue
        yield from _of_columns(connection, name, table["columns"])
        yield from _of_constraints(connection, name, table)


def _of_columns(connection: Connection, table: str, used: Json) -> Iterator[str]:
    columns = {each["name"]: each for each in inspect(connection).get_columns(table)}
    for name, column in used.items():
        told = _narrower(connection, column, columns.get(name))
        if told:
            yield f"{table}.{name} {told}"
    for name in columns.keys() - used.keys():
        if not columns[name]["nullable"] and columns[name]["default"] is None:
            yield f"{table}.{name} is new and needs a value"


def _of_constraints(connection: Connection, table: str, used: Json) -> Iterator[str]:
    present = inspect(connection)
    if present.get_pk_constraint(table)["constrained_columns"] != used["key"]:
        yield f"{table} has another key"
    unique = [each["column_names"] for each in present.get_unique_constraints(table)]
    unique += [each["column_names"] for each in present.get_indexes(table) if each["unique"]]
    for names in unique:
        if names not in used["unique"]:
            yield f"{table} has to be unique by {', '.join(map(str, names))}"
    for key in present.get_foreign_keys(table):
        pairs = zip(key["constrained_columns"], key["referred_columns"], strict=True)
        for column, other in pairs:
            if [column, f"{key['referred_table']}.{other}"] not in used["refers"]:
                yield f"{table}.{column} has to refer to {key['referred_table']}"
    for check in present.get_check_constraints(table):
        yield f"{table} has a condition: {check['sqltext']}"


def _of_new_tables(connection: Connection, released: Json) -> Iterator[str]:
    present = inspect(connection)
    for name in set(present.get_table_names()) - released.keys():
        for key in present.get_foreign_keys(name):
            keeps = key.get("options", {}).get("ondelete") not in _KEEP_OTHERS
            if key["referred_table"] in released and keeps:
                yield f"{name} keeps {key['referred_table']} from being deleted"


def _narrower(connection: Connection, used: Json, column: Any) -> str | None:
    """The reduction of a column; None if there is none."""
    if column is None:
        return "is gone"
    then = used["type"][connection.dialect.name]
    now = column["type"].compile(dialect=connection.dialect)
    if not _is_as_wide(then, now):
        return f"was {then} and is {now}"
    if used["nullable"] and not column["nullable"]:
        return "has to have a value"
    if used["default"] and not column["nullable"] and column["default"] is None:
        return "has no default any more"
    return None


def _is_as_wide(then: str, now: str) -> bool:
    if then == now or (then, now) == ("INTEGER", "BIGINT"):
        return True
    lengths = [re.fullmatch(r"VARCHAR\((\d+)\)", each) for each in (then, now)]
    if lengths[0] and lengths[1]:
        return int(lengths[0][1]) <= int(lengths[1][1])
    return bool(lengths[0]) and now == "TEXT"
