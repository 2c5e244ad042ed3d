"""Leaving a game for good: a house player takes the seat for good, and the player gets no more mail about it."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.log.verification.verify_record import verify
from service.operations.worker.deadlines import Deadlines
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import history, hours
from tests.support.post_office import Office, to
from tests.support.proposing import PAUSE, propose, registered, vote

__all__ = ["hours"]

GOOD = {"for_good": True}


@pytest.fixture
def office(app, cast):
    """The mails sent; everybody has an address."""
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def game_id(cast):
    return cast.start(pace="daily")


def leave(person, game_id, body=GOOD):
    return person.post(f"/api/games/{game_id}/resignation", body, status=200)


@pytest.mark.both_databases
def test_a_house_player_takes_the_seat_and_the_leaver_cannot_return(cast, game_id):
    game = leave(cast.alice, game_id)
    assert (game["status"], game["seat"]) == ("running", None)
    assert game["held"] == {"seat": 0, "back": False}
    assert game["seats"][0]["house"]
    event = history(cast.bob, game_id)[-1]
    assert (event["kind"], event["why"], event["house"]) == ("handover", "left", True)
    assert event["lines"][0]["words"].startswith("Alice has given up the seat.")
    cast.alice.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    cast.alice.refused("POST", f"/api/games/{game_id}/resignation", "not-seated", GOOD)
    wish = {"kind": "substitute", "seat": 0}
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "not-possible", wish)


@pytest.mark.parametrize("body", [None, {}, {"for_good": False}], ids=str)
def test_a_player_who_does_not_leave_for_good_may_return(cast, game_id, body):
    assert leave(cast.alice, game_id, body)["held"] == {"seat": 0, "back": True}
    assert cast.alice.post(f"/api/games/{game_id}/return", status=200)["seat"] == 0
    assert leave(cast.alice, game_id)["held"] == {"seat": 0, "back": False}


def test_a_substitute_may_still_take_the_seat(cast, game_id):
    leave(cast.alice, game_id)
    registered(cast.mallory)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert cast.mallory.game(game_id)["seat"] == 0
    assert cast.alice.game(game_id)["held"] == {"seat": 0, "back": False}


def test_the_leaver_gets_no_more_mail_about_the_game(cast, office, game_id, hours):
    propose(cast.bob, game_id, PAUSE)
    leave(cast.alice, game_id)
    hours.look()
    sent = office.deliver()
    for person in (cast.bob, cast.carol, cast.bob):
        game = person.game(game_id)
        if game["legal"]:
            person.answer(game)
            hours.look()
    sent += office.deliver()
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    cast.carol.post(f"/api/games/{game_id}/proposals", {"kind": "close", "outcome": "abandon"})
    sent += office.deliver()
    assert sent
    assert to(cast.alice) not in [str(letter["To"]) for letter in sent]


@sqlite_only
def test_mails_to_others_and_about_other_games_stay(cast, office, game_id):
    other = cast.start(pace="daily")
    propose(cast.bob, game_id, PAUSE)
    propose(cast.bob, other, PAUSE)

    def wanted():
        return [row.player_id for row in office.due("proposal")]

    assert sorted(wanted()) == sorted([cast.alice.id, cast.carol.id] * 2)
    leave(cast.alice, game_id)
    assert sorted(wanted()) == sorted([cast.alice.id, cast.carol.id, cast.carol.id])


def test_a_queued_mail_about_an_earlier_takeover_is_cancelled(app, cast, clock, office):
    """It says that they can return, which is no longer true once they have returned and left for good."""
    pace = {"kind": "decision", "seconds": 60}
    game_id = cast.start(pace=pace, takeover=1)
    person, _ = cast.asked(game_id)
    office.deliver()
    clock.forward(61_000)
    services = app.extensions["tegami"]
    with app.app_context():
        Deadlines(services).meet_all()
    assert office.due("taken-over")
    person.post(f"/api/games/{game_id}/return", status=200)
    leave(person, game_id)
    assert office.due("taken-over") == []
    assert to(person) not in [str(letter["To"]) for letter in office.deliver()]


def test_the_other_player_wins_a_game_of_two(cast):
    game_id = cast.start(CARAVAN, pace="daily")
    game = leave(cast.alice, game_id)
    assert (game["status"], game["result"]["winners"]) == ("over", [1])
    assert game["result"]["reason"] == "resigned"


def test_the_record_says_that_somebody_left(cast):
    game_id = cast.start(pace="daily")
    leave(cast.alice, game_id)
    propose(cast.bob, game_id, {"kind": "close", "outcome": "abandon"})
    vote(cast.carol, game_id)
    record = cast.nobody.get(f"/api/games/{game_id}/record")
    assert verify(text(record).encode())["result"]["reason"] == "abandoned"
    assert [event.get("why") for event in record["events"]].count("left") == 1


@sqlite_only
@pytest.mark.parametrize("body", [{"for_good": "yes"}, {"for_good": 1}, {"good": True}], ids=str)
def test_malformed_resignations_are_refused(cast, game_id, body):
    cast.alice.refused("POST", f"/api/games/{game_id}/resignation", "invalid-body", body)
    assert cast.alice.game(game_id)["seat"] == 0
