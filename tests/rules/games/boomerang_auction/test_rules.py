"""Boomerang Auction: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import rules
from rules.games.boomerang_auction.phases import Bidding, Over, Shuffling
from rules.games.boomerang_auction.scoring import score
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.playouts import Step, moved, playout, shuffled, told
from tests.rules.worlds import check

GAME = rules.load("boomerang-auction")
HANDS = tuple(tuple(rank + suit for rank in "A2345") for suit in "shd")
CLUBS = ("Ac", "2c", "3c", "4c", "5c")
PASS = {"type": "pass"}


def bidding(**fields: Any) -> Bidding:
    """The first auction of a game, or another one."""
    usual = {
        "players": 3,
        "hands": HANDS,
        "stock": ("Ac", "2c", "3c", "5c"),
        "won": ((), (), ()),
        "good": "4c",
        "bids": ((), (), ()),
        "passed": (None, None, None),
    }
    return Bidding(**{**usual, **fields})


def bid(state: Any, seat: int, *cards: str) -> Any:
    return moved(GAME, state, seat, "bid", cards=list(cards))


def passing(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "pass")


def buy(state: Any, buyer: int, *cards: str) -> Any:
    """Let one auction pass in which only `buyer` bids; seats without cards are not asked."""
    for seat in [(state.dealer + k) % 3 for k in range(3)]:
        if seat == buyer:
            state = bid(state, seat, *cards)
        elif state.hands[seat]:
            state = passing(state, seat)
    return state


def nobody_bids(state: Any) -> Any:
    for seat in [(state.dealer + k) % 3 for k in range(3)]:
        state = passing(state, seat)
    return state


def bids_of(state: Any, seat: int) -> list[list[str]]:
    return [action["cards"] for action in GAME.legal(state, seat) if action != PASS]


@pytest.mark.parametrize("players", [0, 2, 4, True, 3.0, "3", None])
def test_1_exactly_three_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize("options", [{"joker": "none"}, {"": None}, [], None, "{}"])
def test_1_it_has_no_options(options: Any) -> None:
    assert GAME.settle(3, {}) == {}
    with pytest.raises(Invalid):
        GAME.initial(3, options)


def test_2_who_sees_what() -> None:
    state = bidding(
        discard=("2c", "Ah"), stock=("3c",), won=(("Ac",), (), ()), bids=((), ("2h",), ())
    )
    for viewer in (0, 1, 2, None):
        seen = {(z["name"], z.get("seat")): z for z in GAME.view(state, viewer)["zones"]}
        for seat in range(3):
            hand = seen["hand", seat]
            assert hand["count"] == 5
            assert hand.get("cards") == (list(HANDS[seat]) if viewer == seat else None)
        assert seen["stock", None] == {"name": "stock", "kind": "pile", "count": 1}
        assert seen["discard", None] == {"name": "discard", "kind": "pile", "count": 2}
        assert seen["good", None]["cards"] == ["4c"]
        assert seen["bid", 1]["cards"] == ["2h"]
        assert seen["won", 0]["cards"] == ["Ac"]


def test_2_dealer_stock_and_passes_are_public() -> None:
    facts = GAME.view(bidding(dealer=2, sale=2, passed=(None, None, True)), None)["facts"]
    assert {"name": "dealer", "seat": 2} in facts
    assert {"name": "sale", "value": 2} in facts
    assert [fact["of"] for fact in facts if fact["name"] == "passed"] == [2]


def test_3_hands_are_fixed_from_the_start() -> None:
    state = GAME.initial(3, {})
    assert state.hands == HANDS
    assert GAME.turn(state).chance == Chance("stock", CLUBS)


def test_3_the_top_card_is_the_first_good_and_seat_0_the_dealer() -> None:
    state = shuffled(GAME, GAME.initial(3, {}), "4c", "Ac", "5c", "2c", "3c")
    assert (state.good, state.stock) == ("4c", ("Ac", "5c", "2c", "3c"))
    assert GAME.turn(state).waiting == (0,)
    assert told(GAME, state) == ["shuffled", "offered"]


def test_4_seats_act_once_each_clockwise_from_the_dealer() -> None:
    state = bidding(dealer=1)
    asked = []
    for _ in range(3):
        turn = GAME.turn(state)
        asked += turn.waiting
        assert turn.optional == ()
        state = passing(state, turn.waiting[0])
    assert asked == [1, 2, 0]


def test_4_order_of_legal() -> None:
    state = bidding(hands=(HANDS[0], HANDS[1], ("Ad", "3d", "5d")), dealer=2)
    assert bids_of(state, 2) == [["Ad"], ["3d"], ["5d"], ["Ad", "3d"], ["Ad", "5d"]]
    assert GAME.legal(state, 2)[-1] == PASS


def test_4_a_seat_that_cannot_outbid_has_to_pass() -> None:
    state = bid(bidding(), 0, "As", "5s")
    assert GAME.legal(state, 1) == [PASS]
    assert GAME.turn(state).waiting == (1,)


def test_4_a_bid_leaves_the_hand_and_lies_open() -> None:
    state = bid(bidding(), 0, "As", "3s")
    assert state.hands[0] == ("2s", "4s", "5s")
    assert state.bids[0] == ("As", "3s")
    assert GAME.view(state, None)["prompt"] == {"high": 4}


def test_4_an_empty_hand_passes_automatically() -> None:
    state = passing(bidding(hands=(HANDS[0], (), HANDS[2])), 0)
    assert GAME.turn(state).waiting == (2,)
    assert state.passed == (True, True, None)
    assert told(GAME, state) == ["passed", "empty-handed"]


def test_4_without_bids_the_good_is_discarded_and_the_dealer_stays() -> None:
    state = nobody_bids(bidding(dealer=1))
    assert (state.discard, state.dealer, state.good) == (("4c",), 1, "Ac")
    assert told(GAME, state) == ["passed", "unsold", "offered"]


def test_4_the_second_stock_is_the_discard_pile_in_canonical_order() -> None:
    state = buy(bidding(stock=(), discard=("5c", "Ah", "2c", "2d")), 1, "Ah", "3h")
    assert GAME.turn(state).chance == Chance("restock", ("Ah", "Ah", "3h", "2d", "2c", "5c"))
    assert state.dealer == 1


def test_4_after_the_second_stock_the_game_is_over() -> None:
    state = buy(bidding(stock=(), sale=2, discard=("2c",)), 2, "Ad")
    assert isinstance(state, Over)
    assert state.discard == ("2c", "Ad"), "what is discarded now leaves the game"


def test_4_a_game_has_at_most_41_events() -> None:
    for seed in range(20):
        assert len(list(playout(GAME, 3, {}, random.Random(seed).randrange))) <= 41, seed


@pytest.mark.parametrize(
    ("won", "points"),
    [
        ("", 0),
        ("5c", 5),
        ("4c 4s 4h", 18),
        ("Ac As 3d", 7),
        ("2c 2s 2h 2d", 20),
        ("Ac As 3c 3s 3h", 19),
    ],
)
def test_5_score(won: str, points: int) -> None:
    assert score(tuple(won.split())) == points


def test_5_cards_in_hand_count_nothing() -> None:
    over = Over(players=3, hands=HANDS, won=(("Ac",), ("2c",), ()))
    assert GAME.result(over) == Result((1,), (1, 2, 0), "end")
    assert {"name": "sum", "of": 1, "values": 2, "extra": 0} in GAME.view(over, None)["facts"]


def test_6_out_of_time_a_seat_passes() -> None:
    assert GAME.fallback(bidding(), 0) == PASS
    assert GAME.fallback(bidding(), 1) is None


def test_7_the_seat_that_cannot_outbid_is_asked_but_not_the_one_without_cards() -> None:
    state = bidding(hands=(HANDS[0], ("Ah",), ()))
    state = bid(state, 0, "5s")
    assert GAME.turn(state).waiting == (1,)
    state = passing(state, 1)
    assert told(GAME, state)[:2] == ["passed", "empty-handed"]


def test_7_nobody_sees_the_discards() -> None:
    state = buy(bidding(), 0, "2s")
    pile = next(z for z in GAME.view(state, 0)["zones"] if z["name"] == "discard")
    assert pile == {"name": "discard", "kind": "pile", "count": 1}


def test_8_1_the_winning_bid_is_discarded_and_the_others_go_back() -> None:
    state = bid(passing(bid(bidding(), 0, "3s"), 1), 2, "4d")
    assert state.won == ((), (), ("4c",))
    assert state.discard == ("4d",)
    assert state.hands == (HANDS[0], HANDS[1], ("Ad", "2d", "3d", "5d"))
    assert state.dealer == 2
    assert GAME.turn(state).waiting == (2,)


@pytest.mark.parametrize(("pair", "worth"), [(("As", "3s"), 4), (("As", "5s"), 6)])
def test_8_2_an_ace_adds_one_to_another_card(pair: tuple[str, str], worth: int) -> None:
    state = bid(bidding(), 0, *pair)
    assert GAME.view(state, None)["prompt"] == {"high": worth}
    state = passing(passing(state, 1), 2)
    assert state.discard == pair
    assert set(pair).isdisjoint(state.hands[0])


def test_8_3_three_fours_are_18_points() -> None:
    assert score(("4c", "4s", "4h")) == 18


@pytest.mark.parametrize("cards", [["3h"], ["5h", "Ah"], ["2h", "5h"], ["2h"], ["4s"], []])
def test_8_4_what_cannot_be_bid_over_3(cards: list[str]) -> None:
    state = bid(bidding(), 0, "3s")
    with pytest.raises(Illegal) as refused:
        bid(state, 1, *cards)
    may = [["4h"], ["5h"], ["Ah", "3h"], ["Ah", "4h"], ["Ah", "5h"]]
    assert refused.value.why == {"wrong": "cards", "may": may}


def test_8_5_the_first_action_has_ten_choices() -> None:
    assert len(GAME.legal(bidding(), 0)) == 10


def test_8_6_nobody_ever_bids() -> None:
    state, events = shuffled(GAME, GAME.initial(3, {}), *CLUBS), 1
    while not GAME.turn(state).over:
        if isinstance(state, Shuffling):
            assert GAME.turn(state).chance == Chance("restock", CLUBS)
            state, events = shuffled(GAME, state, *reversed(CLUBS)), events + 1
        else:
            state, events = nobody_bids(state), events + 3
    assert events == 32
    assert GAME.result(state) == Result((0, 1, 2), (0, 0, 0), "end")


def test_8_7_the_thirteenth_good_finds_all_hands_empty() -> None:
    state = shuffled(GAME, GAME.initial(3, {}), *CLUBS)
    for seat, suit in enumerate("shd"):
        state = buy(state, seat, f"A{suit}", f"2{suit}")
    state = buy(buy(state, 2, "3d"), 2, "4d")
    stock = GAME.turn(state).chance.items
    assert stock == ("As", "2s", "Ah", "2h", "Ad", "2d", "3d", "4d")
    state = shuffled(GAME, state, *stock)
    for seat, card in [(0, "3s"), (0, "4s"), (0, "5s"), (1, "3h"), (1, "4h"), (1, "5h")]:
        state = buy(state, seat, card)
    assert state.hands == ((), (), ("5d",))
    before, state = state, bid(state, 2, "5d")
    event = {"kind": "action", "seat": 2, "action": {"type": "bid", "cards": ["5d"]}}
    check(GAME, Step(before, event, state), random.Random(7))
    sale, unsold = ["bid", "empty-handed", "sold"], ["offered", *["empty-handed"] * 3, "unsold"]
    assert told(GAME, state) == sale + unsold
    assert isinstance(state, Over)
    assert sum(map(len, state.won)) == 12
    assert state.discard[-1] == "4d"


def test_8_8_all_seats_with_the_most_points_win() -> None:
    assert score(("Ac", "As", "3d")) == 7
    assert score(("2c", "2s", "2h", "2d")) == 20
    over = Over(players=3, hands=((),) * 3, won=(("5c",), ("Ac", "As", "3d"), ("4c", "3c")))
    assert GAME.result(over) == Result((1, 2), (5, 7, 7), "end")


def test_2_twenty_cards() -> None:
    state = GAME.initial(3, {})
    cards = [*itertools.chain(*state.hands), *GAME.turn(state).chance.items]
    assert len(set(cards)) == len(cards) == 20
