"""Orders of somebody who loses their seat: they end, their player is told, and nobody else ever meets them."""

from __future__ import annotations

import pytest

from service.core.database.database import transaction
from service.log.table_rows.deleted_games import delete_games
from tests.service.tables.play.orders.test_orders import PACE, PASS, acted, leave, path, to_bob
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.clock import DAY, HOUR, hours
from tests.support.dump import execute
from tests.support.post_office import Office, part, to
from tests.support.proposing import propose, registered, vote

__all__ = ["hours"]

WORDS = "Pass until the game is over"
LOST = "The seat was no longer yours."


@pytest.fixture
def game_id(cast, hours):
    """Carol is asked, and has left an order."""
    game_id = cast.start(pace=PACE, takeover=1)
    to_bob(cast, game_id)
    cast.bob.answer(cast.bob.game(game_id), PASS)
    leave(cast.carol, game_id, name="pass", until={})
    hours.look()
    return game_id


def resign(person, game_id, body=None):
    person.post(f"/api/games/{game_id}/resignation", body, status=200)


def come_back(person, game_id):
    person.post(f"/api/games/{game_id}/return", status=200)


def own_moves(cast, game_id, seat=2):
    return [by for of, by, _ in acted(cast.bob, game_id) if of == seat and by == "seat"]


def standing(app):
    return execute(app, "SELECT count(*) FROM standing_orders WHERE ended_at IS NULL") == [(1,)]


@pytest.mark.both_databases
@pytest.mark.parametrize("body", [None, {"for_good": True}], ids=["resigned", "left"])
def test_with_the_seat_its_orders_end_and_answer_for_nobody(app, cast, hours, game_id, body):
    resign(cast.carol, game_id, body)
    assert cast.carol.get("/api/me/orders")["orders"] == []
    assert not standing(app)
    cast.carol.refused("GET", path(game_id), "not-seated")
    hours.later(HOUR)
    assert own_moves(cast, game_id) == []


@pytest.mark.both_databases
def test_whoever_takes_the_seat_back_is_told_that_the_orders_have_ended(app, cast, hours, game_id):
    (order,) = cast.carol.get(path(game_id))["orders"]
    resign(cast.carol, game_id)
    come_back(cast.carol, game_id)
    shown = cast.carol.get(path(game_id))
    assert (shown["orders"], shown["played"]) == ([], [])
    assert [(each["why"], each["why_words"]) for each in shown["ended"]] == [("seat-lost", LOST)]
    hours.later(HOUR)
    assert own_moves(cast, game_id) == []
    for method, body in (("DELETE", None), ("PUT", {"order": order["order"]})):
        cast.carol.refused(method, path(game_id, order["id"]), "not-found", body)
    text = cast.carol.send("GET", f"/plain/games/{game_id}").text
    assert f"“{WORDS}” has ended: {LOST}" in text


@pytest.mark.both_databases
def test_a_substitute_finds_no_orders_of_whom_they_replace(app, cast, hours, game_id):
    """Neither by looking nor by waiting; and an order of their own is theirs alone."""
    resign(cast.carol, game_id)
    registered(cast.mallory)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 2})
    for person in (cast.alice, cast.bob):
        vote(person, game_id)
    assert cast.mallory.game(game_id)["seat"] == 2
    shown = cast.mallory.get(path(game_id))
    assert [shown[each] for each in ("orders", "ended", "played")] == [[], [], []]
    assert WORDS not in cast.mallory.send("GET", f"/plain/games/{game_id}/orders").text.replace(
        f">{WORDS}<", ""
    )
    hours.later(HOUR)
    assert own_moves(cast, game_id) == []
    cast.carol.refused("GET", path(game_id), "not-seated")
    assert cast.carol.get("/api/me/orders")["orders"] == []


@sqlite_only
def test_whoever_is_too_late_reads_of_their_orders_in_the_mail_about_the_seat(
    app, cast, hours, game_id
):
    """The order is not played before the time is over, because its player is asked for more than it says."""
    office = Office(app)
    office.address(*cast.seated)
    (order,) = cast.carol.get(path(game_id))["orders"]
    cast.carol.delete(path(game_id, order["id"]))
    leave(cast.carol, game_id, name="pass", when=[{"prompt": "high", "least": 7}], until={})
    hours.later(DAY + HOUR)
    assert cast.carol.game(game_id)["held"]["back"]
    (letter,) = [
        each
        for each in office.deliver()
        if each["To"] == to(cast.carol) and "house player" in each["Subject"]
    ]
    text = " ".join(part(letter).split())
    assert f"“{WORDS}, while the highest bid is at least 7” has ended: {LOST}" in text
    for other in office.deliver():
        assert "Pass until" not in part(other)


@sqlite_only
def test_an_order_that_was_due_is_not_played_for_a_seat_that_is_lost_just_before(
    app, cast, hours, game_id
):
    """The worker has chosen the time of the answer already; then its player resigns."""
    (at,) = execute(app, "SELECT acts_at FROM seats WHERE acts_at IS NOT NULL")
    resign(cast.carol, game_id)
    come_back(cast.carol, game_id)
    hours.later(max(0, at[0] - hours.clock()))
    assert own_moves(cast, game_id) == []
    assert execute(app, "SELECT acts_at FROM seats WHERE acts_at IS NOT NULL") == []


@sqlite_only
def test_orders_do_not_follow_into_a_rematch(app, cast, hours):
    game_id = cast.start(CARAVAN, pace=PACE)
    first = cast.bob.game(game_id)["legal"][0]["action"]
    leave(cast.bob, game_id, action=first)
    resign(cast.alice, game_id)
    assert cast.bob.get("/api/me/orders")["orders"] == []
    again = cast.bob.post(f"/api/games/{game_id}/rematch", {})["id"]
    key = cast.bob.game(again)["invitation"]
    invited = {"Invitation": key["key"]} if key else {}
    cast.alice.post(f"/api/games/{again}/seats", {}, headers=invited)
    if cast.bob.game(again)["status"] == "open":
        cast.bob.post(f"/api/games/{again}/start", status=200)
    shown = cast.bob.get(path(again))
    assert [shown[each] for each in ("orders", "ended", "played")] == [[], [], []]
    hours.later(HOUR)
    assert acted(cast.alice, again) == []


@pytest.mark.both_databases
def test_with_a_game_its_orders_are_deleted(app, cast, hours, game_id):
    hours.later(HOUR)
    with app.app_context(), transaction():
        delete_games([key for (key,) in execute(app, "SELECT key FROM games")])
    for table in ("standing_orders", "own_answers"):
        assert execute(app, f"SELECT count(*) FROM {table}") == [(0,)]


@pytest.mark.both_databases
def test_whoever_is_erased_leaves_nothing_that_answers(app, cast, hours, game_id):
    cast.carol.send("POST", "/api/me/erasure", json={})
    hours.later(HOUR)
    assert own_moves(cast, game_id) == []
    assert execute(app, "SELECT count(*) FROM standing_orders") == [(0,)]
    assert execute(app, "SELECT count(*) FROM seats WHERE acts_at IS NOT NULL") == [(0,)]
    shown = Person(app).game(game_id)["seats"][2]
    assert shown["house"] or shown["name"] is None
