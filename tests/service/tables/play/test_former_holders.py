"""A player who lost a seat to a house player and may still come back learns how the game goes on without them."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG
from tests.support.clock import HOUR, hours
from tests.support.post_office import Office, addressed, part
from tests.support.proposing import registered

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 3600}
DRAW = {"kind": "close", "outcome": "draw"}


@pytest.fixture
def game_id(cast, hours):
    """Alice has lost her seat by time-outs; Bob and Carol play on."""
    game_id = cast.start(BOOMERANG, pace=PACE, takeover=1)
    assert cast.asked(game_id)[0] is cast.alice
    hours.later(HOUR)
    assert cast.alice.game(game_id)["held"]["back"]
    return game_id


def agree(game_id, wish, proposer, *voters):
    path = f"/api/games/{game_id}/proposals"
    proposer.post(path, wish)
    for person in voters:
        number = person.get(path)["proposals"][-1]["id"]
        person.post(f"{path}/{number}/votes", {"agrees": True}, status=200)


def close(cast, game_id):
    agree(game_id, DRAW, cast.bob, cast.carol)
    assert cast.alice.game(game_id)["status"] == "over"


def substituted(cast, game_id):
    registered(cast.mallory)
    agree(game_id, {"kind": "substitute", "seat": 0}, cast.mallory, cast.bob, cast.carol)
    assert cast.alice.game(game_id)["held"] == {"seat": 0, "back": False}


def following(person):
    begin = person.get("/api/me/changes")["next"]

    def kinds():
        return [each["kind"] for each in person.get(f"/api/me/changes?after={begin}")["changes"]]

    return kinds


def tag(person):
    return person.send("GET", "/api/me/turns").headers["ETag"]


def mine(person):
    games = person.get("/api/games?mine=true&status=running")["games"]
    return [each["id"] for each in games]


def test_they_are_told_of_the_end(cast, game_id):
    kinds, before = following(cast.alice), tag(cast.alice)
    close(cast, game_id)
    assert kinds() == ["ended"]
    assert tag(cast.alice) != before


def test_they_are_told_of_it_also_if_a_move_ends_the_game_and_nobody_else_follows(
    cast, game_id, hours
):
    """A move is written without numbering anything, unless somebody is told."""
    kinds = following(cast.alice)
    hours.look()
    while cast.bob.game(game_id)["status"] == "running":
        person, shown = next(
            (each, game) for each in (cast.bob, cast.carol) if (game := each.game(game_id))["legal"]
        )
        person.answer(shown)
        hours.look()
    assert kinds() == ["ended"]


def test_they_are_told_that_a_substitute_has_taken_the_seat_for_good(cast, game_id):
    kinds, before = following(cast.alice), tag(cast.alice)
    substituted(cast, game_id)
    assert kinds() == ["handover"]
    assert tag(cast.alice) != before
    close_kinds = following(cast.alice)
    agree(game_id, DRAW, cast.bob, cast.carol, cast.mallory)
    assert close_kinds() == []


@pytest.mark.both_databases
def test_the_game_is_listed_as_theirs_while_they_may_come_back(cast, game_id):
    assert mine(cast.alice) == [game_id]
    substituted(cast, game_id)
    assert mine(cast.alice) == []


def test_after_leaving_for_good_nothing_is_told(cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    cast.alice.post(f"/api/games/{game_id}/resignation", {"for_good": True}, 200)
    kinds, before = following(cast.alice), tag(cast.alice)
    assert mine(cast.alice) == []
    close(cast, game_id)
    assert kinds() == [] and tag(cast.alice) == before


def test_they_are_mailed_the_end(cast, app, game_id):
    office = Office(app)
    office.address(cast.alice)
    close(cast, game_id)
    (letter,) = office.deliver()
    assert addressed([letter]) == ["alice@example.org"]
    assert "is over" in letter["Subject"]


def test_they_are_mailed_that_a_substitute_has_taken_the_seat(cast, app, game_id):
    office = Office(app)
    office.address(cast.alice)
    substituted(cast, game_id)
    letters = [each for each in office.deliver() if "alice@" in each["To"]]
    assert len(letters) == 1
    assert "Mallory" in part(letters[0])
