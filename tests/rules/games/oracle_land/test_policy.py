"""Sensible actions in The Land of Oracles, where they can be named without a search."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.oracle_land.phases import Blessing, Erasing, Playing, Rewarding
from rules.games.oracle_land.prospects import Prospects, hope
from tests.rules.games.oracle_land.positions import GAME, at, hands, play

SPADES, HEARTS = (0,), (1,)
PROPHECY = {"most": (("Js",), ("Qs",), ("Ks",)), "least": (("Jh",), ("Qh",), ("Kh",))}
"""Everybody is to own most spades and fewest hearts."""


def likeliest(state: Any) -> Any:
    """The action that the policy thinks most likely for the seat whose turn it is."""
    seat = GAME.turn(state).waiting[0]
    legal = GAME.legal(state, seat)
    assert GAME.mind.policy is not None
    weights = GAME.mind.policy(state, seat, legal)
    return legal[weights.index(max(weights))]


def test_equal_suits_are_more_likely_to_fail_than_one_that_is_ahead() -> None:
    assert hope(SPADES, (), (2, 1, 0, 0), 1) > 0.5 > hope(SPADES, (), (1, 1, 0, 0), 1)
    assert hope((), HEARTS, (1, 0, 1, 1), 1) > 0.5 > hope((), HEARTS, (1, 1, 1, 2), 1)


def test_a_lead_is_worth_more_the_fewer_tricks_are_left() -> None:
    assert hope(SPADES, (), (3, 1, 0, 0), 1) > hope(SPADES, (), (3, 1, 0, 0), 6)


def test_two_bid_cards_come_true_together_or_not_at_all() -> None:
    both = (0, 1)
    assert hope(both, (), (3, 3, 1, 1), 1) > 1 > hope(both, (), (3, 2, 1, 1), 1)


@pytest.mark.parametrize(("suit", "welcome"), [("s", True), ("h", False), ("d", False)])
def test_a_card_is_welcome_where_it_helps_the_prophecy(suit: str, welcome: bool) -> None:
    state = at(Playing, hands=hands("2s", "2h", "2d"), rows=hands("3s 5d", "", ""), **PROPHECY)
    assert (Prospects(state, 0).gain([suit]) > 0) == welcome


def test_a_seat_counts_its_secret_card_unless_a_four_lies_on_it() -> None:
    state = at(Playing, hands=hands("2s", "2h", "2d"), secrets=hands("8s", "8c", "7c"), **PROPHECY)
    covered = state.change(sealing=hands("4d", "", ""))
    assert Prospects(state, 0).gain("s") < Prospects(covered, 0).gain("s")


@pytest.mark.parametrize(
    ("trick", "last"), [(("5s", "6s"), "7s"), (("5h", "6h"), "3h")], ids=["wanted", "unwanted"]
)
def test_who_plays_last_wins_spades_and_ducks_hearts(trick: tuple[str, ...], last: str) -> None:
    state = at(
        Playing,
        hands=hands("5s 5h", "6s 6h", "3s 7s 3h 7h"),
        stock=(("Ts",), (), ("Td",), ("Tc",)),
        **PROPHECY,
    )
    assert likeliest(play(state, *trick))["card"] == last


def test_the_loser_takes_and_the_owner_of_the_joker_names_what_is_wanted() -> None:
    rows = hands("3s 5s 6c", "", "")
    assert likeliest(at(Rewarding, loser=0, winner=1, rows=rows, **PROPHECY))["card"] == "9s"
    assert likeliest(at(Blessing, number=6, rows=rows, **PROPHECY))["suit"] == "s"


def test_the_winner_covers_what_is_least_wanted() -> None:
    state = at(Erasing, winner=0, fours=("4c",), rows=hands("3s 5s 6h", "", ""), **PROPHECY)
    assert likeliest(state)["cards"] == ["6h"]
