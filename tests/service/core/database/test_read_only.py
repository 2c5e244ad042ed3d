"""PostgreSQL that accepts no writes, such as a server that another one is just replacing: that is no defect of ours."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import OperationalError

from service.core.database.database import db, transaction
from service.core.database.failures import cause_of
from tests.support.cast import CARAVAN, Cast, postgresql_only
from tests.support.servers.databases import disconnect, plain
from tests.support.servers.pgbouncer import needs_pgbouncer, pgbouncer
from tests.support.servers.server import wait_until

pytestmark = [postgresql_only, pytest.mark.own_database]

_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"


@pytest.fixture(params=["direct", pytest.param("pgbouncer", marks=needs_pgbouncer)])
def app(request, config, runtime, database, lending):
    if request.param == "direct":
        with lending.app(config, runtime) as app:
            yield app
        disconnect(app)
        return
    with pgbouncer(database) as url:
        config = replace(config, database_url=url, prepared_statements=False)
        with lending.app(config, runtime) as app:
            yield app
        disconnect(app)


def take_writes(url, *, yes):
    """Choose whether the database accepts writes from now on; all connections are new."""
    name = make_url(url).database
    with psycopg.connect(plain(url), autocommit=True) as operator:
        operator.execute("SET default_transaction_read_only = off")
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {not yes}")
        operator.execute(_OTHERS, [name])


def test_who_changes_something_is_asked_to_come_back_and_who_reads_is_answered(app, database):
    cast = Cast(app)
    game_id = cast.start()
    game = cast.alice.game(game_id)
    take_writes(database, yes=False)
    for path, body in (
        (f"/api/games/{game_id}/actions", {"asked": game["asked"], "action": first(game)}),
        (f"/api/games/{game_id}/messages", {"text": "Hi", "channel": "seats"}),
        ("/api/games", {"ruleset": CARAVAN}),
    ):
        cast.alice.refused("POST", path, "unavailable", body)
    assert cast.alice.game(game_id)["legal"] == game["legal"]
    take_writes(database, yes=True)
    cast.alice.answer(game)


def first(game):
    return game["legal"][0]["action"]


def test_a_transaction_that_was_idle_for_too_long_is_an_outage(app, database):
    """As in a process that was stopped for a while."""
    with app.app_context(), pytest.raises(OperationalError) as caught:
        be_idle(database)
    assert cause_of(caught.value) == "database out of reach"


def be_idle(url):
    """Begin a transaction, and continue with it once the database has ended it."""
    with psycopg.connect(plain(url), autocommit=True) as other, transaction():
        db.session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 10"))
        own = db.session.scalar(text("SELECT pg_backend_pid()"))
        there = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
        wait_until(lambda: not other.execute(there, [own]).fetchall(), "it is ended")
        db.session.execute(text("SELECT 1"))
