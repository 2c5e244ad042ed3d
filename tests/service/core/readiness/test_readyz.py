"""`GET /readyz`: ready only with everything that the server needs; the log has each outage once."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from service.core.database.database import db
from service.core.readiness import checks, clock_jumps
from service.core.readiness.key_checks import accept_keys, note_keys
from service.core.runtime.units import MINUTE
from service.operations.worker.deadlines import Deadlines
from service.web.app import create_app
from tests.support.cast import Cast, sqlite_only
from tests.support.dump import execute
from tests.support.servers.databases import disconnect, plain
from tests.support.watching import listening

WELL = {"database": "ok", "migrations": "ok", "worker": "ok", "disk": "ok", "keys": "ok"}


def newcomer(cast, line=0):
    """The status of a response to a newcomer from a network of their own."""
    body, where = {"name": "Newcomer", "token": "x" * 40}, {"REMOTE_ADDR": f"192.0.2.{line}"}
    return cast.nobody.send("POST", "/api/players", json=body, environ_overrides=where).status_code


def full(connection, _record):
    """A database that may not grow stands for a full disk."""
    connection.execute("PRAGMA max_page_count = 1")  # not less than there are


def beat(app, at):
    execute(app, "DELETE FROM heartbeats")
    execute(app, "INSERT INTO heartbeats (name, at) VALUES ('worker', :at)", at=at)


def lines(capsys):
    """The outages logged since the last call: event and cause."""
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [(each["event"], each["cause"]) for each in found if each.get("task") == "web"]


def not_ready(app, **wrong):
    """503, and these checks are not well."""
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json["type"] == "/problems/not-ready"
    assert answer.json["checks"] == {**WELL, **wrong}


@pytest.mark.both_databases
def test_ready_with_all_that_is_needed(app, cast, clock, capsys):
    beat(app, clock.at)
    assert cast.nobody.get("/readyz") == {"status": "ready", "checks": WELL}
    assert lines(capsys) == []


def test_a_worker_that_ends_is_logged_once_and_again_when_it_is_back(app, cast, clock, capsys):
    not_ready(app, worker="bad")
    assert lines(capsys) == [("failing", "worker silent")]
    beat(app, clock.at)
    clock.forward(checks.SILENCE)
    cast.nobody.get("/readyz")
    assert lines(capsys) == [("recovered", "worker silent")]
    clock.forward(1)
    for _ in range(3):
        not_ready(app, worker="bad")
    assert lines(capsys) == [("failing", "worker silent")]


@pytest.mark.both_databases
def test_a_clock_that_was_set_back(app, cast, clock, capsys):
    """The heartbeat lies in the future, so a worker that has ended since would not be noticed."""
    beat(app, clock.at + checks.AHEAD)
    cast.nobody.get("/readyz")
    beat(app, clock.at + checks.AHEAD + 1)
    not_ready(app, worker="bad")
    assert lines(capsys) == [("failing", "clock set back")]


@pytest.mark.both_databases
@pytest.mark.own_database
def test_tables_of_another_release(app, cast, capsys):
    execute(app, "UPDATE alembic_version SET version_num = '0001'")
    not_ready(app, migrations="bad", worker="unknown", keys="unknown")
    assert lines(capsys) == [("failing", "database not migrated")]


@sqlite_only
def test_little_free_space(config, runtime, database, app, clock, capsys):
    beat(app, clock.at)
    free = [checks.LEAST_FREE]
    scarce = replace(runtime, free_space=lambda _folder: free[0])
    filling = create_app(config, scarce)
    assert filling.test_client().get("/readyz").status_code == 200
    free[0] -= 1
    not_ready(filling, disk="bad")
    not_ready(filling, disk="bad")
    free[0] += 1
    assert filling.test_client().get("/readyz").status_code == 200
    assert lines(capsys) == [("failing", "little free space"), ("recovered", "little free space")]


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["secret_key", "signing_key", "push_key"])
def test_a_second_host_with_another_key(config, runtime, app, clock, capsys, name):
    """It names the key by its file; the first host stays ready."""
    beat(app, clock.at)
    with app.app_context():
        note_keys(config)
    second = create_app(replace(config, **{name: bytes(range(1, 33))}), runtime)
    for language, words in (("en", "differ from the other host's"), ("ja", "ほかのホストの鍵")):
        not_ready(second, keys="bad")
        answer = second.test_client().get("/readyz", headers={"Accept-Language": language})
        assert words in answer.json["detail"]
        assert name.replace("_key", ".key") in answer.json["detail"]
    assert lines(capsys) == [("failing", "key of another server")]
    assert app.test_client().get("/readyz").status_code == 200
    with app.app_context():
        accept_keys(second.extensions["tegami"].config)
    assert second.test_client().get("/readyz").status_code == 200
    not_ready(app, keys="bad")
    assert ("recovered", "key of another server") in lines(capsys)


@sqlite_only
def test_without_a_database_it_is_alive_but_not_ready(config, runtime, tmp_path, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    away = create_app(replace(config, database_url=f"sqlite:///{gone}/x"), runtime)
    shutil.rmtree(gone)
    gone.mkdir(mode=0o700)
    (gone / "x").mkdir()
    for _ in range(2):
        not_ready(away, database="bad", migrations="unknown", worker="unknown", keys="unknown")
        assert away.test_client().get("/healthz").json == {"status": "ok"}
    assert away.test_client().get("/api/games").status_code == 503
    assert lines(capsys) == [("failing", "database out of reach")]


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.own_database
def test_hosts_of_which_none_can_be_written_to(config, runtime, database, clock, capsys):
    url = f"{database}&target_session_attrs=read-write"
    app = create_app(replace(config, database_url=url), runtime)
    beat(app, clock.at)
    assert app.test_client().get("/readyz").status_code == 200
    name = make_url(database).database
    execute(app, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    disconnect(app)
    for _ in range(2):
        lacking = {"migrations": "unknown", "worker": "unknown", "keys": "unknown"}
        not_ready(app, database="bad", **lacking)
        assert "primary" in app.test_client().get("/readyz").json["detail"]
        assert app.test_client().get("/api/games").status_code == 503
    assert lines(capsys) == [("failing", "database has no primary")]
    with psycopg.connect(plain(database), autocommit=True) as operator:
        operator.execute("SET default_transaction_read_only = off")
        again: Any = f'ALTER DATABASE "{name}" RESET default_transaction_read_only'
        operator.execute(again)
    assert app.test_client().get("/readyz").status_code == 200
    assert lines(capsys) == [("recovered", "database has no primary")]
    disconnect(app)


@sqlite_only
@pytest.mark.own_database
def test_a_full_disk_is_logged_once_until_something_is_written(app, cast, clock, capsys):
    """Reading goes on meanwhile, and does not prove that there is room again."""
    beat(app, clock.at)
    cast.alice.get("/api/me")
    with app.app_context():
        engine = db.engine
        disconnect(app)
    with listening(engine, connect=full):
        answers = [newcomer(cast, line) for line in range(200)]
        assert {*answers} == {201, 503} and answers[-1] == 503
        cast.alice.get("/api/me")
        cast.nobody.get("/readyz")
        assert newcomer(cast) == 503
        assert lines(capsys) == [("failing", "disk full")]
    disconnect(app)
    cast.open()
    assert lines(capsys) == [("recovered", "disk full")]


def test_a_look_a_minute_without_monitoring(config, runtime, app, clock, capsys):
    """The requests of users make the server look; not at first, when the worker may still be starting.

    A request that only asks whether the process is alive does not: it waits for nobody.
    """
    steady = [0]
    asked = Cast(create_app(config, replace(runtime, steady=lambda: steady[0])))
    for at, logged in ((0, 0), (MINUTE - 1, 0), (MINUTE, 1), (2 * MINUTE, 0)):
        steady[0] = at
        asked.nobody.get("/healthz")
        assert lines(capsys) == []
        asked.nobody.get("/api/key")
        assert lines(capsys) == [("failing", "worker silent")] * logged


@pytest.mark.parametrize(("jump", "noticed"), [(-MINUTE, True), (59_999, False), (MINUTE, True)])
def test_a_worker_notices_that_the_clock_was_set(app, runtime, clock, capsys, jump, noticed):
    steady = [0]
    services = app.extensions["tegami"]
    deadlines = Deadlines(replace(services, steady=lambda: steady[0]))
    with app.app_context():
        deadlines.beat()
        clock.forward(MINUTE)
        steady[0] += MINUTE
        deadlines.beat()
        assert clock_jumps.latest() is None
        clock.forward(MINUTE + jump)
        steady[0] += MINUTE
        deadlines.beat()
        assert (clock_jumps.latest() is not None) == noticed
    logged = capsys.readouterr().err
    assert (f'"seconds": {jump // 1000}, "event": "clock set"' in logged) == noticed
