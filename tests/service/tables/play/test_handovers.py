"""A seat changes hands: its former holder can do nothing for it any more, but still sees its past."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.core.database.database import transaction
from service.log.verification.verify_record import verify
from service.outbox import queue
from service.tables.play import leaving
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import HOUR, history, hours
from tests.support.closing import close_by_operator
from tests.support.dump import dump, execute
from tests.support.post_office import Office
from tests.support.proposing import registered

__all__ = ["hours"]


@pytest.fixture
def game_id(cast):
    return cast.start(pace="daily")


def resign(person, game_id):
    return person.post(f"/api/games/{game_id}/resignation", status=200)


def return_to(person, game_id):
    return person.post(f"/api/games/{game_id}/return", status=200)


def substitute(cast, newcomer, game_id, seat, voters):
    """`newcomer`, who has registered, proposes to take over this seat, and all voters agree."""
    if newcomer.get("/api/me")["player"]["guest"]:
        registered(newcomer)
    wish = {"kind": "substitute", "seat": seat}
    game = newcomer.post(f"/api/games/{game_id}/proposals", wish)
    path = f"/api/games/{game_id}/proposals"
    for person in voters:
        proposal = person.get(path)["proposals"][-1]
        game = person.post(f"{path}/{proposal['id']}/votes", {"agrees": True}, status=200)
    return newcomer.game(game_id) if voters else game


def hand(game, seat):
    zones = [z for z in game["view"]["zones"] if z["kind"] == "hand" and z["seat"] == seat]
    return zones[0]


def plain(game):
    """A game without the part that concerns only the caller."""
    return {key: value for key, value in game.items() if key != "held"}


@pytest.mark.both_databases
def test_a_house_player_takes_the_seat_of_a_player_who_resigns(cast, game_id, hours):
    game = resign(cast.alice, game_id)
    assert game["status"] == "running"
    assert (game["seat"], game["tenure"], game["asked"], game["legal"]) == (None, None, None, [])
    assert game["held"] == {"seat": 0, "back": True}
    assert game["seats"][0]["house"] and not game["seats"][0]["you"]
    last = history(cast.bob, game_id)[-1]
    assert (last["kind"], last["seat"], last["why"], last["house"]) == (
        "handover",
        0,
        "resigned",
        True,
    )
    assert last["lines"][0]["words"].startswith("Alice has resigned.")
    hours.look()
    assert cast.bob.game(game_id)["legal"], "the house player has made its move"


def test_the_former_holder_loses_access_to_the_seat_at_once(cast, game_id):
    """This holds for cookies and bearer tokens alike, and for moves from a page that is still open."""
    for person, seat in ((cast.alice, 0), (cast.bob, 1)):
        before = person.game(game_id)
        resign(person, game_id)
        after = person.game(game_id)
        assert plain(after) == plain(cast.nobody.game(game_id))
        assert "cards" in hand(before, seat) and "cards" not in hand(after, seat)
        move = {"asked": before["asked"], "action": {"type": "pass"}}
        person.refused("POST", f"/api/games/{game_id}/actions", "not-seated", move)
        for path, body in (
            ("resignation", None),
            ("proposals", {"kind": "pause", "seconds": 60}),
        ):
            person.refused("POST", f"/api/games/{game_id}/{path}", "not-seated", body)
        turns = person.get("/api/me/turns")["turns"]
        assert turns == []


def test_the_next_poll_of_an_open_page_shows_the_handover(cast, game_id):
    tags = {}
    for person in (cast.alice, cast.bob):
        tags[person] = person.send("GET", f"/api/games/{game_id}").headers["ETag"]
    resign(cast.alice, game_id)
    for person, tag in tags.items():
        answer = person.send("GET", f"/api/games/{game_id}", headers={"If-None-Match": tag})
        assert answer.status_code == 200
    again = cast.alice.send("GET", f"/api/games/{game_id}")
    same = {"If-None-Match": again.headers["ETag"]}
    assert cast.alice.send("GET", f"/api/games/{game_id}", headers=same).status_code == 304
    assert again.headers["ETag"] != cast.nobody.send("GET", f"/api/games/{game_id}").headers["ETag"]


def test_an_etag_from_before_is_not_reused_after_returning(cast, game_id):
    tag = cast.alice.send("GET", f"/api/games/{game_id}").headers["ETag"]
    resign(cast.alice, game_id)
    return_to(cast.alice, game_id)
    answer = cast.alice.send("GET", f"/api/games/{game_id}", headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert answer.json["seat"] == 0


@pytest.mark.both_databases
def test_mails_that_are_still_queued_are_cancelled(app, cast, game_id, runtime):
    tenure = cast.alice.game(game_id)["tenure"]
    with app.app_context(), transaction():
        for key, of in (("one", tenure), ("two", cast.bob.game(game_id)["tenure"])):
            queue.put(runtime, "turn", key, run_at=0, tenure_id=of)
    resign(cast.alice, game_id)
    left = execute(app, "SELECT key, outcome FROM outbox WHERE key IN ('one', 'two') ORDER BY key")
    assert [tuple(row) for row in left] == [("one", "cancelled"), ("two", None)]


def test_the_former_holder_still_sees_the_past_of_the_seat(cast):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=4)
    mine = history(cast.alice, game_id)
    everybodys = history(cast.nobody, game_id)
    assert mine != everybodys, "a seat sees more than a spectator"
    number = cast.alice.game(game_id)["number"]
    resign(cast.alice, game_id)
    assert history(cast.alice, game_id)[:number] == mine


@sqlite_only
def test_the_former_holder_sees_later_events_as_everybody_does(cast, hours):
    """The game tells the seat itself cards that nobody else sees."""
    game_id = cast.start("2459n", players=3, pace="daily")
    cast.play(game_id, most=5)
    number = cast.alice.game(game_id)["number"]
    mine = history(cast.alice, game_id)
    resign(cast.alice, game_id)
    hours.look()
    for _ in range(6):
        person = next(p for p in (cast.bob, cast.carol) if p.game(game_id)["legal"])
        person.answer(person.game(game_id))
        hours.look()
    then = history(cast.alice, game_id)
    assert then[:number] == mine
    assert then[number]["lines"][0]["words"].startswith("You have resigned.")
    assert then[number + 1 :] == history(cast.nobody, game_id)[number + 1 :]
    return_to(cast.alice, game_id)
    of_the_seat = history(cast.alice, game_id)[: len(then)]
    assert of_the_seat[number:] != then[number:], "the seat was told more"


def test_events_name_the_holder_of_that_time(cast, game_id, hours):
    """Events before a handover still name Alice."""
    cast.alice.answer(cast.alice.game(game_id))
    resign(cast.alice, game_id)
    hours.look()
    events = history(cast.bob, game_id)
    assert any("Alice" in line["words"] for line in events[2]["lines"])
    name = cast.bob.game(game_id)["seats"][0]["name"]
    assert events[3]["lines"][0]["words"] == (
        f"Alice has resigned. From here on {name} (house player, normal) plays instead."
    )


def test_a_returning_player_sees_all_of_the_seat_again(cast, game_id, hours):
    resign(cast.alice, game_id)
    hours.look()
    game = return_to(cast.alice, game_id)
    assert (game["seat"], game["held"]) == (0, None)
    assert "cards" in hand(game, 0)
    assert game["seats"][0]["name"] == "Alice" and not game["seats"][0]["house"]
    cast.alice.refused("POST", f"/api/games/{game_id}/return", "not-possible")


def test_only_a_player_who_gave_up_a_seat_can_return_to_it(cast, game_id):
    for person in (cast.alice, cast.mallory):
        person.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    resign(cast.alice, game_id)
    for person in (cast.bob, cast.mallory):
        person.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    cast.nobody.refused("POST", f"/api/games/{game_id}/return", "not-signed-in")
    open_id = cast.open()
    cast.alice.refused("POST", f"/api/games/{open_id}/return", "not-running")
    cast.alice.refused("POST", f"/api/games/{open_id}/resignation", "not-running")


def test_the_former_holder_cannot_return_after_a_substitution(cast, game_id):
    resign(cast.alice, game_id)
    game = substitute(cast, cast.mallory, game_id, 0, (cast.bob, cast.carol))
    assert game["seat"] == 0 and "cards" in hand(game, 0)
    assert game["seats"][0]["name"] == "Mallory"
    assert cast.alice.game(game_id)["held"] == {"seat": 0, "back": False}
    cast.alice.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    assert history(cast.bob, game_id)[-1]["why"] == "substitute"
    events = history(cast.mallory, game_id)
    assert events[1]["lines"], "the substitute reads the past as the seat did"


def test_a_former_holder_can_never_take_another_seat_of_that_game(cast, game_id):
    resign(cast.alice, game_id)
    resign(cast.bob, game_id)
    wish = {"kind": "substitute", "seat": 1}
    cast.alice.refused("POST", f"/api/games/{game_id}/proposals", "held-another", wish)
    wish = {"kind": "substitute", "seat": 2}
    cast.mallory.refused("POST", f"/api/games/{game_id}/proposals", "not-possible", wish)
    cast.carol.refused("POST", f"/api/games/{game_id}/proposals", "already-seated", wish)
    substitute(cast, cast.mallory, game_id, 1, (cast.carol,))
    resign(cast.mallory, game_id)
    wish = {"kind": "substitute", "seat": 0}
    cast.mallory.refused("POST", f"/api/games/{game_id}/proposals", "held-another", wish)


def test_a_former_holder_may_ask_for_the_same_seat_again(cast, game_id):
    resign(cast.alice, game_id)
    substitute(cast, cast.mallory, game_id, 0, (cast.bob, cast.carol))
    resign(cast.mallory, game_id)
    game = substitute(cast, cast.alice, game_id, 0, (cast.bob, cast.carol))
    assert game["seat"] == 0


def test_the_other_player_wins_a_game_of_two(cast):
    game_id = cast.start(CARAVAN, pace="daily")
    cast.play(game_id, most=3)
    game = resign(cast.alice, game_id)
    assert (game["status"], game["result"]["winners"]) == ("over", [1])
    assert game["result"]["reason"] == "resigned"
    assert "Bob" in game["result"]["words"]
    assert game["legal"] == game["waiting"] == [] and game["seat"] == 0
    assert history(cast.bob, game_id)[-1]["why"] == "resigned"
    record = cast.bob.get(f"/api/games/{game_id}/record")
    assert verify(text(record).encode())["result"]["winners"] == [1]
    move = {"asked": cast.bob.game(game_id)["asked"], "action": {"type": "pass"}}
    cast.bob.refused("POST", f"/api/games/{game_id}/actions", "not-running", move)
    cast.bob.refused("POST", f"/api/games/{game_id}/resignation", "not-running")


def test_a_former_holder_can_still_see_a_private_game(cast):
    game_id = cast.start(private=True)
    key = cast.alice.game(game_id)["invitation"]
    resign(cast.alice, game_id)
    game = cast.alice.game(game_id)
    assert game["invitation"] is None and key
    assert plain(game) == plain(cast.mallory.game(game_id, headers={"Invitation": key["key"]}))
    return_to(cast.alice, game_id)
    cast.mallory.refused("GET", f"/api/games/{game_id}", "not-found")


def test_leaving_before_the_start_ends_access_to_a_private_table(cast):
    game_id = cast.open(private=True)
    key = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    table = cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=key)
    cast.bob.delete(f"/api/games/{game_id}/seats/{table['tenure']}")
    cast.bob.refused("GET", f"/api/games/{game_id}", "not-found")


@sqlite_only
def test_each_tenure_stores_its_result_for_ratings(app, cast, game_id, hours):
    resign(cast.alice, game_id)
    substitute(cast, cast.mallory, game_id, 0, (cast.bob, cast.carol))
    people = {0: cast.mallory, 1: cast.bob, 2: cast.carol}
    while cast.bob.game(game_id)["status"] == "running":
        person = people[cast.bob.game(game_id)["waiting"][0]["seat"]]
        person.answer(person.game(game_id))
    winners = cast.bob.game(game_id)["result"]["winners"]
    rows = execute(app, "SELECT seat, began, ended, why, result FROM tenures ORDER BY seat, place")
    ends = {seat: "won" if seat in winners else "lost" for seat in range(3)}
    assert [tuple(row) for row in rows] == [
        (0, 1, 3, "resigned", "left"),
        (0, 3, 4, "substitute", "left"),
        (0, 4, None, None, ends[0]),
        (1, 1, None, None, ends[1]),
        (2, 1, None, None, ends[2]),
    ]


@pytest.mark.both_databases
def test_a_person_who_leaves_the_service_gives_up_every_seat(app, cast, game_id, hours):
    other, over, opened = cast.start(), cast.start(CARAVAN), cast.open()
    resign(cast.alice, over)
    services = app.extensions["tegami"]
    with app.app_context():
        leaving.leave_all(services, cast.alice.id)
    for each in (game_id, other):
        assert cast.bob.game(each)["seats"][0]["house"]
        assert history(cast.bob, each)[-1]["why"] == "left"
    assert not cast.bob.game(over)["seats"][0]["house"]
    assert len(cast.bob.game(opened)["seats"]) == 1


def test_the_operator_can_close_a_game(app, cast, game_id):
    services = app.extensions["tegami"]
    with app.app_context():
        close_by_operator(services, game_id)
    game = cast.alice.game(game_id)
    assert (game["status"], game["result"]["reason"]) == ("over", "removed")
    verify(text(cast.alice.get(f"/api/games/{game_id}/record")).encode())


@sqlite_only
def test_strangers_can_change_nothing(app, cast, game_id):
    games = dump(app)["games"]
    path = f"/api/games/{game_id}"
    cast.mallory.refused("POST", f"{path}/resignation", "not-seated")
    cast.nobody.refused("POST", f"{path}/resignation", "not-signed-in")
    for what in ("resignation", "return"):
        cast.alice.refused("POST", f"/api/games/g_{'0' * 22}/{what}", "not-found")
    assert dump(app)["games"] == games


@sqlite_only
def test_after_the_fourth_resignation_there_is_no_way_back(app, cast, game_id):
    for _ in range(3):
        assert resign(cast.alice, game_id)["held"] == {"seat": 0, "back": True}
        return_to(cast.alice, game_id)
    assert resign(cast.alice, game_id)["held"] == {"seat": 0, "back": False}
    before = dump(app)
    cast.alice.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    assert dump(app) == before
    resign(cast.bob, game_id)
    return_to(cast.bob, game_id)


@sqlite_only
def test_whoever_ran_out_of_time_may_come_back_however_often_they_resigned(cast, hours):
    game_id = cast.start(pace="daily", takeover=1)
    for _ in range(3):
        resign(cast.alice, game_id)
        return_to(cast.alice, game_id)
    while not cast.alice.game(game_id)["held"]:
        hours.later(25 * HOUR)
    assert cast.alice.game(game_id)["held"]["back"]
    return_to(cast.alice, game_id)


@sqlite_only
def test_somebody_who_returns_is_asked_to_vote_on_what_was_proposed_meanwhile(app, cast, game_id):
    office = Office(app)
    office.address(*cast.seated)
    resign(cast.alice, game_id)
    cast.bob.post(f"/api/games/{game_id}/proposals", {"kind": "pause", "seconds": 3600})
    assert [row.player_id for row in office.due("proposal")] == [cast.carol.id]
    return_to(cast.alice, game_id)
    assert [row.player_id for row in office.due("proposal")] == [cast.carol.id, cast.alice.id]


@sqlite_only
def test_a_seat_that_somebody_held_in_one_game_says_nothing_of_another(cast, game_id):
    resign(cast.alice, game_id)
    wish = {"ruleset": "boomerang-auction", "house": 2, "start": "full", "nonce": None}
    wish["seating"] = "order"
    other = cast.bob.post("/api/games", wish)["id"]
    assert cast.alice.game(other)["held"] is None
    cast.bob.post(f"/api/games/{other}/resignation", status=200)
    assert cast.bob.game(other)["held"] == {"seat": 0, "back": True}
    assert cast.bob.game(game_id)["held"] is None
    cast.alice.refused("POST", f"/api/games/{other}/return", "not-possible")


@sqlite_only
def test_after_resigning_a_fourth_time_there_is_no_way_back(cast, game_id):
    for _ in range(3):
        assert resign(cast.alice, game_id)["held"] == {"seat": 0, "back": True}
        return_to(cast.alice, game_id)
    other = cast.start()
    assert resign(cast.alice, game_id)["held"] == {"seat": 0, "back": False}
    cast.alice.refused("POST", f"/api/games/{game_id}/return", "not-possible")
    assert resign(cast.bob, game_id)["held"] == {"seat": 1, "back": True}
    assert resign(cast.alice, other)["held"] == {"seat": 0, "back": True}


@sqlite_only
def test_an_unattended_table_is_so_since_the_last_person_left(app, cast, clock, game_id):
    for person in cast.seated:
        resign(person, game_id)
        clock.forward(HOUR)
    query = "SELECT unattended_at, started_at FROM games WHERE id = :id"
    (row,) = execute(app, query, id=game_id)
    assert row.unattended_at == row.started_at + 2 * HOUR
    return_to(cast.bob, game_id)
    (row,) = execute(app, query, id=game_id)
    assert row.unattended_at is None


@sqlite_only
def test_whoever_takes_a_seat_has_missed_nothing_there(app, cast, game_id):
    execute(app, "UPDATE seats SET misses = 2 WHERE seat = 0")
    resign(cast.alice, game_id)
    assert cast.bob.game(game_id)["seats"][0]["misses"] == 0


@sqlite_only
def test_a_seat_in_another_game_keeps_nobody_from_stepping_in(cast, game_id):
    wish = {"ruleset": CARAVAN, "seating": "order"}
    other = cast.bob.post("/api/games", wish)["id"]
    cast.mallory.post(f"/api/games/{other}/seats", {})
    assert cast.bob.post(f"/api/games/{other}/start", status=200)["status"] == "running"
    resign(cast.alice, game_id)
    assert substitute(cast, cast.mallory, game_id, 0, (cast.bob, cast.carol))["seat"] == 0


@sqlite_only
def test_nobody_whom_the_host_has_blocked_steps_in(app, cast, game_id):
    registered(cast.mallory)
    other = cast.open(CARAVAN)
    tenure = cast.mallory.post(f"/api/games/{other}/seats", {})["tenure"]
    cast.alice.post("/api/me/blocks", {"game": other, "tenure": tenure})
    resign(cast.bob, game_id)
    wish = {"kind": "substitute", "seat": 1}
    cast.mallory.refused("POST", f"/api/games/{game_id}/proposals", "not-possible", wish)
