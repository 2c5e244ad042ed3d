"""Auction Draw: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.auction_draw import Bidding, Over, Playing, Shuffling, Terms, ending
from rules.dominoes import canonical, double_set, ends, other_end, pips, shows
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.playouts import fallen, moved, playout, told

GAME = rules.load("auction-draw")
PASS = {"type": "pass"}
BUY = {"type": "buy"}
TERMS = Terms(highest=6, hand=0, ante=3, free=False, laps=0)


def tiles(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def line(text: str, left: int, right: int) -> dict[str, Any]:
    return {"line": tiles(text), "numbers": (left, right)}


def table(*hands: str, stock: str = "1-0 5-1 4-4 0-0 1-1", **fields: Any) -> dict[str, Any]:
    return {
        "players": len(hands),
        "hands": tuple(canonical(tiles(hand)) for hand in hands),
        "stock": tiles(stock),
        "purses": (27,) * len(hands),
        "pot": 3 * len(hands),
        "terms": TERMS._replace(**fields.pop("terms", {})),
        **fields,
    }


def playing(*hands: str, **fields: Any) -> Playing:
    """Seat 0 is on turn."""
    return Playing(**{"on_turn": 0, **table(*hands, **fields)})


def bidding(players: int = 3, first: int = 0, **fields: Any) -> Bidding:
    """The last two tiles are for sale; a tile lies on the table."""
    usual = {**table(*(("6-1",) * players), stock="1-0 5-1"), **line("6-6", 6, 6)}
    return Bidding(**{**usual, "first": first, "passed": (None,) * players, **fields})


def play(state: Any, seat: int, tile: str, *end: int) -> Any:
    return moved(GAME, state, seat, "play", tile=tile, **({"end": end[0]} if end else {}))


def buy(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "buy")


def passing(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "pass")


def bid(state: Any, seat: int, chips: int) -> Any:
    return moved(GAME, state, seat, "bid", chips=chips)


def plays(state: Any, seat: int) -> list[tuple[str, int | None]]:
    legal = GAME.legal(state, seat)
    return [(action["tile"], action.get("end")) for action in legal if action["type"] == "play"]


def deal(state: Any) -> Any:
    return fallen(GAME, state, *GAME.turn(state).chance.items)


def fact(state: Any, name: str) -> list[Any]:
    return [each for each in GAME.view(state, None)["facts"] if each["name"] == name]


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]


def test_dominoes() -> None:
    assert (ends("12-0"), pips("6-3"), len(double_set(15))) == ((12, 0), 9, 136)
    assert double_set(2) == tiles("0-0 1-0 1-1 2-0 2-1 2-2")
    assert canonical(tiles("12-0 2-2 10-3")) == tiles("2-2 10-3 12-0")
    assert (other_end("6-3", 6), other_end("6-3", 3), other_end("4-4", 4)) == (3, 6, 4)
    assert shows("6-3", (3, 5))
    assert not shows("6-3", (4, 5))


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
        {"chips": 29},
        {"chips": 41},
        {"ante": 0},
        {"ante": 11},
        {"free": 0},
        {"free": "false"},
        {"laps": 4},
        {"laps": True},
        {"rounds": 2},
    ],
)
def test_1_what_is_refused(options: Any) -> None:
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


def test_4_1_a_seat_that_can_do_nothing_passes_by_itself() -> None:
    state = play(playing("6-5 0-0", "4-1", "6-1", stock="", **line("6-6", 6, 6)), 0, "6-5", 6)
    assert GAME.turn(state).waiting == (2,)
    assert told(GAME, state) == ["played", "stuck"]
    assert state.bare == 1


def test_4_1_no_purse_no_buy() -> None:
    state = playing("5-5", "4-1", purses=(0, 5), terms={"free": True}, **line("6-6", 6, 6))
    assert GAME.legal(state, 0) == [PASS]


def test_4_2_a_buy_breaks_the_row_of_passes() -> None:
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


def test_5_1_shown_hands_are_gone_with_the_next_round() -> None:
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


def test_8_10_who_cannot_bid_more_passes_by_itself() -> None:
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
def test_8_what_is_refused(action: Any, why: Any) -> None:
    state = playing("6-0 6-1 2-2", "4-1", **line("6-6", 6, 6))
    with pytest.raises(Illegal) as refused:
        GAME.apply(state, {"kind": "action", "seat": 0, "action": action})
    assert refused.value.why == why
