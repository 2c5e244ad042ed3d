"""What the table has to agree on: one proposes, the others answer, and what all want is done."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.record import verify
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.dump import execute
from tests.service.hours import DAY, HOUR, SECOND, due, history, hours, reasons

__all__ = ["hours"]

PAUSE = {"kind": "pause", "seconds": 86_400}
DRAW = {"kind": "close", "outcome": "draw"}


@pytest.fixture
def game_id(cast):
    return cast.start(pace="daily")


def propose(person, game_id, wish):
    """The new proposal, as the proposer sees it."""
    game = person.post(f"/api/games/{game_id}/proposals", wish)
    return game["proposals"][-1] if game["proposals"] else game


def vote(person, game_id, proposal, agrees=True):
    path = f"/api/games/{game_id}/proposals/{proposal['id']}/votes"
    return person.post(path, {"agrees": agrees}, status=200)


def state_of(person, game_id):
    return person.get(f"/api/games/{game_id}/proposals")["proposals"][-1]["status"]


def test_a_proposal_is_shown_to_everybody(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    assert made["words"] == (
        "Alice would like to pause for up to 1 day. All clocks stand meanwhile."
    )
    assert (made["by"], made["yours"], made["asks_you"]) == (0, True, False)
    assert (made["missing"], made["votes"], made["status"]) == ([1, 2], [], "open")
    assert made["due"] == "2026-11-24T10:00:00.000Z"
    seen = cast.bob.game(game_id)["proposals"]
    assert seen == [{**made, "yours": False, "asks_you": True}]
    assert cast.mallory.game(game_id)["proposals"][0]["asks_you"] is False
    assert cast.bob.get(f"/api/games/{game_id}/proposals")["proposals"] == seen


def test_the_last_agreement_does_it(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    game = vote(cast.bob, game_id, made)
    assert game["paused"] is None and game["proposals"][0]["missing"] == [2]
    game = vote(cast.carol, game_id, made)
    assert game["paused"] == {
        "since": "2026-11-21T10:00:00.000Z",
        "until": "2026-11-22T10:00:00.000Z",
    }
    assert game["proposals"] == [] and state_of(cast.nobody, game_id) == "accepted"
    assert history(cast.nobody, game_id)[-1]["kind"] == "pause"


def test_one_refusal_ends_it(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    game = vote(cast.bob, game_id, made, agrees=False)
    assert game["proposals"] == [] and game["paused"] is None
    assert state_of(cast.alice, game_id) == "refused"
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.carol.refused("POST", path, "not-possible", {"agrees": True})


def test_no_answer_for_72_hours_is_a_refusal(cast, game_id, hours):
    made = propose(cast.alice, game_id, DRAW)
    vote(cast.bob, game_id, made)
    hours.later(72 * HOUR - SECOND)
    assert state_of(cast.alice, game_id) == "open"
    hours.later(SECOND)
    assert state_of(cast.alice, game_id) == "lapsed"
    assert cast.alice.game(game_id)["proposals"] == []
    assert cast.alice.game(game_id)["status"] == "running"


def test_house_players_agree(cast):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "pace": "daily"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    game = cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert game["paused"] and game["proposals"] == []
    game = cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "resume"})
    assert game["paused"] is None


def test_who_leaves_is_asked_no_more(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id, made)
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    assert cast.alice.game(game_id)["paused"]


def test_what_the_leaver_proposed_lapses(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    assert state_of(cast.bob, game_id) == "lapsed"
    assert cast.bob.game(game_id)["paused"] is None


def test_an_answer_can_be_changed_until_it_is_decided(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    for _ in range(2):
        vote(cast.bob, game_id, made)
    vote(cast.bob, game_id, made, agrees=False)
    assert state_of(cast.bob, game_id) == "refused"


def test_one_is_asked_once_at_a_time(cast, game_id):
    propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals"
    cast.bob.refused("POST", path, "already-proposed", {**PAUSE, "seconds": 60})
    propose(cast.bob, game_id, {"kind": "extend", "seconds": 60})
    cast.carol.refused(
        "POST", path, "already-proposed", {"kind": "extend", "seconds": 9, "seat": 1}
    )
    propose(cast.carol, game_id, {"kind": "extend", "seconds": 60})
    assert len(cast.alice.game(game_id)["proposals"]) == 3


def test_the_proposer_withdraws(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals/{made['id']}"
    cast.bob.refused("DELETE", path, "not-possible")
    cast.alice.delete(path)
    assert state_of(cast.alice, game_id) == "withdrawn"
    assert cast.alice.game(game_id)["proposals"] == []
    cast.alice.refused("DELETE", path, "not-possible")
    cast.bob.refused("POST", f"{path}/votes", "not-possible", {"agrees": True})


def test_who_may_answer(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.alice.refused("POST", path, "not-possible", {"agrees": True})
    cast.mallory.refused("POST", path, "not-seated", {"agrees": True})
    cast.nobody.refused("POST", path, "not-signed-in", {"agrees": True})
    other = cast.start()
    elsewhere = f"/api/games/{other}/proposals/{made['id']}/votes"
    cast.bob.refused("POST", elsewhere, "not-found", {"agrees": True})


def test_what_makes_no_sense_is_refused(cast, game_id):
    path = f"/api/games/{game_id}/proposals"
    cast.alice.refused("POST", path, "not-possible", {"kind": "resume"})
    cast.mallory.refused("POST", path, "not-seated", PAUSE)
    cast.alice.refused("POST", path, "not-possible", {"kind": "extend", "seconds": 60, "seat": 9})
    cast.alice.refused("POST", path, "already-seated", {"kind": "substitute", "seat": 1})
    clockless = cast.start()
    extend = {"kind": "extend", "seconds": 60}
    cast.alice.refused("POST", f"/api/games/{clockless}/proposals", "not-possible", extend)
    cast.alice.refused("POST", f"/api/games/{cast.open()}/proposals", "not-running", PAUSE)


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"kind": "fly"},
        {"kind": "pause"},
        {"kind": "pause", "seconds": 31 * 86_400},
        {"kind": "pause", "seconds": 60, "seat": 1},
        {"kind": "resume", "seconds": 60},
        {"kind": "extend", "seconds": 15 * 86_400},
        {"kind": "extend"},
        {"kind": "close"},
        {"kind": "close", "outcome": "victory"},
        {"kind": "substitute"},
        {"kind": "substitute", "seat": True},
    ],
)
@sqlite_only
def test_what_is_no_proposal_is_refused(cast, game_id, wish):
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "invalid-body", wish)


def test_more_time_moves_the_due_time_of_who_is_asked(cast, game_id):
    made = propose(cast.bob, game_id, {"kind": "extend", "seconds": 7200, "seat": 0})
    assert made["words"] == "Bob asks for 2 hours more for Alice."
    vote(cast.alice, game_id, made)
    vote(cast.carol, game_id, made)
    assert due(cast.nobody, game_id) == "2026-11-22T12:00:00.000Z"
    assert cast.bob.game(game_id)["seats"][0]["extra"] == 7200
    assert reasons(cast.bob, game_id, 0) == ["asked", "extended"]
    event = history(cast.bob, game_id)[-1]
    assert (event["kind"], event["seat"], event["seconds"]) == ("extend", 0, 7200)


def test_more_time_waits_for_who_is_asked_nothing(cast, clock, game_id):
    made = propose(cast.carol, game_id, {"kind": "extend", "seconds": 7200})
    vote(cast.alice, game_id, made)
    vote(cast.bob, game_id, made)
    clock.forward(20 * HOUR)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    clock.forward(20 * HOUR)
    cast.bob.answer(cast.bob.game(game_id), {"type": "pass"})
    assert cast.carol.game(game_id)["waiting"][0] == {
        "seat": 2,
        "since": "2026-11-23T02:00:00.000Z",
        "due": "2026-11-24T04:00:00.000Z",
    }


@pytest.mark.parametrize(("outcome", "reason"), [("draw", "agreed"), ("abandon", "abandoned")])
def test_the_table_agrees_to_end(app, cast, outcome, reason):
    game_id = cast.start(CARAVAN, pace="daily")
    cast.play(game_id, most=3)
    other = propose(cast.alice, game_id, PAUSE)
    made = propose(cast.bob, game_id, {"kind": "close", "outcome": outcome})
    game = vote(cast.alice, game_id, made)
    assert (game["status"], game["result"]["reason"]) == ("over", reason)
    assert game["result"]["winners"] == [] and game["result"]["words"]
    assert game["proposals"] == game["waiting"] == game["legal"] == []
    told = {each["id"]: each["status"] for each in listed(cast.alice, game_id)}
    assert told == {other["id"]: "lapsed", made["id"]: "accepted"}
    record = cast.nobody.get(f"/api/games/{game_id}/record")
    assert verify(text(record).encode())["result"]["reason"] == reason
    results = execute(app, "SELECT result FROM tenures")
    assert {row.result for row in results} == {"none"}
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "not-running", PAUSE)


def listed(person, game_id):
    return person.get(f"/api/games/{game_id}/proposals")["proposals"]


def test_the_end_of_the_game_ends_what_it_was_asked(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.play(game_id)
    game = cast.alice.game(game_id)
    assert game["status"] == "over" and game["proposals"] == []
    assert state_of(cast.alice, game_id) == "lapsed"
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.bob.refused("POST", path, "not-running", {"agrees": True})


def test_whoever_likes_plays_on_in_a_pause_and_nothing_is_charged(cast, clock, game_id):
    clock.forward(HOUR)
    made = propose(cast.alice, game_id, {"kind": "pause", "seconds": 20 * 86_400})
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    clock.forward(5 * DAY)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    told = cast.alice.get(f"/api/games/{game_id}/clock?seat=0")["entries"][0]
    assert (told["kind"], told["seconds"]) == ("answered", 3600)
    clock.forward(DAY)
    again = propose(cast.alice, game_id, {"kind": "resume"})
    vote(cast.bob, game_id, again)
    vote(cast.carol, game_id, again)
    assert due(cast.bob, game_id) == "2026-11-28T11:00:00.000Z"


def test_nobody_is_left_to_ask_a_substitute(cast, game_id):
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    wish = {"kind": "substitute", "seat": 2}
    game = cast.mallory.post(f"/api/games/{game_id}/proposals", wish)
    assert game["seat"] == 2


def test_who_was_asked_for_is_not_called_like_who_sits_there_now(cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    made = propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    assert made["words"] == "Mallory would like to play on in place of House player 1."
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    (told,) = listed(cast.bob, game_id)
    assert told["words"] == "Mallory would like to play on in place of a house player."


def test_two_who_want_one_seat(cast, game_id):
    """The first who is agreed on gets it; what the other asked has become impossible."""
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    wish = {"kind": "substitute", "seat": 0}
    cast.mallory.post(f"/api/games/{game_id}/proposals", wish)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    proposal = listed(cast.bob, game_id)[-1]
    for person in cast.seated:
        vote(person, game_id, proposal)
    assert state_of(cast.bob, game_id) == "lapsed"
    assert cast.mallory.game(game_id)["seat"] is None
