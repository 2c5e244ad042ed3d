"""A database that no longer responds: nobody waits for it forever, and the log says so once."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.core.database.connecting import BEYOND
from service.core.settings.database_address import Patience
from service.web.app import create_app
from tests.support.cast import Cast
from tests.support.servers.databases import disconnect
from tests.support.servers.relay import Relay
from tests.support.servers.server import wait_until

LITTLE = Patience(connect=2, statement=0.3, lock=0.2, idle=5, tcp=2)
LONGEST = LITTLE.statement + BEYOND + 3
"""The seconds within which every request gets a response: the statement, the further wait, and a slow machine."""

pytestmark = [
    pytest.mark.parametrize("database", ["postgresql"], indirect=True),
    pytest.mark.own_database,
]


@pytest.fixture
def relay(database):
    with Relay(database) as started:
        yield started


@pytest.fixture
def away(config, runtime, relay):
    app = create_app(replace(config, database_url=relay.url, patience=LITTLE), runtime)
    yield app
    relay.go_on()
    disconnect(app)


def outages(capsys):
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [(each["event"], each.get("cause")) for each in found if each["event"] != "audit"]


def test_nobody_waits_for_long_and_the_log_says_it_once(away, relay, capsys):
    cast = Cast(away)
    game_id = cast.start()
    game = cast.alice.game(game_id)

    def ask(number):
        """The status of a response, and its duration."""
        begun = time.monotonic()
        answer = away.test_client().get(f"/api/games?limit={1 + number}")
        return answer.status_code, time.monotonic() - begun

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(8)))
        capsys.readouterr()
        relay.swallow()
        found = list(threads.map(ask, range(24)))
    assert {status for status, _ in found} == {503}
    assert max(took for _, took in found) < LONGEST
    assert relay.kept < 16, "who comes later asks nothing, but is told at once"
    body = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    refused = cast.alice.refused("POST", f"/api/games/{game_id}/actions", "unavailable", body)
    assert refused["status"] == 503
    assert outages(capsys) == [("failing", "database out of reach")]
    relay.go_on()
    wait_until(lambda: ask(0)[0] == 200, "the database is there again")
    assert cast.alice.game(game_id)["number"] == game["number"]
    assert outages(capsys) == [("recovered", "database out of reach")]
