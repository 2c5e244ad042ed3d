"""Polling: what changes the tag of my turns and of the lobby, and how soon asking again is worthwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.core.runtime.units import HOUR, MINUTE
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only

pytestmark = sqlite_only

DECISION = {"kind": "decision", "seconds": 86_400}


@pytest.fixture
def config(config):
    return replace(config, poll_after=2)


class Follower:
    """Somebody who polls, and is told when there is something new."""

    def __init__(self, person, path="/api/me/turns"):
        self.person, self.path, self.tag = person, path, None

    def poll(self):
        """The new response; None if nothing is new."""
        brought = {"If-None-Match": self.tag} if self.tag else {}
        answer = self.person.send("GET", self.path, headers=brought)
        if answer.status_code == 304:
            return None
        self.tag = answer.headers["ETag"]
        return answer.json


def test_my_turns_change_when_a_game_of_mine_ends(cast):
    game_id = cast.start(CARAVAN)
    follower = Follower(cast.bob)
    state = follower.poll()["state"]
    assert follower.poll() is None
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert follower.poll()["state"] != state
    assert follower.poll() is None


def test_my_turns_change_when_i_am_asked_to_vote(cast):
    game_id = cast.start(CARAVAN)
    follower = Follower(cast.bob)
    assert follower.poll()["proposals"] == []
    body = {"kind": "close", "outcome": "draw"}
    game = cast.alice.post(f"/api/games/{game_id}/proposals", body)
    proposal = game["proposals"][0]["id"]
    assert follower.poll()["proposals"] == [{"game": game_id, "proposal": proposal}]
    assert cast.alice.get("/api/me/turns")["proposals"] == []
    path = f"/api/games/{game_id}/proposals/{proposal}/votes"
    cast.bob.post(path, {"agrees": False}, 200)
    assert follower.poll()["proposals"] == []


def test_my_turns_change_when_a_game_changes_hands(cast):
    game_id = cast.start()  # of three
    holders = cast.holders(game_id)
    waiting = cast.alice.game(game_id)["waiting"][0]["seat"]
    quiet, leaving = (person for seat, person in holders.items() if seat != waiting)
    follower = Follower(quiet)
    state = follower.poll()["state"]
    leaving.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert follower.poll()["state"] != state


def test_my_turns_change_when_a_game_begins(cast):
    game_id = cast.open(CARAVAN)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    follower = Follower(cast.bob)
    state = follower.poll()["state"]
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert follower.poll()["state"] != state


def test_my_turns_do_not_change_for_strangers_and_moves_of_others(cast):
    game_id = cast.start()
    follower = Follower(cast.mallory)
    follower.poll()
    asked, game = cast.asked(game_id)
    asked.answer(game)
    assert follower.poll() is None


def test_the_lobby_has_a_tag_and_revisions(cast):
    game_id = cast.open(CARAVAN)
    follower = Follower(cast.mallory, "/api/games")
    (game,) = follower.poll()["games"]
    assert game["revision"] == cast.mallory.game(game_id)["revision"]
    assert follower.poll() is None
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    (after,) = follower.poll()["games"]
    assert after["revision"] > game["revision"]


@pytest.mark.parametrize(
    ("pace", "intervals"),
    [
        (DECISION, [2, 4, 10]),
        (None, [2, 4, 10]),
        ({"kind": "decision", "seconds": 300}, [2, 3, 3]),
        ({"kind": "decision", "seconds": 60}, [2, 2, 2]),
    ],
)
def test_poll_after_follows_the_pace_and_the_time_since_the_last_move(cast, clock, pace, intervals):
    game_id = cast.start(CARAVAN, **({"pace": pace} if pace else {}))
    follower, found = Follower(cast.alice, f"/api/games/{game_id}"), []
    for passes in (0, 11 * MINUTE, HOUR):
        clock.forward(passes)
        found.append(follower.poll()["poll_after"])
        assert follower.poll() is None
        assert cast.alice.get("/api/me/turns")["poll_after"] == found[-1]
    assert found == intervals


def test_poll_after_is_long_when_the_game_is_over(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert cast.alice.game(game_id)["poll_after"] == 60
    assert cast.alice.get("/api/me/turns")["poll_after"] == 10


def test_poll_after_is_long_where_no_person_sits_any_more(cast):
    """House players stop there; two weeks later the game is closed."""
    game_id = cast.start(BOOMERANG)
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert cast.alice.game(game_id)["poll_after"] == 60


def test_the_revision_rises_with_what_is_shown_and_the_number_with_the_log(cast):
    game_id = cast.start(CARAVAN)

    def risen():
        before, seen = told[-1], cast.alice.game(game_id)
        told.append((seen["revision"], seen["number"]))
        return told[-1][0] > before[0], told[-1][1] > before[1]

    told = [(0, 0)]
    assert risen() == (True, True)
    cast.bob.send("PATCH", "/api/me", json={"program": True})
    assert risen() == (True, False)
    body = {"kind": "close", "outcome": "draw"}
    cast.alice.post(f"/api/games/{game_id}/proposals", body)
    assert risen() == (True, False)
    person, shown = cast.asked(game_id)
    person.answer(shown)
    assert risen() == (True, True)
    assert risen() == (False, False)
