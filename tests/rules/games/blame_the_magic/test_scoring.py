"""Blame the Magic: the end, scoring, time-outs and rulings, by the sections 5 to 7 of its specification."""

from __future__ import annotations

import random

import pytest

from rules.games.blame_the_magic.phases import Closing, Leading, Over, Window
from rules.kernel import Result
from tests.rules.games.blame_the_magic.positions import ANSWER, GAME, JUDGED, PASS, at, facts, lead
from tests.rules.playouts import moved, playout


@pytest.mark.parametrize(("rows", "reason", "winners", "scores"), JUDGED)
def test_5_who_wins(rows: list[str], reason: str, winners: list[int], scores: list[int]) -> None:
    state = at(Closing, ["", "", ""], rows, round=3)
    over = moved(GAME, state, 2, "pass")
    assert GAME.result(over) == Result(tuple(winners), tuple(scores), reason)


def test_5_everyone_wins_in_the_first_round_already() -> None:
    state = at(Closing, ["", "", ""], ["5 7", "6 7", "5 7"], round=1)
    assert isinstance(moved(GAME, state, 0, "pass"), Over)


def test_5_how_the_survivor_is_found_is_shown() -> None:
    over = at(Over, ["", "", ""], ["5 7", "7", "5 2"], round=3)
    assert facts(over, "unnoticed") == [
        {"name": "unnoticed", "of": 1, "guild": 5},
        {"name": "unnoticed", "of": 2, "guild": 4},
    ]
    assert facts(at(Over, [""] * 3, ["5 6 7", "5 6 7", "7"]), "unnoticed") == []


@pytest.mark.parametrize(("players", "most"), [(3, 72), (4, 112)])
def test_5_the_longest_game(players: int, most: int) -> None:
    for seed in range(20):
        assert len(list(playout(GAME, players, {}, random.Random(seed).randrange))) <= most


def test_6_out_of_time() -> None:
    state = GAME.initial(3, {})
    assert GAME.fallback(state, 2) == {"type": "choose", "cards": ["2d", "3d", "4d"]}
    state = at(Window, ["3 2", "3 5", "6 7"], round=2).change(hands=(("2s", "3s"), ("5h",), ()))
    assert GAME.fallback(state, 0) == {"type": "lead", "card": "2s"}
    assert GAME.fallback(state, 1) == PASS
    state = at(Leading, ["2 3", "4 5", "6 7"], joker=0, round=2)
    assert GAME.fallback(state, 0) == {"type": "lead", "card": "2s"}
    assert GAME.fallback(state, 1) is None
    assert GAME.fallback(lead(state, "2"), 1) == ANSWER
    assert GAME.fallback(at(Closing, ["", "2", "3"], round=1), 0) == PASS


def test_6_out_of_time_the_marker_prevents_what_it_can() -> None:
    state = at(Closing, ["", "2", "2"], ["7 6 5 2", "7 6 4", ""], round=1)
    assert GAME.fallback(state, 0) == {"type": "lose", "card": "5s"}, "21 - 17 = 4"
    state = at(Closing, ["", "2", "2"], ["7 6 5 2", "7 6 3", ""], round=1)
    assert GAME.fallback(state, 0) == PASS, "one above the limit is no harm"


def test_7_1_with_three_players_17_is_not_above_the_limit() -> None:
    state = at(Over, [""] * 3, ["3 6 7", "3 6 7", "5 7"])
    assert GAME.result(state) == Result((0, 1, 2), (17, 17, 13), "everyone")


def test_7_11_a_hand_that_is_empty_from_the_start_does_not_end_the_round() -> None:
    state = at(Leading, ["2 3", "4 5", ""], round=1, marker=9, began=(0, 1))
    assert isinstance(lead(state, "2"), Leading)
