"""Rows that somebody else has locked, such as an operator's forgotten session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from flask import Flask
from psycopg import sql

from tests.support.servers.databases import plain


@contextmanager
def held(
    app: Flask, table: str, key: str, value: object, strength: str = "UPDATE"
) -> Iterator[psycopg.Connection]:
    """A block during which the row of PostgreSQL where `key` is `value` is locked, by the connection that it gets."""
    query = sql.SQL("SELECT 1 FROM {} WHERE {} = %s FOR {}").format(
        sql.Identifier(table), sql.Identifier(key), sql.SQL(strength)
    )
    with psycopg.connect(plain(app.config["SQLALCHEMY_DATABASE_URI"])) as other:
        assert other.execute(query, [value]).fetchone()
        yield other
        other.rollback()
