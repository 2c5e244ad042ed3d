"""Standing orders: offered in words, left, played as their player's own moves, ended by any surprise."""

from __future__ import annotations

import pytest

import rules
from service.core.words.words import phrases
from service.tables.play.orders import orders as limits
from service.tables.play.orders import terms
from service.tables.views.orders import orders_view
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, SECOND, history, hours
from tests.support.dump import execute
from tests.support.proposing import PAUSE, propose, vote

__all__ = ["hours"]

PASS = {"type": "pass"}
PACE = {"kind": "decision", "seconds": 86400}
LOT, SALE = {"part": "lot"}, {"part": "sale"}


def path(game_id, order=""):
    return f"/api/games/{game_id}/orders" + (order and f"/{order}")


def leave(person, game_id, status=201, **order):
    """Leave an order at the present question."""
    body = {"asked": person.game(game_id)["asked"], "order": {"until": {}, **order}}
    return person.post(path(game_id), body, status)["order"]


def acted(person, game_id):
    """The actions so far, with their seats."""
    events = [each for each in history(person, game_id) if each["kind"] == "action"]
    return [(each["seat"], each["by"], each["lines"][0]["line"]) for each in events]


def to_bob(cast, game_id, cards=("2s",)):
    cast.alice.answer(cast.alice.game(game_id), {"type": "bid", "cards": [*cards]})


@pytest.mark.both_databases
def test_an_order_is_offered_made_and_played_until_its_part_is_over(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    shown = cast.bob.get(path(game_id))
    assert shown["asked"] == cast.bob.game(game_id)["asked"]
    assert [each["words"] for each in shown["offers"][:3]] == [
        "Pass for the rest of this lot",
        "Bid the lowest card that is enough for the rest of this lot",
        "Pass for the rest of this sale",
    ]
    body = {"asked": shown["asked"], "order": shown["offers"][2]["terms"]}
    order = cast.bob.post(path(game_id), body)["order"]
    assert (order["words"], order["played"], order["why"]) == (
        "Pass for the rest of this sale",
        0,
        None,
    )
    hours.later(2 * MINUTE - SECOND)
    assert acted(cast.carol, game_id) == [(0, "seat", "bid")]
    hours.later(18 * MINUTE + SECOND)
    assert acted(cast.carol, game_id)[1:] == [(1, "seat", "passed")]
    while True:
        game = cast.alice.game(game_id)
        seat = game["waiting"][0]["seat"]
        if seat == 1:
            if any(
                (fact["name"], fact.get("value")) == ("sale", 2) for fact in game["view"]["facts"]
            ):
                break
            hours.later(20 * MINUTE)
            continue
        person, shown = cast.asked(game_id)
        person.answer(shown, PASS)
    hours.look()
    shown = cast.bob.get(path(game_id))
    assert shown["orders"] == []
    assert [each["why"] for each in shown["ended"]] == ["part"]
    assert len(shown["played"]) >= 4
    assert {by for seat, by, _ in acted(cast.carol, game_id)} == {"seat"}


def test_the_lowest_that_wins_is_bid_and_the_next_order_answers_when_there_is_none(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id, ["4s"])
    leave(cast.bob, game_id, name="least", until=SALE)
    hours.later(20 * MINUTE)
    (_, _, line) = acted(cast.carol, game_id)[-1]
    assert line == "bid"
    cards = [
        zone["cards"] for zone in cast.carol.game(game_id)["view"]["zones"] if zone["name"] == "bid"
    ]
    assert cards[1] == ["5h"]


def test_an_order_whose_number_is_not_reached_leaves_the_question_to_its_player(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    order = leave(cast.bob, game_id, name="pass", when=[{"prompt": "high", "least": 4}], until=SALE)
    assert order["words"] == "Pass for the rest of this sale, while the highest bid is at least 4"
    hours.later(HOUR)
    assert len(acted(cast.carol, game_id)) == 1
    assert len(cast.bob.get(path(game_id))["orders"]) == 1
    cast.bob.answer(cast.bob.game(game_id), {"type": "bid", "cards": ["4h"]})
    cast.carol.answer(cast.carol.game(game_id), PASS)
    while cast.alice.game(game_id)["waiting"][0]["seat"] != 1:
        person, shown = cast.asked(game_id)
        bids = [each["action"] for each in shown["legal"] if each["action"]["type"] == "bid"]
        person.answer(shown, bids[-1])
    count = len(acted(cast.carol, game_id))
    high = cast.bob.game(game_id)["view"]["prompt"]["high"]
    hours.later(20 * MINUTE)
    assert (len(acted(cast.carol, game_id)) > count) == (high >= 4)


@pytest.fixture(scope="module")
def position():
    """Boomerang Auction: the first seat is asked."""
    ruleset = rules.load(BOOMERANG)
    state = ruleset.initial(3, {})
    items = list(ruleset.turn(state).chance.items)
    return ruleset, ruleset.act(state, {"kind": "chance", "name": "stock", "outcome": items})


@pytest.mark.parametrize(
    ("given", "played", "why"),
    [
        ({"name": "pass", "until": {"times": 2}}, 2, "times"),
        ({"name": "pass", "until": {"times": 2}}, 1, None),
        ({"name": "pass", "until": {"date": "2026-11-21", "at": 1000}}, 0, "date"),
        ({"name": "pass", "until": {"date": "2026-11-21", "at": 2001}}, 0, None),
        ({"name": "pass", "until": {"part": "lot"}}, 0, "part"),
    ],
)
def test_an_order_ends_as_it_was_to(position, given, played, why):
    ruleset, state = position
    asked = terms.question(ruleset, state, 0)
    if why == "part":
        asked = asked._replace(parts=(asked.parts[0], ["lot", 7, []]))
    found = terms.verdict(ruleset, state, 0, given, asked, played, 2000)
    assert found == (terms.Verdict(ended=why) if why else terms.Verdict(action=PASS))


@pytest.mark.parametrize(
    ("change", "given", "why"),
    [
        ({"phase": "haggling"}, {"name": "pass"}, "other-question"),
        ({"types": ("pass",)}, {"name": "pass"}, "other-choices"),
        ({}, {"action": {"type": "bid", "cards": ["2h"]}}, "not-possible"),
        ({}, {"name": "no-choice"}, "not-possible"),
    ],
)
def test_every_surprise_ends_an_order(position, change, given, why):
    ruleset, state = position
    asked = terms.question(ruleset, state, 0)._replace(**change)
    found = terms.verdict(ruleset, state, 0, {"until": {}, **given}, asked, 0, 0)
    assert found == terms.Verdict(ended=why)


@sqlite_only
def test_the_player_of_an_order_is_told_of_the_surprise(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    leave(cast.bob, game_id, action={"type": "bid", "cards": ["3h"]}, until={"times": 3})
    hours.later(20 * MINUTE)
    assert acted(cast.carol, game_id)[-1] == (1, "seat", "bid")
    cast.carol.answer(cast.carol.game(game_id), {"type": "bid", "cards": ["5d"]})
    while cast.alice.game(game_id)["waiting"][0]["seat"] != 1:
        person, shown = cast.asked(game_id)
        bids = [each["action"] for each in shown["legal"] if each["action"]["type"] == "bid"]
        person.answer(shown, bids[-1])
    hours.look()
    shown = cast.bob.get(path(game_id))
    assert [(each["why"], each["why_words"]) for each in shown["ended"]] == [
        ("not-possible", "The move can no longer be played.")
    ]
    assert shown["orders"] == []


@sqlite_only
def test_whoever_takes_back_what_an_order_has_played_ends_it(cast, hours):
    """It would play the same again."""
    game_id = cast.start(CARAVAN, pace=PACE)
    leave(cast.bob, game_id, action=cast.bob.game(game_id)["legal"][0]["action"])
    hours.later(20 * MINUTE)
    back = cast.bob.game(game_id)["take_back"]
    assert back["free"]
    cast.bob.post(f"/api/games/{game_id}/take-back", {"event": back["event"]})
    hours.later(HOUR)
    assert [each["why"] for each in cast.bob.get(path(game_id))["ended"]] == ["taken-back"]
    assert {"seat": 1} in [{"seat": each["seat"]} for each in cast.alice.game(game_id)["waiting"]]


@sqlite_only
def test_an_order_is_changed_and_withdrawn(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    order = leave(cast.bob, game_id, name="pass", until=LOT)
    changed = cast.bob.put(
        path(game_id, order["id"]), {"order": {"name": "pass", "until": {"times": 2}}}
    )["order"]
    assert changed["words"] == "Pass 2 times at most"
    other = {"order": {"name": "least", "until": {}}}
    cast.bob.refused("PUT", path(game_id, order["id"]), "not-possible", other)
    cast.alice.refused("PUT", path(game_id, order["id"]), "not-found", other)
    cast.alice.refused("DELETE", path(game_id, order["id"]), "not-found")
    cast.bob.delete(path(game_id, order["id"]))
    cast.bob.refused("DELETE", path(game_id, order["id"]), "not-found")
    hours.later(HOUR)
    assert len(acted(cast.carol, game_id)) == 1
    assert cast.bob.get(path(game_id))["ended"] == []


@sqlite_only
def test_whoever_leaves_and_withdraws_an_order_again_and_again_fills_no_table(app, cast):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    for _ in range(3):
        cast.bob.delete(path(game_id, leave(cast.bob, game_id, name="pass", until=LOT)["id"]))
    assert execute(app, "SELECT count(*) FROM standing_orders") == [(0,)]


@sqlite_only
def test_all_orders_are_listed_in_one_place(cast):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    order = leave(cast.bob, game_id, name="pass", until=LOT)
    (listed,) = cast.bob.get("/api/me/orders")["orders"]
    assert (listed["order"]["id"], listed["game"], listed["name"]) == (
        order["id"],
        game_id,
        "Boomerang Auction",
    )
    assert cast.alice.get("/api/me/orders") == {"orders": []}
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)


@sqlite_only
def test_there_are_so_many_orders_at_most(cast):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    for _ in range(limits.MOST_AT_TABLE):
        leave(cast.bob, game_id, name="pass", until=LOT)
    body = {"asked": cast.bob.game(game_id)["asked"], "order": {"name": "pass"}}
    problem = cast.bob.refused("POST", path(game_id), "not-possible", body)
    assert problem["why"] == "too-many-orders"
    assert (limits.MOST_AT_TABLE, limits.MOST_OF_PERSON) == (10, 100)


@sqlite_only
def test_a_person_has_so_many_orders_at_most_at_all_tables(app, cast):
    """Orders in games that are over do not count."""
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    order = leave(cast.bob, game_id, name="pass", until=LOT)
    many = (
        "INSERT INTO standing_orders (id, game_key, tenure_id, player_id, made_at, terms, phase,"
        " types, parts, played) SELECT id || :n, game_key, tenure_id, player_id, made_at, terms,"
        " phase, types, parts, played FROM standing_orders WHERE id = :of"
    )
    for n in range(limits.MOST_OF_PERSON - 1):
        execute(app, many, n=f"{n}", of=order["id"])
    execute(app, "UPDATE standing_orders SET tenure_id = (SELECT max(id) FROM tenures)")
    body = {"asked": cast.bob.game(game_id)["asked"], "order": {"name": "pass"}}
    problem = cast.bob.refused("POST", path(game_id), "not-possible", body)
    assert problem["why"] == "too-many-orders"
    other = cast.start_anew(pace=PACE)
    to_bob(cast, other)
    body["asked"] = cast.bob.game(other)["asked"]
    cast.bob.refused("POST", path(other), "not-possible", body)
    execute(app, "UPDATE games SET status = 'over' WHERE id = :game", game=game_id)
    cast.bob.post(path(other), body)


@sqlite_only
def test_of_orders_that_have_ended_only_the_latest_are_kept(app, cast):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    order = leave(cast.bob, game_id, name="pass", until=LOT)
    many = (
        "INSERT INTO standing_orders (id, game_key, tenure_id, player_id, made_at, terms, phase,"
        " types, parts, played, ended_at, ended_number, why) SELECT id || :n, game_key, tenure_id,"
        " player_id, made_at, terms, phase, types, parts, 1, :n, 1, 'part' FROM standing_orders"
        " WHERE id = :of"
    )
    for n in range(limits.MOST_SHOWN + 5):
        execute(app, many, n=n, of=order["id"])
    cast.bob.delete(path(game_id, order["id"]))
    kept = execute(app, "SELECT ended_at FROM standing_orders ORDER BY ended_at")
    assert len(kept) <= limits.MOST_SHOWN
    assert min(kept)[0] >= 5


@pytest.mark.both_databases
def test_all_moves_that_were_played_for_somebody_are_noted_and_the_latest_shown(app, cast, hours):
    """Analyses leave out all of them, not the latest alone."""
    game_id = cast.start(pace=PACE)
    leave(cast.alice, game_id, name="pass", until=SALE)
    note = (
        "INSERT INTO own_answers (game_key, number, tenure_id, player_id) SELECT game_key, :n,"
        " tenure_id, player_id FROM standing_orders"
    )
    many = list(range(1000, 1000 + limits.MOST_SHOWN + 5))
    for n in many:
        execute(app, note, n=n)
    hours.later(20 * MINUTE)
    found = execute(app, "SELECT number FROM own_answers ORDER BY number")
    first, *others = [number for (number,) in found]
    assert first < many[0], "it was played"
    assert others == many
    shown = cast.alice.get(path(game_id))["played"]
    assert [each["number"] for each in shown] == many[::-1][: limits.MOST_SHOWN]


@sqlite_only
def test_orders_answer_on_a_vacation_too_on_which_nothing_else_does(cast, hours):
    """Their player's clock stands still: a question without an order waits until the vacation is over."""
    game_id = cast.start(pace={"kind": "decision", "seconds": 3 * 86400})
    to_bob(cast, game_id)
    cast.bob.post("/api/me/vacations", {"first": "2026-11-24", "last": "2026-11-30"})
    hours.later(int(2.9 * DAY))
    assert acted(cast.carol, game_id) == [(0, "seat", "bid")]
    assert cast.carol.game(game_id)["seats"][1]["away"]
    leave(cast.bob, game_id, name="pass", until={"times": 1})
    hours.later(20 * MINUTE)
    assert acted(cast.carol, game_id)[1:] == [(1, "seat", "passed")]
    assert cast.bob.get(path(game_id))["orders"] == []


@sqlite_only
def test_a_paused_table_is_not_answered_and_then_the_wait_begins_again(cast, hours):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    leave(cast.bob, game_id, name="pass", until={})
    hours.look()
    for wish in (PAUSE, {"kind": "resume"}):
        propose(cast.alice, game_id, wish)
        for voter in (cast.bob, cast.carol):
            vote(voter, game_id)
        hours.later(HOUR if wish is PAUSE else 2 * MINUTE - SECOND)
        assert len(acted(cast.carol, game_id)) == 1
    hours.later(18 * MINUTE + SECOND)
    assert acted(cast.carol, game_id)[1:] == [(1, "seat", "passed")]


@sqlite_only
def test_what_is_no_order_is_refused(cast):
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    asked = cast.bob.game(game_id)["asked"]
    for order in (
        {"name": "nonsense"},
        {"name": "pass", "until": {"part": "trick"}},
        {"name": "pass", "most": 4},
        {"name": "pass", "when": [{"prompt": "low", "least": 1}]},
        {"action": {"type": "bid", "cards": ["9h"]}},
    ):
        body = {"asked": asked, "order": order}
        assert (
            cast.bob.refused("POST", path(game_id), "not-possible", body)["why"] == "no-such-order"
        )
    for order in (
        {},
        {"name": "pass", "action": PASS},
        {"name": "pass", "when": [{"prompt": "high"}]},
        {"name": "pass", "until": {"times": 0}},
        {"name": "pass", "until": {"date": "tomorrow"}},
        {"name": "pass", "until": {"moon": 1}},
    ):
        cast.bob.refused("POST", path(game_id), "invalid-body", {"asked": asked, "order": order})
    cast.bob.refused(
        "POST", path(game_id), "stale", {"asked": asked + 1, "order": {"name": "pass"}}
    )
    cast.alice.refused("POST", path(game_id), "stale", {"asked": 0, "order": {"name": "pass"}})
    body = {"asked": asked, "order": {"name": "pass"}}
    cast.mallory.refused("POST", path(game_id), "not-seated", body)
    cast.nobody.refused("POST", path(game_id), "not-signed-in", body)


@sqlite_only
def test_orders_are_exported_and_erased_with_their_player(app, cast, hours):
    game_id = cast.start(pace=PACE)
    leave(cast.alice, game_id, name="pass", until=LOT)
    hours.later(20 * MINUTE)
    exported = cast.alice.get("/api/me/export")
    assert [each["terms"]["name"] for each in exported["orders"]] == ["pass"]
    assert [each["game"] for each in exported["own_answers"]] == [game_id]
    assert cast.carol.get("/api/me/export")["orders"] == []
    cast.alice.send("POST", "/api/me/erasure", json={})
    for table in ("standing_orders", "own_answers"):
        assert execute(app, f"SELECT * FROM {table} WHERE player_id = :id", id=cast.alice.id) == []


def test_every_offer_has_words_in_both_languages_and_can_be_made():
    for slug in rules.slugs():
        ruleset = rules.load(slug)
        for standing in ruleset.looks.orders:
            for language in ("en", "ja"):
                words = phrases(language, slug)
                for part in (*standing.until, None):
                    given = {"name": standing.name, "until": {"part": part} if part else {}}
                    assert orders_view.worded(given, words)


@sqlite_only
def test_an_order_lasts_to_the_end_of_its_last_day_in_the_time_zone_of_its_player(
    cast, clock, hours
):
    cast.bob.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    game_id = cast.start(pace={"kind": "decision", "seconds": 7 * 86400})
    to_bob(cast, game_id)
    when = [{"prompt": "high", "least": 6}]
    order = leave(cast.bob, game_id, name="pass", when=when, until={"date": "2026-11-22"})
    assert order["words"].startswith("Pass until the end of 2026-11-22")
    hours.later(3 * DAY)
    assert cast.bob.get(path(game_id))["orders"] == []
