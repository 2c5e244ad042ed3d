"""Guests: players who give only a name."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, Person, sqlite_only


@pytest.mark.both_databases
def test_a_guest_plays_at_once(app, clock):
    visitor = Person(app)
    visitor.refused("GET", "/api/me", "not-signed-in")
    made = visitor.post("/api/players", {"name": "Dora", "language": "ja"})
    player = made["player"]
    assert (player["name"], player["language"], player["guest"]) == ("Dora", "ja", True)
    assert player["created_at"] == "2026-11-21T10:00:00.000Z"
    assert visitor.get("/api/me") == {"player": player}
    assert visitor.post("/api/games", {"ruleset": BOOMERANG})["seats"][0]["name"] == "Dora"


@sqlite_only
def test_the_language_of_a_guest_is_that_of_the_request(app):
    made = Person(app).post("/api/players", {"name": "りん"}, headers={"Accept-Language": "ja"})
    assert made["player"]["language"] == "ja"


@pytest.mark.both_databases
def test_a_name_is_changed_at_every_table(cast):
    game_id = cast.start()
    before = cast.carol.game(game_id)["revision"]
    assert cast.alice.send("PATCH", "/api/me", json={"name": "Alicia"}).json["player"]["name"]
    after = cast.carol.game(game_id)
    assert after["seats"][0]["name"] == "Alicia"
    assert after["revision"] > before
    assert cast.carol.get("/api/games?mine=true")["games"][0]["names"][0] == "Alicia"


@sqlite_only
def test_an_empty_change_is_accepted(cast):
    assert cast.alice.send("PATCH", "/api/me").json == cast.alice.get("/api/me")
    assert cast.alice.send("PATCH", "/api/me", json={}).json == cast.alice.get("/api/me")
    changed = cast.alice.send("PATCH", "/api/me", json={"language": "ja"}).json["player"]
    assert (changed["name"], changed["language"]) == ("Alice", "ja")
