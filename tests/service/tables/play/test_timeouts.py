"""Time-outs: the fallback is played, after three in a row a house player takes over, and the player may return."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.log.verification.verify_record import verify
from service.operations.worker.deadlines import Deadlines
from service.tables.play import timeouts
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, due, history, hours, reasons
from tests.support.dump import dump
from tests.support.each_game import each_ruleset

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 3600}


def acted(person, game_id):
    """All actions so far: the seat of each, and who acted there."""
    return [
        (event["seat"], event["by"])
        for event in history(person, game_id)
        if event["kind"] == "action"
    ]


def test_the_fallback_is_played_when_time_runs_out(cast, hours):
    game_id = cast.start(pace=PACE)
    hours.later(59 * MINUTE)
    assert acted(cast.nobody, game_id) == []
    hours.later(MINUTE)
    assert acted(cast.nobody, game_id) == [(0, "timeout")]
    event = history(cast.bob, game_id)[-1]
    assert event["lines"][0]["line"] == "timeout"
    assert "Alice" in event["lines"][0]["words"]
    assert event["lines"][1]["line"] == "passed", "the fallback of this ruleset"
    assert due(cast.bob, game_id) == "2026-11-21T12:00:00.000Z"
    assert cast.bob.game(game_id)["seats"][0]["misses"] == 1


@pytest.mark.both_databases
def test_a_late_answer_counts_if_it_comes_before_the_time_out(cast, clock, hours):
    game_id = cast.start(pace=PACE)
    clock.forward(2 * HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    hours.later(0)
    assert acted(cast.nobody, game_id) == [(0, "seat")]
    assert cast.bob.game(game_id)["seats"][0]["misses"] == 0


def test_an_answer_after_the_time_out_is_refused(cast, hours):
    game_id = cast.start(pace=PACE)
    game = cast.alice.game(game_id)
    hours.later(HOUR)
    body = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    cast.alice.refused("POST", f"/api/games/{game_id}/actions", "other-answer", body)


@pytest.mark.both_databases
def test_a_house_player_takes_over_after_three_time_outs_in_a_row(cast, hours):
    game_id = cast.start(pace=PACE)
    while len(acted(cast.nobody, game_id)) < 8:
        person, game = cast.asked(game_id)
        if person is cast.alice:
            hours.later(HOUR)
        else:
            person.answer(game, {"type": "pass"})
            hours.look()
        seats = cast.bob.game(game_id)["seats"]
        if seats[0]["house"]:
            break
    assert acted(cast.nobody, game_id).count((0, "timeout")) == 3
    handover = next(e for e in history(cast.bob, game_id) if e["kind"] == "handover")
    assert (handover["seat"], handover["why"], handover["house"]) == (0, "timeouts", True)
    assert "Alice" in handover["lines"][0]["words"]
    game = cast.alice.game(game_id)
    assert (game["seat"], game["held"]) == (None, {"seat": 0, "back": True})
    seat = game["seats"][0]
    assert seat["reserve"] is None and seat["misses"] == 0


def miss(cast, hours, game_id, times):
    """Let alice miss this many of her turns; the others pass."""
    while times:
        seat = cast.bob.game(game_id)["waiting"][0]["seat"]
        if seat == 0:
            hours.later(HOUR)
            times -= 1
        else:
            person = cast.holders(game_id)[seat]
            person.answer(person.game(game_id), {"type": "pass"})
            hours.look()


@pytest.mark.parametrize(
    ("takeover", "misses", "gone"), [(1, 1, True), (2, 1, False), (0, 4, False)]
)
def test_each_table_sets_how_many_time_outs_lead_to_a_takeover(cast, hours, takeover, misses, gone):
    game_id = cast.start(pace=PACE, takeover=takeover)
    miss(cast, hours, game_id, misses)
    assert cast.bob.game(game_id)["seats"][0]["house"] == gone
    assert cast.bob.game(game_id)["takeover"] == takeover


@sqlite_only
def test_whoever_comes_back_to_a_seat_has_missed_nothing_there(cast, hours):
    game_id = cast.start(pace=PACE, takeover=3)
    miss(cast, hours, game_id, 1)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    assert cast.bob.game(game_id)["seats"][0]["misses"] == 0
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert cast.bob.game(game_id)["seats"][0]["misses"] == 0


def test_an_answer_in_time_resets_the_misses(cast, hours):
    game_id = cast.start(pace=PACE, takeover=2)
    miss(cast, hours, game_id, 1)
    while cast.bob.game(game_id)["waiting"][0]["seat"] != 0:
        person, game = cast.asked(game_id)
        person.answer(game, {"type": "pass"})
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    miss(cast, hours, game_id, 1)
    assert not cast.bob.game(game_id)["seats"][0]["house"]


@pytest.mark.both_databases
def test_time_entries_name_the_player_whose_time_it_was(cast, hours):
    game_id = cast.start(pace=PACE, takeover=1)
    hours.later(HOUR)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    entries = cast.bob.get(f"/api/games/{game_id}/clock?seat=0")["entries"][::-1]
    assert [entry["kind"] for entry in entries[:2]] == ["asked", "late"]
    assert entries[1]["words"] == "Alice ran out of time after 1 hour."
    assert all("House" not in entry["words"] for entry in entries if "Alice" in entry["words"])


def test_a_player_may_return_after_a_takeover(cast, hours):
    game_id = cast.start(pace=PACE, takeover=1)
    miss(cast, hours, game_id, 1)
    before = cast.bob.game(game_id)
    game = cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert (game["seat"], game["held"]) == (0, None)
    assert game["seats"][0]["tenure"] != before["seats"][0]["tenure"]
    assert history(cast.bob, game_id)[-1]["why"] == "returned"
    assert history(cast.bob, game_id)[-1]["lines"][0]["words"] == "Alice is back."
    assert game["nonces"] == before["nonces"] and game["head"] != before["head"]
    while cast.bob.game(game_id)["status"] == "running":
        person, game = cast.asked(game_id)
        person.answer(game)
    record = cast.alice.get(f"/api/games/{game_id}/record")
    assert verify(text(record).encode())


@pytest.mark.of_service
@pytest.mark.both_databases
def test_a_game_is_played_to_its_end_by_time_outs_alone(cast, hours):
    """With takeovers turned off, no house player steps in."""
    game_id = cast.start(pace=PACE, takeover=0)
    for _ in range(200):
        if not cast.nobody.game(game_id)["waiting"]:
            break
        hours.later(HOUR)
    assert cast.nobody.game(game_id)["status"] == "over"
    assert {by for _, by in acted(cast.nobody, game_id)} == {"timeout"}
    verify(text(cast.nobody.get(f"/api/games/{game_id}/record")).encode())


@sqlite_only
@each_ruleset
def test_every_ruleset_can_be_played_by_time_outs_alone(cast, hours, ruleset):
    """It plays for a while: the service accepts every fallback as an action."""
    game_id = cast.start(ruleset.slug, version=ruleset.version, pace=PACE, takeover=0)
    for _ in range(25):
        if cast.alice.game(game_id)["waiting"]:
            assert hours.later(HOUR)


def test_house_players_have_no_clock(cast, hours):
    game_id = cast.alice.post(
        "/api/games",
        {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None, "pace": PACE},
    )["id"]
    hours.look()
    game = cast.alice.game(game_id)
    assert [seat["reserve"] for seat in game["seats"]] == [None] * 3
    assert {entry["seat"] for entry in clock_of(cast, game_id)} == {game["seat"]}


def clock_of(cast, game_id):
    return cast.alice.get(f"/api/games/{game_id}/clock")["entries"]


def test_nobody_is_timed_out_while_the_table_is_paused(cast, hours):
    game_id = cast.start(pace=PACE)
    hours.later(10 * MINUTE)
    pause(cast, game_id, 20 * DAY)
    game = cast.alice.game(game_id)
    assert game["waiting"][0]["due"] is None and game["paused"]
    hours.later(10 * DAY)
    assert acted(cast.nobody, game_id) == []
    agree(cast, game_id, {"kind": "resume"})
    assert due(cast.bob, game_id) == "2026-12-01T11:00:00.000Z"
    hours.later(50 * MINUTE)
    assert acted(cast.nobody, game_id) == [(0, "timeout")]
    assert reasons(cast.bob, game_id, 0)[:3] == ["asked", "resumed", "late"]


def agree(cast, game_id, wish):
    """Let alice propose it and the others agree."""
    game = cast.alice.post(f"/api/games/{game_id}/proposals", wish)
    path = f"/api/games/{game_id}/proposals/{game['proposals'][-1]['id']}/votes"
    for person in (cast.bob, cast.carol):
        game = person.post(path, {"agrees": True}, status=200)
    return game


def pause(cast, game_id, ms):
    return agree(cast, game_id, {"kind": "pause", "seconds": ms // 1000})


def test_a_pause_ends_automatically(cast, hours):
    game_id = cast.start(pace=PACE)
    pause(cast, game_id, 2 * DAY)
    hours.later(DAY)
    assert cast.alice.game(game_id)["paused"]
    hours.later(DAY)
    game = cast.alice.game(game_id)
    assert game["paused"] is None
    assert game["waiting"][0]["due"] == "2026-11-23T11:00:00.000Z"
    assert [e["kind"] for e in history(cast.bob, game_id)][-2:] == ["pause", "resume"]


def test_a_worker_that_was_suspended_times_nobody_out(app, cast, clock, hours):
    """The process was suspended for hours between its heartbeat and the check for time-outs."""
    game_id = cast.start(pace=PACE)
    services = app.extensions["tegami"]
    deadlines = Deadlines(services)
    with app.app_context():
        deadlines.beat()
        clock.forward(5 * HOUR)
        assert deadlines.time_out_all() == 0
    hours.look()
    assert acted(cast.nobody, game_id) == []
    assert due(cast.alice, game_id) == "2026-11-21T16:00:00.000Z"


@pytest.mark.both_databases
def test_an_unattended_game_is_closed_after_14_days(cast, hours):
    game_id = cast.start(pace=PACE)
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    number = cast.nobody.game(game_id)["number"]
    hours.later(13 * DAY)
    game = cast.nobody.game(game_id)
    assert (game["status"], game["number"]) == ("running", number), "house players do not play on"
    hours.later(DAY)
    game = cast.nobody.game(game_id)
    assert (game["status"], game["result"]["reason"]) == ("over", "abandoned")
    assert game["result"]["winners"] == [] and game["legal"] == []
    verify(text(cast.nobody.get(f"/api/games/{game_id}/record")).encode())


def test_a_player_who_returns_within_14_days_keeps_the_game_open(cast, hours):
    game_id = cast.start(pace=PACE)
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    hours.later(13 * DAY)
    cast.bob.post(f"/api/games/{game_id}/return", status=200)
    hours.later(0)
    game = cast.bob.game(game_id)
    assert game["status"] == "running" and game["legal"]
    hours.later(2 * DAY)
    result = cast.bob.game(game_id)["result"]
    assert result is None or result["reason"] != "abandoned"


def test_the_worker_changes_nothing_when_nothing_is_due(app, cast, hours):
    cast.start(pace="weekly")
    hours.look()
    stored = dump(app)
    assert hours.look() == 0
    assert dump(app) == stored


@sqlite_only
def test_what_has_changed_since_the_worker_looked_is_left_alone(app, cast, clock):
    """The worker finds what is due, and then others are quicker."""
    services = app.extensions["tegami"]

    def left_alone(game_id):
        with app.app_context():
            return not (
                timeouts.time_out_seat(services, game_id, 0)
                or timeouts.end_pause(services, game_id)
                or timeouts.close_deserted(services, game_id)
            )

    game_id = cast.start(pace=PACE)
    clock.forward(HOUR - 1)
    assert left_alone(game_id), "it is not time yet"
    pause(cast, game_id, DAY)
    clock.forward(DAY - 1)
    assert left_alone(game_id), "the table pauses"
    clock.forward(1)
    assert not left_alone(game_id)
    assert cast.alice.game(game_id)["paused"] is None
    assert left_alone(game_id)
    cast.alice.answer(cast.alice.game(game_id))
    clock.forward(DAY)
    assert left_alone(game_id), "it is somebody else's turn"
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    clock.forward(timeouts.DESERTED_AFTER - 1)
    assert left_alone(game_id), "somebody was there until lately"
    clock.forward(1)
    with app.app_context():
        assert timeouts.close_deserted(services, game_id)
    assert left_alone(game_id), "it is over"
