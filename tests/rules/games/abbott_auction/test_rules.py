"""Auction (Abbott): every corner case, by the sections of its specification."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from rules.common.cards import canonical, deck
from rules.games.abbott_auction.claims import Claim, layable
from rules.games.abbott_auction.phases import Dealing, Laying
from rules.games.abbott_auction.scoring import points
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.games.abbott_auction.positions import (
    GAME,
    LEAVE,
    PASS,
    act,
    bid,
    bidding,
    cards,
    claims,
    facts,
    won,
    zones,
)
from tests.rules.playouts import playout, shuffled


@pytest.mark.parametrize("players", [0, 1, 9, True, 2.0, "2", None])
def test_1_two_to_eight_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize(
    "options", [{"target": 75}, {"target": "50"}, {"max_deals": 3}, {"max_deals": True}, {"x": 1}]
)
def test_1_options(options: Any) -> None:
    assert GAME.settle(2, {}) == {"target": 150, "max_deals": 20}
    with pytest.raises(Invalid):
        GAME.initial(2, options)


def test_2_who_sees_what() -> None:
    state = bidding("As Ks", "Qs Js", pile="9d 8d")
    for viewer in (0, 1, None):
        assert ["cards" in zone for zone in zones(state, viewer, "hand")] == [
            viewer == 0,
            viewer == 1,
        ]
        assert zones(state, viewer, "pile")[0]["cards"] == ["9d", "8d"]
        assert zones(state, viewer, "stock") == [{"name": "stock", "kind": "pile", "count": 6}]


def test_2_a_claim_names_no_card_that_anybody_sees() -> None:
    state = bid(bidding("Jk 2s", "3s 4s"), 0, "single", "Jk")
    assert GAME.view(state, 1)["prompt"] == {"kind": "single", "rank": "joker"}
    assert "Jk" not in str((GAME.view(state, 1), GAME.lines(state, 1)))


@pytest.mark.parametrize(
    ("players", "items", "stock"), [(2, 54, 33), (3, 54, 23), (4, 108, 67), (8, 108, 27)]
)
def test_3_the_deal(players: int, items: int, stock: int) -> None:
    state = GAME.initial(players, {})
    chance = GAME.turn(state).chance
    assert chance is not None
    assert (chance.name, len(chance.items)) == ("stock", items)
    after = shuffled(GAME, state, *chance.items)
    assert {len(hand) for hand in after.hands} == {10}
    assert (len(after.pile), len(after.stock)) == (1, stock)
    assert GAME.turn(after).waiting == tuple(range(players))


def test_3_one_pack_or_two() -> None:
    assert GAME.turn(GAME.initial(3, {})).chance == Chance("stock", deck(jokers=2))
    two = GAME.turn(GAME.initial(4, {})).chance
    assert two is not None
    assert two.items[:4] == cards("As As 2s 2s")
    assert two.items[-5:] == cards("Kc Jk Jk Jk Jk")


def test_3_dealt_singly_from_seat_0() -> None:
    state = shuffled(GAME, GAME.initial(2, {}), *deck(jokers=2))
    assert state.hands[0] == canonical(deck()[0:20:2])
    assert state.pile == ("8h",)


def test_4_2_order_of_legal() -> None:
    state = bid(bidding("9s 9h 9d Ts Th 2c 2d", "7s 9c"), 1, "single", "9")
    assert claims(state, 0) == [
        "single 9 d",
        "single 9 h",
        "single 9 s",
        "single T",
        "pair 2",
        "pair 9",
        "pair T",
        "two-pair",
        "three 9",
        "full-house",
    ]
    assert GAME.legal(state, 0)[-2:] == [PASS, LEAVE]


def test_4_2_a_stronger_kind_cannot_be_answered_by_a_weaker_one() -> None:
    state = bid(bidding("9s 9h 9d", "As Ah"), 0, "three", "9")
    assert claims(state, 1) == []
    assert GAME.legal(state, 1) == [PASS, LEAVE]


def test_4_2_bids_without_the_cards_are_impossible() -> None:
    with pytest.raises(Illegal) as refused:
        bid(bidding("9s 8s", "As Ah"), 0, "single", "A")
    assert refused.value.why == {"wrong": "rank", "may": ["8", "9"]}


def test_4_3_the_high_bidder_is_not_asked() -> None:
    state = bid(bidding("9s", "Ts", "Js"), 1, "single", "T")
    assert GAME.turn(state).waiting == (0, 2)
    assert GAME.turn(state).optional == ()
    assert GAME.legal(state, 1) == []


def test_4_3_a_pass_holds_until_a_higher_bid() -> None:
    state = act(bid(bidding("9s", "Ts", "Js"), 0, "single", "9"), 1, "pass")
    assert GAME.turn(state).waiting == (2,)
    assert [fact["of"] for fact in facts(state, "passed")] == [1]
    state = bid(state, 2, "single", "J")
    assert GAME.turn(state).waiting == (0, 1)


def test_4_3_a_seat_that_has_left_is_not_asked_again_in_this_auction() -> None:
    state = act(bid(bidding("9s", "Ts", "Js"), 0, "single", "9"), 1, "leave")
    state = bid(state, 2, "single", "J")
    assert GAME.turn(state).waiting == (0,)
    assert facts(state, "passed") == [{"name": "passed", "of": 1, "gone": True}]


def test_4_3_passing_or_leaving_does_not_change_what_others_are_asked() -> None:
    state = bid(bidding("9s", "Ts", "Js", "Qs"), 0, "single", "9")
    for kind in ("pass", "leave"):
        assert GAME.question(act(state, 1, kind), 2) == GAME.question(state, 2)


def test_4_3_a_bid_that_comes_too_late_is_refused() -> None:
    state = bid(bidding("9s", "Ts", "Js"), 2, "single", "J")
    with pytest.raises(Illegal):
        bid(state, 1, "single", "T")
    assert GAME.turn(state).waiting == (0, 1)


def test_4_3_seats_that_cannot_answer_a_bid_are_asked_all_the_same() -> None:
    state = bid(bidding("Jk", "Ts"), 0, "single", "Jk")
    assert GAME.turn(state).waiting == (1,)


def test_4_4_all_have_left_before_the_bid() -> None:
    state = act(act(bidding("9s", "Ts", "Js"), 0, "leave"), 1, "leave")
    state = bid(state, 2, "single", "J")
    assert isinstance(state, Laying)


def test_4_4_only_the_winner_is_waiting_and_nobody_may_declare() -> None:
    state = won(bidding("9s 9h", "Ts", pile="2d 3d 4d 5d 6d 7d 8d 9d Td"), 0, "pair", "9")
    assert GAME.turn(state).waiting == (0,)
    assert GAME.turn(state).optional == ()


def test_4_4_what_was_taken_is_in_the_hand_and_seen_by_the_winner() -> None:
    state = won(bidding("9s 9h 7s", "Ts", pile="9d", stock="9c 4c 5c"), 0, "pair", "9")
    assert zones(state, 0, "hand")[0]["cards"] == ["7s", "9s", "9h", "9d", "9c"]
    assert facts(state, "taken", 0) == [{"name": "taken", "cards": ["9d", "9c"]}]
    for other in (1, None):
        assert zones(state, other, "hand")[0]["count"] == 5
        assert "cards" not in zones(state, other, "hand")[0]
        assert facts(state, "taken", other) == []
    assert {"line": "took", "seat": 0, "cards": ["9d"]} in GAME.lines(state, 1)
    assert {"line": "drew", "seat": 0, "cards": 1} in GAME.lines(state, 1)
    assert {"line": "drew", "seat": 0, "cards": ["9c"]} in GAME.lines(state, 0)


def test_4_4_the_top_of_the_pile_comes_first() -> None:
    state = won(bidding("9s 9h", "Ts", pile="2d 3d 4d"), 0, "pair", "9")
    assert state.taken == ("4d", "3d")
    assert state.pile == ("2d",)


def test_5_1_points_of_the_pile() -> None:
    assert points(cards("As Kh Qd Jc Jk Ts 2s")) == 10 + 4 * 5 + 2


def test_5_1_all_hands_are_open_until_the_next_chance() -> None:
    state = act(bidding("As", "Ks", pile="2d 3d 4d 5d 6d 7d 8d 9d"), 0, "declare")
    assert isinstance(state, Dealing)
    for viewer in (0, 1, None):
        assert [zone["cards"] for zone in zones(state, viewer, "hand")] == [["As"], ["Ks"]]
    assert len(zones(state, None, "pile")[0]["cards"]) == 8
    state = shuffled(GAME, state, *GAME.turn(state).chance.items)
    assert not [zone for zone in zones(state, None, "hand") if "cards" in zone]
    assert facts(state, "deal") == [
        {
            "name": "deal",
            "number": 1,
            "reason": "declared",
            "seats": [0],
            "value": 8,
            "declarer": 0,
        }
    ]


def test_5_2_the_end() -> None:
    state = act(bidding("As", "Ks", pile=" ".join(["As"] * 13), number=3), 0, "declare")
    assert GAME.result(state) == Result((0,), (155, 0), "target")
    assert {"name": "best", "of": 0, "kind": "high-card", "cards": ["As"]} in facts(state, "best")


def test_6_out_of_time() -> None:
    state = bidding("9s 9h", "Ts", pile="2d 3d 4d 5d 6d 7d 8d 9d")
    assert GAME.fallback(state, 0) == LEAVE
    state = bid(state, 0, "pair", "9")
    assert GAME.fallback(state, 0) is None, "it may declare, but nobody waits for it"
    assert GAME.fallback(act(state, 1, "leave"), 0) == {"type": "lay", "card": "9s"}


def test_7_an_underbid_is_allowed() -> None:
    hand = "9s Ts Js Qs Ks"
    assert {"straight", "flush", "straight-flush"} <= set(claims(bidding(hand, "2s"), 0))


def test_7_an_opening_joker_has_no_effect() -> None:
    top = [card for card in deck(jokers=2) if card != "Jk"]
    state = shuffled(GAME, GAME.initial(2, {}), *top[:20], "Jk", *top[20:], "Jk")
    assert (state.pile, GAME.turn(state).waiting) == (("Jk",), (0, 1))


def test_the_bids_of_a_strong_hand_are_listed_fast_enough() -> None:
    """All ten cards are of one suit: 252 flushes."""
    hand = canonical(cards("2s 3s 4s 5s 6s 7s 8s 9s Ts Js"))
    state = bid(bidding("2h", " ".join(hand)), 0, "single", "2")
    layable(Claim("flush"), hand, ())
    began = time.process_time()
    for _ in range(20):
        state = state.change()
        assert len(GAME.legal(state, 1)) > 10
        assert len(layable(Claim("flush"), hand, ())) == 10
    assert time.process_time() - began < 20 * 0.02


@pytest.mark.parametrize("players", [2, 5, 8])
def test_every_card_is_somewhere(players: int) -> None:
    for step in playout(GAME, players, {"max_deals": 2}, random.Random(players).randrange):
        s = step.after
        assert sum(map(len, (*s.hands, s.pile, s.stock))) == (54 if players < 4 else 108)
