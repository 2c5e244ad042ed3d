"""Auction Draw: the examples of its specification, section 8."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.auction_draw.phases import Bidding, Over, Playing, Shuffling
from rules.kernel import Illegal, Result
from tests.rules.games.auction_draw.positions import (
    BUY,
    GAME,
    PASS,
    bid,
    bidding,
    buy,
    deal,
    line,
    passing,
    play,
    playing,
    plays,
    table,
    tiles,
)
from tests.rules.playouts import told


def test_8_1_three_players() -> None:
    stock = "1-0 5-1 4-4 0-0 1-1 3-3"
    state = playing("5-5 6-3 6-6", "3-0 4-3 6-1", "2-0 2-1 2-2", stock=stock)
    state = play(state, 0, "6-3")
    assert GAME.legal(state, 1) == [
        {"type": "play", "tile": "3-0", "end": 3},
        {"type": "play", "tile": "4-3", "end": 3},
        {"type": "play", "tile": "6-1", "end": 6},
    ]
    state = play(state, 1, "4-3", 3)
    assert (state.line, state.numbers) == (tiles("6-3 4-3"), (6, 4))
    assert GAME.legal(state, 2) == [BUY, PASS]
    for _ in range(3):
        state = buy(state, 2)
    assert (state.purses[2], state.pot) == (24, 12)
    assert "4-4" in state.hands[2], "it fits, but not in this turn"
    assert GAME.legal(state, 2) == [BUY, PASS]
    assert GAME.view(state, 2)["prompt"] == {"bought": 3}


def test_8_2_the_left_end_is_used() -> None:
    state = play(playing("6-1 0-0", "4-1", **line("6-6", 6, 6)), 0, "6-1", 6)
    assert (state.line, state.numbers) == (tiles("6-1 6-6"), (1, 6))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((3, 4), [("4-3", 3), ("4-3", 4), ("4-4", 4)]), ((4, 4), [("4-3", 4), ("4-4", 4)])],
)
def test_8_3_one_action_for_each_distinct_number(numbers: Any, expected: Any) -> None:
    state = playing("4-3 4-4 2-1", "5-5", line=("0-0",), numbers=numbers)
    assert plays(state, 0) == expected


def test_8_4_going_out() -> None:
    state = play(playing("6-5", "4-1", **line("6-6", 6, 6)), 0, "6-5", 6)
    assert isinstance(state, Shuffling)
    assert (state.purses, state.pot, state.round) == ((30, 24), 6, 2)
    assert GAME.turn(deal(state)).waiting == (1,)


@pytest.mark.parametrize(
    ("hands", "pot", "purses", "left"),
    [
        (("5-4", "2-1", "6-3"), 13, (27, 40, 27), 0),
        (("2-1", "3-0", "6-6 2-1"), 13, (33, 33, 27), 1),
    ],
)
def test_8_5_blocked(hands: Any, pot: int, purses: Any, left: int) -> None:
    state = playing(
        *hands,
        pot=pot,
        stock="",
        bare=2,
        terms={"free": True, "laps": 1},
        round=3,
        **line("0-0", 0, 0),
    )
    state = passing(state, 0)
    assert (state.purses, state.pot) == (purses, left)
    assert told(GAME, state)[-1] == ("shared" if left else "fewest")


def test_8_6_when_a_round_is_blocked() -> None:
    state = playing(
        "6-1 5-5", "4-4", stock="3-3 2-2 3-2 0-0 5-4", terms={"laps": 1}, **line("6-6", 6, 6)
    )
    state = passing(play(state, 0, "6-1", 6), 1)
    state = passing(buy(state, 0), 0)
    assert isinstance(state, Playing)
    state = passing(state, 1)
    assert isinstance(state, Playing)
    state = passing(state, 0)
    assert isinstance(state, Shuffling)


def test_8_7_two_laps() -> None:
    state = bidding(first=2)
    for seat, chips in ((2, 2), (0, 3), (1, 4), (2, 5), (0, 6)):
        state = bid(state, seat, chips)
    sold = bid(state, 1, 7)
    assert (sold.purses, sold.pot) == ((27, 20, 27), 16)
    sold = passing(state, 1)
    assert sold.purses == (21, 27, 27)


def test_8_8_over_at_once() -> None:
    state = passing(passing(bid(bidding(), 0, 1), 1), 2)
    assert isinstance(state, Playing)
    state = bid(passing(bid(bidding(), 0, 1), 1), 2, 9)
    assert GAME.turn(state).waiting == (0,)
    assert GAME.view(state, 0)["prompt"]["lap"] == 2
    state = bid(state, 0, 10)
    assert GAME.turn(state).waiting == (2,)


def test_8_9_the_last_seat_is_asked() -> None:
    state = passing(passing(bidding(), 0), 1)
    assert GAME.turn(state).waiting == (2,)
    assert isinstance(bid(state, 2, 1), Playing)
    state = passing(state, 2)
    assert (state.stock, state.removed) == ((), ("1-0", "5-1"))
    assert "1-0" not in str([GAME.view(state, viewer) for viewer in (0, 1, 2, None)])
    assert told(GAME, state) == ["passed", "unsold"]


def test_8_10_a_seat_that_cannot_bid_more_passes_automatically() -> None:
    state = bid(bidding(purses=(27, 2, 27)), 0, 2)
    assert GAME.turn(state).waiting == (2,)
    assert told(GAME, state) == ["bid", "outbid"]
    bought = playing("5-5", "6-1", purses=(1, 0), stock="1-0 5-1 4-4", **line("6-6", 6, 6))
    state = buy(bought, 0)
    assert isinstance(state, Playing)
    assert told(GAME, state) == ["bought", "auction", "outbid", "outbid", "unsold"]
    assert GAME.turn(state).waiting == (1,)


def test_8_11_a_buy_with_the_last_chip_ends_the_turn() -> None:
    state = buy(playing("5-5", "4-1", purses=(1, 27), **line("6-6", 6, 6)), 0)
    assert GAME.turn(state).waiting == (1,)
    assert state.bare == 0


def test_8_12_small_stocks() -> None:
    state = deal(GAME.initial(2, {"set": 6, "hand": 13}))
    assert isinstance(state, Bidding)
    assert GAME.turn(state).waiting == (0,)
    state = passing(passing(state, 0), 1)
    assert GAME.turn(state).waiting == (0,)
    assert len(plays(state, 0)) == 13
    state = deal(GAME.initial(3, {"hand": 9}))
    assert (state.stock, len(state.removed)) == ((), 1)
    assert told(GAME, state)[-1] == "left-over"
    state = deal(GAME.initial(4, {"set": 6, "hand": 7}))
    assert (state.stock, state.removed) == ((), ())


def test_8_13_free() -> None:
    state = playing("6-0 6-1 2-2", "4-1", terms={"free": True}, **line("6-6", 6, 6))
    assert plays(state, 0) == [("6-0", 6), ("6-1", 6)]
    assert GAME.legal(state, 0)[2:] == [BUY, PASS]
    state = playing("2-2", "4-1", stock="", terms={"free": True}, **line("6-6", 6, 6))
    assert GAME.legal(state, 0) == [PASS]
    assert GAME.turn(state).waiting == (0,)


def test_8_14_a_purse_smaller_than_the_ante() -> None:
    state = playing("6-5", "4-1", purses=(20, 2), pot=38, **line("6-6", 6, 6))
    state = play(state, 0, "6-5", 6)
    assert (state.purses, state.pot) == ((55, 0), 5)
    assert told(GAME, state) == ["played", "out", "short"]
    state = deal(state)
    assert GAME.turn(state).waiting == (1,)


def test_8_14_bankrupt() -> None:
    state = playing("6-5", "4-1", purses=(20, 0), pot=40, **line("6-6", 6, 6))
    assert GAME.result(play(state, 0, "6-5", 6)) == Result((0,), (60, 0), "bankrupt")
    state = playing("6-5", "4-1", purses=(0, 20), pot=40, **line("6-6", 6, 6))
    assert isinstance(play(state, 0, "6-5", 6), Shuffling), "the pot saves who spent the last chip"


def test_8_15_all_with_the_most_chips_win() -> None:
    over = Over(**table("", "", "", purses=(9, 40, 40), pot=1), blocked=False, reason="rounds")
    assert GAME.result(over) == Result((1, 2), (9, 40, 40), "rounds")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ({"type": "play", "tile": "6-1", "end": 6.5}, {"wrong": "end", "may": [6]}),
        ({"type": "play", "tile": "6-1"}, {"wrong": "end", "may": [6]}),
        ({"type": "play", "tile": "1-6", "end": 6}, {"wrong": "tile", "may": ["6-0", "6-1"]}),
        ({"type": "buy"}, {"wrong": "type", "may": ["play"]}),
    ],
)
def test_8_actions_that_are_refused(action: Any, why: Any) -> None:
    state = playing("6-0 6-1 2-2", "4-1", **line("6-6", 6, 6))
    with pytest.raises(Illegal) as refused:
        GAME.apply(state, {"kind": "action", "seat": 0, "action": action})
    assert refused.value.why == why
