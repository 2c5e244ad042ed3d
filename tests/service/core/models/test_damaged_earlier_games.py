"""Rows that an earlier release left for a game whose log is damaged: everything that can be repaired is."""

from __future__ import annotations

import json

import pytest

from service.core.database.database import has_row_locks
from service.core.runtime.backoff import LONGEST_WAIT
from service.core.runtime.units import HOUR
from service.operations.worker import half_new_rows
from service.operations.worker.half_new_rows import Repairs
from tests.service.core.models.test_earlier_games import GAME, insert_stored_game
from tests.support.cast import sqlite_only
from tests.support.damaging import body_of, set_body
from tests.support.dump import execute
from tests.support.operator_command import run
from tests.support.receiving import made
from tests.support.rounds import alone, logged, rounds
from tests.support.thinking import in_turn

pytestmark = pytest.mark.own_database

LEFT = {
    "UPDATE credentials SET scopes = NULL": "credentials WHERE kind = 'token' AND scopes IS NULL",
    "UPDATE tenures SET house_name = NULL": "tenures WHERE player_id IS NULL AND house_name IS NULL",
    "UPDATE receivers SET host = NULL": "receivers WHERE host IS NULL",
    "UPDATE games SET log_format = 2 WHERE status = 'open'": "games WHERE status = 'open' AND log_format = 2",
}
"""The statements that leave rows as earlier releases did, and the number of these rows."""


@pytest.fixture
def left(app, cast):
    """The number of such rows of each kind."""
    with app.app_context():
        insert_stored_game({person.name.lower(): person.id for person in cast.seated})
        if has_row_locks():  # PostgreSQL does not see which keys are taken
            execute(app, "SELECT setval(pg_get_serial_sequence('games', 'key'), 9)")
    app.extensions["tegami"].entropy(
        1
    )  # else ids would be those of the stored game, which came about alike
    made(cast.alice)
    alone(cast)
    cast.open()
    for make in LEFT:
        execute(app, make)
    return lambda: [execute(app, f"SELECT count(*) FROM {rows}")[0][0] for rows in LEFT.values()]


@pytest.mark.both_databases
def test_a_damaged_log_stops_neither_the_other_repairs_nor_a_migration(app, left, config):
    before = body_of(app, GAME, 1)
    key = execute(app, "SELECT key FROM games WHERE id = :game", game=GAME)[0].key
    unnamed = (
        "INSERT INTO tenures (id, game_key, place, sat_at, ended_at, erased)"
        " VALUES ('t_1', :key, 9, 0, 0, false)"
    )
    execute(app, unnamed, key=key)
    set_body(app, GAME, 1, before[:-20])
    assert min(left()) > 0
    lines = map(json.loads, run(config, "migrate").stderr.splitlines())
    failing = [each for each in lines if each["event"] == "failing"]
    assert {each["subject"] for each in failing} == {each["game"] for each in failing} == {GAME}
    assert len(failing) == 2, "its row, and its house player"
    assert left() == [0, 1, 0, 0], "but for the house player of the damaged game"
    set_body(app, GAME, 1, before)
    with app.app_context():
        assert half_new_rows.repair() == 2
    assert left() == [0, 0, 0, 0]


@sqlite_only
def test_a_worker_names_a_damaged_game_once_and_repairs_it_when_it_is_whole(
    app, left, clock, capsys
):
    before, number, repairs = body_of(app, GAME, 1), sum(left()), Repairs(app.extensions["tegami"])
    set_body(app, GAME, 1, before[:-20])
    capsys.readouterr()
    with app.app_context():
        assert repairs.step() == number
        for _ in range(3):
            clock.forward(HOUR)
            assert repairs.step() == 0
        (line,) = logged(capsys, "repaired")
        assert (line["event"], line["subject"], line["cause"]) == ("failing", GAME, "damaged game")
        set_body(app, GAME, 1, before)
        clock.forward(HOUR)
        assert repairs.step() == 1
    assert [each["event"] for each in logged(capsys)] == ["recovered", "repaired"]


@sqlite_only
def test_repairs_that_fail_are_tried_again_soon_and_are_over_when_they_succeed(
    app, left, clock, capsys
):
    refuse = "CREATE TRIGGER a BEFORE UPDATE ON credentials BEGIN SELECT RAISE(ABORT, 'no'); END"
    execute(app, refuse)
    capsys.readouterr()
    run_once = rounds(app, in_turn())
    for _ in range(5):
        clock.forward(LONGEST_WAIT)
        run_once()
    assert [each > 0 for each in left()] == [True, False, False, False]
    about = [(each["event"], each["subject"]) for each in logged(capsys) if "subject" in each]
    assert about == [("failing", "tokens")], "and it is not said to be over"
    execute(app, "DROP TRIGGER a")
    clock.forward(LONGEST_WAIT)
    run_once()
    assert left()[0] == 0
    assert "recovered" in [each["event"] for each in logged(capsys)]


@sqlite_only
def test_many_rows_are_repaired_a_few_at_a_time(app, cast, clock):
    """The worker does other things in between; the longest wait is for a hundred rows."""
    many = 2 * half_new_rows.MOST + 5
    cast.open()
    columns = set(execute(app, "SELECT * FROM games")[0]._fields) - {"key", "id"}
    same = ", ".join(sorted(columns))
    copied = f"INSERT INTO games (id, {same}) SELECT value, {same} FROM games, json_each(:ids)"
    execute(app, copied, ids=json.dumps([f"g_{number}" for number in range(many - 1)]))
    execute(app, "UPDATE games SET log_format = 2")
    repairs = Repairs(app.extensions["tegami"])
    with app.app_context():
        assert [repairs.step() for _ in range(4)] == [half_new_rows.MOST] * 2 + [5, 0]
