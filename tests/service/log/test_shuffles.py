"""Verifiable chance: the commitment, nonces, shuffles and seating that follow from the seed."""

from __future__ import annotations

import hashlib
import json

import pytest

from service.log.shuffles import Shuffler
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import execute

NONCES = ("ab" * 8, "cd" * 32, "0123456789abcdef01")


def seed_of(app, game_id):
    ((seed,),) = execute(app, "SELECT seed FROM games WHERE id = :id", id=game_id)
    return bytes(seed)


def start_event(app):
    return json.loads(execute(app, "SELECT body FROM events WHERE number = 1")[0].body)


def shuffler(app, game_id, *nonces):
    return Shuffler(seed_of(app, game_id), game_id, nonces, log_format=3)


def nonces_of(game):
    return [brought["nonce"] for brought in game["nonces"]]


def seated(cast, nonces=NONCES, **wish):
    """A full table whose players contribute these nonces."""
    game_id = cast.open(nonce=nonces[0], **wish)
    for person, nonce in zip(cast.seated[1:], nonces[1:], strict=True):
        body = {} if nonce is None else {"nonce": nonce}
        person.post(f"/api/games/{game_id}/seats", body)
    return game_id


def test_the_commitment_is_published_before_anybody_sits_down(app, cast):
    game_id = cast.open()
    committed = hashlib.sha256(seed_of(app, game_id)).hexdigest()
    assert cast.nobody.game(game_id)["commitment"] == committed
    seats = f"/api/games/{game_id}/seats"
    for person in cast.seated[1:]:
        assert person.post(seats, {})["commitment"] == committed
    assert cast.alice.post(f"/api/games/{game_id}/start", status=200)["commitment"] == committed
    assert start_event(app)["commitment"] == committed


def test_the_start_event_lists_the_nonces_as_they_were_contributed(app, cast):
    game_id = seated(cast)
    before = cast.nobody.game(game_id)["nonces"]
    tenures = [person.game(game_id)["tenure"] for person in cast.seated]
    pairs = zip(tenures, NONCES, strict=True)
    assert before == [{"tenure": tenure, "nonce": nonce} for tenure, nonce in pairs]
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert start_event(app)["nonces"] == cast.nobody.game(game_id)["nonces"] == before


def test_house_players_contribute_no_nonce_and_people_need_not(app, cast):
    game_id = cast.open(nonce=NONCES[0])
    cast.alice.post(f"/api/games/{game_id}/seats", {"house": True, "nonce": NONCES[1]})
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    game = cast.alice.post(f"/api/games/{game_id}/start", status=200)
    start = start_event(app)
    assert game["nonces"] == start["nonces"] == [{"tenure": start["sat"][0], "nonce": NONCES[0]}]
    assert start["house"] == [tenure == start["sat"][1] for tenure in start["seats"]]


@pytest.mark.both_databases
@pytest.mark.parametrize("remover", ["bob", "alice"])
def test_the_nonce_of_a_player_who_leaves_or_is_removed_stays(app, cast, remover):
    game_id = seated(cast)
    tenure = cast.bob.game(game_id)["tenure"]
    getattr(cast, remover).delete(f"/api/games/{game_id}/seats/{tenure}")
    again = cast.mallory.post(f"/api/games/{game_id}/seats", {"nonce": "ef" * 8})["tenure"]
    assert nonces_of(cast.nobody.game(game_id)) == [*NONCES, "ef" * 8]
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    start = start_event(app)
    assert [brought["nonce"] for brought in start["nonces"]] == [*NONCES, "ef" * 8]
    assert [brought["tenure"] for brought in start["nonces"]][1::2] == [tenure, again]
    assert tenure not in start["sat"]


def test_no_place_at_a_table_is_used_twice(app, cast):
    game_id = cast.open()
    seats = f"/api/games/{game_id}/seats"
    for nonce in NONCES:
        tenure = cast.bob.post(seats, {"nonce": nonce})["tenure"]
        cast.bob.delete(f"{seats}/{tenure}")
    assert nonces_of(cast.alice.game(game_id)) == list(NONCES)
    places = [
        place for (place,) in execute(app, "SELECT place FROM tenures ORDER BY sat_at, place")
    ]
    assert places == [1, 2, 3, 4]


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_every_shuffle_follows_from_the_seed(app, cast, slug):
    game_id = cast.start(slug, nonce=NONCES[0])
    cast.play(game_id)
    drawn_from = shuffler(app, game_id, *nonces_of(cast.alice.game(game_id)))
    events = [
        json.loads(row.body) for row in execute(app, "SELECT body FROM events ORDER BY number")
    ]
    shuffles = [event for event in events if event["kind"] == "chance"]
    assert len(shuffles) >= 2
    for ordinal, event in enumerate(shuffles, 1):
        drawn = drawn_from.outcome(reversed(event["outcome"]), number=0, ordinal=ordinal)
        assert event["outcome"] == drawn


@pytest.mark.parametrize("log_format", [2, 3])
def test_a_nonce_changes_every_shuffle(log_format):
    seed, items = bytes(32), [str(n) for n in range(52)]
    deals = [
        Shuffler(seed, game, nonces, log_format).outcome(items, number=k, ordinal=k)
        for game in ("g_1", "g_2")
        for nonces in ((), ("ab" * 8,), ("ab" * 8, "ab" * 8), ("ab" * 8 + "00",))
        for k in (2, 3)
    ]
    assert len({tuple(deal) for deal in deals}) == len(deals)
    assert all(sorted(deal) == sorted(items) for deal in deals)


def test_seats_can_be_assigned_in_the_order_of_sitting_down(app, cast):
    game_id = seated(cast)
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert [person.game(game_id)["seat"] for person in cast.seated] == [0, 1, 2]
    start = start_event(app)
    assert (start["seating"], start["seats"]) == ("order", start["sat"])


def test_random_seating_follows_from_the_seed(app, cast):
    game_id = seated(cast, seating="random")
    game = cast.alice.post(f"/api/games/{game_id}/start", status=200)
    start = start_event(app)
    drawn = shuffler(app, game_id, *NONCES).seats(start["sat"])
    assert start["seats"] == drawn == [seat["tenure"] for seat in game["seats"]]
    for person in cast.seated:
        mine = person.game(game_id)
        assert drawn[mine["seat"]] == mine["tenure"]


@sqlite_only
def test_random_seating_can_give_a_player_any_seat(cast):
    seen = set()
    for _ in range(60):
        wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None}
        seen.add(cast.alice.post("/api/games", wish)["seat"])
    assert seen == {0, 1, 2}


@sqlite_only
def test_every_game_has_its_own_seed(cast):
    assert len({cast.alice.game(cast.open())["commitment"] for _ in range(10)}) == 10
