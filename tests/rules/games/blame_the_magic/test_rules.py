"""Blame the Magic: every corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.games.blame_the_magic.phases import Asking, Choosing, Closing, Leading, Over, Window
from rules.kernel import Illegal, Invalid, Marked, Result, Turn
from tests.rules.games.blame_the_magic.positions import (
    ANSWER,
    GAME,
    PASS,
    SUITS,
    TAKE,
    at,
    cards,
    choose,
    facts,
    lead,
    may,
    types,
    zone,
)
from tests.rules.playouts import moved, playout, told, viewers


@pytest.mark.parametrize("players", [2, 5, True, "3", None])
def test_1_three_or_four_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


def test_1_it_has_no_options_and_no_chance() -> None:
    assert GAME.settle(4, {}) == {}
    with pytest.raises(Invalid):
        GAME.settle(3, {"limit": 16})
    for step in playout(GAME, 3, {}, random.Random(0).randrange):
        assert GAME.turn(step.before).chance is None


@pytest.mark.parametrize(("players", "limit"), [(3, 17), (4, 23)])
def test_1_the_limit(players: int, limit: int) -> None:
    assert facts(GAME.initial(players, {}), "limit") == [{"name": "limit", "value": limit}]


def test_2_who_sees_what() -> None:
    state = at(
        Asking,
        ["", "3 5", "4", "2 7"],
        ["2 3!", "", "", "8"],
        joker=0,
        round=2,
        laid=("5s",),
        asked=1,
    )
    for viewer in (0, 1, 2, 3, None):
        assert zone(state, "ace", 3, viewer)["cards"] == ["Ac"]
        turned = {"card": "3s", "is": ["turned"]}
        assert zone(state, "zone", 0, viewer)["cards"] == ["2s", turned]
        assert zone(state, "laid", None, viewer)["cards"] == ["5s"]
        for name, held in (("hand", ["3h", "5h"]), ("guild", ["2h", "4h", "6h", "7h", "8h"])):
            seen = zone(state, name, 1, viewer)
            assert seen["count"] == len(held)
            assert seen.get("cards") == (held if viewer == 1 else None)


def test_2_indicators_are_public_and_are_not_cards() -> None:
    state = at(Leading, ["2", "3", "4"], ["3 4 5", "2!", "7 6"], joker=2, round=2, marker=9)
    assert facts(state, "joker") == [{"name": "joker", "seat": 2}]
    assert facts(state, "marker") == [{"name": "marker", "of": 1, "value": 9}]
    shown = [(fact["of"], fact["value"], fact["display"]) for fact in facts(state, "influence")]
    assert shown == [(0, 13, "K"), (1, 1, "Q"), (2, 14, "K")]


@pytest.mark.parametrize(
    ("players", "row", "value", "display"),
    [
        (3, "5 6", 12, "Q"),
        (3, "5 7", 13, "K"),
        (3, "3 6 7", 17, "K"),
        (3, "4 6 7", 18, "J"),
        (4, "7 8 7!", 16, "K"),
        (4, "7 8 6 2!", 22, "K"),
        (4, "3 4 7 8", 23, "K"),
        (4, "2 6 7 8", 24, "J"),
    ],
)
def test_2_display(players: int, row: str, value: int, display: str) -> None:
    state = at(Over, [""] * players, [row] + [""] * (players - 1))
    fact = facts(state, "influence")[0]
    assert (fact["value"], fact["display"]) == (value, display)


@pytest.mark.parametrize(("players", "ranks"), [(3, "234567"), (4, "2345678")])
def test_3_all_number_cards_lie_in_the_guilds(players: int, ranks: str) -> None:
    state: Any = GAME.initial(players, {})
    expected = tuple(tuple(rank + suit for rank in ranks) for suit in SUITS[:players])
    assert state.guilds == expected
    assert state.aces == tuple((f"A{suit}",) for suit in SUITS[:players])
    assert (state.joker, state.holder, state.marker) == (0, 0, 10)
    assert isinstance(state, Choosing)


def test_4_1_the_marker_passes_on_and_shows_10_again() -> None:
    state = at(Closing, ["2", "", "3"], joker=1, round=1)
    state = moved(GAME, state, 0, "take")
    assert (state.round, state.holder, state.marker, state.joker) == (2, 1, 10, 0)
    assert state.hands == ((), (), ())


def test_4_1_the_joker_skips_empty_guilds() -> None:
    zones = ["2! 3! 4 5 6 7!", "2", "3"]
    state = moved(GAME, at(Closing, ["", "", ""], zones, joker=0, round=2), 1, "pass")
    assert state.joker == 1
    assert state.began == (1, 2)
    assert told(GAME, state) == ["passed", "round", "joker"]


def test_4_1_few_cards_are_taken_automatically() -> None:
    state = at(Closing, ["", "", ""], ["2 3 4", "2", "2"], round=1)
    state = moved(GAME, state, 0, "pass")
    assert state.hands[0] == ("5s", "6s", "7s")
    assert GAME.turn(state).waiting == (1, 2)
    line = {"line": "took-all", "seat": 0}
    assert {**line, "cards": ["5s", "6s", "7s"]} in GAME.lines(state, 0)
    assert {**line, "cards": 3} in GAME.lines(state, 1)


def test_4_1_nobody_is_left_to_choose() -> None:
    state = at(Closing, ["", "", ""], ["2 3 4", "2! 3 4", "3 4 5"], joker=2, round=1)
    state = moved(GAME, state, 0, "pass")
    assert isinstance(state, Leading)
    assert GAME.turn(state) == Turn(waiting=(2,), optional=(1,))


def test_4_2_all_choose_at_the_same_time() -> None:
    state = choose(GAME.initial(3, {}), 1, "2 5 7")
    assert GAME.turn(state).waiting == (0, 2)
    assert state.guilds[1] == cards(1, "2 3 4 5 6 7"), "it takes effect when all are in"
    for viewer in viewers(state):
        view = GAME.view(state, viewer)
        own = {"name": "choose", "of": 1, "cards": ["2h", "5h", "7h"]}
        assert view["committed"] == [1]
        assert (own in view["facts"]) == (viewer == 1)
    state = choose(choose(state, 2, "2 3 4"), 0, "4 5 6")
    assert isinstance(state, Leading)
    assert state.hands == (cards(0, "4 5 6"), cards(1, "2 5 7"), cards(2, "2 3 4"))
    assert state.marker == 10


def test_4_2_the_holder_may_choose_one_more() -> None:
    state = GAME.initial(3, {})
    sizes = [len(hand) for hand in may(state, 0, "choose")]
    assert sizes == [3] * 20 + [4] * 15
    assert [len(hand) for hand in may(state, 1, "choose")] == [3] * 20
    state = choose(choose(state, 0, "2 3 4 5"), 1, "2 3 4")
    assert state.marker == 10, "still secret"
    state = choose(state, 2, "2 3 4")
    assert state.marker == 9
    assert told(GAME, state) == ["chosen", "chose", "one-more", "chose", "chose"]


def test_4_2_the_holder_may_lose_first_and_still_has_to_choose() -> None:
    state = at(Choosing, ["", "", ""], ["", "2 7", ""], round=2)
    assert types(state, 1) == ["choose", "lose"]
    state = moved(GAME, state, 1, "lose", card="7h")
    assert GAME.turn(state).waiting == (0, 1, 2)
    assert {len(hand) for hand in may(state, 1, "choose", "lose")} == {3}
    state = choose(state, 1, "3 4 5")
    assert GAME.turn(state) == Turn(waiting=(0, 2))


def test_4_2_a_holder_that_took_all_its_cards_may_lose() -> None:
    fields = {"guilds": ((), cards(1, "2 3 4 5"), cards(2, "2 3 4 5")), "round": 1}
    state = at(Choosing, ["5 6 7", "", ""], ["2 3 4", "6 7", "6 7"], **fields)
    assert GAME.turn(state) == Turn(waiting=(1, 2), optional=(0,))
    assert GAME.legal(state, 0) == [{"type": "lose", "card": f"{rank}s"} for rank in "234"], (
        "no return here"
    )
    assert GAME.fallback(state, 0) is None
    assert GAME.turn(state.change(marker=9)).optional == ()
    assert GAME.turn(state.change(zones=((), (), ()))).optional == ()


def test_4_3_a_lead_before_any_card_was_settled_is_laid_at_once() -> None:
    state = at(Leading, ["2 3", "4 5", "6 7"], joker=0, round=2)
    assert GAME.turn(state) == Turn(waiting=(0,), optional=(1,))
    state = at(Leading, ["2 3", "4", "6 7"], joker=0, round=2)
    assert GAME.turn(state).optional == (), "nothing to return or to lose"
    state = lead(state, "2")
    assert state.zones[0] == ("2s",)


def test_4_3_the_window() -> None:
    state = lead(at(Leading, ["2 3", "3 5", "6 7"], ["", "7 2", ""], joker=0, round=2), "2")
    assert isinstance(state, Window)
    assert GAME.turn(state).waiting == (0, 1)
    assert GAME.legal(state, 1) == [
        PASS,
        TAKE,
        {"type": "return", "card": "3h"},
        {"type": "return", "card": "5h"},
        {"type": "lose", "card": "2h"},
        {"type": "lose", "card": "7h"},
    ]
    assert GAME.legal(state, 0) == [{"type": "lead", "card": "3s"}]


def test_4_3_the_window_needs_the_marker_and_a_hand_of_the_holder() -> None:
    rows = (["2 3", "3 5", "6 7"], ["", "7", ""])
    assert isinstance(lead(at(Leading, *rows, round=2, marker=9), "2"), Leading)
    assert isinstance(lead(at(Leading, *rows, round=1), "2"), Leading), "the joker is at H"
    state = at(Leading, ["2 3", "", "6 7"], ["", "7", ""], round=2, began=(0, 2))
    state = lead(state, "2")
    assert isinstance(state, Leading)
    assert GAME.turn(state) == Turn(waiting=(0,), optional=(1,)), "H can still lose"


def test_4_3_a_lead_in_the_window_is_laid_when_the_holder_passes() -> None:
    state = lead(at(Window, ["2 3", "3 5", "6 7"], round=2, settled=True), "3")
    assert isinstance(state, Window)
    assert GAME.turn(state).waiting == (1,)
    assert state.hands[0] == ("2s", "3s"), "it stays in the hand"
    assert GAME.lines(state, 2) == [{"line": "chosen", "seat": 0}]
    state = moved(GAME, state, 1, "pass")
    assert told(GAME, state)[:2] == ["passed", "laid"]


def test_4_3_the_holder_may_act_before_the_lead() -> None:
    state = at(Window, ["2 3", "3 5", "6 7"], ["", "4", ""], round=2, settled=True)
    passed = moved(GAME, state, 1, "pass")
    assert isinstance(passed, Leading)
    assert GAME.turn(passed) == Turn(waiting=(0,), optional=(1,))
    returned = moved(GAME, state, 1, "return", card="3h")
    assert (type(returned), returned.marker) == (Leading, 9)
    lost = moved(GAME, lead(state, "2"), 1, "lose", card="4h")
    assert told(GAME, lost)[:2] == ["turned", "laid"]


def test_4_3_taking_the_joker_discards_the_committed_lead() -> None:
    state = lead(at(Window, ["2 3", "3 5", "6 7"], round=2, settled=True), "3")
    state = moved(GAME, state, 1, "take")
    assert isinstance(state, Leading)
    assert (state.joker, state.marker, state.hands[0]) == (1, 9, ("2s", "3s"))
    assert GAME.view(state, 0)["committed"] == []
    assert GAME.lines(state, 2) == [{"line": "took", "seat": 1}]


def test_4_3_the_holder_with_the_joker_may_give_it_after_a_card_was_settled() -> None:
    state = at(Leading, ["2 3", "3 5", "", "6"], ["", "2", "", ""], joker=1, round=2, settled=True)
    assert may(state, 1, "give") == [0, 3], "to seats with cards"
    assert types(state, 1) == ["lead", "give", "return", "lose"]
    assert may(state.change(settled=False), 1, "give") == []
    assert may(state.change(marker=9), 1, "give", "return", "lose") == []
    state = moved(GAME, state, 1, "give", to=3)
    assert (GAME.turn(state).waiting, state.marker) == ((3,), 9)


def test_4_3_an_optional_holder_goes_on_waiting_for_the_leader() -> None:
    state = at(Leading, ["2 3", "4 5", "6 7"], joker=0, round=2)
    state = moved(GAME, state, 1, "return", card="5h")
    assert state.hands[1] == ("4h",)
    assert GAME.turn(state) == Turn(waiting=(0,))
    assert GAME.lines(state, 1) == [{"line": "returned", "seat": 1, "card": "5h"}]
    assert GAME.lines(state, 0) == [{"line": "returned", "seat": 1, "card": 1}]


def test_4_4_the_holder_is_asked_with_or_without_the_number() -> None:
    for hand in ("2 5", "3 5"):
        state = lead(at(Leading, ["2 3", hand, "6 7"], joker=0, round=2), "2")
        assert isinstance(state, Asking)
        assert GAME.turn(state) == Turn(waiting=(1,))
        assert GAME.legal(state, 1)[0] == ANSWER
        assert GAME.view(state, 2)["prompt"] == {"seat": 1, "number": 2}


@pytest.mark.parametrize(
    "fields",
    [
        {"marker": 9},
        {"hands": (("2s", "3s"), ("5h",), ("6d", "7d"))},
        {"zones": ((), ("2h",), ())},
        {"zones": ((), (Marked("2h", ("turned",)),), ())},
    ],
)
def test_4_4_the_holder_is_not_asked_if_a_return_has_no_effect(fields: Any) -> None:
    state = at(Leading, ["2 3", "3 5", "6 7"], joker=0, round=2).change(**fields)
    assert not isinstance(lead(state, "2"), Asking)


def test_4_4_a_seat_with_the_number_lays_it_and_the_previous_card_goes_back() -> None:
    state = lead(at(Leading, ["2 3", "2 5", "2 7"], round=1, marker=9), "2")
    assert state.zones == ((), (), ("2d",))
    assert (state.guilds[0][0], state.guilds[1][0]) == ("2s", "2h")
    assert told(GAME, state) == ["laid", "has", "back", "has", "back", "kept", "joker"]


def test_4_5_a_settled_card_brings_the_joker() -> None:
    state = lead(at(Leading, ["2 3", "5 6", "2 7 3"], round=1, marker=9), "2")
    assert (state.joker, state.settled) == (2, True)
    state = lead(state, "7")
    assert told(GAME, state) == ["laid", "has-none", "has-none", "kept"]
    assert isinstance(state, Leading)


def test_4_5_lost_comes_before_the_end_of_the_round() -> None:
    rows = ["7 6 4", "7 6 3", ""]
    state = lead(at(Leading, ["3", "4", "2"], rows, joker=1, marker=9), "4")
    assert isinstance(state, Over)
    assert told(GAME, state) == ["laid", "has-none", "has-none", "kept"]
    assert GAME.result(state) == Result((), (18, 21, 1), "over-limit")


def test_4_6_only_one_ability_can_be_used() -> None:
    state = at(Leading, ["2 3 4", "4 5", "6 7"], ["7", "", ""], round=1, settled=True)
    state = moved(GAME, state, 0, "return", card="4s")
    assert types(state, 0) == ["lead"]


def test_4_6_a_return_needs_two_cards_and_a_turned_card_cannot_be_lost_again() -> None:
    state = at(Leading, ["2", "4 5", "6 7"], ["7 5! 3", "", ""], round=1)
    assert may(state, 0, "return") == []
    assert may(state, 0, "lose") == ["3s", "7s"], "canonical order, never the ace"
    state = moved(GAME, state, 0, "lose", card="7s")
    assert state.zones[0] == cards(0, "7! 5! 3")
    assert facts(state, "influence")[0]["value"] == 4


def test_4_7_two_above_the_limit_lose_at_once_unless_the_marker_can_prevent_it() -> None:
    rows = ["7 5 4 3", "7 5 4", ""]
    state = at(Leading, ["2 6", "3 6", "2 5"], rows, joker=1, round=1)
    state = lead(state, "3")
    assert isinstance(state, Window), "20 and 20: seat 0 can turn 3, 4, 5 or 7"
    for card in ("3s", "4s", "5s", "7s"):
        assert not isinstance(moved(GAME, state, 0, "lose", card=card), Over)
    over = moved(GAME, state, 0, "take")
    assert GAME.result(over).reason == "over-limit"  # type: ignore[union-attr]
    assert isinstance(moved(GAME, state, 0, "return", card="6s"), Over)


@pytest.mark.parametrize(
    ("rows", "holder", "lost"),
    [
        (["7 6 4", "7 6 4", "2"], 0, False),
        (["7 6 4", "7 6 4", "2"], 2, True),
        (["7 6 4", "7 6 4", "7 6 4"], 0, True),
        (["2 3 4 5 6 7", "7 6 4", "2"], 0, True),
        (["7 6 4", "7 3 4", "2"], 2, False),
    ],
)
def test_4_7_what_can_be_prevented(rows: list[str], holder: int, lost: bool) -> None:
    state = at(Leading, ["", "5 2", "5 3"], rows, joker=2, round=holder + 1, settled=True)
    state = state.change(zones=(*state.zones[:2], (*state.zones[2], "2d")), began=(1, 2))
    assert isinstance(lead(state, "3"), Over) == lost


def test_4_7_losing_influence_to_no_effect_loses_the_game() -> None:
    rows = ["7 6 5 2", "7 6 4", ""]
    state = at(Leading, ["3 4", "3", "4"], rows, round=1, joker=0)
    assert not isinstance(moved(GAME, state, 0, "lose", card="5s"), Over)
    assert isinstance(moved(GAME, state, 0, "lose", card="2s"), Over)


def test_4_7_a_holder_that_is_asked_may_prevent_it_but_a_return_loses_at_once() -> None:
    rows = ["7 6 4", "7 6 4", ""]
    state = lead(at(Leading, ["2", "2 3", "5"], rows, joker=0, round=2), "2")
    assert isinstance(state, Asking)
    assert types(state, 1) == ["answer", "return", "lose"]
    over = moved(GAME, state, 1, "return", card="3h")
    assert GAME.result(over) == Result((), (18, 18, 1), "over-limit")
    assert over.laid == ("2s",), "nobody is asked any more"
    assert isinstance(moved(GAME, state, 1, "answer"), Closing)
    mended = moved(GAME, state, 1, "lose", card="4h")
    assert told(GAME, mended)[:3] == ["turned", "has", "back"]


def test_4_8_the_last_window() -> None:
    state = at(Leading, ["2", "4 5", "6 7"], ["7", "", ""], round=1)
    state = lead(state, "2")
    assert isinstance(state, Closing)
    assert GAME.turn(state) == Turn(waiting=(0,))
    assert GAME.legal(state, 0) == [
        PASS,
        {"type": "give", "to": 1},
        {"type": "give", "to": 2},
        {"type": "lose", "card": "2s"},
        {"type": "lose", "card": "7s"},
    ]
    assert types(state.change(joker=1), 0) == ["pass", "take", "lose"]


def test_4_8_in_the_last_round_only_influence_matters() -> None:
    rows = (["4 5", "6 7", "2"], ["", "", "5"])
    state = lead(at(Leading, *rows, joker=2, round=3), "2")
    assert isinstance(state, Closing)
    assert types(state, 2) == ["pass", "lose"]
    state = lead(at(Leading, *rows, joker=2, round=3, marker=9), "2")
    assert isinstance(state, Over)
    state = at(Leading, ["2", "6 7", ""], ["", "", "5!"], round=3, began=(0, 1))
    assert isinstance(lead(state, "2"), Over), "nothing to turn"


def test_4_8_a_lost_game_is_noticed_before_the_round_ends() -> None:
    state = at(Closing, ["", "2", "2"], ["7 6 4", "7 6 4", ""], joker=1, round=1)
    assert isinstance(moved(GAME, state, 0, "take"), Over)
    assert isinstance(moved(GAME, state, 0, "pass"), Over), "the second step of the closing"
    assert moved(GAME, state, 0, "lose", card="4s").round == 2


def test_4_8_hands_go_back() -> None:
    state = at(Closing, ["", "2 5", "2"], ["3", "4", "5"], round=1)
    state = moved(GAME, state, 0, "pass")
    assert state.guilds[1] == cards(1, "2 3 5 6 7")
    assert {"line": "put-back", "seat": 1, "cards": 2} in GAME.lines(state, None)


def test_4_10_a_returned_card_stays_secret() -> None:
    state = lead(at(Leading, ["2 3", "2 5", "6 7"], joker=0, round=2), "2")
    state = moved(GAME, state, 1, "return", card="2h")
    assert GAME.lines(state, 2)[:2] == [
        {"line": "returned", "seat": 1, "card": 1},
        {"line": "has-none", "seat": 1, "number": 2},
    ]


def test_illegal_actions_are_refused() -> None:
    state = GAME.initial(3, {})
    with pytest.raises(Illegal) as refused:
        choose(state, 0, "5 2 3")
    assert refused.value.why["wrong"] == "cards"
    with pytest.raises(Illegal) as refused:
        moved(GAME, state, 0, "lead", card="2s")
    assert refused.value.why == {"wrong": "type", "may": ["choose"]}
