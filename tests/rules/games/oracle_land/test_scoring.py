"""The Land of Oracles: the end, scoring, time-outs and rulings, by the sections 5 to 7 of its specification."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from rules.common.cards import deck
from rules.games.oracle_land.phases import Bidding, Blessing, Erasing, Over, Playing, Wishing
from rules.games.oracle_land.scoring import alone
from rules.kernel import Marked, Result, Turn
from tests.rules.games.oracle_land.positions import GAME, SETS, at, facts, hands, rewarding
from tests.rules.playouts import moved, playout


def test_5_1_secret_cards_open_after_trick_6() -> None:
    state = rewarding("8h 3h 2h", 1, 2, number=6, sealing=((), (), ("4s",)))
    state = moved(GAME, state, 2, "bonus", card="9s")
    assert isinstance(state, Blessing)
    assert GAME.turn(state) == Turn(waiting=(1,))
    opened = [line for line in GAME.lines(state, None) if line["line"] == "opened"]
    assert [(line["seat"], line["card"]) for line in opened] == [(0, "8d"), (1, "8c")]


def test_5_2_any_suit() -> None:
    state = at(Blessing, joker=1)
    assert GAME.legal(state, 1) == [{"type": "joker", "suit": suit} for suit in "shdc"]


@pytest.mark.parametrize(
    ("counts", "most", "least", "made"),
    [
        ((4, 2, 0, 3), "Ks", "Kd", "Ks Kd"),
        ((4, 2, 0, 3), "Kc", "Kh", ""),
        ((6, 2, 2, 6), "Ks", "Kh", ""),
        ((6, 2, 2, 6), "Ks Kc", "Kh", "Ks Kc"),
        ((6, 2, 2, 6), "Ks", "Kh Kd", "Kh Kd"),
        ((3, 1, 5, 1), "Kd", "Kh Kc", "Kd Kh Kc"),
        ((3, 0, 5, 1), "Kd", "Kh Kc", "Kd"),
        ((1, 1, 5, 1), "Kd", "Kh Kc", "Kd"),
        ((5, 1, 2, 5), "Kc", "Kh", "Kh"),
        ((3, 3, 3, 0), "Ks Kh", "Kc", "Kc"),
    ],
)
def test_5_3_most_and_least(counts: tuple[int, ...], most: str, least: str, made: str) -> None:
    less = tuple(-count for count in counts)
    found = alone(tuple(most.split()), counts) + alone(tuple(least.split()), less)
    assert found == tuple(made.split())


def test_5_3_what_counts_and_8_ao() -> None:
    row = hands("2s 3s 5s 6s 2h 2d 2c 3c 5c 6c 7c")[0]
    state = at(
        Blessing,
        deal=2,
        opened=True,
        joker=1,
        rows=((), (*row, Marked("8h", ("covered",))), ()),
        secrets=(("3h",), ("7s",), ("8c",)),
        most=(("Js",), ("Qc",), ("Kc",)),
        least=(("Jd",), ("Qh",), ("Kh",)),
    )
    over = moved(GAME, state, 1, "joker", suit="d")
    shown = {fact["of"]: [fact[s] for s in "shdc"] for fact in facts(over, "counts")}
    assert shown == {0: [0, 1, 0, 0], 1: [5, 1, 2, 5], 2: [0, 0, 0, 1]}
    assert over.points == ((), ("Qh",), ("Kc",))
    assert over.unscored[1] == ("Qs", "Qd", "Qc")
    assert {"name": "made", "of": 1, "first": [], "second": ["Qh"]} in facts(over, "made")


def test_5_3_a_covered_secret_card_does_not_count() -> None:
    state = at(
        Blessing,
        deal=2,
        opened=True,
        sealing=((), ("4s",), ()),
        most=(("Js",), ("Qc",), ("Kc",)),
        least=(("Jd",), ("Qh",), ("Kh",)),
    )
    over = moved(GAME, state, 0, "joker", suit="s")
    assert over.points == ((), (), ("Kc",))


def test_5_4_the_pairs_of_the_special_bid_are_two_points() -> None:
    state = at(
        Blessing,
        deal=2,
        opened=True,
        secrets=(("2d",), ("2s",), ("8c",)),
        rows=(("3d", "3s"), (), ()),
        most=(("Jd",), ("Qc",), ("Ks",)),
        least=(("Jh", "Jc"), ("Qh",), ("Kh",)),
        unscored=(("Jh", "Jd", "Jc"), deck("Q"), deck("K")),
    )
    over = moved(GAME, state, 0, "joker", suit="d")
    assert over.points[0] == ("Jh", "Jd", "Jc")


@pytest.mark.parametrize(
    ("points", "joker", "winner", "reason"),
    [
        ((2, 1, 2), 1, 2, "joker"),
        ((0, 0, 0, 0), 3, 3, "joker"),
        ((3, 3, 1, 0), 2, 0, "joker"),
        ((1, 3, 2), 0, 1, "points"),
    ],
)
def test_5_4_the_winner(points: Sequence[int], joker: int, winner: int, reason: str) -> None:
    sets = [deck(rank) for rank in SETS[len(points)]]
    won = tuple(cards[:n] for cards, n in zip(sets, points, strict=True))
    over = at(Over, len(points), points=won, joker=joker)
    assert GAME.result(over) == Result((winner,), tuple(points), reason)


@pytest.mark.parametrize(("players", "most"), [(3, 75), (4, 92)])
def test_5_the_longest_game(players: int, most: int) -> None:
    for seed in range(5):
        assert len(list(playout(GAME, players, {}, random.Random(seed).randrange))) <= most


def test_6_out_of_time() -> None:
    assert GAME.fallback(at(Wishing, held=((), (), ())), 1) == {"type": "wish", "tie": False}
    state = at(Bidding, held=((), (), ()), ties=(0,))
    assert GAME.fallback(state, 0) == {"type": "bid", "most": ["Ks"], "least": ["Kh"]}
    assert GAME.fallback(state, 1) == {"type": "bid", "most": ["Js"], "least": ["Jh", "Jd"]}
    state = at(Playing, hands=hands("6s 3h 5d 3c", "2h", "2d"))
    lowest = {"type": "play", "card": "3h", "sideways": False, "joker": None}
    assert GAME.fallback(state, 0) == lowest
    assert GAME.fallback(state, 1) is None
    empty = ((), ("Th",), ("Td", "9d"), ())
    state = rewarding("8h 3h 2h", 0, 2, stock=empty)
    assert GAME.fallback(state, 2) == {"type": "bonus", "card": "Th"}
    state = at(Erasing, winner=0, fours=("4s",), rows=(("8h", "7s"), (), ()))
    assert GAME.fallback(state, 0) == {"type": "erase", "cards": ["7s"]}


def test_6_out_of_time_the_joker_makes_the_most_points() -> None:
    state = at(
        Blessing,
        opened=True,
        secrets=(("2d",), ("2s",), ("8c",)),
        most=(("Js",), ("Qc",), ("Ks",)),
        least=(("Jc",), ("Qh",), ("Kh",)),
        rows=(("3s", "3h"), (), ()),
    )
    assert GAME.fallback(state, 0) == {"type": "joker", "suit": "s"}
    assert GAME.fallback(state.change(most=(("Jh",), None, None)), 0) == {
        "type": "joker",
        "suit": "h",
    }


def test_7_11_a_secret_4_counts_for_its_suit() -> None:
    state = at(Blessing, deal=2, opened=True, secrets=(("4h",), ("8c",), ("8s",)))
    counts = {fact["of"]: fact["h"] for fact in facts(state, "counts")}
    assert counts == {0: 1, 1: 0, 2: 0}
