"""Caravan: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.caravan import Dealing, Opening, Over, Trading, points, saleable
from rules.cards import deck
from rules.kernel import Illegal, Invalid, Json, Result
from tests.rules.playouts import Step, fallen, moved, playout, told
from tests.rules.truths import check

GAME = rules.load("caravan")
HAND_0 = "3h 7d 9s Ah 5c Js Qs Ks"
HAND_1 = "Tc 4h 8c 2s 3s Jh Qh Kh"


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def deal(hand: str, jokers: int = 0) -> tuple[str, ...]:
    """A shuffled deck with `hand` on top."""
    top = cards(hand)
    return top + tuple(card for card in deck(jokers=jokers) if card not in top)


def shuffle(hand: str) -> Json:
    """The event that deals `hand` to seat 0."""
    return {"kind": "chance", "name": "deck-0", "outcome": list(deal(hand))}


def opening(**options: str) -> Opening:
    """Both hands are dealt, nobody has chosen yet."""
    state = fallen(GAME, GAME.initial(2, options), *deal(HAND_0))
    return fallen(GAME, state, *deal(HAND_1))


def trading(
    own: str = "", facing: str = "", direction: str | None = None, hand: str = "As", **fields: Any
) -> Trading:
    """Seat 0 is on turn with `hand`; in lane 0 lie `own` and `facing`."""
    usual = {
        "players": 2,
        "hands": (cards(hand), ("As",)),
        "stocks": ((), ()),
        "rows": ((cards(own), (), ()), (cards(facing), (), ())),
        "discards": ((), ()),
        "directions": ((direction, None, None), (None, None, None)),
        "sold": (None, None, None),
        "joker": "none",
    }
    return Trading(**{**usual, **fields})


def may_play(state: Trading, card: str) -> bool:
    return {"type": "play", "card": card, "lane": 0} in GAME.legal(state, 0)


def play(state: Trading, card: str, **parameters: Any) -> Any:
    return moved(GAME, state, 0, "play", card=card, lane=0, **parameters)


def lane_0(state: Any) -> tuple[str, str | None]:
    return " ".join(state.rows[0][0]), state.directions[0][0]


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2", None])
def test_1_it_is_for_exactly_two(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


def test_1_options() -> None:
    assert GAME.settle(2, {}) == {"joker": "none"}
    for value in ("none", "one", "both"):
        assert GAME.settle(2, {"joker": value}) == {"joker": value}


@pytest.mark.parametrize("options", [{"joker": 1}, {"joker": "two"}, {"jokers": "one"}, None, []])
def test_1_other_options_are_refused(options: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(2, options)


@pytest.mark.parametrize(("joker", "size"), [("none", 52), ("one", 53), ("both", 53)])
def test_2_decks(joker: str, size: int) -> None:
    state = GAME.initial(2, {"joker": joker})
    chance = GAME.turn(state).chance
    assert (chance.name, len(chance.items)) == ("deck-0", size)
    assert chance.items == deck(jokers=size - 52)


def test_2_who_sees_what() -> None:
    state = trading("4s 6h", "Td", "up", discards=(("2c",), ("3c",)), stocks=(("5h",), ("6h",)))
    for viewer in (0, 1, None):
        zones = GAME.view(state, viewer)["zones"]
        seen = {(z["name"], z["seat"], z.get("index")): z for z in zones}
        for seat in (0, 1):
            assert seen["hand", seat, None].get("cards") == (["As"] if viewer == seat else None)
            assert seen["hand", seat, None]["count"] == 1
            stock = {"name": "stock", "seat": seat, "kind": "pile", "count": 1}
            assert seen["stock", seat, None] == stock
        assert seen["discard", 0, None]["cards"] == ["2c"]
        assert seen["discard", 1, None]["cards"] == ["3c"]
        assert seen["row", 0, 0]["cards"] == ["4s", "6h"]
        assert seen["row", 1, 0]["cards"] == ["Td"]
        assert seen["row", 1, 2]["cards"] == []


def test_2_directions_sales_and_turn_are_public() -> None:
    state = trading("4s 6h", "", "up", sold=(None, 1, None))
    view = GAME.view(state, None)
    assert {"name": "direction", "of": 0, "index": 0, "value": "up"} in view["facts"]
    assert {"name": "sold", "index": 1, "seat": 1} in view["facts"]
    assert {"name": "points", "of": 0, "index": 0, "value": 10} in view["facts"]
    assert {"name": "score", "of": 1, "value": 1} in view["facts"]
    assert view["prompt"] == {"seat": 0, "saleable": []}


def test_2_saleable_lanes_are_told_to_all() -> None:
    view = GAME.view(trading("Ts 9s 3s", "Td 9d 5d"), None)
    assert {"name": "saleable", "of": 1, "index": 0} in view["facts"]
    assert view["prompt"] == {"seat": 0, "saleable": []}


def test_3_seat_0_sees_its_hand_while_the_second_deck_is_due() -> None:
    state = fallen(GAME, GAME.initial(2, {}), *deal(HAND_0))
    assert isinstance(state, Dealing)
    assert GAME.turn(state).chance.name == "deck-1"
    hand = list(cards("9s Js Qs Ks Ah 3h 7d 5c"))
    assert GAME.view(state, 0)["zones"][0]["cards"] == hand
    assert GAME.lines(state, 0) == [{"line": "dealt", "seat": 0, "cards": hand}]
    assert GAME.lines(state, 1) == [{"line": "dealt", "seat": 0, "cards": 8}]


def test_3_openings_are_permutations_of_the_number_cards() -> None:
    state = opening()
    assert GAME.turn(state).waiting == (0, 1)
    legal = [action["cards"] for action in GAME.legal(state, 0)]
    assert len(legal) == 5 * 4 * 3
    assert legal[:2] == [["9s", "Ah", "3h"], ["9s", "Ah", "7d"]]
    assert legal[-1] == ["5c", "7d", "3h"]


def test_3_a_committed_seat_waits_no_longer() -> None:
    state = moved(GAME, opening(), 1, "open", cards=["Tc", "4h", "8c"])
    assert GAME.turn(state).waiting == (0,)
    assert GAME.legal(state, 1) == []
    with pytest.raises(Illegal) as refused:
        moved(GAME, state, 1, "open", cards=["Tc", "4h", "8c"])
    assert refused.value.why == {"wrong": "seat", "may": [0]}


def test_4_order_of_legal() -> None:
    state = trading(
        "",
        "",
        hand="3s Js Ks 4h",
        rows=((("2d",), ("5s", "9s", "Ts"), ()), ((), (), ())),
        directions=((None, "up", None), (None,) * 3),
    )
    assert [tuple(action.values())[1:] for action in GAME.legal(state, 0)] == [
        *[("3s", 0), ("3s", 1), ("3s", 2)],
        *[("Js", 0, at, work) for at in (0, 1) for work in ("J", "Jk")],
        *[("Js", 1, at, work) for at in (0, 1, 2, 3) for work in ("J", "Jk")],
        *[("Ks", 0, 0), ("Ks", 0, 1)],
        *[("Ks", 1, at) for at in (0, 1, 2, 3)],
        *[("4h", 0), ("4h", 2)],
        *[("3s", 0), ("3s", 1), ("4h", 0), ("4h", 1)],
        *[("3s",), ("Js",), ("Ks",), ("4h",)],
        ([1],),
    ]


def test_4_only_own_rows_in_open_lanes() -> None:
    state = trading(
        "", "5d", hand="9s Kd", rows=(((), ("7c",), ("2c",)), (("5d",), (), ())), sold=(1, None, 0)
    )
    lanes = {action["lane"] for action in GAME.legal(state, 0) if "lane" in action}
    assert lanes == {1}


@pytest.mark.parametrize(
    ("joker", "hand", "works"),
    [
        ("none", "Jd", ["J", "Jk"]),
        ("one", "Jd", ["J"]),
        ("both", "Jd", ["J", "Jk"]),
        ("one", "Jk", [None]),
        ("both", "Jk", [None]),
    ],
)
def test_4_what_a_jack_and_a_joker_can_do(joker: str, hand: str, works: list[Any]) -> None:
    state = trading("5h", hand=hand, joker=joker)
    plays = [action for action in GAME.legal(state, 0) if action["type"] == "play"]
    assert [action.get("as") for action in plays if action["at"] == 1] == works


def test_4_renewing_discards_the_whole_row() -> None:
    state = moved(GAME, trading("4s 6h Kd", "", "up", "5h"), 0, "renew", card="5h", lane=0)
    assert lane_0(state) == ("5h", None)
    assert state.discards[0] == ("4s", "6h", "Kd")
    assert told(GAME, state)[:2] == ["renewed", "removed"]


def test_4_only_number_cards_renew_and_only_rows_that_hold_something() -> None:
    legal = GAME.legal(trading("4s", hand="5h Kh"), 0)
    renewals = [action for action in legal if action["type"] == "renew"]
    assert renewals == [{"type": "renew", "card": "5h", "lane": 0}]


def test_4_the_first_number_cards_set_the_direction() -> None:
    assert lane_0(play(trading("", hand="5h"), "5h")) == ("5h", None)
    assert lane_0(play(trading("5h", hand="6c"), "6c")) == ("5h 6c", "up")
    assert lane_0(play(trading("5h Kd", hand="4c"), "4c")) == ("5h Kd 4c", "down")


def test_4_after_a_turn_the_hand_is_filled_from_the_stock() -> None:
    for kind, more in [("play", {"lane": 0}), ("discard", {})]:
        state = trading("", hand="2s", stocks=(cards("9d 8d"), ()))
        state = moved(GAME, state, 0, kind, card="2s", **more)
        assert (state.hands[0], state.stocks[0]) == (("9d",), ("8d",))
        assert GAME.lines(state, 0)[-1] == {"line": "drew", "seat": 0, "cards": ["9d"]}
        assert GAME.lines(state, 1)[-1] == {"line": "drew", "seat": 0, "cards": 1}


def test_4_a_sale_draws_nothing_and_clears_both_rows() -> None:
    state = trading("Ts 9s 3s", "Tc Kc", "down", stocks=(("9d",), ()), hand="2s")
    state = moved(GAME, state, 0, "sell", lanes=[0])
    assert (state.hands[0], state.stocks[0]) == (("2s",), ("9d",))
    assert state.discards == (cards("Ts 9s 3s"), cards("Tc Kc"))
    assert (lane_0(state), state.rows[1][0]) == (("", None), ())
    assert state.sold == (0, None, None)
    assert GAME.turn(state).waiting == (1,)
    assert told(GAME, state) == ["sold", "removed", "removed"]


def test_4_a_direction_that_changes_is_told() -> None:
    assert "headed" in told(GAME, play(trading("4s 6h", "", "up", "5h"), "5h"))
    assert "headed" not in told(GAME, play(trading("4s 6h", "", "up", "Th"), "Th"))


def test_4_the_facing_row_loses_its_direction_too() -> None:
    state = trading("6h", "6s 4d Kd", hand="Js", directions=((None,) * 3, ("down", None, None)))
    state = play(state, "Js", at=1, as_="Jk")
    assert (state.rows[1][0], state.directions[1][0]) == (cards("4d Kd"), None)
    assert state.discards == (cards("6h Js"), ("6s",))


def test_4_an_emptied_row_is_begun_again_with_a_number_card() -> None:
    state = trading("", hand="5h Jh Qh Kh")
    kinds = [action["card"] for action in GAME.legal(state, 0) if action["type"] == "play"]
    assert kinds == ["5h"] * 3


def test_4_a_seat_without_cards_has_to_sell() -> None:
    state = trading("Ts 9s 3s", hand="")
    assert GAME.legal(state, 0) == [{"type": "sell", "lanes": [0]}]


def test_5_two_lanes_sold_win_at_once() -> None:
    state = trading("Ts 9s 3s", sold=(None, 0, 1))
    state = moved(GAME, state, 0, "sell", lanes=[0])
    assert isinstance(state, Over)
    assert GAME.result(state) == Result((0,), (2, 1), "sold")


@pytest.mark.parametrize("seed", range(20))
def test_5_a_game_has_at_most_107_events(seed: int) -> None:
    steps = list(playout(GAME, 2, {}, random.Random(seed).randrange))
    assert len([step for step in steps if told(GAME, step.after) != ["shown"]]) <= 107


def test_6_out_of_time_in_the_opening() -> None:
    assert GAME.fallback(opening(), 0) == {"type": "open", "cards": ["9s", "Ah", "3h"]}
    committed = moved(GAME, opening(), 0, "open", cards=["9s", "Ah", "3h"])
    assert GAME.fallback(committed, 0) is None


def test_6_out_of_time_in_a_turn() -> None:
    state = trading("Ts 9s 3s", hand="Ks 2h")
    assert GAME.fallback(state, 0) == {"type": "discard", "card": "Ks"}
    assert GAME.fallback(state, 1) is None


def test_6_out_of_time_with_an_empty_hand_everything_is_sold() -> None:
    rows = ((cards("Ts 9s 3s"), cards("5c"), cards("Th 9h 4h")), ((), (), ()))
    state = trading(hand="", rows=rows)
    assert GAME.fallback(state, 0) == {"type": "sell", "lanes": [0, 2]}


def test_8_1_the_opening_of_the_source() -> None:
    first = moved(GAME, opening(), 0, "open", cards=["3h", "7d", "9s"])
    assert GAME.view(first, 0)["facts"][0] == {"name": "open", "of": 0, "cards": ["3h", "7d", "9s"]}
    for viewer in (1, None):
        view = GAME.view(first, viewer)
        assert view["committed"] == [0]
        assert not any(fact["name"] == "open" for fact in view["facts"])
    both = moved(GAME, first, 1, "open", cards=["Tc", "4h", "8c"])
    assert both.rows == ((("3h",), ("7d",), ("9s",)), (("Tc",), ("4h",), ("8c",)))
    assert list(map(len, both.hands)) == [5, 5]
    assert GAME.turn(both).waiting == (0,)
    assert told(GAME, both) == ["chosen", "opened", "opened"]


def test_8_2_a_hand_that_cannot_open_is_shown_and_dealt_again() -> None:
    state = GAME.initial(2, {})
    again = fallen(GAME, state, *deal("Js Qs Ks Jh Qh Kh As 2s"))
    assert GAME.turn(again) == GAME.turn(state)
    shown = ["As", "2s", "Js", "Qs", "Ks", "Jh", "Qh", "Kh"]
    assert GAME.lines(again, None) == [{"line": "shown", "seat": 0, "cards": shown}]
    assert fallen(GAME, again, *deal(HAND_0)).dealt == 1


@pytest.mark.parametrize("seed", range(20))
def test_8_2_what_was_shown_says_nothing_about_the_next_deal(seed: int) -> None:
    first = GAME.initial(2, {})
    events = [shuffle("Js Qs Ks Jh Qh Kh As 2s"), shuffle(HAND_0)]
    again = GAME.apply(first, events[0])
    for step in (
        Step(first, events[0], again),
        Step(again, events[1], GAME.apply(again, events[1])),
    ):
        check(GAME, step, random.Random(seed))


@pytest.mark.parametrize(
    ("row", "direction", "yes", "no"),
    [
        ("4s 6h", "up", "8d 2h Th 5h", "5d 6d"),
        ("9d 5c", "down", "2h 3c", "5d 5h 8d"),
        ("7c", None, "8d 2h", "7s"),
    ],
)
def test_8_3_number_cards(row: str, direction: str | None, yes: str, no: str) -> None:
    for card in cards(yes):
        assert may_play(trading(row, "", direction, card), card)
    for card in cards(no):
        assert not may_play(trading(row, "", direction, card), card)


@pytest.mark.parametrize(("card", "direction"), [("2h", "down"), ("Th", "up"), ("5h", "down")])
def test_8_3_the_same_suit_turns_the_row(card: str, direction: str) -> None:
    state = play(trading("4s 6h", "", "up", card), card)
    assert lane_0(state) == (f"4s 6h {card}", direction)


def test_8_4_face_cards_lie_on_the_last_number_card() -> None:
    state = trading("4s 6h", "", "up", "Qs", rows=((cards("4s 6h Kd"), (), ()), ((), (), ())))
    state = play(state, "Qs")
    assert lane_0(state) == ("4s 6h Kd Qs", "down")
    for card, legal in [("5d", True), ("2h", True), ("7d", False)]:
        assert may_play(trading("4s 6h Kd Qs", "", "down", card), card) is legal


@pytest.mark.parametrize(
    ("row", "direction", "legal"),
    [("4s 6h", "up", True), ("9d Kc", None, False), ("", None, False)],
)
def test_8_5_a_queen_needs_a_direction(row: str, direction: str | None, legal: bool) -> None:
    assert may_play(trading(row, "", direction, "Qh"), "Qh") is legal


@pytest.mark.parametrize(
    ("row", "total"),
    [("5h Kd", 10), ("Th Kd Ks", 30), ("5h Qd Kd 3s", 13), ("Kd 5h", 5), ("", 0), ("As Ts", 11)],
)
def test_8_6_points(row: str, total: int) -> None:
    assert points(cards(row)) == total


@pytest.mark.parametrize(("at", "total"), [(0, 10), (1, 14), (2, 16)])
def test_8_6_a_king_anywhere(at: int, total: int) -> None:
    state = play(trading("4s 6h", "", "up", "Kh"), "Kh", at=at)
    assert points(state.rows[0][0]) == total
    assert state.directions[0][0] == "up"


@pytest.mark.parametrize(
    ("at", "left", "total"),
    [
        (2, ("6h 9c", "up"), 15),
        (1, ("Kd 6h 9c", "up"), 15),
        (3, ("9c", None), 9),
        (4, ("", None), 0),
        (0, ("4s Kd 6h 9c", "up"), 23),
    ],
)
def test_8_7_a_jack(at: int, left: tuple[str, str | None], total: int) -> None:
    state = play(trading("4s Kd 6h 9c", "", "up", "Jh"), "Jh", at=at, as_="J")
    assert lane_0(state) == left
    assert points(state.rows[0][0]) == total
    assert sorted(state.discards[0]) == sorted((*cards("4s Kd 6h 9c")[:at], "Jh"))


def test_8_7_a_king_does_not_stay_alone() -> None:
    state = play(trading("9d Kc", hand="Jh"), "Jh", at=1, as_="J")
    assert lane_0(state) == ("", None)
    assert state.discards[0] == ("9d", "Kc", "Jh")


@pytest.mark.parametrize("card", ["Jk", "Jh"])
@pytest.mark.parametrize(
    ("at", "own", "facing"),
    [
        (4, "4s Kd Qs 4c", "4d 2c"),
        (1, "6h Kd Qs", "6s 2c"),
        (0, "4s 6h Kd Qs 4c", "6s 4d 2c"),
    ],
)
def test_8_8_a_joker(card: str, at: int, own: str, facing: str) -> None:
    state = trading("4s 6h Kd Qs 4c", "6s 4d 2c", "down", card, joker="both")
    state = play(state, card, at=at, **({"as_": "Jk"} if card == "Jh" else {}))
    assert state.rows[0][0] == cards(own)
    assert state.rows[1][0] == cards(facing)
    assert state.discards[0][-1] == card
    if at == 4:
        assert points(state.rows[0][0]) == 12


ROW = {
    0: "",
    5: "5{}",
    20: "T{0} 6{0} 4{0}",
    21: "T{0} 6{0} 5{0}",
    24: "T{0} 9{0} 5{0}",
    26: "T{0} 9{0} 7{0}",
    27: "T{0} 9{0} 8{0}",
}


@pytest.mark.parametrize(
    ("own", "facing", "sells"),
    [
        (21, 5, True),
        (26, 5, True),
        (21, 0, True),
        (24, 21, True),
        (24, 27, True),
        (24, 20, True),
        (20, 5, False),
        (27, 5, False),
        (24, 24, False),
        (24, 26, False),
    ],
)
def test_8_9_sales(own: int, facing: int, sells: bool) -> None:
    state = trading(ROW[own].format("s"), ROW[facing].format("d"))
    assert points(state.rows[0][0]) == own
    assert points(state.rows[1][0]) == facing
    assert saleable(state, 0) == ([0] if sells else [])
    assert ({"type": "sell", "lanes": [0]} in GAME.legal(state, 0)) is sells


def test_8_10_every_set_of_saleable_lanes() -> None:
    rows = ((cards("Ts 9s 3s"), cards("5c"), cards("Th 9h 4h")), ((), (), ()))
    state = trading(rows=rows)
    sales = [action["lanes"] for action in GAME.legal(state, 0) if action["type"] == "sell"]
    assert sales == [[0], [2], [0, 2]]
    over = moved(GAME, state, 0, "sell", lanes=[0, 2])
    assert GAME.result(over) == Result((0,), (2, 0), "sold")
    for wrong in ([2, 0], [0, 0], [], [1], [0, True], 0, "02"):
        with pytest.raises(Illegal):
            moved(GAME, state, 0, "sell", lanes=wrong)


def test_8_10_three_lanes_at_once() -> None:
    rows = (tuple(cards(f"T{suit} 9{suit} 3{suit}") for suit in "shd"), ((), (), ()))
    state = trading(rows=rows, hand="")
    sales = [action["lanes"] for action in GAME.legal(state, 0)]
    assert sales == [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]
    over = moved(GAME, state, 0, "sell", lanes=[0, 1, 2])
    assert GAME.result(over) == Result((0,), (3, 0), "sold")


def test_8_11_a_turn_without_anything_to_do_passes_by_itself() -> None:
    state = trading(hand="2s 3s", hands=(("2s", "3s"), ()))
    state = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.turn(state).waiting == (0,)
    assert told(GAME, state) == ["discarded", "skipped"]


def test_8_11_a_lane_to_sell_keeps_a_seat_without_cards_in_the_game() -> None:
    state = trading("", "Ts 9s 3s", hand="2s", hands=(("2s",), ()))
    state = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.turn(state).waiting == (1,)
    state = moved(GAME, state, 1, "sell", lanes=[0])
    assert GAME.result(state) == Result((1,), (0, 1), "exhausted")


@pytest.mark.parametrize(
    ("sold", "winners", "scores"),
    [
        ((0, None, None), (0,), (1, 0)),
        ((None, 1, None), (1,), (0, 1)),
        ((None,) * 3, (), (0, 0)),
        ((1, 0, None), (), (1, 1)),
    ],
)
def test_8_11_both_exhausted(sold: Any, winners: Any, scores: Any) -> None:
    state = trading(hand="2s", hands=(("2s",), ()), sold=sold)
    over = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.result(over) == Result(winners, scores, "exhausted")
    assert told(GAME, over) == ["discarded", "skipped", "skipped"]
