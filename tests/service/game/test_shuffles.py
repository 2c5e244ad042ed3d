"""Verifiable chance: the commitment, nonces, shuffles and seating that follow from the seed."""

from __future__ import annotations

import hashlib
import json

import pytest

from service.game.shuffles import shuffle
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import execute

NONCES = ("ab" * 8, "cd" * 32, "0123456789abcdef01")


def seed_of(app, game_id):
    ((seed,),) = execute(app, "SELECT seed FROM games WHERE id = :id", id=game_id)
    return bytes(seed)


def start_event(app):
    return json.loads(execute(app, "SELECT body FROM events WHERE number = 1")[0].body)


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
    assert cast.nobody.game(game_id)["nonces"] == list(NONCES)
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert start_event(app)["nonces"] == list(NONCES)
    assert cast.nobody.game(game_id)["nonces"] == list(NONCES)


def test_house_players_contribute_no_nonce_and_people_need_not(app, cast):
    game_id = cast.open(nonce=NONCES[0])
    cast.alice.post(f"/api/games/{game_id}/seats", {"house": True, "nonce": NONCES[1]})
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    game = cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert game["nonces"] == start_event(app)["nonces"] == [NONCES[0], None, None]


def test_the_nonce_of_a_player_who_leaves_is_dropped(app, cast):
    game_id = seated(cast)
    tenure = cast.bob.game(game_id)["tenure"]
    cast.bob.delete(f"/api/games/{game_id}/seats/{tenure}")
    cast.mallory.post(f"/api/games/{game_id}/seats", {"nonce": "ef" * 8})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    assert start_event(app)["nonces"] == [NONCES[0], NONCES[2], "ef" * 8]


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_every_shuffle_follows_from_the_seed(app, cast, slug):
    game_id = cast.start(slug, nonce=NONCES[0])
    cast.play(game_id)
    seed, nonces = seed_of(app, game_id), cast.alice.game(game_id)["nonces"]
    events = [
        json.loads(row.body) for row in execute(app, "SELECT body FROM events ORDER BY number")
    ]
    shuffles = [event for event in events if event["kind"] == "chance"]
    assert len(shuffles) >= 2
    for event in shuffles:
        canonical = sorted(event["outcome"], key=canonical_order)
        drawn = shuffle(seed, game_id, nonces, event["number"], canonical)
        assert event["outcome"] == drawn


def canonical_order(card):
    """Sort key: spades, hearts, diamonds, clubs; A, 2 … K; the joker last."""
    suits, ranks = "shdc", "A23456789TJQK"
    return (9, 9) if card == "Jk" else (suits.index(card[1]), ranks.index(card[0]))


def test_a_nonce_changes_every_shuffle():
    seed, items = bytes(32), [str(n) for n in range(52)]
    deals = [
        shuffle(seed, game, nonces, number, items)
        for game in ("g_1", "g_2")
        for nonces in ([None, None], ["ab" * 8, None], [None, "ab" * 8], ["ab" * 8 + "00", None])
        for number in (2, 3)
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
    drawn = shuffle(seed_of(app, game_id), game_id, list(NONCES), 1, start["sat"])
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
