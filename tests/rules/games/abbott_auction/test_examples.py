"""Auction (Abbott): the examples of its specification, section 8."""

from __future__ import annotations

import pytest

from rules.common.cards import canonical
from rules.games.abbott_auction.phases import Bidding, Dealing, Over
from rules.kernel import Result
from tests.rules.games.abbott_auction.positions import (
    DECLARE,
    GAME,
    LEAVE,
    PASS,
    STOCK,
    act,
    bid,
    bidding,
    cards,
    claims,
    facts,
    lay,
    lays,
    nines,
    won,
)
from tests.rules.playouts import told


def test_8_1_the_nines() -> None:
    state = nines()
    assert claims(state, 0, "single") == ["single 9 h", "single 9 s"]
    assert claims(state, 2, "single") == ["single 9 s"]
    assert claims(state, 3, "single") == []
    assert facts(state, "opener") == [{"name": "opener", "seat": 0}]
    state = bid(state, 0, "single", "9", "h")
    assert claims(state, 1, "single") == []
    assert claims(state, 2, "single") == ["single 9 s"]
    assert claims(bid(state, 2, "single", "9", "s"), 0, "single") == ["single 9 s"]


def test_8_1_only_the_opener_can_equal() -> None:
    state = bidding("9s 9h 9c", "9h 9d", "9h 2s")
    state = bid(bid(state, 0, "single", "9"), 1, "single", "9", "h")
    assert claims(state, 2, "single") == []


def test_8_2_identical_kings_are_no_pair() -> None:
    assert claims(bidding("Ks Ks", "2s"), 0) == ["single K"]


def test_8_3_pairs() -> None:
    state = bidding("8s 8h", "8d 8c 9s 9h 2s 2h", "Jk Jk")
    state = bid(state, 0, "pair", "8")
    assert claims(state, 1) == ["pair 9", "two-pair"]
    assert claims(state, 2) == ["pair Jk"]


def test_8_4_straights() -> None:
    state = bidding("As Kh Qd Jc Ts 9s", "Ah Kd Qc Js Th", "Ad 2c 3s 4h 5d")
    state = bid(state, 0, "straight")
    assert claims(state, 1) == ["straight A"]
    assert claims(state, 2) == ["straight 5"]
    state = bid(state, 1, "straight", "A")
    assert claims(state, 0) == ["straight A"]
    assert claims(state, 2) == []
    state = bid(state, 0, "straight", "A")
    assert claims(state, 1) == []


def test_8_5_jokers() -> None:
    state = bidding("Jk Jk Jk Jk 2s", "Jk As Ah")
    state = bid(state, 1, "single", "A")
    assert claims(state, 0) == ["single Jk", "pair Jk", "three Jk", "four Jk"]
    state = bid(state, 0, "single", "Jk")
    assert claims(state, 1) == ["pair A"]
    assert claims(bidding("Ks Jk", "2s"), 0) == ["single K", "single Jk"]


def test_8_6_two_pair() -> None:
    state = bidding("Ks Kh 2s 2h", "Kd Kc 3s 3h", "Qs Qh 4s 4h")
    state = bid(state, 0, "two-pair")
    state = bid(state, 2, "two-pair", "Q")
    state = bid(state, 1, "two-pair", "K")
    assert claims(state, 2) == []
    assert claims(state, 0) == ["two-pair K"]
    state = bid(state, 0, "two-pair", "K")
    assert claims(state, 1) == []


def test_8_7_a_bare_nine_is_laid_by_choice() -> None:
    state = won(bidding("9s 9h", "2s"), 0, "single", "9")
    assert lays(state) == ["9s", "9h"]
    state = won(bidding("9s Ts", "2s"), 0, "single", "9")
    assert lays(state) == ["9s"]


def test_8_7_a_named_nine_is_laid_automatically() -> None:
    state = bid(bid(bidding("9s 9h", "9c 2s"), 1, "single", "9"), 0, "single", "9", "h")
    state = act(state, 1, "pass")
    assert isinstance(state, Bidding)
    assert (state.hands[0], state.pile) == (("9s", "9d"), ("9h", "2c"))
    assert told(GAME, state) == ["passed", "won", "took", "laid", "turned"]


def test_8_8_only_the_cards_held_before_are_laid() -> None:
    state = won(bidding("9s 9h 7s", "Ts", pile="9d", stock="9c 4c 5c"), 0, "pair", "9")
    assert lays(state) == ["9s", "9h"]
    state = lay(state, "9h", "9s")
    assert state.pile == cards("9h 9s 4c")
    assert state.hands[0] == canonical(cards("7s 9d 9c"))


def test_8_9_a_straight_is_laid_card_by_card() -> None:
    state = bidding("As Kh Qd Js Th Tc", "2s", pile="2d", stock="3d 4d 5d 6d 7d 8d")
    state = won(state, 0, "straight")
    assert state.taken == cards("2d 3d 4d 5d 6d")
    assert lays(state) == ["As", "Js", "Th", "Kh", "Qd", "Tc"]
    state = lay(state, "Js", "As", "Kh", "Th")
    assert lays(state) == ["Qd"]
    state = lay(state, "Qd")
    assert state.pile == cards("Js As Kh Th Qd 7d")


def test_8_10_who_is_asked() -> None:
    state = act(act(bidding("Ks", "2s", "3s"), 2, "pass"), 1, "leave")
    state = bid(state, 0, "single", "K")
    assert GAME.turn(state).waiting == (2,)
    state = lay(act(state, 2, "pass"), "Ks")
    assert GAME.turn(state).waiting == (0, 1, 2)


def test_8_11_everybody_may_declare_with_eight_cards() -> None:
    state = bidding("Ks", "2s", "3s")
    for _ in range(7):
        assert GAME.turn(state).optional == ()
        for seat in range(3):
            state = act(state, seat, "pass")
        state = state.change(stock=cards(STOCK))
    assert len(state.pile) == 8
    assert told(GAME, state) == ["passed", "no-bid", "turned"]
    state = act(bid(state, 0, "single", "K"), 1, "pass")
    turn = GAME.turn(state)
    assert (turn.waiting, turn.optional) == ((2,), (0, 1))
    assert GAME.legal(state, 0) == GAME.legal(state, 1) == [DECLARE]
    assert GAME.legal(state, 2)[-3:] == [PASS, LEAVE, DECLARE]


@pytest.mark.parametrize(("declarer", "totals"), [(0, (51, 0)), (1, (26, -25))])
def test_8_12_the_declarer(declarer: int, totals: tuple[int, ...]) -> None:
    state = bidding("As Ah", "Ks", pile="Ac Ad 2c 3c 4c 5c 6c 7c")
    assert act(state, declarer, "declare").totals == totals


@pytest.mark.parametrize(("declarer", "totals"), [(2, (4, 4, -25)), (0, (29, 4, 0))])
def test_8_13_equal_hands_share(declarer: int, totals: tuple[int, ...]) -> None:
    state = bidding("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "2s", pile="Jc 2c 3c 4c 5c")
    state = state.change(pile=cards("2d 3d 4d 5d 6d 7d 8d 9d Td"))
    assert act(state, declarer, "declare").totals == totals


def test_8_14_a_turned_joker_ends_the_deal() -> None:
    state = bidding("As", "Ks", stock="Jk 2c")
    state = act(act(state, 0, "pass"), 1, "pass")
    assert isinstance(state, Dealing)
    assert state.totals == (6, 0)
    assert facts(state, "deal")[0]["reason"] == "joker"


def test_8_15_one_more_auction_after_the_last_card() -> None:
    state = bidding("As", "Ks", stock="2c")
    state = act(act(state, 0, "pass"), 1, "pass")
    assert (type(state), state.stock) == (Bidding, ())
    state = lay(won(state, 1, "single", "K"), "Ks")
    assert isinstance(state, Dealing)
    assert facts(state, "deal")[0]["reason"] == "stock"
    state = bidding("As", "Ks", stock="")
    assert isinstance(act(act(state, 0, "pass"), 1, "pass"), Dealing)


@pytest.mark.parametrize(("stock", "taken"), [("3c", ("9d", "3c")), ("", ("9d",))])
def test_8_16_pile_and_stock_are_too_small(stock: str, taken: tuple[str, ...]) -> None:
    state = won(bidding("Jk Jk As", "Ks", pile="9d", stock=stock), 0, "pair", "Jk")
    assert isinstance(state, Dealing)
    assert state.pile == ("Jk", "Jk")
    assert state.hands[0] == canonical(("As", *taken))
    assert facts(state, "deal")[0]["reason"] == "stock"


@pytest.mark.parametrize(
    ("totals", "max_deals", "result"),
    [
        ((150, 150, -25, 0), 20, Result((0, 1), (150, 150, -25, 0), "target")),
        ((150, 175, 0, 0), 20, Result((1,), (150, 175, 0, 0), "target")),
        ((39, 9, 0, 0), 1, Result((0,), (39, 9, 0, 0), "deal-limit")),
    ],
)
def test_8_18_the_match(totals: tuple[int, ...], max_deals: int, result: Result) -> None:
    over = Over(
        players=4,
        hands=((),) * 4,
        totals=totals,
        target=150,
        max_deals=max_deals,
    )
    assert GAME.result(over) == result
