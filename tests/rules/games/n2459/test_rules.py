"""2459n!: every corner case, by the sections of its specification."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules.games.n2459.components import SLOT
from rules.games.n2459.phases import Racing
from rules.kernel import Chance, Illegal, Invalid, Result, Turn
from tests.rules.games.n2459.positions import (
    ALL,
    AT,
    GAME,
    LIVE,
    TIME_UP,
    cards,
    choose,
    collecting,
    draw,
    fact,
    put_back,
    racing,
    seen,
    zones,
)
from tests.rules.playouts import moved, playout, shuffled, told


@pytest.mark.parametrize("players", [0, 2, 6, True, 3.0, "3", None])
def test_1_three_to_five_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize(("players", "rounds"), [(3, 30), (4, 24), (5, 20)])
def test_1_defaults(players: int, rounds: int) -> None:
    assert GAME.settle(players, {}) == {"tempo": "post", "rounds": rounds, "minutes": 10}


@pytest.mark.parametrize(
    "options",
    [
        {"tempo": "slow"},
        {"rounds": 12},
        {"rounds": "10"},
        {"minutes": 2},
        {"minutes": True},
        {"x": 1},
    ],
)
def test_1_options_that_are_refused(options: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(3, options)


def test_1_an_option_of_the_other_tempo_has_no_effect() -> None:
    state = GAME.initial(3, {"tempo": "live", "rounds": 10, "minutes": 0.5})
    assert isinstance(shuffled(GAME, state, *ALL), Racing)
    assert GAME.settle(3, {"minutes": 0.5}) == {"tempo": "post", "rounds": 30, "minutes": 0.5}


def test_2_slots() -> None:
    assert len(SLOT) == 28
    assert [SLOT[card] for card in ("2s", "4h", "5d", "9c", "Js", "Qs", "Ks")] == [*range(5), 4, 4]
    assert not {"As", "3s", "6s", "7s", "8s", "Ts", "Jk"} & SLOT.keys()


def test_2_a_collection_is_seen_by_its_owner() -> None:
    state = collecting("2s 9h", "4s", "")
    for viewer in (0, 1, 2, None):
        zone = zones(state, "collection", viewer)[0]
        assert zone["count"] == 2
        assert zone.get("cards") == (["2s", "9h"] if viewer == 0 else None)


def test_2_by_post_nobody_sees_that_a_card_waits_in_a_drawing_hand() -> None:
    """A blank that is put back face down looks like a card for a filled slot."""
    start = collecting("4s", "", "")
    blank, waiting = choose(start, "7d", ".", "."), choose(start, "4h", ".", ".")
    for viewer in (1, 2, None):
        assert seen(blank, viewer, AT["7d"]) == seen(waiting, viewer, AT["4h"]) is None
        texts = [
            str((GAME.view(state, viewer), GAME.lines(state, viewer))).replace(str(AT[card]), "?")
            for state, card in ((blank, "7d"), (waiting, "4h"))
        ]
        assert texts[0] == texts[1]
    assert fact(waiting, "taken", 0) == [{"name": "taken", "of": 0, "value": AT["4h"]}]
    assert seen(waiting, 0, AT["4h"]) == "4h"


def test_2_the_previous_round_is_public() -> None:
    state = choose(collecting("", "", ""), "7d", "7d", ".")
    assert fact(state, "drew") == [{"name": "drew", "of": 0, "at": AT["7d"]}]
    assert fact(state, "missed") == [{"name": "missed", "of": 1, "at": AT["7d"]}]
    assert fact(state, "stood") == [{"name": "stood", "of": 2}]


def test_2_choices_are_secret_until_the_round_is_resolved() -> None:
    state = choose(collecting("", "", ""), "7d")
    assert GAME.view(state, 1)["committed"] == [0]
    assert not fact(state, "draw", 1)
    assert fact(state, "draw", 0) == [{"name": "draw", "of": 0, "at": AT["7d"]}]


def test_3_the_shuffle() -> None:
    state = GAME.initial(3, {})
    assert GAME.turn(state).chance == Chance("table", ALL)
    state = shuffled(GAME, state, *ALL)
    assert zones(state, "table")[0]["cards"] == [None] * 53
    assert GAME.turn(state) == Turn(waiting=(0, 1, 2))


def test_4a_draws_by_position_then_stay() -> None:
    state = collecting("2s", "", "")
    draws = [{"type": "draw", "at": at} for at in range(53) if at != AT["2s"]]
    assert GAME.legal(state, 0) == [*draws, {"type": "stay"}]


def test_4a_a_committed_seat_has_no_action() -> None:
    state = choose(collecting("", "", ""), ".")
    assert GAME.legal(state, 0) == []
    assert GAME.turn(state).waiting == (1, 2)


def test_4a_a_card_for_an_empty_slot_is_kept() -> None:
    state = choose(collecting("", "", ""), "4h", ".", ".")
    assert state.collections[0] == ("4h",)
    assert seen(state, None, AT["4h"]) == {"is": ["vacant"]}
    assert told(GAME, state)[-4:] == ["drew", "stood", "stood", "kept"]
    assert AT["4h"] not in [action.get("at") for action in GAME.legal(state, 1)]


def test_4a_only_the_drawer_is_told_what_it_drew() -> None:
    state = choose(collecting("", "", ""), "4h", ".", ".")
    line = {"line": "drew", "seat": 0, "at": AT["4h"]}
    assert {**line, "card": "4h"} in GAME.lines(state, 0)
    assert {**line, "card": 1} in GAME.lines(state, 1)


def test_4a_keep_held_or_drawn() -> None:
    state = choose(collecting("4s", "", ""), "4h", ".", ".")
    for keep, held, lying in (("held", "4s", "4h"), ("drawn", "4h", "4s")):
        after = choose(state, f". {keep}", ".", ".")
        assert after.collections[0] == (held,)
        assert after.positions[AT["4h"]] == lying
        assert [seen(after, viewer, AT["4h"]) for viewer in (0, 1, None)] == [lying, None, None]


def test_4a_a_seat_may_reach_for_the_place_of_its_own_drawn_card() -> None:
    state = choose(collecting("4s", "", ""), "4h", ".", ".")
    state = choose(state, "4h drawn", ".", ".")
    assert (state.collections[0], state.positions[AT["4h"]]) == (("4h",), "4s")
    assert fact(state, "taken", 0) == [{"name": "taken", "of": 0, "value": AT["4h"]}]


def test_4a_a_face_up_card_is_drawn_openly() -> None:
    up = tuple(card in ("8s", "4h") for card in ALL)
    state = collecting("", "", "", face_up=up, jokers=(("Jk",), (), ()))
    state = choose(state, "4h", "8s", ".")
    lines = GAME.lines(state, 2)
    assert {"line": "drew", "seat": 0, "at": AT["4h"], "card": "4h"} in lines
    assert seen(state, None, AT["8s"]) == "8s"


def test_4a_a_face_up_card_in_a_drawing_hand_looks_face_down() -> None:
    up = tuple(card == "4h" for card in ALL)
    state = collecting("4s", "", "", face_up=up, jokers=(("Jk",), (), ()))
    state = choose(state, "4h", ".", ".")
    assert [seen(state, viewer, AT["4h"]) for viewer in (0, 1, None)] == ["4h", None, None]
    state = choose(state, ". held", ".", ".")
    assert seen(state, 1, AT["4h"]) == "4h"


def test_4a_rounds_end_the_game() -> None:
    state = collecting("4s", "", "", rounds=10, round=10)
    state = choose(state, "7d", ".", ".")
    assert GAME.result(state) == Result((0,), (0, 0, 0), "time-up")


@pytest.mark.parametrize("players", [3, 4, 5])
def test_4a_how_many_events(players: int) -> None:
    for seed in range(5):
        pick = random.Random(seed).randrange
        assert len(list(playout(GAME, players, {"rounds": 10}, pick))) <= 1 + 10 * players


def test_4b_everybody_may_act_until_the_clock() -> None:
    state = shuffled(GAME, GAME.initial(4, LIVE), *ALL)
    assert GAME.turn(state) == Turn(optional=(0, 1, 2, 3), clock="time-up")
    assert GAME.turn(GAME.initial(4, LIVE)).clock is None
    assert GAME.turn(GAME.apply(state, TIME_UP)) == Turn(over=True)


def test_4b_the_clock_event() -> None:
    state = racing("", "", "")
    for event in (
        {"kind": "clock", "name": "time"},
        {"kind": "clock", "name": ["time-up"]},
        {"kind": "clock", "name": None},
    ):
        with pytest.raises(Illegal) as refused:
            GAME.apply(state, event)
        assert refused.value.why == {"wrong": "name", "may": ["time-up"]}
    for event in ({"kind": "clock"}, {**TIME_UP, "at": 1}, {"kind": "time-up"}):
        with pytest.raises(Illegal) as refused:
            GAME.apply(state, event)
        assert refused.value.why == {"wrong": "kind", "may": ["action", "clock"]}


@pytest.mark.parametrize("state", [collecting("", "", ""), GAME.initial(3, LIVE)])
def test_4b_there_is_no_clock_by_post_nor_before_the_shuffle(state: Any) -> None:
    with pytest.raises(Illegal):
        GAME.apply(state, TIME_UP)


def test_4b_order_of_legal() -> None:
    state = racing("2s 4s 5s 9s Ks", "4h", "")
    assert GAME.legal(state, 1)[0] == {"type": "draw", "at": 0}
    assert GAME.legal(state, 0)[-1] == {"type": "show"}
    assert {"type": "show"} not in GAME.legal(state, 1)
    state = draw(draw(state, 1, "4d"), 0, "7d")
    keeps = [{"type": "put-back", "keep": keep} for keep in ("held", "drawn")]
    assert GAME.legal(state, 1) == keeps
    assert GAME.legal(state, 0) == [{"type": "put-back"}, {"type": "show"}]


def test_4b_everybody_sees_a_drawing_hand_and_its_position() -> None:
    state = draw(racing("4s", "", ""), 0, "4h")
    assert fact(state, "origin") == [{"name": "origin", "of": 0, "value": AT["4h"]}]
    assert [zone["count"] for zone in zones(state, "drawn")] == [1, 0, 0]
    assert seen(state, None, AT["4h"]) == {"is": ["vacant"]}
    assert zones(state, "drawn", 0)[0]["cards"] == ["4h"]
    state = put_back(state, 0, keep="drawn")
    assert (state.collections[0], state.positions[AT["4h"]]) == (("4h",), "4s")
    assert seen(state, 0, AT["4h"]) is None


def test_4b_the_joker() -> None:
    state = draw(racing("", "", ""), 1, "Jk")
    assert zones(state, "joker")[1]["cards"] == ["Jk"]
    assert told(GAME, state) == ["drew", "joker"]
    state = put_back(draw(state, 1, "7d"), 1)
    assert seen(state, None, AT["7d"]) == "7d"
    assert told(GAME, state) == ["put-back", "laid"]


def test_4b_show_wins() -> None:
    state = moved(GAME, racing("2s 4s 5s 9s Ks", "4h 5h", ""), 0, "show")
    assert GAME.result(state) == Result((0,), (5, 2, 0), "complete")


def test_4b_show_is_legal_whatever_is_in_the_drawing_hand() -> None:
    state = draw(racing("2s 4s 5s 9s Js", "4h 5h", ""), 0, "Ks")
    state = moved(GAME, state, 0, "show")
    assert zones(state, "shown")[0]["cards"][-1] == "Ks"
    assert GAME.result(state).reason == "complete"


def test_5_live_every_drawing_hand_is_settled() -> None:
    state = racing("2s 4s 5s 9h Ks", "4h 5h Jc", "")
    state = draw(draw(draw(state, 0, "9s"), 1, "7d"), 2, "Jk")
    state = GAME.apply(draw(draw(state, 2, "9c"), 2, "8c"), TIME_UP)
    assert told(GAME, state) == [
        "time-up",
        *3 * ["put-back"],
        *3 * ["laid"],
        *3 * ["shown"],
    ]
    assert [seen(state, None, AT[card]) for card in ("9s", "7d", "8c")] == ["9h", "7d", "8c"]
    assert state.shown == (cards("2s 4s 5s 9s Ks"), cards("4h 5h Jc"), ("9c",))
    assert GAME.result(state) == Result((0,), (5, 2, 0), "time-up")


def test_5_the_seat_that_shows_wins_although_a_drawn_card_completes_another_hand() -> None:
    state = racing("2s 4s 5s 9s Js", "2h 4h 5h 9c Kh", "")
    state = moved(GAME, draw(state, 1, "9h"), 0, "show")
    assert told(GAME, state)[:2] == ["complete", "put-back"]
    assert GAME.result(state) == Result((0,), (5, 5, 0), "complete")


def test_5_by_post_the_end_is_told_before_the_last_hands_are_settled() -> None:
    state = collecting("9h", "2s 4s 5s 9s", "", jokers=((), (), ("Jk",)))
    state = choose(state, "9d", "Ks", ".")
    assert told(GAME, state)[-5:] == ["complete", "laid", *3 * ["shown"]]
    assert seen(state, None, AT["9d"]) == "9d"


def test_5_collections_are_open_at_the_end() -> None:
    state = choose(collecting("4s", "5h", "", rounds=10, round=10), "7d", ".", ".")
    assert [zone["cards"] for zone in zones(state, "shown")] == [["4s"], ["5h"], []]
    assert [seen(state, viewer, AT["7d"]) for viewer in (0, 1, None)] == ["7d", None, None]
    assert fact(state, "sum")[0] == {"name": "sum", "of": 0, "run": 0, "number": 4}


def test_5_an_unfinished_drawing_hand_is_settled_face_down_or_up() -> None:
    state = collecting("9h", "", "", rounds=10, round=10)
    state = choose(state, "9s", "Jk", ".")
    assert state.shown[0] == ("9h",)
    assert seen(state, None, AT["9s"]) == "9s"


def test_6_out_of_time() -> None:
    state = collecting("4s", "", "")
    assert GAME.fallback(state, 0) == {"type": "stay"}
    state = choose(state, "4h", ".", ".")
    assert GAME.fallback(state, 0) == {"type": "stay", "keep": "held"}
    assert GAME.fallback(racing("", "", ""), 0) is None


def test_7_a_later_hand_finds_nothing() -> None:
    state = choose(collecting("", "", "", round=2), "4h", "4h", ".")
    assert state.collections == ((), ("4h",), ())
    assert told(GAME, state)[-4:] == ["drew", "stood", "missed", "kept"]


def test_7_whoever_drew_it_earlier_cannot_be_sure() -> None:
    state = choose(collecting("", "", ""), "7d", ".", ".")
    state = choose(state, ".", "7d", ".")
    assert [seen(state, viewer, AT["7d"]) for viewer in (0, 1, 2)] == [None, "7d", None]


def test_7_the_joker_is_told_and_its_position_vacant() -> None:
    state = choose(collecting("", "", ""), "Jk", ".", ".")
    assert seen(state, None, AT["Jk"]) == {"is": ["vacant"]}
    assert told(GAME, state)[-1] == "joker"


def test_7_a_round_in_which_nothing_happens_ends_the_game() -> None:
    state = choose(collecting("", "", ""), ".", ".", ".")
    assert GAME.result(state) == Result((), (0, 0, 0), "mascot")


def test_live_no_card_is_lost() -> None:
    for seed in range(5):
        for step in playout(GAME, 3, LIVE, random.Random(seed).randrange):
            if isinstance(step.after, Racing):
                s = step.after
                lying = [card for card in s.positions if card]
                held = [card for each in (*s.collections, *s.drawn, *s.jokers) for card in each]
                assert Counter(lying + held) == Counter(ALL)
