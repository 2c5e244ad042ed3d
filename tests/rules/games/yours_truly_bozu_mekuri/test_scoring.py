"""Yours truly, Bozu-mekuri: the end, scoring, time-outs and rulings, by the sections 5 to 7 of its specification."""

from __future__ import annotations

import random

import pytest

from rules.common.cards import canonical, deck
from rules.games.yours_truly_bozu_mekuri.components import PILE
from rules.games.yours_truly_bozu_mekuri.phases import Over
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, points, settle
from rules.kernel import Result
from tests.rules.cases import case
from tests.rules.games.yours_truly_bozu_mekuri.positions import (
    GAME,
    OF_OTHER_SUITS,
    SETTLED,
    at,
    bozu,
    by_trying,
    draw,
    out_of_time,
    over,
    play,
)
from tests.rules.playouts import playout


@pytest.mark.parametrize(("hand", "own", "score", "tally"), SETTLED)
def test_5_and_8_settlement(hand: str, own: str, score: int, tally: int) -> None:
    found = settle(tuple(hand.split()), bozu(own))
    assert (found.score, found.tally) == (score, tally)


@pytest.mark.parametrize(("hand", "own", "score", "tally"), OF_OTHER_SUITS)
def test_5_and_8_settlement_with_sets_of_other_suits(
    hand: str, own: str, score: int, tally: int
) -> None:
    found = settle(tuple(hand.split()), bozu(own), "other-suits")
    assert (found.score, found.tally) == (score, tally)


def test_5_a_game_is_settled_as_its_option_says() -> None:
    shuffled = GAME.initial(3, {"sets": "other-suits"})
    hands = (("3h", "7h", "Th"), (), ())
    for start, score in ((shuffled, 20), (GAME.initial(3, {}), 25)):
        state = start.change(Over, gone=True, hands=hands)
        assert GAME.result(state) == Result((0,), (score, 0, 0), "bozu-gone")


def test_5_a_card_in_the_chosen_suit_and_in_a_set_counts_for_both() -> None:
    found = settle(("As", "5s", "6s"), ())
    assert (found.score, found.suit_sets) == (17, (("As", "5s", "6s"),))


def test_5_cards_are_laid_where_they_help() -> None:
    found = settle(("2h", "9h", "Tc"), bozu("Jh"))
    assert found.score == 10
    assert found.bozu == (Bozu("Jh", ("2h", "9h")),)
    assert points(found.bozu[0], found.suit) == 0


def test_5_the_settlement_is_the_best_of_all() -> None:
    for seed in range(60):
        for option in ("all", "other-suits"):
            with case(f"seed {seed}, sets of {option}"):
                is_the_best_settlement(seed, option)


def is_the_best_settlement(seed: int, option: str) -> None:
    rng = random.Random(seed)
    cards = [card for card in deck("A23456789T") if seed % 2 or card[0] in "3456"]
    rng.shuffle(cards)
    hand = canonical(cards[: rng.randrange(8)])
    heads = rng.sample(PILE, rng.randrange(4))
    own = tuple(Bozu(head, tuple(cards[8 + 2 * n : 9 + 2 * n])) for n, head in enumerate(heads))
    found = settle(hand, own, option)
    assert (found.score, found.tally) == by_trying(hand, own, option == "all")
    used = [card for three in found.rank_sets + found.suit_sets for card in three]
    laid = [
        c for was, now in zip(own, found.bozu, strict=True) for c in now.cards[len(was.cards) :]
    ]
    assert len({*used, *laid}) == len(used) + len(laid)
    assert {*used, *laid} <= set(hand)
    assert option == "all" or all(card[1] != found.suit for card in used)
    told_points = 10 * len(found.rank_sets) + 5 * len(found.suit_sets) + found.total
    assert found.score == told_points + sum(points(each, found.suit) for each in found.bozu)


def test_5_ties() -> None:
    nothing = ("", "")
    larger = over(("Ts", ""), ("8h 2h", ""), nothing)
    assert GAME.result(larger) == Result((1,), (10, 10, 0), "bozu-gone")
    fewer = over(("Ts", "Jd Td 2d"), ("Th", ""), nothing, gone=False)
    assert GAME.result(fewer) == Result((1,), (10, 10, 0), "last-round")
    nobody = over(("Ts", ""), ("Th", ""), nothing)
    assert GAME.result(nobody) == Result((), (10, 10, 0), "bozu-mekuri")


def test_5_how_the_score_came_about() -> None:
    state = over(("3h 7h Th 2s 2d 2c", "Jh 6h Kd"), ("", ""), ("", ""))
    of = [fact for fact in GAME.view(state, None)["facts"] if fact.get("of") == 0]
    assert of == [
        {"name": "chosen-suit", "of": 0, "suit": "h", "value": 20},
        {"name": "rank-set", "of": 0, "cards": ["2s", "2d", "2c"]},
        {"name": "suit-set", "of": 0, "cards": ["3h", "7h", "Th"]},
        {"name": "bozu", "of": 0, "card": "Jh", "cards": ["6h"], "value": -5},
        {"name": "bozu", "of": 0, "card": "Kd", "cards": [], "value": -13},
        {"name": "score", "of": 0, "value": 17, "tally": 4},
    ]
    assert of[-1]["value"] == 20 + 10 + 5 - 5 - 13


@pytest.mark.parametrize("players", [3, 4, 5])
def test_5_a_game_has_at_most_450_events(players: int) -> None:
    for seed in range(5):
        assert len(list(playout(GAME, players, {}, random.Random(seed).randrange))) <= 450


def test_6_a_game_out_of_time_comes_to_an_end() -> None:
    for seed in range(8):
        steps = out_of_time(seed)
        assert len(steps) <= 450, seed
        assert GAME.result(steps[-1].after), seed


def test_6_out_of_time() -> None:
    state = at(hand="9c 3h 3d")
    assert GAME.fallback(state, 0) == {"type": "draw"}
    assert GAME.fallback(state, 1) is None
    assert GAME.fallback(play(state, "3h", 1), 0) == {"type": "end"}
    late = at(hand="3h 9c 3c", stock=(), last=2, restocked=True)
    assert GAME.fallback(late, 0) == {"type": "pass", "card": "3h"}
    state = draw(at(rows="Js 5s/Qh/Kd 7d", stock=("3c", "2c")))
    assert GAME.fallback(state, 0) == {"type": "place", "row": 1}
    state = draw(at(rows="Js 5s/Qh 6h/Kd 7d", stock=("3c", "2c")))
    assert GAME.fallback(state, 0) == {"type": "place", "row": 0}, "all have room for 6"
    state = play(at(rows="Js/Qh 2h 3c 5h/Kd", hand="3h"), "3h", 1)
    assert GAME.fallback(state, 0) == {"type": "keep", "cards": ["2h", "5h"]}
    state = play(at(rows="Js/Qh 2h 2c 7h/Kd", hand="3h"), "3h", 1)
    assert GAME.fallback(state, 0) == {"type": "cover", "card": "2h", "bozu": "Qh"}
