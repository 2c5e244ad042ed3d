"""Joretsu: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.common.cards import canonical, deck
from rules.games.joretsu.phases import Bidding, Deciding, Over, Showdown
from rules.games.joretsu.scoring import by_card, by_number, compared_card, worth
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.playouts import moved, playout, shuffled, told

GAME = rules.load("joretsu")
SHDC = ("As", "Ah", "Ad", "Ac")
NUMBERS = {"K": 13, "Q": 12, "9": 9, "2": 2}
HANDS = ("2s 3s 4s 6s 7s Ts Js Qs", "2h 3h 4h 6h 7h Th Jh Qh", "2d 3d 4d 6d 7d Td Jd Qd")


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def bidding(*hands: str, **fields: Any) -> Bidding:
    """A comparison of part I; seat 0 has the joker."""
    usual = {
        "players": len(hands or HANDS),
        "hands": tuple(map(cards, hands or HANDS)),
        "stock": cards("5c 6c 7c 8c 9c"),
        "discards": ((),) * len(hands or HANDS),
    }
    return Bidding(**{**usual, **fields})


def deciding(chief: int = 0, drawer: int | None = 1, **fields: Any) -> Deciding:
    """The comparison is revealed; seat 1 is to keep one of three cards."""
    drawn = tuple(cards("8h 5c 6c") if seat == drawer else () for seat in range(3))
    usual = {
        "players": 3,
        "hands": tuple(map(cards, HANDS)),
        "stock": ("7c",),
        "discards": ((), (), ()),
        "played": (("Ks",), ("5h",), ("9d",)),
        "drawn": drawn,
        "chief": chief,
        "drawer": drawer,
    }
    return Deciding(**{**usual, **fields})


def part_2(**fields: Any) -> Deciding:
    return deciding(**{"round": 4, "aces": (), "ladder": SHDC, **fields})


def bid(state: Any, *played: str) -> Any:
    for seat, card in enumerate(played):
        state = moved(GAME, state, seat, "bid", card=card)
    return state


def decided(state: Any, kind: str, **parameters: Any) -> Any:
    """The chief's choice, after the first card was kept."""
    if state.drawer is not None:
        kept = GAME.legal(state, state.drawer)[0]["card"]
        state = moved(GAME, state, state.drawer, "keep", card=kept)
    return moved(GAME, state, state.chief, kind, **parameters)


def dealt(players: int = 3) -> Any:
    """A game in which every pile was left in canonical order."""
    state: Any = GAME.initial(players, {})
    while chance := GAME.turn(state).chance:
        state = shuffled(GAME, state, *chance.items)
    return state


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]


def facts(state: Any, name: str) -> list[Any]:
    return [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == name]


@pytest.mark.parametrize("players", [0, 1, 2, 5, True, 3.0, "3", None])
def test_1_three_or_four_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize("options", [{"rounds": 6}, {"": None}, [], None])
def test_1_it_has_no_options(options: Any) -> None:
    assert GAME.settle(3, {}) == GAME.settle(4, {}) == {}
    with pytest.raises(Invalid):
        GAME.initial(3, options)


def test_2_the_aces_are_open_throughout_the_game() -> None:
    state = GAME.initial(3, {})
    assert zones(state, None, "aces")[0]["cards"] == list(SHDC)
    assert zones(state, None, "ladder")[0]["cards"] == [{"is": ["vacant"]}] * 4
    state = decided(deciding(), "rank", suit="h")
    assert zones(state, 2, "aces")[0]["cards"] == ["As", "Ad", "Ac"]
    vacant = {"is": ["vacant"]}
    assert zones(state, 2, "ladder")[0]["cards"] == [vacant, vacant, "Ah", vacant]


def test_2_who_sees_what() -> None:
    state = deciding(discards=(("2c", "3c"), (), ()), stock=("7c", "9c"))
    for viewer in (0, 1, 2, None):
        for seat, zone in enumerate(zones(state, viewer, "hand")):
            assert zone["count"] == 8
            assert ("cards" in zone) == (viewer == seat)
        assert zones(state, viewer, "stock") == [
            {"name": "stock", "kind": "pile", "count": 2, "cards": ["7c", None]}
        ]
        assert zones(state, viewer, "discard")[0] == {
            "name": "discard",
            "seat": 0,
            "kind": "pile",
            "count": 2,
        }
        assert [zone["cards"] for zone in zones(state, viewer, "played")] == [
            ["Ks"],
            ["5h"],
            ["9d"],
        ]
        drawn = zones(state, viewer, "drawn")[1]
        assert drawn.get("cards") == (["8h", "5c", "6c"] if viewer == 1 else None)


def test_2_a_committed_card_stays_in_the_hand_until_all_are_in() -> None:
    state = bid(bidding(), "Qs", "Qh")
    view = GAME.view(state, 0)
    assert view["committed"] == [0, 1]
    assert "Qs" in zones(state, 0, "hand")[0]["cards"]
    assert {"name": "bid", "of": 0, "card": "Qs"} in view["facts"]
    assert not [fact for fact in GAME.view(state, 1)["facts"] if fact.get("card") == "Qs"]


def test_2_drawn_cards_stay_in_view_until_the_decisions_are_in() -> None:
    state = moved(GAME, deciding(), 1, "keep", card="5c")
    assert zones(state, 1, "drawn")[1]["cards"] == ["8h", "5c", "6c"]
    state = moved(GAME, state, 0, "rank", suit="s")
    assert all("5c" not in str(GAME.view(state, viewer)) for viewer in (0, 2, None))
    assert "5c" in zones(state, 1, "hand")[1]["cards"]


def test_3_four_shuffles() -> None:
    state: Any = GAME.initial(3, {})
    for name, ranks in (("low", "2345"), ("mid", "6789"), ("high", "TJQK")):
        assert GAME.turn(state).chance == Chance(name, deck(ranks))
        state = shuffled(GAME, state, *reversed(deck(ranks)))
    name, items = GAME.turn(state).chance
    assert (name, len(items)) == ("stock", 24)
    assert items == canonical(items)
    assert not set(items) & set(sum(state.hands, ()))


def test_3_the_deal_is_clockwise_from_the_top() -> None:
    state = dealt()
    assert state.hands[0] == canonical(cards("2s 5s 4h 6s 9s Ts Ks Qh"))
    assert state.hands[1] == canonical(cards("3s 2h 5h 7s 6h Js Th Kh"))
    assert state.hands[2] == canonical(cards("4s 3h 2d 8s 7h Qs Jh Td"))
    assert (state.stock[0], len(state.stock)) == ("8h", 24)
    assert (state.joker, state.ladder) == (0, (None,) * 4)
    assert told(GAME, state) == ["shuffled", "turned"]


def test_3_with_four_the_stock_has_16_cards() -> None:
    state = dealt(4)
    assert len(state.stock) == 16
    assert {len(hand) for hand in state.hands} == {8}


def test_3_nobody_sees_a_pile_before_the_deal() -> None:
    state = shuffled(GAME, GAME.initial(3, {}), *deck("2345"))
    assert zones(state, 0, "pile") == [{"name": "pile", "index": 0, "kind": "pile", "count": 16}]


def test_4_1_every_hand_card_in_canonical_order() -> None:
    state = bidding()
    assert GAME.legal(state, 1) == [{"type": "bid", "card": c} for c in cards(HANDS[1])]
    assert GAME.turn(state).waiting == (0, 1, 2)
    state = bid(state, "2s")
    assert GAME.turn(state).waiting == (1, 2)
    assert GAME.legal(state, 0) == []


def test_4_1_bids_are_revealed_at_once() -> None:
    state = bid(bidding(), "Qs", "2h", "7d")
    assert isinstance(state, Deciding)
    assert state.played == (("Qs",), ("2h",), ("7d",))
    assert (state.chief, state.drawer) == (0, 1)
    assert {len(hand) for hand in state.hands} == {7}
    assert told(GAME, state) == [*(["chosen", "bid", "bid", "bid", "chief", "drew", "turned"])]


def test_4_1_the_face_up_card_is_among_the_three() -> None:
    state = bid(bidding(), "Qs", "2h", "7d")
    assert state.drawn == ((), cards("5c 6c 7c"), ())
    assert state.stock == ("8c", "9c")
    line = {"line": "drew", "seat": 1}
    assert {**line, "cards": ["5c", "6c", "7c"]} in GAME.lines(state, 1)
    assert {**line, "cards": 3} in GAME.lines(state, None)


def test_4_1_nobody_draws() -> None:
    state = bid(bidding(), "Qs", "2h", "2d")
    assert (state.chief, state.drawer) == (0, None)
    assert GAME.turn(state).waiting == (0,)
    assert "nobody-draws" in told(GAME, state)
    assert state.stock[0] == "5c"


def test_4_1_the_stock_lasts_for_five_draws() -> None:
    state = bid(bidding(stock=("5c", "6c", "7c")), "Qs", "2h", "7d")
    assert state.stock == ()


def test_4_2_the_drawer_keeps_one_of_three() -> None:
    state = deciding()
    assert GAME.turn(state).waiting == (0, 1)
    assert GAME.legal(state, 1) == [{"type": "keep", "card": c} for c in cards("8h 5c 6c")]
    state = decided(state, "rank", suit="s")
    assert state.hands[1] == cards("2h 3h 4h 6h 7h 8h Th Jh Qh")
    assert state.discards[1] == ("5c", "6c")
    lines = [GAME.lines(state, viewer) for viewer in (1, 0)]
    kept = [[line["card"] for line in each if line["line"] == "kept"] for each in lines]
    assert kept == [["8h"], [1]]


def test_4_2_part_1_the_chief_has_to_rank_a_suit() -> None:
    state = deciding(aces=("As", "Ac"), ladder=(None, "Ad", "Ah", None), round=3)
    assert GAME.legal(state, 0) == [{"type": "rank", "suit": suit} for suit in "sc"]


def test_4_2_part_2_the_chief_declines_or_raises() -> None:
    state = part_2(ladder=("Ad", "As", "Ac", "Ah"))
    raising = [{"type": "raise", "suit": suit} for suit in "shc"]
    assert GAME.legal(state, 0) == [{"type": "decline"}, *raising]


def test_4_2_the_table_and_the_joker_go_to_the_chief() -> None:
    state = decided(deciding(chief=2, discards=((), (), ("2c",))), "rank", suit="s")
    assert state.joker == 2
    assert state.discards[2] == cards("2c Ks 5h 9d")


def test_4_2_the_commitments_are_secret() -> None:
    state = moved(GAME, deciding(), 0, "rank", suit="s")
    assert GAME.turn(state).waiting == (1,)
    assert [fact for fact in GAME.view(state, 0)["facts"] if fact["name"] == "rank"]
    assert not [fact for fact in GAME.view(state, 1)["facts"] if fact["name"] == "rank"]


def test_4_2_the_seat_without_a_decision_may_not_act() -> None:
    with pytest.raises(Illegal) as refused:
        moved(GAME, deciding(), 2, "keep", card="5c")
    assert refused.value.why == {"wrong": "seat", "may": [0, 1]}


def test_4_2_declining_changes_nothing() -> None:
    state = decided(part_2(), "decline")
    assert (state.ladder, state.round) == (SHDC, 5)
    assert told(GAME, state)[-1] == "declined"


def test_4_3_pairs_in_canonical_order() -> None:
    state = Showdown(
        players=3, hands=(cards("2s 3h 4d"),) * 3, discards=((),) * 3, ladder=SHDC, aces=()
    )
    pairs = [["2s", "3h"], ["2s", "4d"], ["3h", "4d"]]
    assert GAME.legal(state, 0) == [{"type": "showdown", "cards": pair} for pair in pairs]


def test_4_3_the_other_cards_stay_hidden() -> None:
    state: Any = Showdown(
        players=3,
        hands=(cards("2s 3s 4s"), cards("2h 3h 4h"), cards("2d 3d 4d")),
        discards=((),) * 3,
        ladder=SHDC,
        aces=(),
    )
    for seat, suit in enumerate("shd"):
        state = moved(GAME, state, seat, "showdown", cards=["3" + suit, "4" + suit])
    assert isinstance(state, Over)
    assert "2h" not in str(GAME.view(state, 0))
    assert "2h" in str(GAME.view(state, 1))


def test_5_there_are_six_rounds() -> None:
    assert isinstance(decided(part_2(), "decline"), Bidding)
    state = decided(part_2(round=5), "decline")
    assert isinstance(state, Showdown)
    assert state.round == 6


@pytest.mark.parametrize(("players", "most"), [(3, 32), (4, 38)])
def test_5_how_many_events(players: int, most: int) -> None:
    for seed in range(20):
        steps = list(playout(GAME, players, {}, random.Random(seed).randrange))
        assert len(steps) <= most


def test_6_out_of_time() -> None:
    state = bidding("5s 2h 2d", "3s 4s 5h", "6d 7d 8d")
    assert GAME.fallback(state, 0) == {"type": "bid", "card": "2h"}
    assert GAME.fallback(deciding(drawn=((), cards("8d 8h 2s"), ())), 1) == {
        "type": "keep",
        "card": "8h",
    }
    assert GAME.fallback(deciding(), 0) == {"type": "rank", "suit": "s"}
    assert GAME.fallback(part_2(), 0) == {"type": "decline"}
    assert GAME.fallback(part_2(), 2) is None


def test_6_out_of_time_in_the_showdown() -> None:
    hands = (cards("5s Ts Th Kc"), cards("2h 3h"), cards("2d 3d"))
    state = Showdown(players=3, hands=hands, discards=((),) * 3, ladder=SHDC, aces=())
    assert GAME.fallback(state, 0) == {"type": "showdown", "cards": ["Ts", "Th"]}
    hands = (cards("5s 7h Ts"), *hands[1:])
    state = Showdown(players=3, hands=hands, discards=((),) * 3, ladder=SHDC, aces=())
    assert GAME.fallback(state, 0) == {"type": "showdown", "cards": ["5s", "Ts"]}, "both are 15"


def test_7_4_the_next_top_card_is_seen_before_the_decisions() -> None:
    state = bid(bidding(), "Qs", "2h", "7d")
    for viewer in (0, 1, 2, None):
        assert zones(state, viewer, "stock")[0]["cards"] == ["8c", None]


def test_7_6_a_change_takes_effect_in_the_next_comparison() -> None:
    state = decided(part_2(drawer=None, drawn=((), (), ())), "raise", suit="h")
    assert state.ladder == ("Ah", "As", "Ad", "Ac")
    state = bid(state, "2s", "2h", "3d")
    assert (state.drawer, state.chief) == (2, 0), "the 2 of spades is the smaller one now"


def test_7_7_two_cards_of_one_suit() -> None:
    assert compared_card(("5s", "8s"), SHDC) == "8s"
    assert compared_card(("Kh", "7s"), SHDC) == "7s"


@pytest.mark.parametrize(
    ("played", "joker", "chief", "drawer"),
    [
        ("K Q 9 2", 3, 0, 3),
        ("K K 9 2", 3, 2, 3),
        ("K K 9 9", 3, 3, None),
        ("K K K 9", 3, 3, None),
        ("K 9 9 9", 3, 0, None),
        ("K Q 2 2", 3, 0, None),
        ("K K K K", 3, 3, None),
        ("K K 9", 2, 2, None),
        ("K 9 9", 2, 0, None),
        ("K K K", 1, 1, None),
    ],
)
def test_8_part_1(played: str, joker: int, chief: int, drawer: int | None) -> None:
    numbers = tuple(NUMBERS[each] for each in played.split())
    assert by_number(numbers, joker) == (chief, drawer)


def test_8_ranking_h_s_c() -> None:
    state: Any = deciding(round=1)
    for number, suit in enumerate("hsc", 1):
        state = decided(state, "rank", suit=suit)
        assert state.round == number + 1
        if number < 3:
            state = deciding(round=state.round, ladder=state.ladder, aces=state.aces)
    assert state.ladder == ("Ac", "As", "Ah", "Ad")
    assert state.aces == ()
    assert told(GAME, state)[-2:] == ["ranked", "ranked"]


def test_8_part_2() -> None:
    assert by_card(("Ts", "Td", "Jc"), SHDC) == (1, 2)
    assert by_card(("7c", "5h", "6s"), SHDC) == (1, 0)
    assert by_card(("7c", "7h", "7d"), SHDC) == (0, 1)


def test_8_raising_c() -> None:
    assert decided(part_2(), "raise", suit="c").ladder == ("As", "Ah", "Ac", "Ad")


@pytest.mark.parametrize(
    ("card", "value"),
    [("Ts", 10), ("Jh", 9), ("Qd", 8), ("Kc", 7), ("5c", 0), ("3d", 0)],
)
def test_8_worth(card: str, value: int) -> None:
    assert worth(card, SHDC) == value


@pytest.mark.parametrize(
    ("played", "scores", "winner"),
    [
        ("Kh Kc, 7s Qh, 9s Th, Qd Jd", (18, 17, 17, 15), 0),
        ("Kh Qc, 7s Qh, 9s Th, Qd Jd", (17, 17, 17, 15), 2),
        ("5s 8s, 7s 8h, Kc 8c", (13, 13, 9), 0),
    ],
)
def test_8_part_3(played: str, scores: tuple[int, ...], winner: int) -> None:
    rows = tuple(map(cards, played.split(", ")))
    over = Over(
        players=len(rows),
        hands=((),) * len(rows),
        discards=((),) * len(rows),
        played=rows,
        ladder=SHDC,
        aces=(),
    )
    assert GAME.result(over) == Result((winner,), scores, "showdown")
    assert [fact["value"] for fact in facts(over, "score")] == list(scores)
    assert {
        "name": "worth",
        "of": 0,
        "card": rows[0][0],
        "value": worth(rows[0][0], SHDC),
    } in facts(over, "worth")


def test_8_the_end_shows_which_cards_decided_a_tie() -> None:
    rows = (cards("5s 8s"), cards("7s 8h"), cards("Kc 8c"))
    over = Over(players=3, hands=((),) * 3, discards=((),) * 3, played=rows, ladder=SHDC, aces=())
    assert [(fact["of"], fact["card"]) for fact in facts(over, "compared")] == [
        (0, "8s"),
        (1, "7s"),
    ]
