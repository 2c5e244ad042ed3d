"""Migrations while others use the tables: under load, two at once, delayed, stopped half-way, and continued."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import event, text

from service.core.database.changing_tables import changing_tables
from service.core.database.database import db
from service.core.database.schema import FOLDER, OURS, revisions_in
from service.core.readiness import checks
from service.operations.stored_data import migrating
from service.operations.worker import half_new_rows
from service.web.app import create_app
from tests.support.dump import execute
from tests.support.operator_command import told
from tests.support.servers.databases import disconnect
from tests.support.servers.preloaded import launch
from tests.support.servers.server import wait_until

pytestmark = [pytest.mark.both_databases, pytest.mark.of_service]

PATIENCE = 60
PLAYER = "INSERT INTO players (id, name, language, created_at) VALUES ('p_1', 'Eve', 'en', 0)"
TOKEN = (
    "INSERT INTO credentials (id, digest, kind, player_id, created_at)"
    " VALUES (:id, :digest, 'token', 'p_1', 0)"
)
"""A token as a release without scopes makes it."""
USED = "UPDATE credentials SET label = 'used' WHERE id = :id"


@contextmanager
def committing(engine):
    """A transaction like those of an old process."""
    is_sqlite = engine.dialect.name == "sqlite"
    how = {"writes": True} if is_sqlite else {"isolation_level": "READ COMMITTED"}
    with engine.connect().execution_options(**how) as connection, connection.begin():
        yield connection


def impatient(engine):
    """Make SQLite not wait for a lock: ten seconds are long for a test."""

    def connect(connection, _record):
        connection.execute("PRAGMA busy_timeout = 0")

    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", connect)
        engine.dispose()


@contextmanager
def writing(app, statement, values):
    """Run a statement in threads again and again meanwhile, each time in a transaction; yields the number of runs."""
    stop, written, failed = threading.Event(), [], []

    def write(number):
        with app.app_context():
            name = ""
            while not stop.is_set():
                before, name = name, f"{number}-{len(written)}"
                try:
                    with committing(db.engine) as connection:
                        connection.execute(text(statement), values(name))
                        connection.execute(text(USED), {"id": before})
                        connection.execute(text("UPDATE players SET name = 'Eve'"))
                    written.append(name)
                except Exception as error:
                    failed.append(error)
                    raise

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: written or failed, "somebody to write")
        yield written
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not failed


@pytest.mark.own_database
def test_tables_are_migrated_under_load_and_no_row_is_missed(app):
    migrating.upgrade(app, "0002")
    execute(app, PLAYER)

    def values(name):
        return {"id": name, "digest": name.encode()}

    with writing(app, TOKEN, values) as written:
        migrating.upgrade(app)
    assert written
    with app.app_context():
        half_new_rows.repair()
        assert half_new_rows.repair() == 0
    scopes = execute(app, "SELECT scopes, count(*) FROM credentials GROUP BY scopes")
    assert [tuple(each) for each in scopes] == [("read play talk account", len(written))]


@pytest.mark.own_database
def test_two_machines_migrate_an_empty_database_at_once(databases, database, config, tmp_path):
    kind = "sqlite" if database.startswith("sqlite") else "postgresql"
    url = databases.empty(kind, tmp_path)
    logs = [tmp_path / f"machine-{number}" for number in range(2)]
    environment = {**os.environ, "DATABASE_URL": url, "DATA_DIR": str(tmp_path)}
    command = ["service.operations.commands", "migrate"]
    running = [launch(command, environment, log) for log in logs]
    ended = [each.wait(PATIENCE) for each in running]
    assert ended == [0, 0], [log.read_text() for log in logs]
    app = create_app(replace(config, database_url=url))
    assert execute(app, "SELECT version_num FROM alembic_version") == [(OURS.last,)]
    disconnect(app)
    databases.drop(url)


@pytest.mark.own_database
def test_who_uses_a_table_for_long_is_waited_for_and_holds_nobody_up(app):
    """A backup, for example, holds a lock on every table. While the migration pauses, it holds no lock itself."""
    migrating.upgrade(app, "0020")
    pauses = []
    with ExitStack() as others, app.app_context():
        impatient(db.engine)
        reader = others.enter_context(committing(db.engine))
        reader.execute(text("SELECT count(*) FROM outbox")).all()

        def wait(seconds):
            pauses.append(seconds)
            if db.engine.dialect.name == "postgresql":
                execute(app, "INSERT INTO suppressed VALUES ('\\x00', :why, 0)", why=len(pauses))
                execute(app, "UPDATE outbox SET attempts = 0")
            if len(pauses) == 3:
                others.close()

        migrating.upgrade(app, wait=wait)
    assert len(pauses) == 3
    assert pauses[0] < pauses[1] < pauses[2] < 1, "each is longer than the one before"
    assert execute(app, "SELECT version_num FROM alembic_version") == [(OURS.last,)]


@pytest.mark.own_database
def test_a_migration_that_stops_says_where_and_can_be_gone_on_with(app, config):
    migrating.upgrade(app, "0018")
    execute(app, "CREATE TABLE deliveries (stray integer)")
    with pytest.raises(migrating.MigrationStopped) as stopped:
        migrating.upgrade(app)
    assert "Stopped at 0019, before 0015" in stopped.value.told
    assert "Error: Stopped at 0019, before 0015" in told(config, "migrate", status=1)
    with app.app_context():
        assert f"at 0019, and this release needs {OURS.last}" in checks.migrations().told
    execute(app, "DROP TABLE deliveries")
    told(config, "migrate")
    with app.app_context():
        assert checks.migrations().cause is None


@pytest.mark.own_database
def test_the_tables_go_back_for_an_earlier_release(app, config):
    told(config, "migrate", "--to", "0019")
    assert execute(app, "SELECT version_num FROM alembic_version") == [("0019",)]
    refused = told(config, "migrate", "--to", "no-such", status=1)
    assert f"No migration of this release is called no-such: the last one is {OURS.last}" in refused
    told(config, "migrate")
    with app.app_context():
        assert checks.migrations().cause is None


@pytest.mark.own_database
def test_one_process_at_a_time_changes_tables(app):
    """Another process waits, a little longer each time, as long as its patience lasts."""
    migrating.upgrade(app, "0024")
    pauses = []

    def wait(seconds):
        pauses.append(seconds)
        if len(pauses) == 5:
            raise TimeoutError

    with app.app_context():
        impatient(db.engine)
        with changing_tables(db.engine), pytest.raises(migrating.MigrationStopped):
            migrating.upgrade(app, wait=wait)
        assert len(pauses) == 5
        assert execute(app, "SELECT version_num FROM alembic_version") == [("0024",)]
    migrating.upgrade(app)


def test_the_code_knows_its_migrations_as_alembic_does(app):
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(FOLDER.parent))
    assert scripts.get_heads() == [OURS.last], "one migration follows the other"
    assert {each.revision for each in scripts.walk_revisions()} == OURS.known
    assert revisions_in(FOLDER) == OURS
