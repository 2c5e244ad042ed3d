"""An idle worker only glances at the database, and sees everything that is due there."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import text

from benchmarks.fill import copy_games
from service.core.database.database import batch, db, write
from service.core.database.quick_queries import QuickQuery
from service.core.runtime.units import DAY, SECOND
from service.operations.worker.deadlines import LATE
from service.operations.worker.glance import LONGEST_REST, NOW, Glance
from service.operations.worker.loop import work
from service.tables.play.house_players import waiting_seats
from tests.support.cast import BOOMERANG, CARAVAN, postgresql_only
from tests.support.dump import execute
from tests.support.thinking import in_turn
from tests.support.watching import watched

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("everybody")]

GAME = "WHERE id = :game"
SEATS = "WHERE game_key = (SELECT key FROM games WHERE id = :game)"
DUE = {
    "a house player": f"UPDATE seats SET waiting = TRUE, house = TRUE {SEATS}",
    "a start": f"UPDATE games SET status = 'open', starts_at = :now {GAME}",
    "a time-out": f"UPDATE seats SET waiting = TRUE, due = :now {SEATS}",
    "the end of a pause": f"UPDATE games SET paused_until = :now {GAME}",
    "an open table": f"UPDATE games SET status = 'open', created_at = :now - {14 * DAY} {GAME}",
    "a deserted game": f"UPDATE games SET unattended_at = :now - {14 * DAY} {GAME}",
}


@pytest.fixture
def glance(app):
    with app.app_context():
        runtime = app.extensions["tegami"]
        return Glance(runtime, waiting_seats(), *(late(NOW) for late in LATE))


@pytest.mark.own_database
@pytest.mark.parametrize("due", DUE.values(), ids=DUE)
def test_whatever_is_due_is_seen_when_it_is(app, cast, glance, clock, due):
    """House players are seen at once, the rest within a second."""
    game_id = cast.start()
    execute(app, due.replace(":now", str(clock.at + 2000)), game=game_id)
    seen = [glance.sees_work()]
    for _ in range(2):
        clock.forward(1000)
        seen.append(glance.sees_work())
    assert seen == [":now" not in due, ":now" not in due, True]


MANY, GLANCES = 3000, 20
FLUSHED = text("SELECT pg_stat_force_next_flush()")
READ = "SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ('games', 'seats')"


@postgresql_only
@pytest.mark.own_database
def test_a_glance_is_planned_for_its_time(app, cast, glance, clock):
    """For an unknown time, PostgreSQL would assume that a third of all seats are out of time, and read all of them.

    Other connections may in between report what they have read before; that is less than all games each time.
    """
    cast.start(CARAVAN)
    with app.app_context():
        copy_games(MANY)
        same_thread = QuickQuery(db.engines["polls"], FLUSHED)  # it has the glances' connection
        read = []
        for _ in range(2):
            for _ in range(GLANCES):
                clock.forward(SECOND)
                assert not glance.sees_work()
            same_thread.all({})
            same_thread.all({})
            read += execute(app, READ)
    ((before,), (after,)) = read
    assert after - before < GLANCES * MANY


def test_what_gets_due_later_is_seen_in_that_second(app, cast, glance, clock):
    """This holds even if nobody has written since then."""
    game_id, later = cast.start(), 28 * SECOND
    execute(app, DUE["a time-out"].replace(":now", str(clock.at + later)), game=game_id)
    seen = []
    for _ in range(0, later, 1000):
        clock.forward(1000)
        seen.append(glance.sees_work())
    assert seen == [False] * (len(seen) - 1) + [True]
    assert later < LONGEST_REST


def test_what_this_thread_has_written_is_seen(app, cast, glance):
    """Through the very connection that glances."""
    game_id, stop, waits = cast.start(), threading.Event(), []

    def wait():
        waits.append(None)
        if len(waits) == 3:
            stop.set()

    with app.app_context():
        assert not glance.sees_work()
        with batch():
            write(text(DUE["a house player"]), {"game": game_id})
        glance.rest(stop, wait)
    assert len(waits) == 1


def test_whoever_is_woken_looks_properly(app, cast, glance):
    """A thinker has answered: that is not in the database."""
    stop, waits = threading.Event(), iter([False, None, True])
    with app.app_context():
        assert not glance.sees_work()
        glance.rest(stop, lambda: next(waits))
    assert next(waits, "all") == "all"


def test_an_unanswered_proposal_is_seen(cast, glance, clock):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "close", "outcome": "draw"})
    assert not glance.sees_work()
    clock.forward(LONGEST_REST - 1)
    assert not glance.sees_work()
    clock.forward(30 * DAY)
    assert [glance.sees_work(), glance.sees_work()] == [True, True]


def test_a_worker_looks_properly_now_and_then(glance, clock):
    assert not glance.sees_work()
    clock.forward(LONGEST_REST)
    assert [glance.sees_work(), glance.sees_work()] == [True, False]
    clock.forward(-DAY)
    assert [glance.sees_work(), glance.sees_work()] == [True, False]


def test_an_idle_worker_asks_at_most_one_thing_until_there_is_work(app, cast):
    """A game against the house begins in its third rest."""
    stop, asked, games = threading.Event(), [], []
    loop = threading.current_thread()
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None, "seating": "order"}

    def wait(seconds):
        if threading.current_thread() is not loop:
            stop.wait(seconds)
            return
        asked.append(len(seen.statements))
        if len(asked) == 3:
            games.append(cast.alice.post("/api/games", wish)["id"])
            cast.alice.answer(cast.alice.game(games[0]))
        if len(asked) == 4:
            stop.set()

    with watched(app) as seen:
        work(app, stop, wait, thinking=in_turn())
    assert asked[2] - asked[1] <= 1
    assert cast.alice.game(games[0])["number"] > 3
