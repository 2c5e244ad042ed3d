"""Auction Draw: every corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.common.dominoes import double_set
from rules.games.auction_draw.phases import Bidding, Over, Shuffling, ending
from rules.kernel import Chance, Invalid, Result
from tests.rules.games.auction_draw.positions import (
    BUY,
    GAME,
    PASS,
    bid,
    bidding,
    buy,
    deal,
    fact,
    line,
    passing,
    play,
    playing,
    table,
    tiles,
    zones,
)
from tests.rules.playouts import playout, told


@pytest.mark.parametrize(
    ("players", "sets"),
    [(2, (6, 9, 12, 15)), (4, (6, 9, 12, 15)), (5, (9, 12, 15)), (7, (12, 15)), (10, (15,))],
)
def test_1_sets_by_players(players: int, sets: tuple[int, ...]) -> None:
    assert GAME.options(players)["set"].values == sets


@pytest.mark.parametrize(
    ("players", "usual"), [(2, 6), (3, 6), (4, 9), (5, 9), (6, 12), (7, 12), (8, 15), (10, 15)]
)
def test_1_the_set_by_players(players: int, usual: int) -> None:
    assert GAME.settle(players, {}) == {
        "set": usual,
        "hand": 0,
        "chips": 30,
        "ante": 3,
        "free": False,
        "laps": 0,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"set": 7},
        {"set": "6"},
        {"hand": 2},
        {"hand": 10},
        {"hand": 19, "set": 9},
        {"chips": 9},
        {"chips": 101},
        {"ante": 0},
        {"ante": 11},
        {"free": 0},
        {"free": "false"},
        {"laps": 4},
        {"laps": True},
        {"rounds": 2},
    ],
)
def test_1_options_that_are_refused(options: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(3, options)


def test_1_hands_up_to_the_whole_set() -> None:
    assert GAME.settle(3, {"hand": 9})["hand"] == 9
    assert GAME.settle(3, {"hand": 18, "set": 9})["hand"] == 18
    with pytest.raises(Invalid):
        GAME.initial(5, {"set": 6})
    with pytest.raises(Invalid):
        GAME.initial(11, {})


@pytest.mark.parametrize(
    ("highest", "players", "hand", "stock"),
    [
        (6, 2, 7, 14),
        (6, 3, 7, 7),
        (6, 4, 5, 8),
        (9, 2, 10, 35),
        (9, 4, 9, 19),
        (9, 6, 7, 13),
        (12, 5, 11, 36),
        (12, 8, 8, 27),
        (15, 7, 12, 52),
        (15, 10, 10, 36),
    ],
)
def test_1_hand_sizes(highest: int, players: int, hand: int, stock: int) -> None:
    state = deal(GAME.initial(players, {"set": highest}))
    assert [len(each) for each in state.hands] == [hand] * players
    assert len(state.stock) == stock


def test_2_who_sees_what() -> None:
    state = playing("6-1 6-2", "5-1 5-2", removed=("0-0",), **line("6-6", 6, 6))
    for viewer in (0, 1, None):
        hands = zones(state, viewer, "hand")
        assert [zone["count"] for zone in hands] == [2, 2]
        assert ["cards" in zone for zone in hands] == [viewer == 0, viewer == 1]
        assert zones(state, viewer, "stock") == [{"name": "stock", "kind": "pile", "count": 5}]
        assert zones(state, viewer, "removed") == [{"name": "removed", "kind": "pile", "count": 1}]
        assert zones(state, viewer, "line")[0]["cards"] == ["6-6"]
    assert fact(state, "open") == [{"name": "open", "left": 6, "right": 6}]
    assert fact(state, "purse") == [{"name": "purse", "of": seat, "value": 27} for seat in (0, 1)]
    assert fact(state, "pot") == [{"name": "pot", "value": 6}]


def test_2_only_the_buyer_sees_what_it_bought() -> None:
    state = buy(playing("5-5", "4-1", **line("6-6", 6, 6)), 0)
    assert GAME.lines(state, 0) == [{"line": "bought", "seat": 0, "tile": "1-0"}]
    assert GAME.lines(state, 1) == [{"line": "bought", "seat": 0, "tile": 1}]
    assert fact(state, "bought") == [{"name": "bought", "value": 1}]


def test_3_antes_are_paid_before_the_shuffle() -> None:
    state = GAME.initial(3, {"ante": 5, "chips": 40})
    assert (state.purses, state.pot) == ((35, 35, 35), 15)
    assert GAME.turn(state).chance == Chance("stock", double_set(6))
    assert not any("cards" in zone and zone["cards"] for zone in GAME.view(state, 0)["zones"])


def test_3_seat_0_is_dealt_first_whoever_leads() -> None:
    state = Shuffling(**table("", "", "", stock="", round=2))
    state = deal(state)
    assert state.hands[0][:2] == ("0-0", "2-0")
    assert GAME.turn(state).waiting == (1,)
    assert fact(state, "lead") == [{"name": "lead", "seat": 1}]


def test_4_1_the_lead_plays_any_tile() -> None:
    for free in (False, True):
        state = playing("5-5 6-3", "4-1", terms={"free": free})
        assert GAME.legal(state, 0) == [
            {"type": "play", "tile": "5-5"},
            {"type": "play", "tile": "6-3"},
        ]


def test_4_1_a_double_has_no_further_ends() -> None:
    state = play(playing("5-5 6-3", "5-1 5-2"), 0, "5-5")
    assert state.numbers == (5, 5)
    state = play(state, 1, "5-1", 5)
    assert (state.line, state.numbers) == (tiles("5-1 5-5"), (1, 5))
    assert told(GAME, state) == ["played"]


def test_4_1_after_a_buy_nothing_can_be_played() -> None:
    state = buy(playing("5-5", "4-1", stock="6-0 5-1 4-4 0-0", **line("6-6", 6, 6)), 0)
    assert GAME.legal(state, 0) == [BUY, PASS]


def test_4_1_the_turn_goes_left() -> None:
    state = passing(playing("5-5", "4-1", "3-1", **line("6-6", 6, 6)), 0)
    assert GAME.turn(state).waiting == (1,)
    state = passing(buy(state, 1), 1)
    assert GAME.turn(state).waiting == (2,)
    assert told(GAME, state) == ["stopped"]


def test_4_1_a_seat_that_can_do_nothing_passes_automatically() -> None:
    state = play(playing("6-5 0-0", "4-1", "6-1", stock="", **line("6-6", 6, 6)), 0, "6-5", 6)
    assert GAME.turn(state).waiting == (2,)
    assert told(GAME, state) == ["played", "stuck"]
    assert state.bare == 1


def test_4_1_an_empty_purse_buys_nothing() -> None:
    state = playing("5-5", "4-1", purses=(0, 5), terms={"free": True}, **line("6-6", 6, 6))
    assert GAME.legal(state, 0) == [PASS]


def test_4_2_a_buy_interrupts_a_series_of_passes() -> None:
    state = playing("5-5", "4-1", "3-1", bare=2, **line("6-6", 6, 6))
    state = buy(state, 0)
    assert state.bare == 0
    state = passing(passing(passing(state, 0), 1), 2)
    assert (state.bare, GAME.turn(state).waiting) == (2, (0,))


def test_4_3_bids_up_to_the_purse_and_a_pass() -> None:
    state = bidding(purses=(5, 5, 5), high=2, bidder=2)
    assert GAME.legal(state, 0) == [*({"type": "bid", "chips": k} for k in (3, 4, 5)), PASS]


def test_4_3_the_auction_starts_left_of_the_buyer() -> None:
    state = buy(playing("5-5", "4-1", "3-1", stock="1-0 5-1 4-4", **line("6-6", 6, 6)), 0)
    assert isinstance(state, Bidding)
    assert GAME.turn(state).waiting == (1,)
    assert told(GAME, state) == ["bought", "auction"]


def test_4_3_the_buyer_sees_the_tiles_that_it_won() -> None:
    state = passing(passing(bid(bidding(), 0, 4), 1), 2)
    assert state.hands[0] == tiles("1-0 5-1 6-1")
    assert (state.purses[0], state.pot, state.stock) == (23, 13, ())
    assert GAME.lines(state, 0)[-1]["tiles"] == ["1-0", "5-1"]
    assert GAME.lines(state, 1)[-1]["tiles"] == 2
    assert GAME.turn(state).waiting == (0,), "the first seat goes on"


def test_4_3_the_state_of_the_auction_is_public() -> None:
    state = passing(bid(bidding(), 0, 4), 1)
    assert GAME.view(state, None)["prompt"] == {"high": 4, "lap": 1, "laps": 2}
    assert fact(state, "bidder") == [{"name": "bidder", "seat": 0}]
    assert [each["of"] for each in fact(state, "passed")] == [1]


def test_5_1_out_hands_stay_hidden() -> None:
    state = play(
        playing("6-5", "4-1", terms={"laps": 1}, round=2, **line("6-6", 6, 6)), 0, "6-5", 6
    )
    assert isinstance(state, Over)
    hands = {
        viewer: [zone["cards"] for zone in zones(state, viewer, "hand")] for viewer in (1, None)
    }
    assert hands == {1: [[], ["4-1"]], None: [[], [None]]}
    assert zones(state, None, "line")[0]["cards"] == ["6-5", "6-6"]
    assert GAME.result(state) == Result((0,), (33, 27), "rounds")


def test_5_1_blocked_all_hands_are_shown() -> None:
    state = playing(
        "5-5",
        "4-1",
        stock="",
        bare=1,
        terms={"free": True, "laps": 1},
        round=2,
        **line("6-6", 6, 6),
    )
    state = passing(state, 0)
    assert isinstance(state, Over)
    assert [zone["cards"] for zone in zones(state, None, "hand")] == [["5-5"], ["4-1"]]
    assert [(each["of"], each["value"]) for each in fact(state, "pips")] == [(0, 10), (1, 5)]
    assert told(GAME, state) == ["passed", "blocked", "counted", "counted", "fewest"]


def test_5_1_shown_hands_are_gone_in_the_next_round() -> None:
    state = playing("5-5", "4-1", stock="", bare=1, terms={"free": True}, **line("6-6", 6, 6))
    state = passing(state, 0)
    assert isinstance(state, Shuffling)
    assert state.hands == ((), ())
    counted = [each["tiles"] for each in GAME.lines(state, None) if each["line"] == "counted"]
    assert counted == [["5-5"], ["4-1"]]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"purses": (0, 60)}, "bankrupt"),
        ({"purses": (0, 60), "terms": {"laps": 1}, "round": 2}, "bankrupt"),
        ({"terms": {"laps": 1}, "round": 2}, "rounds"),
        ({"terms": {"laps": 3}, "round": 5}, None),
        ({"round": 99}, None),
        ({"round": 100}, "limit"),
    ],
)
def test_5_1_when_the_match_is_over(fields: Any, reason: str | None) -> None:
    assert ending(playing("5-5", "4-1", **fields)) == reason


def test_5_2_a_match_without_end_is_stopped() -> None:
    state: Any = playing("6-5", "4-1", round=100, **line("6-6", 6, 6))
    assert GAME.result(play(state, 0, "6-5", 6)) == Result((0,), (33, 27), "limit")


@pytest.mark.parametrize("players", [2, 5, 10])
def test_5_2_no_chip_is_lost(players: int) -> None:
    for step in playout(GAME, players, {"laps": 1}, random.Random(players).randrange):
        assert sum(step.after.purses) + step.after.pot == 30 * players


def test_6_out_of_time() -> None:
    state = playing("6-2 5-3 6-5", "4-1", **line("6-6 6-5", 6, 5))
    assert GAME.fallback(state, 0) == {"type": "play", "tile": "6-5", "end": 6}
    state = playing("6-2 5-3", "4-1", **line("6-6 6-5", 6, 5))
    assert GAME.fallback(state, 0) == {"type": "play", "tile": "6-2", "end": 6}
    assert GAME.fallback(playing("5-2 4-3 6-1", "4-1"), 0) == {"type": "play", "tile": "6-1"}
    assert GAME.fallback(playing("2-2", "4-1", **line("6-6", 6, 6)), 0) == PASS
    assert GAME.fallback(bidding(), 0) == PASS
    assert GAME.fallback(bidding(), 1) is None
