"""The number of tables that have not started which one person may have."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.service.tables.play.test_races import at_once
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.servers.remote import Remote
from tests.support.servers.server import Server

MOST = 10
WISH = {"ruleset": CARAVAN}


@pytest.fixture
def tables(cast):
    """As many tables as alice may open."""
    return [cast.open(CARAVAN) for _ in range(MOST)]


@sqlite_only
def test_the_eleventh_is_refused_until_one_has_started_or_closed(app, cast, tables):
    before = dump(app)
    cast.alice.refused("POST", "/api/games", "too-many-tables", WISH)
    assert dump(app) == before
    cast.bob.post("/api/games", WISH)
    cast.alice.post(f"/api/games/{tables[3]}/start", {"house": True}, status=200)
    cast.open(CARAVAN)
    cast.alice.refused("POST", "/api/games", "too-many-tables", WISH)
    cast.alice.delete(f"/api/games/{tables[0]}/seats/{cast.alice.game(tables[0])['tenure']}")
    cast.open(CARAVAN)


@sqlite_only
def test_a_rematch_is_a_new_table_too(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, status=200)
    for _ in range(MOST):
        cast.open(CARAVAN)
    cast.alice.refused("POST", f"/api/games/{game_id}/rematch", "too-many-tables", {})
    cast.bob.post(f"/api/games/{game_id}/rematch", {})


@sqlite_only
def test_tables_that_were_opened_and_left_to_somebody_else_still_count(cast):
    game_id = cast.bob.post("/api/games", {"ruleset": BOOMERANG})["id"]
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    cast.bob.delete(f"/api/games/{game_id}/seats/{cast.bob.game(game_id)['tenure']}")
    for person in (cast.bob, cast.carol):
        for _ in range(MOST - 1):
            person.post("/api/games", WISH)
        person.refused("POST", "/api/games", "too-many-tables", WISH)


@pytest.mark.of_service
@pytest.mark.both_databases
def test_of_simultaneous_tables_ten_are_opened(running: Server) -> None:
    remote = Remote(running.url, "Alice")
    answers = at_once(*[lambda: remote.send("POST", "/api/games", WISH)] * (MOST + 4))
    assert Counter(status for status, _ in answers) == {201: MOST, 409: 4}
