"""The Trunk and the Peddler: how tricks end, by the sections of its specification."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.trunk_and_peddler.components import SMALL
from rules.games.trunk_and_peddler.phases import Drawing, First, Losing, Storing
from tests.rules.games.trunk_and_peddler.positions import (
    GAME,
    at,
    facts,
    hands,
    passing,
    play,
    refused,
    storing,
    trick,
    won_by,
)
from tests.rules.playouts import moved, told, viewers

# 4.4 Who wins


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
def test_4_4_e_the_follower_wins_a_tie(leader: str, follower: str, winner: int) -> None:
    assert won_by(trick(leader, follower, "E")) == winner


def test_4_4_the_most_and_the_least() -> None:
    state = play(at(hands=hands("Ah 9h 2c", "7h 5c")), 0, "Ah", high=True)
    state = passing(play(play(state, 1, "7h"), 0, "9h"), 1)
    assert state.sums == (20, 7)
    assert GAME.lines(state, None)[-1] == {"line": "won", "seat": 0, "value": 20, "other": 7}


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
    ("leader", "follower", "loser", "junk", "threes"),
    [
        ("5h 3h", "7h", 1, (), ("3h", "5h", "7h")),
        ("5h 3h", "7h 8h", 0, ("8h",), ("3h", "5h", "7h")),
        ("5h", "7h", 0, ("5h", "7h"), ()),
        ("2h 3h", "4s 5s", 0, ("4s", "5s", "2h", "3h"), ()),  # the winner's trumps too
    ],
)
def test_4_5_f_the_loser_takes_all(
    leader: str, follower: str, loser: int, junk: tuple[str, ...], threes: tuple[str, ...]
) -> None:
    state = trick(leader, follower, "F")
    assert isinstance(state, Storing)
    assert (state.junk[loser], state.threes[loser]) == (junk, threes)
    assert state.units(loser) == len(junk) + len(threes) // 3
    assert state.discards == ()
    taken = [line for line in GAME.lines(state, None) if line["line"] in {"took-all", "stacked"}]
    assert set(taken[0]["cards"]) == {*leader.split(), *follower.split()}
    assert [line["cards"] for line in taken[1:]] == ([list(threes)] if threes else [])


def test_4_5_f_a_seat_that_did_not_follow_a_trump_lead_takes_everything() -> None:
    state = trick("5s", "7h", "F")
    assert state.junk[1] == ("5s", "7h")
    assert GAME.turn(state).waiting == (0,)


def test_4_5_f_a_losing_trump_discards_all() -> None:
    state = trick("5s", "7s", "F")
    assert set(state.discards) == {"5s", "7s"}
    assert state.junk == ((), ())


def test_4_5_f_no_earlier_junk_joins_a_three() -> None:
    earlier = at(hands=hands("5h 9c", "7h 8c"), in_force="F", junk=(("2h", "3h"), ()))
    earlier = passing(passing(play(play(earlier, 0, "5h"), 1, "7h"), 0), 1)
    assert earlier.junk[0] == ("2h", "3h", "5h", "7h")
    assert earlier.threes[0] == ()
    assert earlier.units(0) == 4


# 4.6 The winner


def places(state: Any, seat: int) -> list[str]:
    return [action["place"] for action in GAME.legal(state, seat)]


def test_4_6_where_a_valuable_can_go() -> None:
    assert places(at(Storing, winner=1), 1) == ["down", "up"]
    assert places(at(Storing, winner=1, in_force="H"), 1) == ["down", "up", "side"]
    assert places(at(Storing, winner=1, in_force="FG"), 1) == ["down", "up"]


@pytest.mark.parametrize("place", ["down", "up", "side"])
def test_4_6_the_joker_follows_wherever_the_valuable_goes(place: str) -> None:
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


def test_4_6_face_down_cards_are_hidden_from_their_owner_too() -> None:
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
