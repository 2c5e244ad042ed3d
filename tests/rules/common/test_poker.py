"""Poker hands, by the sections of the specification of Auction (Abbott), which uses them."""

from __future__ import annotations

import random

import pytest

from rules.common import poker
from rules.common.cards import canonical, deck


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def tops(hand: str, kind: str) -> str:
    return " ".join(poker.RANK[top] for top in poker.tops(canonical(cards(hand)), kind))


@pytest.mark.parametrize(
    ("hand", "kind", "ranks"),
    [
        ("9s 9h Ks Jk", "single", "9 K Jk"),
        ("9s 9s 8s 8h", "pair", "8"),
        ("9s 9h 9d 8s 8h 7s 7c", "two-pair", "8 9"),
        ("9s 9h 9d 9c 8s 8h 8c", "three", "8 9"),
        ("As 2h 3d 4c 5s 6s", "straight", "5 6"),
        ("Ts Jh Qd Kc As 2s", "straight", "A"),
        ("2s 3s 4s 5s 7s 9s Ah", "flush", "7 9"),
        ("9s 9h 9d 8s 8h", "full-house", "9"),
        ("9s 9h 9d 8s 8h 8c", "full-house", "8 9"),
        ("9s 9h 9d 9c", "four", "9"),
        ("9s 9h 9d 9d", "four", ""),
        ("As 2s 3s 4s 5s 6h", "straight-flush", "5"),
        ("Jk Jk Jk Jk", "four", "Jk"),
        ("Jk Jk 2s 2h", "two-pair", ""),
        ("Jk Jk Jk 2s 2h", "full-house", ""),
        ("Ks Jk", "pair", ""),
        ("5s 5s 6s 7s 8s", "flush", ""),
    ],
)
def test_4_1_sets(hand: str, kind: str, ranks: str) -> None:
    assert tops(hand, kind) == ranks


def test_4_1_each_set_once_and_without_identical_cards() -> None:
    hand = canonical(cards("9s 9s 9h 8d 8c 8c"))
    assert poker.sets(hand, "pair", 9) == (("9s", "9h"),)
    assert poker.sets(hand, "two-pair") == (("9s", "9h", "8d", "8c"),)
    assert poker.sets(canonical(cards("Jk Jk Jk")), "pair") == (("Jk", "Jk"),)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As Ks Qs Js Ts", "Ks Qs Js Ts 9s"),
        ("As 2s 3s 4s 5s", "9s 9h 9d 9c Ks"),
        ("2s 3h 4d 5c 6s", "As 2s 3d 4d 5d"),
        ("9s 9h 9d 9c", "8s 8h 8d 8c As"),
        ("9s 9h 9d 8s 8h", "As Ks Qs Js 9s"),
        ("As 3s 4s 5s 7s", "Ks Qs Js 9s 8s"),
        ("9s 9h 9d As 2s", "9s 9h 9d Ks Qs"),
        ("Ks Kh 3s 3h 2s", "Qs Qh Js Jh As"),
        ("Ks Kh 3s 3h Ad", "Ks Kh 3s 3h Qd"),
        ("2s 2h", "As Ks Qs Js 9h"),
        ("As Kd 2h", "As Kd"),
        ("2s", "Jk Jk"),
    ],
)
def test_5_1_order_of_hands(better: str, worse: str) -> None:
    assert poker.best(cards(better)).strength > poker.best(cards(worse)).strength


def test_5_1_suits_never_count() -> None:
    hands = [poker.best(cards(hand)).strength for hand in ("As Ks Qs Js Ts", "Ac Kc Qc Jc Tc")]
    assert hands[0] == hands[1]


def test_8_17_best_hands() -> None:
    best = poker.best(cards("Ks Ks Kh Kh 2c 4d 6h 8s Jk Jk"))
    assert best.kind == "pair"
    assert best.strength[1:] == (13, 13, 8, 6, 4)
    best = poker.best(cards("As As As Jk Jk Jk Jk Kd Kd Kd"))
    assert (best.kind, best.cards) == ("high-card", ("As", "Kd"))
    assert best.strength < poker.best(cards("As Kd 2h")).strength


def test_4_1_the_ranks_that_are_counted_are_those_of_the_sets() -> None:
    rng, pack = random.Random(41), deck("789TJQKA", jokers=2) * 2
    for size in [*range(11)] * 5:
        hand = canonical(rng.sample(pack, size))
        for kind in poker.SIZE:
            listed = [top for top in poker.RANK if poker.sets(hand, kind, top)]
            assert list(poker.tops(hand, kind)) == listed, (hand, kind)


def test_5_1_the_best_kind_is_the_last_one_of_which_there_is_a_set() -> None:
    rng, met = random.Random(51), set[str]()
    packs = [deck() * 2, deck("6789TJQ") * 2, (*deck("A2345"), *deck("KQJT9")[5:])]
    for size in [*range(13)] * 60:
        hand = canonical(rng.sample(rng.choice(packs), size))
        last = [kind for kind in poker.SIZE if poker.sets(hand, kind)][-1:] or ["single"]
        assert [poker.best_kind(hand)] == last, hand
        met.update(last)
    assert met == set(poker.SIZE)
