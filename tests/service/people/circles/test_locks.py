"""Locks of people's relations are taken in one order, so that who acts at once neither misses nor blocks the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from service.core.settings.database_address import USUAL
from tests.support.cast import BOOMERANG, CARAVAN, postgresql_only
from tests.support.circles import found, path
from tests.support.held import held
from tests.support.proposing import registered
from tests.support.series import enter, of, opened
from tests.support.servers.databases import plain
from tests.support.servers.server import wait_until

pytestmark = [postgresql_only, pytest.mark.own_database]


@pytest.fixture
def app(config, runtime, lending):
    with lending.app(replace(config, patience=USUAL._replace(lock=1.0)), runtime) as app:
        yield app


@pytest.mark.parametrize("list_of", ["follows", "blocks"])
@pytest.mark.parametrize("who", ["alice", "bob"])
def test_following_and_blocking_wait_for_each_other(app, cast, list_of, who):
    """Both lock both people: whichever is second sees what the first has done."""
    registered(cast.alice, cast.bob)
    game_id = cast.start()
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    person = getattr(cast, who)
    with held(app, "players", "id", person.id, "NO KEY UPDATE"):
        cast.alice.refused("POST", f"/api/me/{list_of}", "unavailable", body)
    assert cast.alice.get(f"/api/me/{list_of}")[list_of] == []
    cast.alice.post(f"/api/me/{list_of}", body)


def test_whoever_opens_a_table_in_a_circle_locks_themselves_before_the_circle(app, cast):
    """As an erasure does, which locks the player before it takes them out of their circles."""
    registered(cast.alice)
    circle_id = found(cast.alice)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    free = "SELECT 1 FROM circle_members WHERE player_id = %s FOR UPDATE NOWAIT"
    with (
        ThreadPoolExecutor(1) as beside,
        psycopg.connect(plain(app.config["SQLALCHEMY_DATABASE_URI"]), autocommit=True) as other,
        held(app, "players", "id", cast.alice.id, "NO KEY UPDATE"),
    ):
        opened = beside.submit(
            cast.alice.send, "POST", path(circle_id, "games"), json={"ruleset": CARAVAN}
        )
        wait_until(lambda: other.execute(waiting).fetchone(), "the request to wait")
        assert other.execute(free, [cast.alice.id]).fetchone()
        assert opened.result().status_code == 503


def test_whoever_only_looks_at_a_series_of_a_circle_waits_for_nobody(app, cast):
    """The page does so several times a minute, and news readers do."""
    registered(cast.alice)
    series_id = opened(cast.alice, found(cast.alice))
    enter(cast.alice, series_id)
    with held(app, "players", "id", cast.alice.id, "NO KEY UPDATE"):
        assert cast.alice.get(of(series_id))["entry"]


def test_two_requests_for_deep_analyses_are_counted_one_after_the_other(app, cast):
    """Otherwise, each would find that the player has no other one waiting."""
    game_id = cast.start(BOOMERANG)
    cast.play(game_id)
    path_to = f"/api/games/{game_id}/analysis"
    with held(app, "players", "id", cast.alice.id, "NO KEY UPDATE"):
        cast.alice.refused("PUT", path_to, "unavailable", {"depth": "deep"})
    cast.alice.put(path_to, {"depth": "deep"}, 202)
