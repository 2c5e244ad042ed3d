"""Erasing a player: nothing is left behind, and games stay readable."""

from __future__ import annotations

import json

import pytest

from service import personal_data
from service.core.database.database import db, transaction
from service.core.models.people import Player
from service.core.runtime.problems import NotSignedIn
from service.log.table_rows.table import find
from service.people import players
from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.credentials.credentials import TokenTerms
from service.tables.before_start import table_setup
from service.tables.play import proposals
from service.tables.talk import messages, private_notes
from tests.support.accounts import PASSWORD, Bag, register, sign_in
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.proposing import last, propose, registered


@pytest.fixture
def bag(app):
    return Bag(app)


def erase(person, **body):
    person.post("/api/me/erasure", body, 204)


def test_logins_typed_to_ask_for_a_link_are_deleted(app, cast, bag):
    register(bag, cast.alice, "alice")
    for who in ("ALICE", "Alice@Example.org", "bob@example.org"):
        Person(app).post("/api/links", {"kind": "reset", "who": who}, 202)
    erase(cast.alice, current_password=PASSWORD)
    left = str([row.data for row in execute(app, "SELECT data FROM outbox")])
    assert "alice" not in left.lower()
    assert "bob@example.org" in left


@pytest.mark.both_databases
def test_mails_to_the_address_are_deleted(app, cast, bag):
    register(bag, cast.alice, "alice")
    register(bag, cast.carol, "carol")
    game_id = cast.carol.post("/api/games", {"ruleset": CARAVAN})["id"]
    for to in ("ALICE@example.org", "dora@example.org"):
        cast.carol.post(f"/api/games/{game_id}/invitations", {"address": to})
    erase(cast.alice, current_password=PASSWORD)
    kept = [row.address for row in execute(app, "SELECT address FROM outbox")]
    assert "dora@example.org" in kept
    assert "ALICE@example.org" not in kept


@pytest.mark.both_databases
def test_a_report_loses_the_name_of_the_author(app, cast):
    game_id = cast.start(CARAVAN)
    path = f"/api/games/{game_id}/messages"
    said = cast.alice.post(path, {"channel": "seats", "text": "rude words"})
    cast.bob.post(f"{path}/{said['id']}/reports", {}, 204)
    erase(cast.alice)
    assert "Alice" not in str(dump(app))
    (report,) = execute(app, "SELECT * FROM reports")
    assert (report.text, report.author, report.author_id) == ("rude words", None, None)


def test_the_proposals_of_an_erased_player_are_withdrawn(cast):
    game_id = cast.start()
    propose(cast.carol, game_id, {"kind": "pause", "seconds": 60})
    erase(cast.carol)
    game = cast.alice.game(game_id)
    assert game["proposals"] == []
    (proposal,) = cast.alice.get(f"/api/games/{game_id}/proposals")["proposals"]
    assert proposal["status"] == "withdrawn"
    propose(cast.alice, game_id, {"kind": "pause", "seconds": 60})


def test_an_erased_player_does_not_become_a_substitute(app, cast):
    game_id = cast.open(house=1)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    registered(cast.mallory)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 1})
    erase(cast.mallory)
    proposal = last(cast.alice, game_id)["id"]
    for person in (cast.alice, cast.bob):
        path = f"/api/games/{game_id}/proposals/{proposal}/votes"
        person.refused("POST", path, "not-possible", {"agrees": True})
    seats = cast.alice.game(game_id)["seats"]
    assert [seat["house"] for seat in seats] == [False, True, False]


@pytest.fixture
def gone(app, cast, runtime):
    """The row of a player who has just been erased while their requests were being processed."""
    mallory = cast.mallory
    with app.app_context():
        row = players.get(mallory.id)
        personal_data.erase(app.extensions["tegami"], mallory.id)
        yield row


def make_token(services, who):
    with transaction():
        credentials.create_token(services, who.id, TokenTerms("robot"))


LATE = {
    "sit": lambda services, game, who: table_setup.sit(services, game, who.id, {}),
    "open": lambda services, _game, who: table_setup.open_table(services, who.id, WISH),
    "say": lambda services, game, who: messages.post(services, game, who.id, SAID),
    "note": lambda services, game, who: private_notes.write(services, game, who.id, "secret"),
    "propose": lambda services, game, who: proposals.propose(
        services, game, who.id, {"kind": "substitute", "seat": 1}
    ),
    "register": lambda services, _game, who: accounts.register(
        services, who.id, "", "mallory", "mallory@example.org", None
    ),
    "token": lambda services, _game, who: make_token(services, who),
    "name": lambda tools, _game, who: players.change_profile(
        tools.now(), who.id, {"name": "Mallory"}
    ),
}
"""The actions of such a request."""
WISH = {
    "ruleset": CARAVAN,
    "house": 0,
    "level": "normal",
    "options": {},
    "private": False,
    "seating": "order",
    "start": "host",
    "takeover": 3,
}
SAID = {"channel": "spectators", "text": "still here"}


@pytest.mark.parametrize("late", LATE)
def test_a_request_of_an_erased_player_changes_nothing(app, cast, late, request):
    game_id = cast.open(house=1)
    if late == "propose":
        cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, 200)
    who = request.getfixturevalue("gone")
    before = dump(app)
    with pytest.raises(NotSignedIn):
        LATE[late](app.extensions["tegami"], game_id, who)
    assert dump(app) == before


@sqlite_only
@pytest.mark.usefixtures("everybody", "gone")
def test_a_deleted_guest_cannot_sit_down(app, cast):
    game_id, mallory = cast.open(), cast.mallory.id
    db.session.execute(Player.__table__.delete().where(Player.id == mallory))
    db.session.commit()
    with pytest.raises(NotSignedIn):
        table_setup.sit(app.extensions["tegami"], game_id, mallory, {})
    assert len(find(game_id).people) == 1


@pytest.mark.both_databases
def test_nothing_leads_back_to_an_erased_player(app, cast, bag):
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


def test_erasure_needs_the_password_if_there_is_one(app, cast, bag):
    register(bag, cast.alice, "alice")
    for body in ({}, {"current_password": "wrong"}):
        cast.alice.refused("POST", "/api/me/erasure", "wrong-password", body)
    cast.alice.get("/api/me")
    erase(cast.carol)
    cast.carol.refused("GET", "/api/me", "not-signed-in")


@pytest.mark.both_databases
def test_a_game_goes_on_with_a_house_player_and_stays_readable(cast):
    game_id = cast.start()
    cast.play(game_id, most=2)
    erase(cast.carol)
    game = cast.alice.game(game_id)
    assert game["seats"][2]["house"]
    assert game["seats"][2]["name"] == cast.bob.game(game_id)["seats"][2]["name"]
    assert game["status"] == "running"
    events = cast.alice.get(f"/api/games/{game_id}/events")["events"]
    assert "Carol" not in json.dumps(events)


def test_a_finished_game_shows_that_somebody_has_left(cast):
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
def test_tenures_lose_their_player(app, cast):
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
