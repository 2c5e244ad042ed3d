"""Write transactions: they cannot be nested, and one that raises changes nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from service.core.database import NestedTransaction, db, release_connection, transaction
from tests.support.dump import execute


def insert(name):
    db.session.execute(text("INSERT INTO heartbeats (name, at) VALUES (:n, 0)"), {"n": name})


def insert_and(do):
    with transaction():
        insert("half")
        do()


def fail():
    raise ZeroDivisionError


def names(app):
    return [row.name for row in execute(app, "SELECT name FROM heartbeats")]


@pytest.mark.parametrize(
    ("do", "error"),
    [
        (lambda: transaction().__enter__(), NestedTransaction),
        (release_connection, NestedTransaction),
        (fail, ZeroDivisionError),
    ],
    ids=["nested", "release_connection", "failing"],
)
def test_a_transaction_that_raises_is_rolled_back_as_a_whole(app, do, error):
    """Whatever would end it half-way raises too, and the next transaction works."""
    with app.app_context():
        with pytest.raises(error):
            insert_and(do)
        assert names(app) == []
        with transaction():
            insert("next")
    assert names(app) == ["next"]
