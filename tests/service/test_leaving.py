"""Taking one's data along, and going for good."""

from __future__ import annotations

import json

import pytest

from service.mail import wishes
from service.mail.links import AboutPlayer
from tests.service.accounts import PASSWORD, Bag, register, sign_in
from tests.service.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.service.dump import dump, execute


@pytest.fixture
def bag(app):
    return Bag(app)


def export(person):
    answer = person.send("GET", "/api/me/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="tegami.json"'
    return answer.json


def erase(person, **body):
    person.post("/api/me/erasure", body, 204)


# The export


def test_the_export_holds_everything_and_no_secret(app, cast, bag):
    register(bag, cast.alice, "alice")
    game_id = cast.start()
    cast.alice.post("/api/me/vacations", {"first": "2026-12-01", "last": "2026-12-02"})
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    token = cast.alice.post("/api/me/tokens", {"label": "robot"})["token"]["secret"]
    told = export(cast.alice)
    assert told["format"] == "tegami-export/1"
    assert (told["player"]["handle"], told["player"]["address"]) == ("alice", "alice@example.org")
    assert told["settings"]["time_zone"] == "Asia/Tokyo"
    assert told["vacations"] == [{"first": "2026-12-01", "last": "2026-12-02"}]
    assert [each["label"] for each in told["tokens"]] == ["robot"]
    (game,) = told["games"]
    assert (game["id"], game["seat"], game["status"]) == (game_id, 0, "running")
    assert game["tenure"] == cast.alice.game(game_id)["tenure"]
    (kept,) = execute(app, "SELECT password FROM accounts")
    for secret in (token, cast.alice.key, kept.password, PASSWORD):
        assert secret not in json.dumps(told)
    assert cast.carol.id not in json.dumps(told)


@sqlite_only
def test_the_export_holds_what_the_person_asked_of_others(cast, bag):
    register(bag, cast.alice, "alice")
    open_id, game_id = cast.open(CARAVAN), cast.start(pace="daily")
    cast.alice.post(f"/api/games/{open_id}/invitations", {"address": "dora@example.org"})
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "pause", "seconds": 60})
    asked = cast.bob.post(f"/api/games/{game_id}/proposals", {"kind": "extend", "seconds": 60})
    (proposal,) = [each for each in asked["proposals"] if each["kind"] == "extend"]
    path = f"/api/games/{game_id}/proposals/{proposal['id']}/votes"
    cast.alice.post(path, {"agrees": False}, 200)
    told = export(cast.alice)
    (invitation,), (proposed,), (vote,) = (
        told[name] for name in ("invitations", "proposals", "votes")
    )
    assert (invitation["game"], invitation["address"]) == (open_id, "dora@example.org")
    assert (proposed["game"], proposed["kind"], proposed["status"]) == (game_id, "pause", "open")
    assert (vote["game"], vote["kind"], vote["agrees"]) == (game_id, "extend", False)
    assert export(cast.bob)["invitations"] == []


@sqlite_only
def test_the_export_holds_the_mails_about_one_game_that_were_stopped(app, cast, outside):
    game_id = cast.start()
    with app.app_context():
        wishes.follow(outside, AboutPlayer(cast.alice.id, "turn", game_id), "game")
    (stopped,) = export(cast.alice)["stopped"]
    assert (stopped["game"], stopped["kind"]) == (game_id, "")


@sqlite_only
def test_the_export_has_every_table_that_a_person_sat_at(cast):
    kept, left = cast.open(CARAVAN), cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{left}/resignation", status=200)
    told = export(cast.alice)["games"]
    assert {game["id"] for game in told} == {kept, left}


# Erasure


def test_who_is_erased_is_nobody(app, cast, bag):
    register(bag, cast.alice, "alice")
    phone = sign_in(app, "alice")
    erase(cast.alice, current_password=PASSWORD)
    assert cast.alice.http.get_cookie("tegami") is None
    for person in (cast.alice, phone):
        person.refused("GET", "/api/me", "not-signed-in")
    Person(app).refused("POST", "/api/sign-ins", "wrong-key", {"key": cast.alice.key})
    who = {"who": "alice", "password": PASSWORD}
    Person(app).refused("POST", "/api/sign-ins", "wrong-password", who)
    Person(app).post("/api/links", {"kind": "sign-in", "who": "alice"}, 202)
    assert bag.fetch() == []
    stored = dump(app)
    del stored["outbox"]  # what a stranger typed just now
    for trace in ("Alice", "alice", "example.org"):
        assert trace not in str(stored)


def test_who_has_a_password_gives_it(app, cast, bag):
    register(bag, cast.alice, "alice")
    for body in ({}, {"current_password": "wrong"}):
        cast.alice.refused("POST", "/api/me/erasure", "wrong-password", body)
    cast.alice.get("/api/me")
    erase(cast.carol)
    cast.carol.refused("GET", "/api/me", "not-signed-in")


def test_a_game_goes_on_with_a_house_player_and_stays_readable(cast):
    game_id = cast.start()
    cast.play(game_id, most=2)
    erase(cast.carol)
    game = cast.alice.game(game_id)
    assert game["seats"][2]["house"]
    assert game["seats"][2]["name"] == "House player 1"
    assert game["status"] == "running"
    events = cast.alice.get(f"/api/games/{game_id}/events")["events"]
    assert "Carol" not in json.dumps(events)


def test_a_finished_game_says_that_somebody_was_there(cast):
    game_id = cast.start()
    cast.play(game_id)
    before = cast.alice.game(game_id)
    erase(cast.carol)
    after = cast.alice.game(game_id)
    assert [seat["name"] for seat in after["seats"]] == ["Alice", "Bob", "Somebody who has left"]
    assert not any(seat["house"] for seat in after["seats"])
    assert after["result"]["scores"] == before["result"]["scores"]
    assert after["revision"] > before["revision"]
    lobby = cast.alice.get("/api/games?status=over")["games"][0]
    assert lobby["names"] == ["Alice", "Bob", "Somebody who has left"]
    cast.alice.get(f"/api/games/{game_id}/record")
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    assert "Carol" not in json.dumps(events)
    assert "Somebody who has left" in json.dumps(events)


def test_open_tables_are_left(cast):
    alone, shared = cast.open(CARAVAN), cast.open(BOOMERANG)
    cast.bob.post(f"/api/games/{shared}/seats", {})
    erase(cast.alice)
    cast.bob.refused("GET", f"/api/games/{alone}", "not-found")
    table = cast.bob.game(shared)
    assert [seat["name"] for seat in table["seats"]] == ["Bob"]
    assert table["host"] == table["tenure"]


@sqlite_only
def test_the_tenures_lose_their_person(app, cast):
    cast.start()
    cast.open(CARAVAN)
    erase(cast.alice)
    assert execute(app, "SELECT 1 FROM tenures WHERE player_id = :id", id=cast.alice.id) == []
    (row,) = execute(app, "SELECT * FROM players WHERE id = :id", id=cast.alice.id)
    assert (row.name, row.time_zone) == ("", None)
    assert row.erased_at


@sqlite_only
def test_handle_and_address_are_free_again(cast, bag):
    register(bag, cast.alice, "alice")
    erase(cast.alice, current_password=PASSWORD)
    register(bag, cast.carol, "alice")
    assert cast.carol.get("/api/me")["player"]["address"] == "alice@example.org"
