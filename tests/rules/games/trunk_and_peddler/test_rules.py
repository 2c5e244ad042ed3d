"""The Trunk and the Peddler up to the second cards, by the sections of its specification."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rules.common.tricks import following
from rules.games.trunk_and_peddler.components import SMALL, VALUABLE
from rules.games.trunk_and_peddler.options import in_force, options
from rules.games.trunk_and_peddler.phases import First, Losing, Second, Storing
from rules.kernel import Chance, Invalid
from tests.rules.games.trunk_and_peddler.positions import (
    DISPLAY,
    GAME,
    LETTERS,
    PASS,
    UNUSED,
    at,
    cards_of,
    custom,
    facts,
    hands,
    passing,
    play,
    refused,
    second,
    started,
    storing,
    zones,
)
from tests.rules.playouts import moved, shuffled, told

# 1 Head


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2", None])
def test_1_exactly_two_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize(
    "options", [{"preset": "hard"}, {"A": 1}, {"A": "true"}, {"I": True}, {"preset": None}, []]
)
def test_1_other_options_are_invalid(options: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(2, options)


def test_1_missing_options_take_their_default() -> None:
    settled = GAME.settle(2, {})
    assert settled == {"preset": "base", **dict.fromkeys(LETTERS, False)}
    assert GAME.settle(2, settled) == settled


@pytest.mark.parametrize(
    ("preset", "letters"),
    [("base", ""), ("advanced", "ABC"), ("maniac", "ABCDE"), ("masochist", LETTERS)],
)
def test_1_a_preset_names_its_rules_whatever_the_letters_say(preset: str, letters: str) -> None:
    for value in (False, True):
        state: Any = GAME.initial(2, {"preset": preset, **dict.fromkeys(LETTERS, value)})
        assert state.rules == letters


def test_1_all_256_combinations_are_legal() -> None:
    chosen = ["".join(set_) for k in range(9) for set_ in itertools.combinations(LETTERS, k)]
    assert len(chosen) == 256
    for letters in chosen:
        state: Any = GAME.initial(2, custom(letters))
        assert state.rules == letters == in_force(custom(letters))
    assert list(options(2)) == ["preset", *LETTERS]


# 2 Components


def test_2_who_sees_what() -> None:
    state = at(
        number=3,
        hands=hands("As 2s", "3s 4s 5s"),
        stock=("7s", "8s"),
        discards=("9s",),
        junk=(("Ah",), ()),
        down=(("Ks",), ()),
        up=((), ("Jh", "Jk")),
    )
    for viewer in (0, 1, None):
        seen = zones(state, viewer)
        assert seen["hand", 0].get("cards") == (["As", "2s"] if viewer == 0 else None)
        assert seen["hand", 1]["count"] == 3
        assert seen["trunk", 0]["cards"] == (["4s"] if viewer == 0 else [None])
        assert seen["trunk", 1]["cards"] == (["4h"] if viewer == 1 else [None])
        assert seen["stock", None] == {"name": "stock", "kind": "pile", "count": 2}
        assert seen["unused", None] == {"name": "unused", "kind": "pile", "count": 4}
        assert seen["discard", None]["cards"] == ["9s"]
        assert seen["junk", 0]["cards"] == ["Ah"]
        assert seen["down", 0] == {"name": "down", "seat": 0, "kind": "pile", "count": 1}
        assert seen["up", 1]["cards"] == ["Jh", "Jk"]
        gone = {"is": ["vacant"]}
        assert seen["display", None]["cards"] == [gone, gone, "Qd", None, "Js", None, None, None]
        assert seen["display", None]["count"] == 6


def test_2_valuables_1_and_5_are_open_from_the_start() -> None:
    state = shuffled(GAME, GAME.initial(2, {}), *DISPLAY, *UNUSED)
    display = zones(state, None)["display", None]["cards"]
    assert display == ["Ks", None, None, None, "Js", None, None, None]
    assert GAME.lines(state, None) == [{"line": "laid-out", "cards": ["Ks", "Js"]}]


def test_2_the_joker_is_always_seen_and_past_trumps_are_suits() -> None:
    assert zones(GAME.initial(2, {}), None)["joker", None]["cards"] == ["Jk"]
    state = at(number=3, hands=hands("As", "2s"))
    assert zones(state, None)["up", 0]["cards"] == ["Jk"]
    assert facts(state, "trumps") == [{"name": "trumps", "suits": ["s", "h", "d"]}]
    assert facts(state, "trick") == [{"name": "trick", "value": 3, "suit": "d", "seat": 0}]


@pytest.mark.parametrize(
    ("letters", "found"), [("", set()), ("F", {"threes"}), ("G", {"threes"}), ("H", {"side"})]
)
def test_2_zones_that_belong_to_a_rule_only_exist_with_it(letters: str, found: set[str]) -> None:
    names = {name for name, _ in zones(GAME.initial(2, custom(letters)), None)}
    assert names & {"threes", "side"} == found


# 3 Set-up


def test_3_the_shuffles() -> None:
    state = GAME.initial(2, {})
    assert " ".join(VALUABLE) == "Js Qs Ks Jh Qh Kh Jd Qd Kd Jc Qc Kc"
    assert GAME.turn(state).chance == Chance("valuables", VALUABLE)
    after: Any = shuffled(GAME, state, *DISPLAY, *UNUSED)
    assert after.display == DISPLAY
    assert after.unused == UNUSED
    assert len(SMALL) == 32
    assert " ".join(SMALL[:9]) == "As 2s 3s 4s 5s 7s 8s 9s Ah"
    assert GAME.turn(after).chance == Chance("stock", SMALL)


def test_3_ten_cards_each_alternately() -> None:
    order = SMALL[::-1]
    state: Any = shuffled(GAME, shuffled(GAME, GAME.initial(2, {}), *DISPLAY, *UNUSED), *order)
    assert set(state.hands[0]) == set(order[0:20:2])
    assert set(state.hands[1]) == set(order[1:20:2])
    assert state.stock == order[20:]
    dealt = [line["cards"] for line in GAME.lines(state, 1)]
    assert dealt == [10, list(state.hands[1])]


def test_3_both_choose_a_trunk_in_secret() -> None:
    state = started()
    assert GAME.turn(state).waiting == (0, 1)
    assert cards_of(state, 0) == list(state.hands[0])
    card = state.hands[1][3]
    after = moved(GAME, state, 1, "trunk", card=card)
    assert GAME.turn(after).waiting == (0,)
    assert GAME.view(after, 0)["committed"] == [1]
    assert card not in str(GAME.view(after, 0)) + str(GAME.lines(after, 0))
    assert {"name": "trunk", "of": 1, "card": card} in GAME.view(after, 1)["facts"]
    then: Any = moved(GAME, after, 0, "trunk", card=state.hands[0][0])
    assert isinstance(then, First)
    assert then.trunk == (state.hands[0][0], card)
    assert list(map(len, then.hands)) == [9, 9]
    assert GAME.turn(then).waiting == (0,)
    assert told(GAME, then) == ["chosen", "trunk", "trunk", "trick"]
    assert card not in str(GAME.lines(then, 0)) and card in str(GAME.lines(then, 1))


def test_3_a_trunk_is_a_card_from_the_seats_hand() -> None:
    state = started()
    why = refused(state, 0, {"type": "trunk", "card": state.hands[1][0]})
    assert why == {"wrong": "card", "may": list(state.hands[0])}


# 4.1 Start of a trick


def test_4_1_the_next_valuable_is_trump_and_the_owner_of_the_joker_leads() -> None:
    state = at(Storing, winner=1, hands=hands("2s", "3s"))
    after = storing(state, 1)
    assert zones(after, None)["display", None]["cards"][1] == "Jh"
    assert after.trump == "h"
    assert GAME.turn(after).waiting == (1,)
    trick = {"line": "trick", "number": 2, "card": "Jh", "trump": "h", "seat": 1}
    assert GAME.lines(after, None)[-1] == trick


# 4.2 First cards


def test_4_2_the_leader_plays_any_card_and_an_ace_both_ways() -> None:
    state = at(hands=hands("Ah 7h 8s", "2s"))
    assert GAME.legal(state, 0) == [
        {"type": "play", "card": "Ah", "high": False},
        {"type": "play", "card": "Ah", "high": True},
        {"type": "play", "card": "7h", "high": False},
        {"type": "play", "card": "8s", "high": False},
    ]
    assert GAME.legal(state, 1) == []
    assert GAME.legal(state, None) == []


def test_4_2_only_an_ace_is_high_and_high_is_never_left_out() -> None:
    state = at(hands=hands("Ah 7h", "2s"))
    high = {"type": "play", "card": "7h", "high": True}
    assert refused(state, 0, high) == {"wrong": "high", "may": [False]}
    assert refused(state, 0, {"type": "play", "card": "7h"})["wrong"] == "high"
    assert refused(state, 0, {"type": "play", "card": "Ah", "high": 1})["wrong"] == "high"
    assert refused(state, 0, PASS) == {"wrong": "type", "may": ["play"]}


@pytest.mark.parametrize(("high", "value"), [(True, 11), (False, 1)])
def test_4_2_what_an_ace_counts(high: bool, value: int) -> None:
    after = play(at(hands=hands("Ah 7h", "2s")), 0, "Ah", high=high)
    assert after.sums == (value, None)
    assert GAME.lines(after, None) == [{"line": "played", "seat": 0, "card": "Ah", "value": value}]
    assert facts(after, "sum") == [{"name": "sum", "of": 0, "value": value}]


def test_4_2_the_follower_follows_suit_but_need_not_trump() -> None:
    hand = "8s 7h Ad 9d"
    led = play(at(hands=hands("5h 2h", hand)), 0, "5h")
    assert cards_of(led, 1) == ["7h"]
    led = play(at(hands=hands("5c 2c", hand)), 0, "5c")
    assert cards_of(led, 1) == ["8s", "7h", "Ad", "Ad", "9d"]
    assert following(("8s", "7h"), None) == ("8s", "7h")


def test_4_2_ki_for_an_empty_hand_the_stock_plays_one_less() -> None:
    state = play(at(number=8, hands=hands("5h 2d", ""), stock=("7s", "9s")), 0, "5h")
    assert isinstance(state, Second)
    assert state.played == (("5h",), ("7s",))
    assert state.sums == (5, 6)
    assert state.stock == ("9s",)
    turned = {"line": "turned", "seat": 1, "card": "7s", "value": 6}
    assert GAME.lines(state, 0)[1] == turned


@pytest.mark.parametrize(("card", "value"), [("Ad", 1), ("2d", 1), ("9d", 8)])
def test_4_2_what_a_turned_card_counts(card: str, value: int) -> None:
    state = play(at(number=8, hands=hands("5h 2d", ""), stock=(card,)), 0, "5h")
    assert state.sums == (5, value)


def test_4_2_a_card_turned_up_by_the_leader_is_led() -> None:
    state = at(Storing, number=7, winner=0, hands=hands("", "5h 8h 2d"), stock=("7h", "9s"))
    after = storing(state, 0)
    assert isinstance(after, First)
    assert after.led == "h"
    assert cards_of(after, 1) == ["5h", "8h"]
    assert told(GAME, after) == ["stored", "trick", "turned"]


def test_4_2_two_empty_hands_play_the_trick_automatically() -> None:
    state = at(
        Storing, number=7, in_force="A", winner=0, hands=hands("", ""), stock=("5h", "7h", "9s")
    )
    after = storing(state, 0)
    assert isinstance(after, Losing)
    assert GAME.turn(after).waiting == (0,)
    assert after.sums == (4, 6)
    assert after.stock == ("9s",)
    lines = ["stored", "trick", "turned", "turned", "empty-handed", "empty-handed", "won"]
    assert told(GAME, after) == lines


# 4.3 Second cards


def test_4_3_without_d_both_may_add_a_card_of_their_own_suit() -> None:
    state = second("5h 2h Ah 2s", "7h 3h 3d")
    assert cards_of(state, 0) == ["2h", "Ah", "Ah"]
    assert GAME.legal(state, 0)[0] == PASS
    for after in (passing(state, 0), play(state, 0, "2h")):
        assert GAME.turn(after).waiting == (1,)
        assert GAME.legal(after, 1) == [PASS, {"type": "play", "card": "3h", "high": False}]


def test_4_3_the_second_card_is_of_the_suit_that_the_seat_played() -> None:
    state = passing(second("5h 2h", "7d 3s 3d"), 0)
    assert cards_of(state, 1) == ["3d"]


def test_4_3_a_seat_with_cards_of_other_suits_has_to_pass() -> None:
    state = second("5h 2s", "7h 3d")
    assert GAME.legal(state, 0) == [PASS]
    assert GAME.legal(passing(state, 0), 1) == [PASS]


def test_4_3_an_empty_hand_passes_automatically() -> None:
    state = second("5h", "7h 3h", number=7)
    assert GAME.turn(state).waiting == (1,)
    assert told(GAME, state)[-1] == "empty-handed"
    state = second("5h 3d", "7h", number=7)
    after = passing(state, 0)
    assert isinstance(after, Losing)
    assert told(GAME, after) == ["passed", "empty-handed", "won"]


def test_4_3_d_the_follower_does_as_the_leader() -> None:
    state = second("5h 2h Ah 2s", "7h 3h 4h 3d", "D")
    assert GAME.legal(state, 0)[0] == PASS
    after = passing(state, 0)
    assert told(GAME, after) == ["passed", "likewise", "won"]
    after = play(state, 0, "2h")
    assert GAME.turn(after).waiting == (1,)
    assert cards_of(after, 1) == ["3h", "4h"]
    assert PASS not in GAME.legal(after, 1)
    assert GAME.view(after, 1)["prompt"] == {"suit": "h", "must": True}


def test_4_3_d_a_leader_with_an_empty_hand_passes_for_both() -> None:
    state = second("5h", "7h 3h", "D", number=7)
    assert isinstance(state, Losing)
    assert told(GAME, state)[-3:] == ["empty-handed", "likewise", "won"]


def test_4_3_d_a_follower_that_cannot_add_passes_automatically() -> None:
    after = play(second("5h 2h", "7h 3d", "D"), 0, "2h")
    assert told(GAME, after) == ["played", "lacking", "won"]
    assert isinstance(after, Losing)
    after = play(second("5h 2h", "7h", "D", number=7), 0, "2h")
    assert told(GAME, after) == ["played", "empty-handed", "won"]


def test_4_3_d_a_leader_that_cannot_add_still_has_to_pass() -> None:
    state = second("5h 2s", "7h 3h", "D")
    assert GAME.legal(state, 0) == [PASS]
    assert GAME.turn(state).waiting == (0,)
