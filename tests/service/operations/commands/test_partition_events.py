"""`tegami partition-events`: the log of every game is whole before, during and after the division of its table."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError

from service.core.database import partitions
from service.core.database.database import db
from service.operations.commands.doctor import BAD
from service.operations.stored_data.copy_database import copy
from tests.support.cast import CARAVAN, Cast, postgresql_only, sqlite_only
from tests.support.dump import dump, execute
from tests.support.findings import told as found
from tests.support.operator_command import told
from tests.support.servers.server import wait_until

pytestmark = pytest.mark.own_database

WHERE = "SELECT tableoid::regclass::text, count(*) FROM events WHERE game_key = :key GROUP BY 1"


def divide(app, headroom=1, parts=4):
    """Divide the events at a boundary `headroom` games after the last one; returns the boundary."""
    with app.app_context():
        return partitions.partition(db.engine, parts, headroom)


def key_of(app, game_id):
    ((key,),) = execute(app, "SELECT key FROM games WHERE id = :id", id=game_id)
    return key


def tables_of(app, game_id):
    """The names of the tables that hold the events of a game."""
    return {name for name, _ in execute(app, WHERE, key=key_of(app, game_id))}


def refused(app, statement):
    with pytest.raises(DBAPIError, match="append-only"):
        execute(app, statement)


@sqlite_only
def test_sqlite_has_none(config):
    assert "Only PostgreSQL has partitions" in told(config, "partition-events", status=1)


@postgresql_only
def test_games_before_and_after_are_played_checked_and_copied(app, config, cast, tmp_path):
    before = cast.start(CARAVAN)
    cast.play(before, most=3)
    rows = dump(app)["events"]
    said = told(config, "partition-events", "--parts", "3")
    assert "in 3 partitions from now on" in said
    assert dump(app)["events"] == rows
    boundary = divided_at(app)
    execute(app, f"SELECT setval(pg_get_serial_sequence('games', 'key'), {boundary})")
    after = [cast.start_anew(CARAVAN) for _ in range(6)]
    for game_id in (before, *after):
        cast.play(game_id, most=4)
    assert tables_of(app, before) == {partitions.OLD}
    theirs = [tables_of(app, game_id) for game_id in after]
    assert all(len(each) == 1 and min(each).startswith(partitions.BY_HASH) for each in theirs)
    assert len(set.union(*theirs)) > 1, "the hash spreads games"
    assert "7 whole, 0 damaged" in told(config, "check")
    copied = copy(config, config.database_url, f"sqlite:///{tmp_path / 'copy'}", len)
    assert (copied.games, copied.rows["events"]) == (7, len(dump(app)["events"]))


def divided_at(app):
    bounds = "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = :name"
    ((text,),) = execute(app, bounds, name=partitions.OLD)
    return int(text.rpartition("(")[2].strip("')"))


@postgresql_only
def test_people_play_meanwhile_and_nothing_is_lost(app, config):
    casts = [Cast(app) for _ in range(2)]
    games = [each.start_anew(CARAVAN) for each in casts]
    stop, moves, failed = threading.Event(), [], []

    def play(cast, game_id):
        try:
            for _ in cast.moves(game_id):
                moves.append(game_id)
                if stop.is_set():
                    return
        except Exception as error:
            failed.append(error)
            raise

    pairs = zip(casts, games, strict=True)
    threads = [threading.Thread(target=play, args=pair) for pair in pairs]
    for each in threads:
        each.start()
    try:
        wait_until(lambda: moves or failed, "a move")
        divide(app)
        done = len(moves)
        wait_until(lambda: len(moves) > done + 2 or failed, "moves afterwards")
    finally:
        stop.set()
        for each in threads:
            each.join()
    assert not failed
    told(config, "check")
    for game_id in games:
        assert tables_of(app, game_id) == {partitions.OLD}


@postgresql_only
def test_the_log_stays_append_only_in_every_partition(app, cast):
    divide(app)
    games = [cast.start_anew(CARAVAN) for _ in range(4)]
    (leaf,) = tables_of(app, games[-1])
    for table in ("events", partitions.OLD, partitions.BY_HASH, leaf):
        refused(app, f"TRUNCATE {table}")
    for table in ("events", leaf):
        refused(app, f"UPDATE {table} SET at = 0 WHERE game_key = {key_of(app, games[-1])}")
        refused(app, f"DELETE FROM {table}")


@postgresql_only
def test_no_question_is_answered_twice_in_any_partition(app, cast):
    before = cast.start_anew(CARAVAN)
    divide(app)
    after = [cast.start_anew(CARAVAN) for _ in range(2)][-1]
    again = (
        "INSERT INTO events (game_key, number, body, digest, seat, asked, at)"
        " SELECT game_key, number + 100, body, digest, seat, asked, at FROM events"
        " WHERE game_key = {} AND asked IS NOT NULL"
    )
    for game_id in (before, after):
        cast.play(game_id, most=1)
        with pytest.raises(DBAPIError, match="duplicate key"):
            execute(app, again.format(key_of(app, game_id)))


@postgresql_only
def test_one_game_is_looked_for_in_one_partition(app, cast):
    divide(app)
    game_id = [cast.start_anew(CARAVAN) for _ in range(2)][-1]
    (leaf,) = tables_of(app, game_id)
    plan = execute(app, f"EXPLAIN SELECT body FROM events WHERE game_key = {key_of(app, game_id)}")
    read = "\n".join(line for (line,) in plan)
    assert leaf in read
    assert partitions.OLD not in read and "Append" not in read


@postgresql_only
def test_a_second_time_is_refused(app, config):
    divide(app)
    assert "in partitions already" in told(config, "partition-events", status=1)


@postgresql_only
def test_what_fails_leaves_the_table_as_it_was(app, cast):
    cast.start_anew(CARAVAN)
    execute(app, f"CREATE TABLE {partitions.BY_HASH}_2 (taken INTEGER)")
    with app.app_context():
        before = inspect(db.engine).get_check_constraints("events")
    with pytest.raises(DBAPIError):
        divide(app)
    with app.app_context(), db.engine.connect() as connection:
        assert inspect(connection).get_check_constraints("events") == before
        assert not partitions.is_partitioned(connection)
        assert not partitions.is_begun(connection)
    game_id = [cast.start_anew(CARAVAN) for _ in range(3)][-1]
    cast.play(game_id, most=1)


@postgresql_only
def test_a_command_that_was_killed_is_reported_and_can_be_run_again(app, config, examine):
    with app.app_context():
        partitions._promise(db.engine, 1000)
    level, text = found(examine(), "partitions")
    assert level == BAD and "partition-events was interrupted" in text
    told(config, "partition-events")
    assert "partitions" not in {each.about for each in examine()}
