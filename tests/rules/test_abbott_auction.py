"""Auction (Abbott): every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

import rules
from rules import poker
from rules.abbott_auction import Bidding, Claim, Dealing, Laying, Over, layable, points
from rules.cards import canonical, deck
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.playouts import fallen, moved, playout, told

GAME = rules.load("abbott-auction")
PASS = {"type": "pass"}
LEAVE = {"type": "leave"}
DECLARE = {"type": "declare"}
STOCK = "2c 3c 5c 6c 7c 8c"


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def bidding(*hands: str, pile: str = "9d", stock: str = STOCK, **fields: Any) -> Bidding:
    """An auction that begins."""
    usual = {
        "players": len(hands),
        "hands": tuple(canonical(cards(hand)) for hand in hands),
        "pile": cards(pile),
        "stock": cards(stock),
        "totals": (0,) * len(hands),
        "target": 150,
        "max_deals": 20,
        "passed": (None,) * len(hands),
        "left": (None,) * len(hands),
    }
    return Bidding(**{**usual, **fields})


def bid(state: Any, seat: int, kind: str, rank: str = "", suit: str = "") -> Any:
    named = {name: value for name, value in (("rank", rank), ("suit", suit)) if value}
    action = {"type": "bid", "kind": kind, **named}
    return GAME.apply(state, {"kind": "action", "seat": seat, "action": action})


def act(state: Any, seat: int, kind: str) -> Any:
    return moved(GAME, state, seat, kind)


def lay(state: Any, *laid: str) -> Any:
    for card in laid:
        state = moved(GAME, state, GAME.turn(state).waiting[0], "lay", card=card)
    return state


def won(state: Any, seat: int, kind: str, *named: str) -> Any:
    """`seat` bids and all others leave."""
    state = bid(state, seat, kind, *named)
    for other in range(state.players):
        if other != seat:
            state = act(state, other, "leave")
    return state


def claims(state: Any, seat: int, kind: str = "") -> list[str]:
    """What the seat may bid, as words: `single 9 h`."""
    legal = GAME.legal(state, seat)
    bids = [action for action in legal if action["type"] == "bid"]
    words = [" ".join(value for key, value in each.items() if key != "type") for each in bids]
    return [each for each in words if each.startswith(kind)]


def lays(state: Any) -> list[str]:
    return [action["card"] for action in GAME.legal(state, GAME.turn(state).waiting[0])]


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]


def facts(state: Any, name: str, viewer: int | None = None) -> list[Any]:
    return [fact for fact in GAME.view(state, viewer)["facts"] if fact["name"] == name]


def tops(hand: str, kind: str) -> str:
    return " ".join(poker.RANK[top] for top in poker.tops(canonical(cards(hand)), kind))


@pytest.mark.parametrize("players", [0, 1, 9, True, 2.0, "2", None])
def test_1_it_is_for_two_to_eight(players: Any) -> None:
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
    after = fallen(GAME, state, *chance.items)
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
    state = fallen(GAME, GAME.initial(2, {}), *deck(jokers=2))
    assert state.hands[0] == canonical(deck()[0:20:2])
    assert state.pile == ("8h",)


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


def test_4_3_who_has_left_is_not_asked_again_in_this_auction() -> None:
    state = act(bid(bidding("9s", "Ts", "Js"), 0, "single", "9"), 1, "leave")
    state = bid(state, 2, "single", "J")
    assert GAME.turn(state).waiting == (0,)
    assert facts(state, "passed") == [{"name": "passed", "of": 1, "gone": True}]


def test_4_3_who_passes_or_leaves_does_not_change_the_question_of_others() -> None:
    state = bid(bidding("9s", "Ts", "Js", "Qs"), 0, "single", "9")
    for kind in ("pass", "leave"):
        assert GAME.question(act(state, 1, kind), 2) == GAME.question(state, 2)


def test_4_3_a_bid_that_came_too_late_is_refused() -> None:
    state = bid(bidding("9s", "Ts", "Js"), 2, "single", "J")
    with pytest.raises(Illegal):
        bid(state, 1, "single", "T")
    assert GAME.turn(state).waiting == (0, 1)


def test_4_3_a_bid_that_nobody_can_answer_is_asked_for_all_the_same() -> None:
    state = bid(bidding("Jk", "Ts"), 0, "single", "Jk")
    assert GAME.turn(state).waiting == (1,)


def test_4_4_all_have_left_before_the_bid() -> None:
    state = act(act(bidding("9s", "Ts", "Js"), 0, "leave"), 1, "leave")
    state = bid(state, 2, "single", "J")
    assert isinstance(state, Laying)


def test_4_4_the_winner_alone_is_waiting_and_nobody_may_declare() -> None:
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


def test_5_1_all_hands_are_open_until_the_next_chance() -> None:
    state = act(bidding("As", "Ks", pile="2d 3d 4d 5d 6d 7d 8d 9d"), 0, "declare")
    assert isinstance(state, Dealing)
    for viewer in (0, 1, None):
        assert [zone["cards"] for zone in zones(state, viewer, "hand")] == [["As"], ["Ks"]]
    assert len(zones(state, None, "pile")[0]["cards"]) == 8
    state = fallen(GAME, state, *GAME.turn(state).chance.items)
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
    state = fallen(GAME, GAME.initial(2, {}), *top[:20], "Jk", *top[20:], "Jk")
    assert (state.pile, GAME.turn(state).waiting) == (("Jk",), (0, 1))


def nines() -> Any:
    """Two packs: seat 0 has said 9, seat 1 has said 9 of hearts."""
    state = bidding("9s 9h 9c", "9h 9d 2s", "9s 2s", "9c 2s")
    state = bid(state, 0, "single", "9")
    assert claims(state, 1, "single") == ["single 9 d", "single 9 h"]
    return bid(state, 1, "single", "9", "h")


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


def test_8_7_a_named_nine_is_laid_by_itself() -> None:
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


def test_8_17_best_hands() -> None:
    best = poker.best(cards("Ks Ks Kh Kh 2c 4d 6h 8s Jk Jk"))
    assert best.kind == "pair"
    assert best.strength[1:] == (13, 13, 8, 6, 4)
    best = poker.best(cards("As As As Jk Jk Jk Jk Kd Kd Kd"))
    assert (best.kind, best.cards) == ("high-card", ("As", "Kd"))
    assert best.strength < poker.best(cards("As Kd 2h")).strength


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


def test_a_wide_hand_is_listed_in_time() -> None:
    """All ten cards of one suit: 252 flushes."""
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
