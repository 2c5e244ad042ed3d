"""The database's work for a move: few statements, however many seats it changes, and none for mail that nobody gets."""

from __future__ import annotations

import pytest

from service.core.database.database import db
from service.core.runtime.units import MINUTE
from service.log.table_rows.table import find
from service.tables.play import moves
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.post_office import Office
from tests.support.watching import watched

pytestmark = pytest.mark.both_databases

MOVES = 8
PING = ";"
"""The statement that checks whether PostgreSQL is still there."""


def statements(app, cast, game_id):
    """The statements of each of the first moves."""
    counted = []
    with watched(app) as seen:
        for _ in range(MOVES):
            person, shown = cast.asked(game_id)
            seen.clear()
            person.answer(shown)
            assert seen.commits == 1
            counted.append([each for each in seen.statements if each != PING])
    return counted


def test_a_move_notes_with_its_own_commit_that_its_player_is_here(app, cast, clock):
    """Most moves by mail are made by somebody who was away."""
    game_id = cast.start(CARAVAN)
    person, shown = cast.asked(game_id)
    clock.forward(MINUTE)
    with watched(app) as seen:
        person.answer(shown)
        assert seen.commits == 1
        seen.clear()
        person.answer(shown, status=200)
        person.game(game_id)
        assert seen.commits == 0
    assert last_seen(app, person) == clock()


@sqlite_only
def test_somebody_whose_move_is_refused_was_here_too(app, cast, clock):
    game_id = cast.start(CARAVAN)
    person, shown = cast.asked(game_id)
    clock.forward(MINUTE)
    person.answer(shown, {"type": "nonsense"}, status=422)
    assert last_seen(app, person) == clock()


def last_seen(app, person):
    (row,) = execute(
        app, "SELECT max(seen_at) AS at FROM credentials WHERE player_id = :id", id=person.id
    )
    return row.at


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_a_move_is_four_statements_and_five_with_a_clock(app, cast, slug):
    for pace, most in (("none", 4), ("steady", 5)):
        game_id = cast.start(slug, pace=pace)
        for each in statements(app, cast, game_id):
            assert len(each) <= most, each
            assert not [one for one in each if "INTO outbox" in one or "UPDATE outbox" in one]


def test_only_a_table_where_somebody_listens_pays_for_changes(app, cast):
    """Listeners are read with the table; then the row of each listener is locked and written, and the changes."""
    cast.bob.get("/api/me/changes")
    for each in statements(app, cast, cast.start(CARAVAN)):
        told = [one for one in each if "listeners" in one and "FROM games" not in one]
        assert len(each) - len(told) <= 5
        assert len(told) in (0, 2)


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_a_move_that_is_mailed_to_everybody_is_at_most_seven_statements(app, cast, slug):
    Office(app).address(*cast.seated)
    game_id = cast.start(slug, pace="relaxed")
    counted = statements(app, cast, game_id)
    assert max(map(len, counted)) == 7, counted
    assert all(any("INTO outbox" in one for one in each) for each in counted[2:])


@sqlite_only
def test_the_mails_that_a_move_cancels_are_found_by_index(app, cast):
    Office(app).address(*cast.seated)
    counted = statements(app, cast, cast.start(pace="relaxed"))
    (cancels,) = (each for each in counted[-1] if each.startswith("UPDATE outbox"))
    with app.app_context():
        plan = db.session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {cancels}")
        assert ["ix_outbox_unsent" in step.detail for step in plan] == [True]


def test_a_move_on_a_table_that_has_changed_since_is_worked_out_anew(app, cast):
    """Both choose at the same time; Alice's question stays the same, though Bob was faster."""
    game_id, services = cast.start(CARAVAN), app.extensions["tegami"]
    with app.app_context():
        read = find(game_id)
        db.session.rollback()
    cast.bob.answer(cast.bob.game(game_id))
    alice = cast.alice.game(game_id)
    asked, action = alice["asked"], alice["legal"][0]["action"]
    with app.app_context():
        played, again = (moves.play(services, read, cast.alice.id, asked, action) for _ in range(2))
    assert (played.new, again.new) == (True, False)
    assert played.number == again.number == alice["number"] + 1
    assert played.table.game.revision == cast.alice.game(game_id)["revision"] > alice["revision"]
