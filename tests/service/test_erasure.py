"""Erasure leaves nothing behind: not in the outbox, nor in reports, nor in what a table is asked, nor afterwards."""

from __future__ import annotations

import pytest

from service import accounts, consent, erasure, notes, people, tables, talk
from service.accounts import Wish
from service.database import db
from service.models import Player
from service.problems import NotSignedIn
from service.table import find
from tests.service.accounts import PASSWORD, Bag, register
from tests.service.cast import CARAVAN, Person, sqlite_only
from tests.service.dump import dump, execute
from tests.service.proposing import last, propose


@pytest.fixture
def bag(app):
    return Bag(app)


def erase(person, **body):
    person.post("/api/me/erasure", body, 204)


def test_what_was_typed_to_be_sent_a_key_goes_along(app, cast, bag):
    register(bag, cast.alice, "alice")
    for who in ("ALICE", "Alice@Example.org", "bob@example.org"):
        Person(app).post("/api/links", {"kind": "reset", "who": who}, 202)
    erase(cast.alice, current_password=PASSWORD)
    left = str([row.data for row in execute(app, "SELECT data FROM outbox")])
    assert "alice" not in left.lower()
    assert "bob@example.org" in left


def test_mails_to_the_address_go_along(app, cast, bag):
    register(bag, cast.alice, "alice")
    register(bag, cast.carol, "carol")
    game_id = cast.carol.post("/api/games", {"ruleset": CARAVAN})["id"]
    for to in ("ALICE@example.org", "dora@example.org"):
        cast.carol.post(f"/api/games/{game_id}/invitations", {"address": to})
    erase(cast.alice, current_password=PASSWORD)
    kept = [row.address for row in execute(app, "SELECT address FROM outbox")]
    assert "dora@example.org" in kept
    assert "ALICE@example.org" not in kept


def test_of_what_was_reported_the_name_goes(app, cast):
    game_id = cast.start(CARAVAN)
    path = f"/api/games/{game_id}/messages"
    said = cast.alice.post(path, {"channel": "seats", "text": "rude words"})
    cast.bob.post(f"{path}/{said['id']}/reports", {}, 204)
    erase(cast.alice)
    assert "Alice" not in str(dump(app))
    (report,) = execute(app, "SELECT * FROM reports")
    assert (report.text, report.author, report.author_id) == ("rude words", None, None)


def test_what_somebody_proposed_who_has_gone_is_asked_no_more(cast):
    game_id = cast.start()
    propose(cast.carol, game_id, {"kind": "pause", "seconds": 60})
    erase(cast.carol)
    game = cast.alice.game(game_id)
    assert game["proposals"] == []
    (proposal,) = cast.alice.get(f"/api/games/{game_id}/proposals")["proposals"]
    assert proposal["status"] == "withdrawn"
    propose(cast.alice, game_id, {"kind": "pause", "seconds": 60})


def test_nobody_comes_as_a_substitute_who_has_gone(app, cast):
    game_id = cast.open(house=1)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 1})
    erase(cast.mallory)
    proposal = last(cast.alice, game_id)["id"]
    for person in (cast.alice, cast.bob):
        path = f"/api/games/{game_id}/proposals/{proposal}/votes"
        person.refused("POST", path, "not-possible", {"agrees": True})
    seats = cast.alice.game(game_id)["seats"]
    assert [seat["house"] for seat in seats] == [False, True, False]


@pytest.fixture
def gone(app, cast, outside):
    """Somebody who has just been erased, while requests of theirs were under way."""
    mallory = cast.mallory
    with app.app_context():
        row = people.find(mallory.id)
        erasure.erase(outside, app.extensions["tegami"].states, mallory.id)
        yield row


LATE = {
    "sit": lambda tools, game, who: tables.sit(tools.outside, game, who.id, None, house=False),
    "open": lambda tools, _game, who: tables.open_table(tools.outside, who.id, WISH),
    "say": lambda tools, game, who: talk.say(tools.outside, game, who, SAID),
    "note": lambda tools, game, who: notes.write(tools.outside, game, who.id, "secret"),
    "propose": lambda tools, game, who: consent.propose(
        tools.outside, tools.states, game, who.id, {"kind": "substitute", "seat": 1}
    ),
    "register": lambda tools, _game, who: accounts.register(
        tools.outside, who.id, Wish("mallory", "mallory@example.org", None)
    ),
    "token": lambda tools, _game, who: people.new_token(tools.outside, who.id, "robot"),
    "name": lambda _tools, _game, who: people.change(who.id, {"name": "Mallory"}),
}
"""What a request does that began before."""
WISH = {
    "ruleset": CARAVAN,
    "house": 0,
    "options": {},
    "private": False,
    "seating": "order",
    "start": "host",
}
SAID = {"channel": "spectators", "text": "still here"}


@pytest.mark.parametrize("late", LATE)
def test_a_request_that_comes_too_late_does_nothing(app, cast, late, request):
    game_id = cast.open(house=1)
    if late == "propose":
        cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, 200)
    who = request.getfixturevalue("gone")
    before = dump(app)
    with pytest.raises(NotSignedIn):
        LATE[late](app.extensions["tegami"], game_id, who)
    assert dump(app) == before


@sqlite_only
@pytest.mark.usefixtures("gone")
def test_a_guest_who_was_forgotten_altogether_does_not_sit_down_either(app, cast, outside):
    game_id = cast.open()
    db.session.execute(Player.__table__.delete().where(Player.id == cast.mallory.id))
    db.session.commit()
    with pytest.raises(NotSignedIn):
        tables.sit(outside, game_id, cast.mallory.id, None, house=False)
    assert len(find(game_id).people) == 1
