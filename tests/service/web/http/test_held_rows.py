"""Somebody else holds the row of one game: requests for it soon get 503, and no other game waits for it."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from service.core.settings.database_address import USUAL
from tests.support.cast import Cast, postgresql_only
from tests.support.held import held

LOCK = 1.0

pytestmark = [postgresql_only, pytest.mark.own_database]


@pytest.fixture
def app(config, runtime, lending):
    with lending.app(replace(config, patience=USUAL._replace(lock=LOCK)), runtime) as app:
        yield app


def move(game):
    return {"asked": game["asked"], "action": game["legal"][0]["action"]}


def lines(capsys):
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    return [(each["event"], each["cause"], each["subject"]) for each in found if "cause" in each]


def test_a_held_game_is_refused_and_said_once(app, cast, capsys):
    first, second = cast.start(), cast.start()
    game, path = cast.alice.game(first), f"/api/games/{first}"
    asked = (
        ("POST", f"{path}/actions", move(game)),
        ("POST", f"{path}/messages", {"text": "Hello", "channel": "seats"}),
        ("PUT", f"{path}/notes", {"text": "a plan"}),
    )
    capsys.readouterr()
    with held(app, "games", "id", first):
        cast.alice.refused(*asked[0][:2], "unavailable", asked[0][2])
        begun = time.monotonic()
        for method, where, body in asked * 3:
            answer = cast.alice.send(method, where, json=body)
            told = answer.status_code, answer.headers.get("Retry-After")
            assert told == (503, "5"), (where, answer.json)
            assert cast.alice.game(first) == game, "who only looks waits for nobody"
        assert time.monotonic() - begun < len(asked * 3) * LOCK, "who comes later hardly waits"
        cast.alice.answer(cast.alice.game(second))
        assert lines(capsys) == [("failing", "row held by another transaction", first)]
    assert cast.alice.answer(game)["number"] == game["number"] + 1
    assert lines(capsys) == [("recovered", "row held by another transaction", first)]


def test_where_no_game_is_named(app, cast):
    """The row of a person is held; their other requests continue, as do those of others."""
    names = {"name": "Alicia"}
    with held(app, "players", "id", cast.alice.id):
        for _ in range(3):
            assert cast.alice.send("PATCH", "/api/me", json=names).status_code == 503
        assert cast.alice.get("/api/me")["player"]["name"] == "Alice"
        Cast(app).bob.send("PATCH", "/api/me", json={"name": "Robert"})
    assert cast.alice.send("PATCH", "/api/me", json=names).status_code == 200
