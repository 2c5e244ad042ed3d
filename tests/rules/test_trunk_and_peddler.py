"""The Trunk and the Peddler: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import rules
from rules.kernel import Chance, Illegal, Invalid, Result
from rules.tricks import following, suit_class
from rules.trunk_and_peddler import (
    SMALL,
    VALUABLE,
    Choosing,
    Drawing,
    First,
    Losing,
    Over,
    Second,
    Storing,
)
from rules.trunks import account, in_force, options
from tests.rules.playouts import fallen, moved, playout, told, viewers

GAME = rules.load("trunk-and-peddler")
PASS = {"type": "pass"}
DISPLAY = ("Ks", "Jh", "Qd", "Kc", "Js", "Qh", "Kd", "Jc")
UNUSED = ("Qs", "Kh", "Jd", "Qc")
TRUMPS = ("s", "h", "d", "c", "s", "h", "d", "c")
LETTERS = "ABCDEFGH"


def at(cls: Any = First, number: int = 1, in_force: str = "", **fields: Any) -> Any:
    """A position of trick `number`; seat 0 has led so far."""
    usual: dict[str, Any] = {
        "players": 2,
        "rules": in_force,
        "trick": number,
        "trumps": TRUMPS[:number],
        "display": (None,) * (number - 1) + DISPLAY[number - 1 :],
        "unused": UNUSED,
        "trunk": ("4s", "4h"),
        "threes": ((), ()) if set("FG") & set(in_force) else (),
        "side": ((), ()) if "H" in in_force else (),
    }
    if number > 1 and "up" not in fields:
        usual |= {"joker": (), "up": (("Jk",), ())}
    return cls(**usual | fields)


def hands(first: str, second: str) -> tuple[tuple[str, ...], ...]:
    return tuple(first.split()), tuple(second.split())


def play(state: Any, seat: int, card: str, *, high: bool = False) -> Any:
    return moved(GAME, state, seat, "play", card=card, high=high)


def passing(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "pass")


def storing(state: Any, seat: int, place: str = "down") -> Any:
    return moved(GAME, state, seat, "store", place=place)


def cards_of(state: Any, seat: int) -> list[str]:
    return [action["card"] for action in GAME.legal(state, seat) if "card" in action]


def refused(state: Any, seat: int, action: Any) -> dict[str, Any]:
    with pytest.raises(Illegal) as caught:
        GAME.apply(state, {"kind": "action", "seat": seat, "action": action})
    return caught.value.why


def custom(letters: str) -> dict[str, Any]:
    return {"preset": "custom", **{letter: letter in letters for letter in LETTERS}}


def zones(state: Any, viewer: int | None) -> dict[tuple[str, int | None], Any]:
    return {(z["name"], z.get("seat")): z for z in GAME.view(state, viewer)["zones"]}


def facts(state: Any, name: str) -> list[dict[str, Any]]:
    return [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == name]


def started(letters: str = "") -> Any:
    state = fallen(GAME, GAME.initial(2, custom(letters)), *DISPLAY, *UNUSED)
    return fallen(GAME, state, *SMALL)


# 1 Head


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2", None])
def test_1_it_is_for_exactly_two(players: Any) -> None:
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
    state = fallen(GAME, GAME.initial(2, {}), *DISPLAY, *UNUSED)
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
def test_2_places_that_belong_to_a_rule_are_there_with_it_alone(
    letters: str, found: set[str]
) -> None:
    names = {name for name, _ in zones(GAME.initial(2, custom(letters)), None)}
    assert names & {"threes", "side"} == found


# 3 Set-up


def test_3_the_shuffles() -> None:
    state = GAME.initial(2, {})
    assert VALUABLE == tuple("Js Qs Ks Jh Qh Kh Jd Qd Kd Jc Qc Kc".split())
    assert GAME.turn(state).chance == Chance("valuables", VALUABLE)
    after: Any = fallen(GAME, state, *DISPLAY, *UNUSED)
    assert after.display == DISPLAY
    assert after.unused == UNUSED
    assert len(SMALL) == 32
    assert SMALL[:9] == tuple("As 2s 3s 4s 5s 7s 8s 9s Ah".split())
    assert GAME.turn(after).chance == Chance("stock", SMALL)


def test_3_ten_cards_each_alternately() -> None:
    order = SMALL[::-1]
    state: Any = fallen(GAME, fallen(GAME, GAME.initial(2, {}), *DISPLAY, *UNUSED), *order)
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
    assert told(GAME, then) == ["chosen", "trick"]


def test_3_a_trunk_is_a_card_of_the_own_hand() -> None:
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


def test_4_2_two_empty_hands_play_the_trick_by_themselves() -> None:
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


def second(leader: str, follower: str, in_force: str = "", number: int = 1) -> Any:
    """After the first cards, each the first one named."""
    state = at(hands=hands(leader, follower), in_force=in_force, number=number)
    return play(play(state, 0, leader.split()[0]), 1, follower.split()[0])


def test_4_3_without_d_both_may_add_a_card_of_the_own_suit() -> None:
    state = second("5h 2h Ah 2s", "7h 3h 3d")
    assert cards_of(state, 0) == ["2h", "Ah", "Ah"]
    assert GAME.legal(state, 0)[0] == PASS
    for after in (passing(state, 0), play(state, 0, "2h")):
        assert GAME.turn(after).waiting == (1,)
        assert GAME.legal(after, 1) == [PASS, {"type": "play", "card": "3h", "high": False}]


def test_4_3_the_second_card_is_of_the_suit_that_the_seat_played() -> None:
    state = passing(second("5h 2h", "7d 3h 3d"), 0)  # it revoked: trick tests alone go so far
    assert cards_of(state, 1) == ["3d"]


def test_4_3_who_has_cards_but_none_of_the_suit_passes_itself() -> None:
    state = second("5h 2s", "7h 3d")
    assert GAME.legal(state, 0) == [PASS]
    assert GAME.legal(passing(state, 0), 1) == [PASS]


def test_4_3_an_empty_hand_passes_by_itself() -> None:
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


def test_4_3_d_a_follower_who_cannot_passes_by_itself() -> None:
    after = play(second("5h 2h", "7h 3d", "D"), 0, "2h")
    assert told(GAME, after) == ["played", "lacking", "won"]
    assert isinstance(after, Losing)
    after = play(second("5h 2h", "7h", "D", number=7), 0, "2h")
    assert told(GAME, after) == ["played", "empty-handed", "won"]


def test_4_3_d_a_leader_who_cannot_still_passes_itself() -> None:
    state = second("5h 2s", "7h 3h", "D")
    assert GAME.legal(state, 0) == [PASS]
    assert GAME.turn(state).waiting == (0,)


# 4.4 Who wins


def won_by(state: Any) -> int:
    won = next(line for line in GAME.lines(state, None) if line["line"] == "won")
    return int(won["seat"])


def trick(leader: str, follower: str, in_force: str = "") -> Any:
    """A whole trick in which each plays the cards named; spades are trump. Others are in the hands."""
    mine, yours = leader.split(), follower.split()
    state = second(f"{leader} 9c", f"{follower} 8c", in_force)
    for seat, cards in ((0, mine), (1, yours)):
        if seat in GAME.turn(state).waiting and isinstance(state, Second):
            state = play(state, seat, cards[1]) if len(cards) > 1 else passing(state, seat)
    return state


@pytest.mark.parametrize(
    ("leader", "follower", "winner"),
    [
        ("5h", "7h", 1),
        ("9h 8h", "2s", 1),  # R4: a trump 2 beats all
        ("2h", "9d 8d", 0),  # a third suit loses whatever the sums
        ("2s", "9h 8h", 0),
        ("2s 3s", "7s", 1),
        ("5h 4h", "9h", 0),
        ("9h", "5h 4h", 0),
    ],
)
def test_4_4_suit_then_sum_then_the_leader(leader: str, follower: str, winner: int) -> None:
    assert won_by(trick(leader, follower)) == winner


@pytest.mark.parametrize(
    ("leader", "follower", "winner"),
    [("5h 4h", "9h", 1), ("9h", "9d", 0), ("2h 3h", "9d", 0), ("9h", "2s", 1)],
)
def test_4_4_e_of_equal_sums_the_follower_is_greater(
    leader: str, follower: str, winner: int
) -> None:
    assert won_by(trick(leader, follower, "E")) == winner


def test_4_4_the_most_and_the_least() -> None:
    state = play(at(hands=hands("Ah 9h 2c", "7h 5c")), 0, "Ah", high=True)
    state = passing(play(play(state, 1, "7h"), 0, "9h"), 1)
    assert state.sums == (20, 7)
    assert GAME.lines(state, None)[-1] == {"line": "won", "seat": 0, "value": 20, "other": 7}


def test_4_4_classes_of_suits() -> None:
    assert [suit_class(own, "h", "s") for own in "shdc"] == [2, 1, 0, 0]
    assert suit_class("h", "h", "h") == 2
    assert suit_class("h", None, None) == 0


# 4.5 The loser


def test_4_5_a_losing_trump_is_discarded_without_a_decision() -> None:
    state = trick("5s", "7s")
    assert isinstance(state, Storing)
    assert set(state.discards) == {"5s", "7s"}
    assert told(GAME, state) == ["passed", "won", "discarded", "discarded"]


def test_4_5_the_loser_loads_all_or_discards_all() -> None:
    state = trick("5h 4h", "2s")
    assert isinstance(state, Losing)
    assert GAME.turn(state).waiting == (0,)
    assert GAME.legal(state, 0) == [{"type": "load"}, {"type": "discard"}]
    loaded = moved(GAME, state, 0, "load")
    assert loaded.junk == (("5h", "4h"), ())
    assert loaded.discards == ("2s",)
    assert facts(loaded, "load")[0] == {"name": "load", "of": 0, "value": 2, "junk": 2}
    discarded = moved(GAME, state, 0, "discard")
    assert discarded.junk == ((), ())
    assert set(discarded.discards) == {"5h", "4h", "2s"}
    assert GAME.turn(discarded).waiting == (1,)


@pytest.mark.parametrize(
    ("leader", "follower", "junk", "threes"),
    [
        ("5h 3h", "7h", (), ("3h", "5h", "7h")),
        ("5h 3h", "7h 8h", ("8h",), ("3h", "5h", "7h")),
        ("5h", "7h", ("5h", "7h"), ()),
        ("2h 3h", "4s 5s", ("4s", "5s", "2h", "3h"), ()),  # the winner's trumps too
    ],
)
def test_4_5_f_the_leader_as_loser_takes_all(
    leader: str, follower: str, junk: tuple[str, ...], threes: tuple[str, ...]
) -> None:
    state = trick(leader, follower, "F")
    assert isinstance(state, Storing)
    assert (state.junk[0], state.threes[0]) == (junk, threes)
    assert state.units(0) == len(junk) + len(threes) // 3
    assert state.discards == ()
    assert told(GAME, state)[-1] == "took-all"


def test_4_5_f_who_did_not_follow_a_trump_lead_takes_everything() -> None:
    state = trick("5s", "7h", "F")
    assert state.junk[1] == ("5s", "7h")
    assert GAME.turn(state).waiting == (0,)


def test_4_5_f_a_losing_trump_discards_all() -> None:
    state = trick("5s", "7s", "F")
    assert set(state.discards) == {"5s", "7s"}
    assert state.junk == ((), ())


def test_4_5_f_no_earlier_junk_joins_a_three() -> None:
    state = trick("5h", "7h", "F")
    assert state.units(0) == 2
    state = at(Storing, number=2, in_force="F", winner=1, junk=(("5h", "7h"), ()))
    again = trick("2h", "9h", "F").change(junk=(("5h", "7h", "2h", "9h"), ()))
    assert again.units(0) == 4
    assert state.units(0) == 2


# 4.6 The winner


def places(state: Any, seat: int) -> list[str]:
    return [action["place"] for action in GAME.legal(state, seat)]


def test_4_6_where_a_valuable_can_go() -> None:
    assert places(at(Storing, winner=1), 1) == ["down", "up"]
    assert places(at(Storing, winner=1, in_force="H"), 1) == ["down", "up", "side"]
    assert places(at(Storing, winner=1, in_force="FG"), 1) == ["down", "up"]


@pytest.mark.parametrize("place", ["down", "up", "side"])
def test_4_6_the_joker_follows_whatever_the_place(place: str) -> None:
    state = at(Storing, winner=1, in_force="H", hands=hands("2s", "3s"))
    after = storing(state, 1, place)
    assert after.joker == ()
    assert "Jk" in after.up[1]
    assert "Ks" in getattr(after, place)[1]
    assert after.load(1) == (1 if place == "side" else 2)
    assert told(GAME, after) == ["stored", "coin", "trick"]


def test_4_6_the_joker_moves_from_load_to_load_or_stays() -> None:
    state = at(Storing, number=2, hands=hands("2s", "3s"), winner=1)
    after = storing(state, 1, "up")
    assert after.up == ((), ("Jh", "Jk"))
    state = at(Storing, number=2, hands=hands("2s", "3s"), winner=0)
    after = storing(state, 0)
    assert after.up == (("Jk",), ())
    assert told(GAME, after) == ["stored", "trick"]


def test_4_6_what_lies_face_down_is_closed_for_its_owner_too() -> None:
    state = at(Storing, number=2, hands=hands("2s", "3s"), winner=0)
    after = storing(state, 0)
    for viewer in viewers(after):
        assert "Jh" not in str(GAME.view(after, viewer))


# 4.7 Next trick


def test_4_7_after_the_fourth_trick_both_draw_up_to_six() -> None:
    state = at(
        Storing, number=4, winner=1, hands=hands("2s 3s", "4s 5s 7s 8s 9s"), stock=SMALL[20:]
    )
    after = storing(state, 1)
    assert isinstance(after, First)
    assert after.trick == 5
    assert list(map(len, after.hands)) == [6, 6]
    assert set(after.hands[1]) == {"4s", "5s", "7s", "8s", "9s", SMALL[20]}
    assert after.stock == SMALL[25:]
    drawn = [line for line in GAME.lines(after, 0) if line["line"] == "drew"]
    assert drawn == [
        {"line": "drew", "seat": 1, "cards": 1},
        {"line": "drew", "seat": 0, "cards": list(SMALL[21:25])},
    ]


def test_4_7_a_each_draws_what_it_likes() -> None:
    state = at(
        Storing,
        number=4,
        in_force="A",
        winner=1,
        hands=hands("2s 3s", "4s 5s 7s 8s 9s"),
        stock=SMALL[20:],
    )
    state = storing(state, 1)
    assert isinstance(state, Drawing)
    assert GAME.turn(state).waiting == (1,)
    assert [action["count"] for action in GAME.legal(state, 1)] == [1, 2, 3, 4, 5, 6]
    assert refused(state, 1, {"type": "draw", "count": 0})["wrong"] == "count"
    assert GAME.fallback(state, 1) == {"type": "draw", "count": 1}
    state = moved(GAME, state, 1, "draw", count=6)
    assert GAME.lines(state, 0) == [{"line": "drew", "seat": 1, "cards": 6}]
    assert GAME.turn(state).waiting == (0,)
    state = moved(GAME, state, 0, "draw", count=2)
    assert list(map(len, state.hands)) == [4, 11]
    assert len(state.stock) == 4
    assert state.trick == 5
    assert GAME.turn(state).waiting == (1,)


# 5 End and scoring


def ended(in_force: str = "", left: str = "", **fields: Any) -> Any:
    """The end of a game in which seat 0 wins the last trick and stores its valuable face down."""
    state = at(Storing, number=8, in_force=in_force, winner=0, hands=hands(left, ""), **fields)
    return storing(state, 0)


@pytest.mark.parametrize(
    ("left", "base", "junk", "threes"),
    [("2h 3h 4h 5h 7h 8h 2s", 0, 7, 3), ("2c 3c 4c 5c", 0, 4, 2), ("", 0, 0, 0)],
)
def test_5_cards_left_in_hand(left: str, base: int, junk: int, threes: int) -> None:
    for letters, units in {"": base, "B": junk, "G": threes, "BG": threes}.items():
        state = ended(letters, left)
        assert state.units(0) == units
        assert state.hands == ((), ())
        gone = left.split() if not letters else []
        assert set(state.discards) == set(gone)


def test_5_all_trunks_are_opened_at_the_end() -> None:
    state = ended(left="2h")
    assert told(GAME, state) == ["stored", "left", "opened", "opened"]
    assert zones(state, None)["trunk", 1]["cards"] == ["4h"]
    assert "Jc" not in str(GAME.view(state, 0))  # R2: closed after the end too
    assert GAME.turn(state).over


def over(in_force: str = "", **fields: Any) -> Any:
    usual = {"up": (("Jk",), ()), "display": (None,) * 8, "joker": ()}
    return at(Over, number=8, in_force=in_force, **usual | fields)


def two(first: Any, second: Any = ()) -> tuple[Any, Any]:
    return tuple(first), tuple(second)


@pytest.mark.parametrize(
    ("case", "capacity", "load", "down", "up", "score"),
    [
        ("on: loss 2", 7, 5, 0, 0, -2),
        ("ea: loss 0 and the bonus", 4, 4, 0, 0, 3),
        ("di: loss 4", 5, 7, 0, 0, -4),
        ("aa", 11, 5, 1, 3, -12),
        ("no value, any number face up", 4, 2, 1, 4, 0),
        ("two down, one up, one junk", 4, 4, 2, 1, 7),
        ("three down, one junk, no joker", 4, 4, 3, 0, 9),
        ("two down, one up, joker", 4, 4, 2, 2, 11),
        ("nothing", 4, 0, 0, 0, -4),
        ("three up, four junk", 5, 7, 0, 3, -12),
    ],
)
def test_5_the_formula(case: str, capacity: int, load: int, down: int, up: int, score: int) -> None:
    assert account(capacity, load, 2, down, up).value == score, case


def test_5_c_a_face_down_valuable_is_worth_three() -> None:
    fields = {
        "down": two((), ("Ks", "Jh", "Qd")),
        "junk": two((), ("2s",)),
        "trunk": ("4s", "4h"),
    }
    assert over(**fields).result().scores[1] == 9
    assert over("C", **fields).result().scores[1] == 12


def test_5_an_ace_is_a_trunk_of_eleven_and_a_nine_of_nine() -> None:
    state = over(trunk=("Ah", "9h"))
    assert [fact["capacity"] for fact in facts(state, "account")] == [11, 9]


def test_5_zm_the_side_adds_to_the_capacity_and_not_to_the_load() -> None:
    junk = tuple("2s 3s 4s 5s 8s 9s".split())
    state = at(
        Storing,
        number=6,
        in_force="H",
        winner=0,
        trunk=("7s", "4h"),
        junk=(junk, ()),
        hands=hands("2d", "3d"),
    )
    assert state.load(0) == 7
    after = storing(state, 0, "side")
    assert after.load(0) == 7
    assert after.side == (("Qh",), ())
    end = over("H", trunk=("7s", "4h"), junk=(junk, ()), side=after.side)
    assert facts(end, "account")[0]["capacity"] == 10
    assert facts(end, "account")[0]["times"] == 1  # R9: no multiplier


def test_5_the_end_shows_how_each_score_came_about() -> None:
    state = over(trunk=("4s", "5h"), down=two(("Ks", "Jh")), junk=two(("2s",), ("3s",)))
    assert facts(state, "account") == [
        {
            "name": "account",
            "of": 0,
            "capacity": 4,
            "load": 4,
            "worth": 2,
            "down": 2,
            "loss": 0,
            "times": 1,
            "bonus": 3,
            "value": 7,
        },
        {
            "name": "account",
            "of": 1,
            "capacity": 5,
            "load": 1,
            "worth": 2,
            "down": 0,
            "loss": 4,
            "times": 1,
            "bonus": 0,
            "value": -4,
        },
    ]


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ({"trunk": ("4s", "4h"), "junk": two((), ("2s",))}, Result((0,), (-3, -3), "joker")),
        ({"trunk": ("4s", "5h")}, Result((0,), (-3, -5), "points")),
        ({"up": two((), ("Jk",))}, Result((1,), (-4, -3), "points")),
        # 2 × 2 − 7 = −3 against −3: the loss decides
        (
            {"trunk": ("4s", "9h"), "down": two((), ("Ks", "Jh"))},
            Result((0,), (-3, -3), "loss"),
        ),
        # both −3 with a loss of 3, the second with two junk cards more
        (
            {"trunk": ("4s", "5h"), "junk": two((), ("2s", "3s"))},
            Result((0,), (-3, -3), "junk"),
        ),
    ],
)
def test_5_the_first_difference_decides(fields: Any, result: Result) -> None:
    found = GAME.result(over(**fields))
    if result.reason == "joker":
        fields = {**fields, "junk": two(("3s",), ("2s", "4s"))}
        found = GAME.result(over(**{**fields, "trunk": ("5s", "5h")}))
        assert found == Result((0,), (-3, -3), "junk")
        tied = {"trunk": ("4s", "4h"), "up": two(("Jk",), ("Jh",))}
        assert GAME.result(over(**tied)) == Result((0,), (-3, -3), "joker")
    else:
        assert found == result


def test_5_a_three_is_one_unit_in_a_tie() -> None:
    fields = {
        "trunk": ("4s", "4h"),
        "up": two(("Jk",), ()),
        "threes": two((), ("2h", "3h", "4h")),
    }
    state = over("F", **fields)
    assert [fact["junk"] for fact in facts(state, "load")] == [0, 1]
    assert GAME.result(state) == Result((0,), (-3, -3), "junk")


# 6 Out of time


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("9h 8h 5h", "8h"),
        ("9h 5h", "5h"),
        ("Ah 2h", "Ah"),
        ("7d 7c", "7d"),
        ("8s 8h", "8s"),
    ],
)
def test_6_a_trunk_near_to_seven(hand: str, card: str) -> None:
    state = Choosing(
        players=2, rules="", threes=(), side=(), display=DISPLAY, hands=hands(hand, hand)
    )
    assert GAME.fallback(state, 0) == {"type": "trunk", "card": card}


def test_6_the_lowest_card_and_no_second_one() -> None:
    state = at(hands=hands("9h Ad 2c", "2h 7h"))
    assert GAME.fallback(state, 0) == {"type": "play", "card": "Ad", "high": False}
    assert GAME.fallback(state, 1) is None
    assert GAME.fallback(at(hands=hands("3d 2h 2c", "5h")), 0) == {
        "type": "play",
        "card": "2h",
        "high": False,
    }
    assert GAME.fallback(second("5h 2h", "7h 3h"), 0) == PASS


def test_6_d_the_lowest_card_where_a_pass_is_not_legal() -> None:
    state = play(second("5h 2h", "7h Ah 3h", "D"), 0, "2h")
    assert GAME.fallback(state, 1) == {"type": "play", "card": "Ah", "high": False}


def test_6_discard_and_down() -> None:
    state = trick("5h", "7h")
    assert GAME.fallback(state, 0) == {"type": "discard"}
    assert GAME.fallback(moved(GAME, state, 0, "discard"), 1) == {"type": "store", "place": "down"}


# 7 Rulings and 8 Examples


def test_7_r3_nothing_face_up_does_not_multiply() -> None:
    assert [account(5, 3, 2, 2, up).value for up in (0, 1, 2)] == [2, 2, 4]


def test_8_1_d_ne_and_jj_1() -> None:
    state = second("5h 4s", "7h 8h", "D")
    assert GAME.legal(state, 0) == [PASS]
    assert isinstance(passing(state, 0), Losing)


def test_8_1_d_ne_and_jj_2() -> None:
    state = play(second("5h 3h 9d", "2s 8s 9d", "D"), 0, "3h")
    assert GAME.legal(state, 1) == [{"type": "play", "card": "8s", "high": False}]
    after = play(state, 1, "8s")
    assert won_by(after) == 1
    assert after.sums == (8, 10)


def test_8_3_the_stock_suffices_even_if_both_draw_little() -> None:
    """Everybody plays two cards whenever possible and draws one."""

    def greedy(state: Any, seat: int) -> Any:
        legal = GAME.legal(state, seat)
        return legal[0] if legal[0]["type"] == "draw" else legal[-1]

    for seed in range(40):
        shuffle = random.Random(seed).shuffle
        state = GAME.initial(2, custom("AH"))
        while not GAME.turn(state).over:
            turn = GAME.turn(state)
            if turn.chance:
                items = list(turn.chance.items)
                shuffle(items)
                state = fallen(GAME, state, *items)
            else:
                seat = turn.waiting[0]
                event = {"kind": "action", "seat": seat, "action": greedy(state, seat)}
                state = GAME.apply(state, event)
        assert GAME.result(state)


@pytest.mark.parametrize("preset", ["base", "advanced", "maniac", "masochist"])
def test_5_every_game_ends_within_54_events(preset: str) -> None:
    for seed in range(10):
        pick = random.Random(seed).randrange
        steps = list(playout(GAME, 2, {"preset": preset}, pick))
        assert len(steps) <= 54
        result = GAME.result(steps[-1].after)
        assert result is not None
        assert len(result.winners) == 1
        assert result.reason in GAME.reasons
