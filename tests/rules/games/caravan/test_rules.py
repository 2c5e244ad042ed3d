"""Caravan: every corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.common.cards import deck
from rules.games.caravan.phases import Dealing, Over
from rules.kernel import Illegal, Invalid, Result
from tests.rules.games.caravan.positions import (
    GAME,
    HAND_0,
    cards,
    deal,
    lane_0,
    opening,
    play,
    trading,
)
from tests.rules.playouts import moved, playout, shuffled, told


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2", None])
def test_1_exactly_two_can_play(players: Any) -> None:
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
    state = shuffled(GAME, GAME.initial(2, {}), *deal(HAND_0))
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


def test_3_a_committed_seat_is_no_longer_waiting() -> None:
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


def test_4_only_the_seats_rows_in_open_lanes() -> None:
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


def test_4_only_number_cards_renew_and_only_rows_that_are_not_empty() -> None:
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


def test_5_a_game_has_at_most_107_events() -> None:
    for seed in range(20):
        steps = playout(GAME, 2, {}, random.Random(seed).randrange)
        assert len([step for step in steps if told(GAME, step.after) != ["shown"]]) <= 107, seed


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
