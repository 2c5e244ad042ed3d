"""Proposals: one player proposes, the others vote, and a proposal to which all agree is carried out."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.core.database.database import db
from service.log.verification.verify_record import verify
from service.tables.play.proposals import overdue_games
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, SECOND, due, history, hours, reasons
from tests.support.dump import dump, execute
from tests.support.proposing import registered

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
    wish = "a pause of up to 1 day. Meanwhile all clocks are stopped."
    assert made["words"] == f"You have proposed {wish}"
    assert (made["by"], made["yours"], made["asks_you"]) == (0, True, False)
    assert (made["missing"], made["votes"], made["status"]) == ([1, 2], [], "open")
    assert made["due"] == "2026-11-24T10:00:00.000Z"
    seen = cast.bob.game(game_id)["proposals"]
    assert seen == [{**made, "yours": False, "asks_you": True, "words": f"Alice proposes {wish}"}]
    assert cast.mallory.game(game_id)["proposals"][0]["asks_you"] is False
    assert cast.bob.get(f"/api/games/{game_id}/proposals")["proposals"] == seen


@pytest.mark.both_databases
def test_a_proposal_is_carried_out_once_everybody_has_agreed(cast, game_id):
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


@sqlite_only
def test_a_game_that_is_closed_while_it_pauses_is_over_and_not_paused(cast, game_id):
    for wish in (PAUSE, DRAW):
        made = propose(cast.alice, game_id, wish)
        for person in (cast.bob, cast.carol):
            game = vote(person, game_id, made)
    assert (game["status"], game["paused"]) == ("over", None)


def test_one_refusal_ends_a_proposal(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    game = vote(cast.bob, game_id, made, agrees=False)
    assert game["proposals"] == [] and game["paused"] is None
    assert state_of(cast.alice, game_id) == "refused"
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.carol.refused("POST", path, "not-possible", {"agrees": True})


@pytest.mark.both_databases
def test_a_proposal_without_all_answers_lapses_after_72_hours(cast, game_id, hours):
    made = propose(cast.alice, game_id, DRAW)
    vote(cast.bob, game_id, made)
    hours.later(72 * HOUR - SECOND)
    assert state_of(cast.alice, game_id) == "open"
    hours.later(SECOND)
    assert state_of(cast.alice, game_id) == "lapsed"
    assert cast.alice.game(game_id)["proposals"] == []
    assert cast.alice.game(game_id)["status"] == "running"


def test_house_players_always_agree(cast):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None, "pace": "daily"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    game = cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert game["paused"] and game["proposals"] == []
    game = cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "resume"})
    assert game["paused"] is None


@sqlite_only
def test_a_table_without_a_clock_can_pause_too(cast):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None}
    game_id = cast.alice.post("/api/games", wish)["id"]
    paused = cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert paused["paused"]
    assert all(each["nudge_from"] is None for each in paused["waiting"])


def test_a_player_who_leaves_is_no_longer_asked(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id, made)
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    assert cast.alice.game(game_id)["paused"]


def test_the_proposals_of_a_player_who_leaves_lapse(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    assert state_of(cast.bob, game_id) == "lapsed"
    assert cast.bob.game(game_id)["paused"] is None


@pytest.mark.both_databases
def test_a_vote_can_be_changed_until_the_decision(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    for _ in range(2):
        vote(cast.bob, game_id, made)
    vote(cast.bob, game_id, made, agrees=False)
    assert state_of(cast.bob, game_id) == "refused"


@pytest.mark.both_databases
def test_the_same_thing_cannot_be_proposed_twice_at_a_time(cast, game_id):
    propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals"
    cast.bob.refused("POST", path, "already-proposed", {**PAUSE, "seconds": 60})
    propose(cast.bob, game_id, {"kind": "extend", "seconds": 60})
    cast.carol.refused(
        "POST", path, "already-proposed", {"kind": "extend", "seconds": 9, "seat": 1}
    )
    propose(cast.carol, game_id, {"kind": "extend", "seconds": 60})
    assert len(cast.alice.game(game_id)["proposals"]) == 3


def test_only_the_proposer_can_withdraw(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals/{made['id']}"
    cast.bob.refused("DELETE", path, "not-possible")
    cast.alice.delete(path)
    assert state_of(cast.alice, game_id) == "withdrawn"
    assert cast.alice.game(game_id)["proposals"] == []
    cast.alice.refused("DELETE", path, "not-possible")
    cast.bob.refused("POST", f"{path}/votes", "not-possible", {"agrees": True})


def test_only_the_other_people_at_the_table_can_vote(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.alice.refused("POST", path, "not-possible", {"agrees": True})
    cast.mallory.refused("POST", path, "not-seated", {"agrees": True})
    cast.nobody.refused("POST", path, "not-signed-in", {"agrees": True})
    other = cast.start()
    elsewhere = f"/api/games/{other}/proposals/{made['id']}/votes"
    cast.bob.refused("POST", elsewhere, "not-found", {"agrees": True})


def test_proposals_that_make_no_sense_now_are_refused(cast, game_id):
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
def test_malformed_proposals_are_refused(cast, game_id, wish):
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "invalid-body", wish)


@pytest.mark.both_databases
def test_extra_time_postpones_the_deadline_of_a_seat_that_is_asked(cast, game_id):
    made = propose(cast.bob, game_id, {"kind": "extend", "seconds": 7200, "seat": 0})
    assert made["words"] == "You have asked for an extra 2 hours for Alice."
    vote(cast.alice, game_id, made)
    vote(cast.carol, game_id, made)
    assert due(cast.nobody, game_id) == "2026-11-22T12:00:00.000Z"
    assert cast.bob.game(game_id)["seats"][0]["extra"] == 7200
    assert reasons(cast.bob, game_id, 0) == ["asked", "extended"]
    event = history(cast.bob, game_id)[-1]
    assert (event["kind"], event["seat"], event["seconds"]) == ("extend", 0, 7200)


def test_extra_time_is_kept_for_a_seat_that_is_asked_nothing(cast, clock, game_id):
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
        "nudge_from": None,
    }


@pytest.mark.parametrize(("outcome", "reason"), [("draw", "agreed"), ("abandon", "abandoned")])
def test_the_table_can_agree_to_end_the_game(app, cast, outcome, reason):
    game_id = cast.start(CARAVAN, pace="daily")
    cast.play(game_id, most=3)
    other = propose(cast.alice, game_id, PAUSE)
    made = propose(cast.bob, game_id, {"kind": "close", "outcome": outcome})
    game = vote(cast.alice, game_id, made)
    assert (game["status"], game["result"]["reason"]) == ("over", reason)
    assert game["result"]["winners"] == [] and game["result"]["words"]
    assert game["proposals"] == game["waiting"] == game["legal"] == []
    statuses = {each["id"]: each["status"] for each in listed(cast.alice, game_id)}
    assert statuses == {other["id"]: "lapsed", made["id"]: "accepted"}
    record = cast.nobody.get(f"/api/games/{game_id}/record")
    assert verify(text(record).encode())["result"]["reason"] == reason
    results = execute(app, "SELECT result FROM tenures")
    assert {row.result for row in results} == {"none"}
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "not-running", PAUSE)


def listed(person, game_id):
    return person.get(f"/api/games/{game_id}/proposals")["proposals"]


def test_open_proposals_lapse_when_the_game_ends(cast, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.play(game_id)
    game = cast.alice.game(game_id)
    assert game["status"] == "over" and game["proposals"] == []
    assert state_of(cast.alice, game_id) == "lapsed"
    path = f"/api/games/{game_id}/proposals/{made['id']}/votes"
    cast.bob.refused("POST", path, "not-running", {"agrees": True})


def test_players_may_play_on_during_a_pause_and_are_not_charged(cast, clock, game_id):
    clock.forward(HOUR)
    made = propose(cast.alice, game_id, {"kind": "pause", "seconds": 20 * 86_400})
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    clock.forward(5 * DAY)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    entry = cast.alice.get(f"/api/games/{game_id}/clock?seat=0")["entries"][0]
    assert (entry["kind"], entry["seconds"]) == ("answered", 3600)
    clock.forward(DAY)
    again = propose(cast.alice, game_id, {"kind": "resume"})
    vote(cast.bob, game_id, again)
    vote(cast.carol, game_id, again)
    assert due(cast.bob, game_id) == "2026-11-28T11:00:00.000Z"


def test_a_substitute_needs_no_votes_if_nobody_is_left_to_vote(cast, game_id):
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    wish = {"kind": "substitute", "seat": 2}
    game = cast.mallory.post(f"/api/games/{game_id}/proposals", wish)
    assert game["seat"] == 2


def test_an_accepted_substitution_does_not_name_the_new_holder_as_the_old(cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    registered(cast.mallory)
    made = propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    name = cast.bob.game(game_id)["seats"][0]["name"]
    assert made["words"] == f"You have offered to take over for {name} (house player)."
    vote(cast.bob, game_id, made)
    vote(cast.carol, game_id, made)
    (accepted,) = listed(cast.bob, game_id)
    assert accepted["words"] == "Mallory offers to take over for a house player."


def test_a_substitution_lapses_if_the_player_has_returned_meanwhile(cast, game_id):
    """Everybody agreed, but it is no longer possible."""
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    wish = {"kind": "substitute", "seat": 0}
    registered(cast.mallory)
    cast.mallory.post(f"/api/games/{game_id}/proposals", wish)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    proposal = listed(cast.bob, game_id)[-1]
    for person in cast.seated:
        vote(person, game_id, proposal)
    assert state_of(cast.bob, game_id) == "lapsed"
    assert cast.mallory.game(game_id)["seat"] is None


def test_a_guest_without_a_seat_has_nobody_mailed(app, cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    guests, wish = (cast.mallory, cast.alice), {"kind": "substitute", "seat": 0}
    before = dump(app)
    for guest in guests:
        guest.refused("POST", f"/api/games/{game_id}/proposals", "not-for-guests", wish)
    assert dump(app) == before
    typed = {"handle": "mallory", "address": "mallory@example.com", "password": "tea at the river"}
    cast.mallory.post("/api/me/registration", typed)  # and does not confirm the address
    cast.mallory.refused("POST", f"/api/games/{game_id}/proposals", "not-for-guests", wish)
    execute(app, "DELETE FROM accounts WHERE player_id = :id", id=cast.mallory.id)
    registered(cast.mallory)
    cast.mallory.post(f"/api/games/{game_id}/proposals", wish)


def withdrawn(person, game_id, times, clock):
    """Propose a pause this number of times, a minute apart, and withdraw it."""
    for _ in range(times):
        made = propose(person, game_id, PAUSE)
        person.delete(f"/api/games/{game_id}/proposals/{made['id']}")
        clock.forward(MINUTE)


@sqlite_only
def test_somebody_proposes_at_most_ten_times_a_day_at_a_table(cast, clock, game_id):
    """Each proposal may be mailed to the others there."""
    path, other = f"/api/games/{game_id}/proposals", cast.start()
    withdrawn(cast.alice, game_id, 10, clock)
    assert refused_for(cast.alice, path) == 86_400 - 600 + 1
    propose(cast.bob, game_id, PAUSE)
    propose(cast.alice, other, PAUSE)
    clock.forward(DAY - 10 * MINUTE - 1)
    assert refused_for(cast.alice, path) == 1
    clock.forward(1)
    propose(cast.alice, game_id, DRAW)
    assert refused_for(cast.alice, path) == 61


def refused_for(person, path):
    """The seconds for which a proposal is refused."""
    answer = person.send("POST", path, json={"kind": "extend", "seconds": 60})
    assert answer.status_code == 429
    return int(answer.headers["Retry-After"])


@sqlite_only
def test_where_nobody_is_mailed_there_is_no_limit(cast, clock):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None, "pace": "daily"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    for _ in range(11):
        cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "extend", "seconds": 60})
        clock.forward(MINUTE)


@sqlite_only
@pytest.mark.parametrize(
    "wish", [{"kind": "pause", "seconds": 30 * 86_400}, {"kind": "extend", "seconds": 14 * 86_400}]
)
def test_the_longest_pause_is_30_days_and_the_longest_extension_14(cast, game_id, wish):
    propose(cast.alice, game_id, wish)
    longer = wish | {"seconds": wish["seconds"] + 1}
    cast.bob.refused("POST", f"/api/games/{game_id}/proposals", "invalid-body", longer)


@sqlite_only
def test_the_latest_fifty_proposals_are_listed_oldest_first(cast, clock):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "pace": "daily", "nonce": None}
    game_id = cast.alice.post("/api/games", wish)["id"]
    for seconds in range(1, 52):
        wish = {"kind": "extend", "seconds": 60 * seconds}
        cast.alice.post(f"/api/games/{game_id}/proposals", wish)
    shown = listed(cast.alice, game_id)
    assert len(shown) == 50
    assert shown[0]["words"].startswith("You have asked for an extra 2 minutes")
    assert shown[-1]["words"].startswith("You have asked for an extra 51 minutes")


@sqlite_only
def test_a_game_is_looked_at_once_a_proposal_is_overdue(app, cast, clock, game_id):
    other = cast.start(pace="daily")

    def overdue():
        with app.app_context():
            return list(db.session.scalars(overdue_games(clock())))

    for wish in (PAUSE, DRAW):
        propose(cast.alice, game_id, wish)
    clock.forward(1)
    propose(cast.alice, other, PAUSE)
    clock.forward(72 * HOUR - 2)
    assert overdue() == []
    clock.forward(1)
    assert overdue() == [game_id]


@sqlite_only
def test_whoever_is_erased_proposes_nothing_any_more(cast, game_id):
    other = cast.start()
    for where, wish in ((game_id, PAUSE), (game_id, DRAW), (other, PAUSE)):
        propose(cast.alice, where, wish)
    kept = propose(cast.bob, game_id, {"kind": "extend", "seconds": 60})
    cast.alice.post("/api/me/erasure", {}, 204)
    assert [each["status"] for each in listed(cast.carol, game_id)] == [
        "withdrawn",
        "withdrawn",
        "open",
    ]
    assert [each["status"] for each in listed(cast.carol, other)] == ["withdrawn"]
    assert [each["id"] for each in cast.carol.game(game_id)["proposals"]] == [kept["id"]]
