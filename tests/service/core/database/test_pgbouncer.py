"""PgBouncer hands a connection on after each transaction: nothing that a connection would keep is depended upon."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from service.core.settings.database_address import USUAL
from tests.support.cast import Cast, postgresql_only
from tests.support.dump import execute
from tests.support.held import held
from tests.support.rounds import rounds
from tests.support.servers.databases import disconnect
from tests.support.servers.pgbouncer import needs_pgbouncer, pgbouncer
from tests.support.thinking import in_turn

pytestmark = [postgresql_only, pytest.mark.own_database, needs_pgbouncer, pytest.mark.of_service]

KEPT = "SELECT count(*) FROM pg_prepared_statements"


@pytest.fixture(params=["off", "on, but seen"])
def app(request, config, runtime, database, lending):
    """The application, with the setting; or without it, where the proxy drops unknown parameters, which is noticed."""
    ignored = "extra_float_digits" + ", options" * (request.param != "off")
    settings = {"patience": USUAL, "prepared_statements": request.param != "off"}
    with pgbouncer(database, ignored=ignored) as url:
        with lending.app(replace(config, database_url=url, **settings), runtime) as app:
            yield app
        disconnect(app)


def test_everybody_is_answered(app, clock):
    """Many at once, over three connections: polls, lists, moves, and a worker."""
    cast = Cast(app)
    game_ids = [cast.start(house=1) for _ in range(2)]
    run = rounds(app, in_turn())
    with app.app_context():
        assert cast.nobody.get("/readyz")["status"] == "ready"

    def ask(game_id, number):
        path = f"/api/games/{game_id}" if number % 3 else "/api/games"
        first = cast.bob.send("GET", path)
        tag = {"If-None-Match": first.headers["ETag"]} if "ETag" in first.headers else {}
        again = cast.bob.send("GET", path, headers=tag)
        return {first.status_code, again.status_code}

    with ThreadPoolExecutor(6) as threads:
        asked = [threads.submit(ask, game_ids[n % 2], n) for n in range(60)]
        for game_id in game_ids:
            for _ in range(6):
                game = cast.alice.game(game_id)
                if game["legal"]:
                    cast.alice.answer(game)
                run()
        found = set().union(*(each.result() for each in asked))
    assert found <= {200, 304}
    assert execute(app, KEPT) == [(0,)]


def test_it_waits_no_longer_for_a_row(app):
    cast = Cast(app)
    game_id = cast.start()
    game = cast.alice.game(game_id)
    with held(app, "games", "id", game_id):
        asked = {"asked": game["asked"], "action": game["legal"][0]["action"]}
        said = {"text": "Hi", "channel": "seats"}
        for path, body in (("actions", asked), ("messages", said)):
            cast.alice.refused("POST", f"/api/games/{game_id}/{path}", "unavailable", body)
    cast.alice.answer(game)


def test_a_server_that_is_not_set_up_for_it_is_not_ready(config, runtime, database, lending):
    """It does so instead of failing at every other request."""
    with pgbouncer(database) as url:
        with lending.app(replace(config, database_url=url), runtime) as app:
            ask = partial(Cast(app).nobody.send, "GET")
            assert ask("/readyz").json["checks"]["database"] == "bad"
            assert {ask("/api/games").status_code for _ in range(5)} == {503}
        disconnect(app)
