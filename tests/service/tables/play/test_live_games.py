"""A game that is played live: everybody says that they are there, all act at once, and an outside clock ends it."""

from __future__ import annotations

import pytest

from service.log.verification.verify_record import verify
from tests.support.cast import sqlite_only
from tests.support.clock import HOUR, SECOND, history, hours
from tests.support.post_office import Office

__all__ = ["hours"]

LIVE = {
    "ruleset": "2459n",
    "players": 3,
    "options": {"tempo": "live", "minutes": 0.5},
    "seating": "order",
}
HALF_A_MINUTE = 30 * SECOND


@pytest.fixture
def table(cast):
    """The id of a full table at which everybody is asked whether they are there."""
    made = cast.alice.post("/api/games", LIVE)
    for person in (cast.bob, cast.carol):
        person.post(f"/api/games/{made['id']}/seats", {})
    return made["id"]


@pytest.fixture
def game_id(cast, table, clock):
    """The id of a game that began half a second ago."""
    for person in cast.seated:
        ready(person, table)
    clock.forward(SECOND // 2)
    return table


def ready(person, game_id):
    return person.post(f"/api/games/{game_id}/ready", status=200)


def draw(person, game_id, at=None):
    """The request that draws a card: the first one, or the one at a position."""
    game = person.game(game_id)
    wanted = (each["action"] for each in game["legal"] if at in (None, each["action"].get("at")))
    return {"asked": game["asked"], "action": next(wanted)}


@pytest.mark.both_databases
def test_it_begins_when_everybody_has_said_that_they_are_there(cast, table, hours):
    game = cast.alice.game(table)
    assert game["status"] == "open"
    assert game["live"]["ready_until"] == "2026-11-21T10:01:00.000Z"
    ready(cast.bob, table)
    assert ready(cast.bob, table)["status"] == "open", "saying it twice changes nothing"
    there = {cast.alice.game(table)["seats"][n]["tenure"] for n in (1, 2)}
    assert set(ready(cast.carol, table)["live"]["ready"]) == there
    game = ready(cast.alice, table)
    assert (game["status"], game["live"]["clock_due"]) == ("running", "2026-11-21T10:00:30.000Z")
    assert game["waiting"] == [] and game["legal"]
    hours.later(HALF_A_MINUTE - 1)
    assert cast.alice.game(table)["status"] == "running"
    hours.later(1)
    game = cast.alice.game(table)
    assert game["status"] == "over"
    assert game["result"]["reason"] in ("time-up", "mascot")
    assert game["live"]["clock_due"] is None
    assert history(cast.alice, table)[-1]["kind"] == "clock"
    verify(cast.alice.send("GET", f"/api/games/{table}/record").data)


@sqlite_only
def test_whoever_says_nothing_loses_the_place_and_the_others_keep_theirs(cast, table, hours):
    for person in (cast.alice, cast.carol):
        ready(person, table)
    hours.later(60 * SECOND)
    game = cast.alice.game(table)
    assert [each["name"] for each in game["seats"]] == ["Alice", "Carol"]
    assert (game["status"], game["live"]["ready_until"]) == ("open", None)
    cast.carol.refused("POST", f"/api/games/{table}/ready", "not-possible")
    cast.mallory.post(f"/api/games/{table}/seats", {})
    game = cast.alice.game(table)
    assert game["live"]["ready_until"] == "2026-11-21T10:02:00.000Z"
    assert game["live"]["ready"] == [], "everybody is asked anew"
    for person in (cast.alice, cast.carol, cast.mallory):
        game = ready(person, table)
    assert game["status"] == "running"


@sqlite_only
def test_where_nobody_says_anything_nobody_stays(cast, table, hours):
    hours.later(60 * SECOND)
    cast.alice.get(f"/api/games/{table}", 404)


@sqlite_only
def test_the_lobby_has_only_tables_of_people_who_are_here_now(cast, hours):
    made = cast.alice.post("/api/games", LIVE)
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    for _ in range(5):
        hours.later(60 * SECOND)
        cast.bob.game(made["id"])
    game = cast.mallory.get("/api/games?status=open")["games"][0]
    assert game["names"] == ["Bob"], "Alice has not been seen for five minutes"
    hours.later(240 * SECOND)
    assert cast.mallory.get("/api/games?status=open")["games"] == []


@sqlite_only
def test_one_who_leaves_ends_the_check(cast, table):
    ready(cast.alice, table)
    carol = cast.carol.game(table)["tenure"]
    cast.carol.send("DELETE", f"/api/games/{table}/seats/{carol}")
    game = cast.alice.game(table)
    assert game["live"] == {"ready": [], "ready_until": None, "clock_due": None}
    cast.alice.refused("POST", f"/api/games/{table}/start", "not-full")


@sqlite_only
def test_only_those_at_the_table_are_asked(cast, table):
    cast.mallory.refused("POST", f"/api/games/{table}/ready", "not-seated")
    found = cast.alice.refused("POST", f"/api/games/{table}/start", "not-full")
    assert "begins automatically" in found["detail"]


@pytest.mark.both_databases
def test_all_act_at_once_and_nobody_is_stale_because_of_the_others(cast, game_id):
    sent = {person: draw(person, game_id, at) for at, person in enumerate(cast.seated)}
    for person, body in sent.items():
        person.post(f"/api/games/{game_id}/actions", body)
        assert person.post(f"/api/games/{game_id}/actions", body, status=200), "the same again"
    taken = draw(cast.bob, game_id)["asked"], {"type": "draw", "at": 0}
    assert cast.bob.game(game_id)["number"] == 5, "start, shuffle and three draws"
    assert taken


@sqlite_only
def test_of_two_who_reach_for_a_card_the_first_gets_it(cast, game_id):
    late = draw(cast.bob, game_id, 7)
    cast.alice.post(f"/api/games/{game_id}/actions", draw(cast.alice, game_id, 7))
    path = f"/api/games/{game_id}/actions"
    assert cast.bob.refused("POST", path, "illegal-action", late)["status"] == 422
    cast.bob.post(path, {**late, "action": {"type": "draw", "at": 8}})


@pytest.mark.both_databases
def test_there_is_half_a_second_between_two_actions_of_a_seat(cast, game_id, clock):
    path = f"/api/games/{game_id}/actions"
    cast.alice.post(path, draw(cast.alice, game_id))
    again = draw(cast.alice, game_id)
    clock.forward(SECOND // 2 - 1)
    answer = cast.alice.send("POST", path, json=again)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    cast.bob.post(path, draw(cast.bob, game_id, 20))
    assert cast.alice.send("POST", path, json=again).status_code == 429, "others are no matter"
    clock.forward(1)
    cast.alice.post(path, again)


@sqlite_only
def test_nobody_acts_right_after_the_start(cast, table):
    for person in cast.seated:
        ready(person, table)
    answer = cast.alice.send("POST", f"/api/games/{table}/actions", json=draw(cast.alice, table))
    assert answer.status_code == 429


@sqlite_only
def test_what_comes_after_the_end_is_too_late_also_before_a_worker_looks(cast, game_id, clock):
    body = draw(cast.alice, game_id)
    clock.forward(HALF_A_MINUTE - SECOND // 2)
    cast.alice.refused("POST", f"/api/games/{game_id}/actions", "not-running", body)


@sqlite_only
def test_whoever_comes_back_plays_on(cast, game_id, clock):
    """A browser that has lost its connection asks again, and gets the same question as before."""
    before = draw(cast.alice, game_id)
    cast.bob.post(f"/api/games/{game_id}/actions", draw(cast.bob, game_id, 30))
    clock.forward(10 * SECOND)
    assert cast.alice.game(game_id)["asked"] == before["asked"]
    cast.alice.post(f"/api/games/{game_id}/actions", before)


@sqlite_only
def test_nobody_is_reminded_or_timed_out(app, cast, game_id, hours):
    game = cast.alice.game(game_id)
    assert all(each["reserve"] is None for each in game["seats"])
    hours.later(HALF_A_MINUTE)
    told = history(cast.alice, game_id)
    assert {each["kind"] for each in told} == {"start", "chance", "clock"}


@sqlite_only
def test_an_outage_is_given_back(cast, game_id, hours):
    hours.outage(HOUR)
    assert cast.alice.game(game_id)["live"]["clock_due"] > "2026-11-21T11:00:00"
    assert cast.alice.game(game_id)["status"] == "running"
    hours.later(HALF_A_MINUTE)
    assert cast.alice.game(game_id)["status"] == "over"


@sqlite_only
def test_nothing_is_taken_back_there_and_no_order_left(cast, game_id):
    """All act at once: the others have already gone on."""
    path = f"/api/games/{game_id}"
    body = draw(cast.alice, game_id)
    number = cast.alice.post(f"{path}/actions", body)["number"]
    assert cast.alice.game(game_id)["take_back"] is None
    for more in ({}, {"action": cast.alice.game(game_id)["legal"][0]["action"]}):
        body = {"event": number, **more}
        cast.alice.refused("POST", f"{path}/take-back", "not-possible", body)
    wish = {"kind": "takeback", "event": number}
    cast.alice.refused("POST", f"{path}/proposals", "not-possible", wish)
    shown = cast.alice.game(game_id)
    order = {"asked": shown["asked"], "order": {"action": shown["legal"][0]["action"]}}
    assert cast.alice.get(f"{path}/orders")["offers"] == []
    cast.alice.refused("POST", f"{path}/orders", "not-possible", order)
    assert cast.alice.game(game_id)["number"] == number


@sqlite_only
@pytest.mark.parametrize(
    "wish", [{"house": 1}, {"pace": "daily"}, {"rest": {"time_zone": "UTC", "days": [7]}}]
)
def test_it_is_for_people_and_has_its_own_clock(cast, wish):
    cast.alice.refused("POST", "/api/games", "invalid-options", {**LIVE, **wish})


@sqlite_only
def test_no_house_player_sits_down_and_nobody_pauses(cast, table, game_id):
    body = {"kind": "pause", "seconds": 60}
    found = cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "not-possible", body)
    assert "live" in found["detail"]
    made = cast.bob.post("/api/games", LIVE)
    path = f"/api/games/{made['id']}"
    found = cast.bob.refused("POST", f"{path}/seats", "invalid-body", {"house": True})
    assert found["errors"].keys() == {"house"}
    cast.bob.refused("POST", f"{path}/start", "not-full", {"house": True})


WISH = "/api/me/live-wishes/2459n"


@pytest.mark.both_databases
def test_whoever_wishes_it_is_told_once_when_two_others_wait(app, cast):
    office = Office(app)
    office.address(cast.mallory, cast.carol)
    for person in (cast.mallory, cast.carol):
        person.put(WISH, None)
    made = cast.alice.post("/api/games", LIVE)
    assert office.deliver() == []
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    assert {str(each["To"]) for each in office.deliver()} == {
        "mallory@example.org",
        "carol@example.org",
    }
    cast.bob.send("DELETE", f"/api/games/{made['id']}/seats/{cast.bob.game(made['id'])['tenure']}")
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    assert office.deliver() == [], "a wish leads to one mail"
    assert cast.carol.get("/api/me/live-wishes") == {"live_wishes": []}


@sqlite_only
def test_nobody_is_told_of_a_table_from_which_a_block_keeps_them_apart(app, cast):
    office = Office(app)
    office.address(cast.carol)
    game_id = cast.open()
    tenure = cast.alice.game(game_id)["tenure"]
    cast.carol.post("/api/me/blocks", {"game": game_id, "tenure": tenure})
    cast.carol.put(WISH, None)
    made = cast.alice.post("/api/games", LIVE)
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    assert office.deliver() == []
    assert len(cast.carol.get("/api/me/live-wishes")["live_wishes"]) == 1


@sqlite_only
def test_a_wish_ends(cast, clock):
    made = cast.alice.put(WISH, None)["live_wish"]
    until = {"ends_at": "2026-11-21T13:00:00.000Z", "told": False}
    assert made == {"ruleset": "2459n", "name": "2459n!", **until}
    clock.forward(HOUR)
    assert cast.alice.put(WISH, None)["live_wish"]["ends_at"] == "2026-11-21T14:00:00.000Z"
    assert cast.alice.get("/api/me/export")["live_wishes"] == [
        {"ruleset": "2459n", "ends_at": "2026-11-21T14:00:00.000Z"}
    ]
    clock.forward(3 * HOUR)
    assert cast.alice.get("/api/me/live-wishes") == {"live_wishes": []}
    cast.alice.put(WISH, None)
    for _ in range(2):
        assert cast.alice.send("DELETE", WISH).status_code == 204
    assert cast.alice.get("/api/me/live-wishes") == {"live_wishes": []}
    cast.alice.refused("PUT", "/api/me/live-wishes/caravan", "not-found")
    cast.alice.refused("DELETE", "/api/me/live-wishes/caravan", "not-found")
