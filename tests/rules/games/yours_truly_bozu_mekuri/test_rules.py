"""Yours truly, Bozu-mekuri: every corner case, by the sections of its specification."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.yours_truly_bozu_mekuri.components import ACES, PILE, STOCK, owned
from rules.games.yours_truly_bozu_mekuri.phases import (
    Acting,
    Covering,
    Keeping,
    Over,
    Placing,
    Repiling,
    Restocking,
)
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, value
from rules.kernel import Chance, Illegal, Invalid, Turn
from tests.rules.games.yours_truly_bozu_mekuri.positions import (
    GAME,
    at,
    draw,
    end,
    facts,
    play,
    zone,
)
from tests.rules.playouts import moved, shuffled, told


@pytest.mark.parametrize("players", [2, 6, True, None])
def test_1_three_to_five_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})
    with pytest.raises(Invalid):
        GAME.initial(3, {"sets": 1})


def test_1_values() -> None:
    assert [value(rank + "s") for rank in "A29TJQK"] == [1, 2, 9, 10, 11, 12, 13]


def test_2_who_sees_what() -> None:
    state = at(
        hand="As 9h",
        rows="Js 2s 3h!/Qh/",
        own=(("Ks", "3s"), (), ()),
        discard=("2d", "2c"),
        out=("Qd",),
        aces=("Ac",),
    )
    for viewer in (0, 1, 2, None):
        marked = {"card": "3h", "is": ["marked"]}
        assert zone(state, "row", viewer, index=0)["cards"] == ["Js", "2s", marked]
        assert zone(state, "row", viewer, index=2)["cards"] == []
        assert zone(state, "own", viewer, seat=0)["cards"] == ["Ks", "3s"]
        assert zone(state, "discard", viewer)["cards"] == ["2d", "2c"]
        assert zone(state, "out", viewer)["cards"] == ["Qd"]
        assert zone(state, "stock", viewer) == {"name": "stock", "kind": "pile", "count": 3}
        assert zone(state, "pile", viewer) == {"name": "pile", "kind": "pile", "count": 2}
        hidden = [None, None]
        assert zone(state, "hand", viewer, seat=0)["cards"] == (
            ["As", "9h"] if viewer == 0 else hidden
        )
        assert "Ac" not in str(GAME.view(state, viewer))


def test_2_when_the_game_is_over_all_hands_are_open_and_the_aces_are_not() -> None:
    state = at(Over, gone=True, hand="As 9h", rows="//", aces=("Ac",))
    assert zone(state, "hand", None, seat=0)["cards"] == ["As", "9h"]
    assert "Ac" not in str(GAME.view(state, None))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_3_set_up(players: int) -> None:
    state: Any = GAME.initial(players, {})
    for name, items in (("stock", STOCK), ("bozu", PILE), ("aces", ACES)):
        assert GAME.turn(state) == Turn(chance=Chance(name, items))
        state = shuffled(GAME, state, *items)
    assert (len(STOCK), len(PILE)) == (36, 12)
    assert state.rows == (("Js",), ("Qs",), ("Ks",))
    assert state.pile[0] == "Jh"
    assert state.hands == ((), *((ace,) for ace in ACES[: players - 1]))
    assert state.aces == ACES[players - 1 :]
    assert GAME.turn(state) == Turn(waiting=(0,))
    assert GAME.legal(state, 0) == [{"type": "draw"}]


def test_4_1_order_of_legal() -> None:
    state = at(rows="Jh/Qh/Kd", hand="As 9h")
    assert GAME.legal(state, 0) == [
        {"type": "draw"},
        {"type": "play", "card": "As", "row": 0},
        {"type": "play", "card": "As", "row": 1},
        {"type": "play", "card": "As", "row": 2},
        {"type": "play", "card": "9h", "row": 0},
        {"type": "play", "card": "9h", "row": 1},
        {"type": "pass", "card": "As"},
        {"type": "pass", "card": "9h"},
    ]
    state = play(state, "9h", 1)
    assert GAME.legal(state, 0) == [
        {"type": "draw"},
        {"type": "play", "card": "As", "row": 0},
        {"type": "play", "card": "As", "row": 1},
        {"type": "play", "card": "As", "row": 2},
        {"type": "end"},
    ]


def test_4_1_end_takes_a_card_unseen() -> None:
    state = end(play(at(hand="2h 9c"), "2h", 1))
    assert state.hands[0] == ("3c", "9c")
    assert GAME.lines(state, 0)[0] == {"line": "drew", "seat": 0, "cards": ["3c"]}
    assert GAME.lines(state, 1)[0] == {"line": "drew", "seat": 0, "cards": 1}
    assert GAME.turn(state).waiting == (1,)
    assert state.rows[1] == ("Qh", "2h"), "the mark has gone"


def test_4_1_pass_discards_a_card_and_draws_nothing() -> None:
    state = moved(GAME, at(hand="2h 9c"), 0, "pass", card="2h")
    assert (state.hands[0], state.discard, len(state.stock)) == (("9c",), ("2h",), 3)
    assert GAME.turn(state).waiting == (1,)


def test_4_1_without_hand_and_stock_a_seat_is_skipped() -> None:
    hands = (("2h",), (), ("As",))
    state = at(hands=hands, stock=(), last=0, restocked=True)
    state = moved(GAME, state, 0, "pass", card="2h")
    assert GAME.turn(state).waiting == (2,)
    assert told(GAME, state) == ["passed", "skipped", "turn"]


def test_4_1_a_seat_that_has_acted_with_its_last_card_ends_its_turn_automatically() -> None:
    state = play(at(hand="2h", stock=(), last=0, restocked=True), "2h", 1)
    assert told(GAME, state) == ["played", "ended", "turn"]
    assert GAME.turn(state).waiting == (1,)


@pytest.mark.parametrize(
    ("rows", "card", "allowed"),
    [
        ("Js/Qh/Kd", "5h", [1]),
        ("Jh/Qh/Kd", "5h", [0, 1]),
        ("Js/Qh/Kd", "5c", [0, 1, 2]),
        ("Js//Kd", "5h", [0, 2]),
        ("Js/Qh/", "5h", [1]),
    ],
)
def test_4_2_where_a_card_goes(rows: str, card: str, allowed: list[int]) -> None:
    state = at(rows=rows, hand=card)
    played = [action for action in GAME.legal(state, 0) if action["type"] == "play"]
    assert [action["row"] for action in played] == allowed
    state = draw(at(rows=rows, stock=(card, "2s")))
    if len(allowed) == 1:
        assert told(GAME, state) == ["turned", "laid"]
        assert state.rows[allowed[0]][-1] == card
    else:
        assert isinstance(state, Placing)
        assert zone(state, "drawn", 2)["cards"] == [card]
        assert GAME.legal(state, 0) == [{"type": "place", "row": each} for each in allowed]


def test_4_2_a_placed_card() -> None:
    state = moved(GAME, draw(at()), 0, "place", row=1)
    assert state.rows[1] == ("Qh", "3c")
    assert facts(state, "sum")[1] == {"name": "sum", "index": 1, "value": 3, "bozu": 12}


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("Ah", ["played"]),
        ("2h", ["played", "discarded", "beaten", "kept", "headed", "turn"]),
        ("3h", ["played", "discarded", "beaten", "kept", "drew", "headed", "turn"]),
        ("4h", ["played", "discarded", "beaten", "kept", "headed", "turn"]),
        ("5h", ["played", "discarded", "burst", "covered", "discarded", "headed", "turn"]),
    ],
)
def test_4_3_and_8_a_row_of_9_with_a_card_from_the_hand(card: str, lines: list[str]) -> None:
    state = play(at(rows="Js/Qh 7h 2c/Kd", hand=card), card, 1)
    assert told(GAME, state) == lines
    if lines == ["played"]:
        return
    assert state.rows[1] == ("Jh",)
    burst = "burst" in lines
    assert state.discard == ((card, "7h") if burst else (card,))
    assert state.out == (() if burst else ("Qh",))
    assert state.own[0] == (("Qh", "2c") if burst else ())
    hand = {"3h": ("7h", "2c", "3c"), "5h": ()}.get(card, ("7h", "2c"))
    assert state.hands[0] == hand


def test_4_3_an_older_hand_card_is_a_card_of_the_row() -> None:
    state = play(at(rows="Js/Qh 7h 2c/Kd", hand="Ah 5c"), "Ah", 1)
    state = end(state)
    assert state.rows[1] == ("Qh", "7h", "2c", "Ah")


def test_4_3_exactly_two_or_three_are_kept() -> None:
    state = play(at(rows="Js/Qh 2h 3c 5h/Kd", hand="3h"), "3h", 1)
    assert isinstance(state, Keeping)
    assert zone(state, "pending")["cards"] == ["2h", "3c", "5h"]
    assert GAME.view(state, None)["prompt"] == {"seat": 0, "count": 2}
    sets = [action["cards"] for action in GAME.legal(state, 0)]
    assert sets == [["2h", "5h"], ["2h", "3c"], ["5h", "3c"]]
    state = moved(GAME, state, 0, "keep", cards=["5h", "3c"])
    assert (state.hands[0], state.discard) == (("5h", "3c"), ("3h", "2h"))
    assert zone(state, "hand", 1, seat=0)["cards"] == [None, None], "seen, but not shown again"


def test_4_3_missing_cards_are_drawn_as_long_as_there_are_any() -> None:
    state = draw(at(rows="Jh/Qd/Kd", stock=("Th", "4c", "5c", "6c")))
    assert told(GAME, state) == ["turned", "laid", "beaten", "kept", "drew", "headed", "turn"]
    assert state.hands[0] == ("Th", "4c"), "a 10 beside a jack is near"
    state = play(at(hand="Ts", stock=(), last=0, restocked=True), "Ts", 0)
    assert state.hands[0] == ()


def test_4_3_a_burst_with_several_lowest_cards() -> None:
    state = play(at(rows="Js/Qh 2h 2c 7h/Kd", hand="3h"), "3h", 1)
    assert isinstance(state, Covering)
    assert GAME.legal(state, 0) == [
        {"type": "cover", "card": "2h", "bozu": "Qh"},
        {"type": "cover", "card": "2c", "bozu": "Qh"},
    ]
    state = moved(GAME, state, 0, "cover", card="2c", bozu="Qh")
    assert state.own[0] == ("Qh", "2c")
    assert state.discard == ("3h", "2h", "7h")


def test_4_3_a_burst_may_cover_an_older_bozu() -> None:
    own = (("Kc", "3s", "Jd"), (), ())
    state = play(at(rows="Js/Qh 7h 2c/Kd", hand="5h", own=own), "5h", 1)
    choices = [(action["card"], action["bozu"]) for action in GAME.legal(state, 0)]
    assert choices == [("2c", "Qh"), ("2c", "Jd"), ("2c", "Kc")]
    state = moved(GAME, state, 0, "cover", card="2c", bozu="Kc")
    assert state.own[0] == ("Kc", "3s", "2c", "Jd", "Qh")
    assert owned(state.own[0])[0] == Bozu("Kc", ("3s", "2c"))


def test_4_3_nothing_is_left_to_lay_on_the_bozu() -> None:
    state = play(at(hand="8h 9h"), "8h", 1)
    state = play(state, "9h", 1)
    assert told(GAME, state) == ["played", "discarded", "burst", "headed", "turn"]
    assert (state.own[0], state.discard) == (("Qh",), ("8h", "9h"))


def test_4_3_without_a_pile_the_row_stays_empty() -> None:
    state = draw(at(rows="Jh//Kd", stock=("Th", "4c", "5c"), pile=(), repiled=True))
    assert state.rows[0] == ()
    assert GAME.turn(state).waiting == (1,)


def test_4_3_no_row_has_a_bozu() -> None:
    state = draw(at(rows="Jh//", stock=("Th", "4c", "5c"), pile=(), repiled=True))
    assert isinstance(state, Over)
    assert state.gone


def test_4_4_the_stock_is_renewed_before_the_card_is_laid() -> None:
    state = draw(at(stock=("9h",), discard=("3d", "2s")))
    assert isinstance(state, Restocking)
    assert GAME.turn(state) == Turn(chance=Chance("stock-2", ("2s", "3d")))
    assert zone(state, "drawn")["cards"] == ["9h"]
    assert state.rows[1] == ("Qh",)
    state = shuffled(GAME, state, "3d", "2s")
    assert (state.rows[1], state.stock, state.discard) == (("Qh", "9h"), ("3d", "2s"), ())
    assert told(GAME, state) == ["restocked", "laid"]


def test_4_4_a_draw_of_several_cards_is_interrupted() -> None:
    state = play(at(rows="Js/Qh 7h/Kd", hand="5h", stock=("2c",), discard=("9c",)), "5h", 1)
    assert GAME.turn(state) == Turn(chance=Chance("stock-2", ("5h", "9c")))
    assert state.hands[0] == ("7h", "2c")
    state = shuffled(GAME, state, "9c", "5h")
    assert told(GAME, state) == ["restocked", "drew", "headed", "turn"]
    assert state.hands[0] == ("7h", "2c", "9c")


def test_4_4_at_the_end_of_a_turn() -> None:
    state = end(play(at(hand="2h 3h", stock=("2c",), discard=("9c",)), "2h", 1))
    state = shuffled(GAME, state, "9c")
    assert told(GAME, state) == ["restocked", "turn"]
    assert GAME.turn(state).waiting == (1,)


def test_4_4_a_card_taken_unseen_lies_in_the_hand_while_the_stock_is_shuffled() -> None:
    state = end(play(at(hand="2h 3h", stock=("2c",), discard=("9c",)), "2h", 1))
    assert isinstance(state, Restocking)
    assert zone(state, "hand", 0, seat=0)["cards"] == ["3h", "2c"]
    assert zone(state, "hand", 1, seat=0)["cards"] == [None, None]
    assert zone(state, "discard", 1)["cards"] == ["9c"]


def test_4_4_nothing_to_renew_the_stock_with() -> None:
    state = draw(at(stock=("9h",), discard=()))
    assert told(GAME, state) == ["turned", "run-out", "laid", "ended", "turn"]
    assert state.last == 0
    assert isinstance(state, Acting)


def test_4_4_the_pile_is_renewed_once() -> None:
    state = draw(at(rows="Jh/Qd/Kd", stock=("Th", "4c", "5c"), pile=("Ks",), out=("Jd",)))
    assert isinstance(state, Repiling)
    assert GAME.turn(state) == Turn(chance=Chance("bozu-2", ("Jh", "Jd")))
    assert state.rows[0] == ("Ks",)
    state = shuffled(GAME, state, "Jd", "Jh")
    assert (state.pile, state.out, state.active) == (("Jd", "Jh"), (), 1)


def test_4_4_nothing_to_renew_the_pile_with() -> None:
    rows = "Jh 9h/Qd/Kd"
    state = draw(at(rows=rows, stock=("8h", "4c", "5c"), pile=("Ks",)))
    assert isinstance(state, Acting)
    assert (state.own[0], state.rows[0]) == (("Jh", "8h"), ("Ks",))
    assert (state.pile, state.repiled) == ((), True)


def test_4_5_the_last_round() -> None:
    state = at(stock=("2c",), restocked=True, hand="3h 5c", active=1)
    state = draw(state)
    assert state.last == 1
    state = moved(GAME, state, 1, "place", row=0)
    assert [action["type"] for action in GAME.legal(state, 1)] == ["play", "end"]
    state = end(state)
    assert told(GAME, state) == ["ended", "turn"]
    assert GAME.turn(state).waiting == (2,)
    types = [action["type"] for action in GAME.legal(state, 2)]
    assert types == ["play", "pass"], "no stock"
    state = moved(GAME, state, 2, "pass", card="As")
    assert GAME.turn(state).waiting == (0,)
    state = end(play(state, "3h", 1))
    assert isinstance(state, Over)
    assert not state.gone


def test_4_5_the_last_round_ends_early_when_no_row_has_a_bozu() -> None:
    fields = {"stock": (), "pile": (), "last": 1, "restocked": True, "repiled": True}
    state = play(at(rows="/Qh/", hand="Th Ah 2s", **fields), "Th", 1)
    assert isinstance(state, Acting)
    state = play(state, "Ah", 1)
    assert isinstance(state, Over)
    assert state.discard == ("Th", "Ah")
    assert GAME.result(state).reason == "bozu-gone"  # type: ignore[union-attr]


def test_4_5_everybody_else_is_skipped() -> None:
    hands = ((), ("2h",), ())
    state = at(hands=hands, stock=(), last=1, restocked=True, active=1)
    state = moved(GAME, state, 1, "pass", card="2h")
    assert told(GAME, state) == ["passed", "skipped", "skipped"]
    assert isinstance(state, Over)


def test_illegal_actions_are_refused() -> None:
    state = at(hand="9h")
    with pytest.raises(Illegal) as refused:
        play(state, "9h", 0)
    assert refused.value.why == {"wrong": "row", "may": [1]}
    with pytest.raises(Illegal) as refused:
        end(state)
    assert refused.value.why == {"wrong": "type", "may": ["draw", "play", "pass"]}
