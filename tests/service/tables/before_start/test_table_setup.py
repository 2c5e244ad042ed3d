"""Opening a table, sitting down, leaving, adding house players, starting."""

from __future__ import annotations

import pytest

import rules
from service.core.counts.attempt_counts import Attempt
from service.core.database.database import db
from service.tables.before_start import departures, table_setup
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, SECOND, history, hours
from tests.support.dump import dump, execute
from tests.support.queueing import spent
from tests.support.talking import say

__all__ = ["hours"]


def names(game):
    return [seat["name"] for seat in game["seats"]]


def test_the_opener_sits_down_as_host(cast):
    answer = cast.alice.send("POST", "/api/games", json={"ruleset": BOOMERANG})
    game = answer.json
    assert answer.headers["Location"] == f"/api/games/{game['id']}"
    assert game["status"] == "open"
    assert (game["seating"], game["start"], game["private"]) == ("random", "host", False)
    (seat,) = game["seats"]
    assert seat["you"] and seat["seat"] is None and not seat["house"]
    assert game["host"] == game["tenure"] == seat["tenure"]
    assert game["view"] is game["asked"] is game["head"] is game["result"] is None
    assert (game["number"], game["legal"], game["waiting"]) == (0, [], [])


@sqlite_only
@pytest.mark.parametrize("slug", rules.slugs())
def test_omitted_settings_have_their_defaults(cast, slug):
    game = cast.alice.post("/api/games", {"ruleset": slug})
    ruleset = rules.load(slug)
    assert game["players"] == ruleset.players[0]
    assert game["options"] == ruleset.settle(game["players"], {})
    assert game["ruleset"]["version"] == ruleset.version
    assert (game["takeover"], game["pace"]["kind"]) == (3, "none")


@sqlite_only
def test_chosen_options_are_kept(cast):
    game = cast.alice.post("/api/games", {"ruleset": CARAVAN, "options": {"joker": "both"}})
    assert game["options"] == {"joker": "both"}


@pytest.mark.both_databases
def test_people_sit_down_until_the_table_is_full(cast):
    game_id = cast.open()
    for person in (cast.bob, cast.carol):
        game = person.post(f"/api/games/{game_id}/seats", {})
    assert names(game) == ["Alice", "Bob", "Carol"]
    assert [seat["you"] for seat in game["seats"]] == [False, False, True]
    cast.mallory.refused("POST", f"/api/games/{game_id}/seats", "table-full", {})
    cast.bob.refused("POST", f"/api/games/{game_id}/seats", "already-seated", {})


def test_the_host_starts_the_game_when_every_seat_is_taken(cast):
    game_id = cast.open()
    start = f"/api/games/{game_id}/start"
    cast.alice.refused("POST", start, "not-full")
    for person in (cast.bob, cast.carol):
        person.post(f"/api/games/{game_id}/seats", {})
    cast.bob.refused("POST", start, "not-host")
    cast.mallory.refused("POST", start, "not-host")
    game = cast.alice.post(start, status=200)
    assert game["status"] == "running" and game["started_at"]
    assert [seat["seat"] for seat in game["seats"]] == [0, 1, 2]
    assert names(game) == ["Alice", "Bob", "Carol"]
    assert game["waiting"] and game["legal"] and game["head"]
    for path in ("start", "seats"):
        cast.alice.refused("POST", f"/api/games/{game_id}/{path}", "not-open")


@sqlite_only
def test_the_seats_are_drawn_unless_the_host_wants_their_order(cast):
    tables = [
        cast.open(CARAVAN, house=1, seating=how) for how in ("order", "random") for _ in "abcd"
    ]
    seats = [cast.alice.post(f"/api/games/{each}/start", status=200)["seat"] for each in tables]
    assert (set(seats[:4]), set(seats[4:])) == ({0}, {0, 1})


@sqlite_only
def test_house_players_move_as_soon_as_the_game_has_started(cast, hours):
    game_id = cast.open(CARAVAN, house=1)
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    hours.look()
    game = cast.bob.game(game_id)
    assert [each["seat"] for each in game["waiting"]] == [0]
    assert [each["seat"] for each in history(cast.bob, game_id) if each["kind"] == "action"] == [1]


@sqlite_only
def test_clocks_begin_with_the_game_and_only_of_who_is_waited_for(cast, clock):
    pace = {"kind": "reserve", "reserve": 86_400, "increment": 3600, "cap": 86_400}
    game_id = cast.open(pace=pace)
    clock.forward(DAY)
    cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, status=200)
    told = cast.alice.get(f"/api/games/{game_id}/clock")
    assert [(each["seat"], each["kind"]) for each in told["entries"]] == [(0, "asked")]


def test_a_table_may_start_automatically_when_it_is_full(cast):
    game_id = cast.open(CARAVAN, start="full")
    game = cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert game["status"] == "running"
    assert game["legal"] and game["seat"] == 1
    cast.carol.refused("POST", f"/api/games/{game_id}/seats", "not-open", {})


def test_a_table_filled_with_house_players_starts_at_once(cast):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None}
    game = cast.alice.post("/api/games", wish)
    assert game["status"] == "running"
    house = [seat for seat in game["seats"] if seat["house"]]
    assert len(house) == 2 and len({seat["name"] for seat in house}) == 2


def test_only_the_host_adds_and_removes_house_players(cast):
    game_id = cast.open()
    seats = f"/api/games/{game_id}/seats"
    cast.bob.refused("POST", seats, "not-host", {"house": True})
    game = cast.alice.post(seats, {"house": True})
    assert [seat["house"] for seat in game["seats"]] == [False, True]
    house = game["seats"][1]["tenure"]
    cast.bob.refused("DELETE", f"{seats}/{house}", "not-host")
    cast.alice.delete(f"{seats}/{house}")
    assert len(cast.alice.game(game_id)["seats"]) == 1
    cast.alice.refused("DELETE", f"{seats}/{house}", "not-found")


def test_a_player_who_has_left_may_sit_down_again(cast):
    game_id = cast.open()
    seats = f"/api/games/{game_id}/seats"
    first = cast.bob.post(seats, {"nonce": "ab" * 8})
    brought = [{"tenure": first["tenure"], "nonce": "ab" * 8}]
    cast.bob.delete(f"{seats}/{first['tenure']}")
    left = cast.bob.game(game_id)
    assert (left["tenure"], len(left["seats"]), left["nonces"]) == (None, 1, brought)
    again = cast.bob.post(seats, {})
    assert again["tenure"] != first["tenure"]
    assert again["nonces"] == brought, "nothing that somebody brought is taken back"


@pytest.mark.both_databases
def test_who_sits_down_and_leaves_again_and_again_has_to_wait(app, cast, clock):
    """This holds even if requests are not limited: each time is stored, and everybody at the table is told."""
    game_id = cast.open()

    def sit_and_leave(person, at=game_id):
        game = person.post(f"/api/games/{at}/seats", {})
        person.delete(f"/api/games/{at}/seats/{game['tenure']}")

    for _ in range(table_setup.AT_A_TABLE.most):
        sit_and_leave(cast.bob)
    before = dump(app)
    problem = cast.bob.refused("POST", f"/api/games/{game_id}/seats", "too-many-requests", {})
    assert problem["status"] == 429
    assert dump(app) == before
    sit_and_leave(cast.carol)
    sit_and_leave(cast.bob, cast.open())
    clock.forward(table_setup.AT_A_TABLE.window)
    sit_and_leave(cast.bob)


def test_who_is_refused_a_seat_has_not_sat_down(cast):
    full = cast.open("caravan", house=1, start="host")
    for _ in range(table_setup.AT_A_TABLE.most + 1):
        cast.bob.refused("POST", f"/api/games/{full}/seats", "table-full", {})


def test_house_players_come_and_go_so_often_and_not_more(app, cast):
    game_id = cast.open()
    spent(
        app,
        Attempt(table_setup.HOUSE_AT_A_TABLE, game_id),
        table_setup.HOUSE_AT_A_TABLE.most - 1,
    )
    path = f"/api/games/{game_id}/seats"
    game = cast.alice.post(path, {"house": True})
    house = next(each["tenure"] for each in game["seats"] if each["house"])
    cast.alice.delete(f"{path}/{house}")
    cast.alice.refused("POST", path, "too-many-requests", {"house": True})


def test_only_the_host_can_remove_somebody_else(cast):
    game_id = cast.open()
    seats = f"/api/games/{game_id}/seats"
    bob = cast.bob.post(seats, {})["tenure"]
    carol = cast.carol.post(seats, {})["tenure"]
    cast.bob.refused("DELETE", f"{seats}/{carol}", "not-host")
    cast.mallory.refused("DELETE", f"{seats}/{carol}", "not-host")
    cast.alice.delete(f"{seats}/{bob}")
    assert names(cast.alice.game(game_id)) == ["Alice", "Carol"]


@pytest.mark.both_databases
def test_the_person_who_has_sat_longest_becomes_host(cast):
    game_id = cast.open(house=1)
    seats = f"/api/games/{game_id}/seats"
    bob = cast.bob.post(seats, {})["tenure"]
    cast.alice.delete(f"{seats}/{cast.alice.game(game_id)['tenure']}")
    game = cast.bob.game(game_id)
    assert game["host"] == bob
    cast.carol.post(seats, {})
    cast.bob.post(f"/api/games/{game_id}/start", status=200)


@pytest.mark.both_databases
def test_the_table_is_deleted_when_the_last_person_leaves(app, cast):
    game_id = cast.open(house=1)
    tenure = cast.alice.game(game_id)["tenure"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    cast.alice.refused("GET", f"/api/games/{game_id}", "not-found")
    assert cast.alice.get("/api/games")["games"] == []
    assert execute(app, "SELECT * FROM tenures") == []


def test_nobody_can_leave_or_be_removed_after_the_start(cast):
    game_id = cast.start()
    tenure = cast.bob.game(game_id)["tenure"]
    cast.bob.refused("DELETE", f"/api/games/{game_id}/seats/{tenure}", "not-open")
    cast.alice.refused("DELETE", f"/api/games/{game_id}/seats/{tenure}", "not-open")


@sqlite_only
def test_a_table_expires_only_when_its_time_is_over(app, cast, clock, runtime):
    """At a wrong time the step says so and does nothing, whoever asks."""
    cast.start()
    game_id = cast.open()
    clock.forward(14 * DAY - 1)
    stored = dump(app)

    def expire():
        with app.app_context():
            late = db.session.scalars(departures.expired_tables(clock())).all()
            db.session.rollback()
            return late, departures.expire(runtime, game_id)

    assert expire() == ([], False) and dump(app) == stored
    clock.forward(1)
    assert expire() == ([game_id], True)
    assert expire() == ([], False)


@sqlite_only
def test_visitors_may_look_but_must_sign_in_to_do_anything(cast):
    game_id = cast.open()
    assert cast.nobody.game(game_id)["seats"][0]["name"] == "Alice"
    for method, path in (
        ("POST", "/api/games"),
        ("POST", f"/api/games/{game_id}/seats"),
        ("POST", f"/api/games/{game_id}/start"),
        ("POST", f"/api/games/{game_id}/actions"),
        ("DELETE", f"/api/games/{game_id}/seats/{cast.alice.game(game_id)['tenure']}"),
    ):
        cast.nobody.refused(method, path, "not-signed-in")


@pytest.mark.both_databases
def test_every_change_of_a_table_raises_its_revision(cast):
    game_id = cast.open()
    seats, revisions = f"/api/games/{game_id}/seats", [cast.alice.game(game_id)["revision"]]
    for change in (
        lambda: cast.bob.post(seats, {}),
        lambda: cast.alice.post(seats, {"house": True}),
        lambda: cast.bob.delete(f"{seats}/{cast.bob.game(game_id)['tenure']}"),
        lambda: cast.carol.post(seats, {}),
        lambda: cast.alice.post(f"/api/games/{game_id}/start", status=200),
    ):
        change()
        revisions.append(cast.alice.game(game_id)["revision"])
    assert revisions == sorted(set(revisions))


def test_the_host_can_start_with_house_players_in_the_free_places(cast):
    game_id = cast.open()
    start = f"/api/games/{game_id}/start"
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.refused("POST", start, "not-full", {})
    cast.bob.refused("POST", start, "not-host", {"house": True})
    game = cast.alice.post(start, {"house": True}, status=200)
    assert [seat["house"] for seat in game["seats"]] == [False, False, True]
    assert game["status"] == "running"
    cast.alice.refused("POST", start, "not-open", {"house": True})


def test_house_players_may_fill_a_table_that_starts_when_full(cast):
    game_id = cast.open(start="full")
    game = cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, status=200)
    assert (game["status"], game["number"] > 0, len(game["seats"])) == ("running", True, 3)


@pytest.mark.both_databases
def test_a_table_that_does_not_start_is_deleted_after_two_weeks(cast, hours):
    running, waiting = cast.start(), cast.open()
    say(cast.alice, waiting, "Is anybody there?")
    hours.later(14 * DAY - SECOND)
    later = cast.open()
    cast.alice.game(waiting)
    hours.later(SECOND)
    cast.alice.refused("GET", f"/api/games/{waiting}", "not-found")
    assert cast.alice.game(later)["status"] == "open"
    assert cast.alice.game(running)["status"] == "running"


def test_a_table_that_has_just_started_does_not_expire(app, cast, clock, runtime):
    game_id = cast.open(CARAVAN)
    clock.forward(14 * DAY)
    with app.app_context():
        late = list(db.session.scalars(departures.expired_tables(clock())))
        db.session.rollback()
    assert late == [game_id]
    cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, status=200)
    with app.app_context():
        assert departures.expire(runtime, game_id) is False
    assert cast.alice.game(game_id)["status"] == "running"
