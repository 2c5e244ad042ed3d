"""The Land of Oracles: every corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.common.cards import SUITS, deck, without
from rules.common.faces import bare, printed
from rules.games.oracle_land.components import PACK
from rules.games.oracle_land.phases import (
    Bidding,
    Blessing,
    Dealing,
    Erasing,
    Hiding,
    Playing,
    Rewarding,
    Wishing,
)
from rules.games.oracle_land.tricks import legal_follows, number, outcome, suit_of
from rules.kernel import Chance, Illegal, Invalid, Marked, Turn
from tests.rules.games.oracle_land.positions import (
    GAME,
    NUMBERS,
    TRICKS,
    at,
    bid,
    bids,
    dealt,
    face,
    facts,
    hands,
    hidden,
    play,
    rewarding,
    seen,
    zone,
)
from tests.rules.playouts import moved, playout, shuffled, told


def test_1_players_and_option() -> None:
    assert GAME.settle(3, {}) == {"oborozuki": False}
    assert GAME.settle(3, {"oborozuki": True}) == {"oborozuki": True}
    assert GAME.settle(4, {"oborozuki": False}) == {"oborozuki": False}
    for players, options in ((4, {"oborozuki": True}), (2, {}), (5, {}), (3, {"oborozuki": 1})):
        with pytest.raises(Invalid):
            GAME.initial(players, options)


@pytest.mark.parametrize(("players", "sets"), [(3, "JQK"), (4, "AJQK")])
def test_2_bid_sets(players: int, sets: str) -> None:
    state: Any = GAME.initial(players, {})
    assert state.unscored == tuple(tuple(rank + s for s in SUITS) for rank in sets)


def test_2_who_sees_what() -> None:
    state = at(
        Playing,
        hands=hands("2s 3s", "2h 3h", "2d 3d"),
        rows=(("5s", Marked("8h", ("covered",))), (), ("9s",)),
        covering=(("4c",), (), ()),
        rest=("7h", "6h"),
        aside=("4d",),
        trick=((face("6h-s"),), (), ()),
    )
    for viewer in (0, 1, 2, None):
        seen = zone(state, "hand", 1, viewer)
        assert seen["count"] == 2
        assert seen.get("cards") == (["2h", "3h"] if viewer == 1 else None)
        assert zone(state, "unscored", 0, viewer)["cards"] == ["Js", "Jh", "Jd", "Jc"]
        covered = {"card": "8h", "is": ["covered"]}
        assert zone(state, "row", 0, viewer)["cards"] == ["5s", covered]
        assert zone(state, "covering", 0, viewer)["cards"] == ["4c"]
        assert zone(state, "stock", None, viewer)["cards"] == ["Ts", "9s"]
        assert zone(state, "joker", None, viewer)["cards"] == ["Jk"]
        assert zone(state, "set-aside", None, viewer)["cards"] == ["4d"]
        assert "cards" not in zone(state, "rest", None, viewer)
        played = {"card": "6h", "is": ["minus", "sideways"]}
        assert zone(state, "trick", 0, viewer)["cards"] == [played]
        assert zone(state, "secret", 1, viewer)["cards"] == (["8c"] if viewer == 1 else [None])


def test_2_a_secret_card_opens_unless_a_4_lies_on_it() -> None:
    state = at(Blessing, opened=True, sealing=(("4s",), (), ()))
    for viewer in (0, 1, 2, None):
        assert zone(state, "secret", 0, viewer)["cards"] == (["8d"] if viewer == 0 else [None])
        assert zone(state, "secret", 1, viewer)["cards"] == ["8c"]


def test_3_the_deal() -> None:
    state: Any = GAME.initial(3, {})
    assert GAME.turn(state) == Turn(chance=Chance("deal", PACK))
    assert len(PACK) == 28
    state = shuffled(GAME, state, *PACK)
    assert isinstance(state, Bidding), "no wishes in deal 1"
    assert state.held[0] == ("2s", "5s", "8s", "4h", "7h", "3d", "6d")
    assert state.rest == PACK[21:]
    assert [zone(state, "held", 0, viewer).get("cards") for viewer in (1, None)] == [None, None]
    assert GAME.lines(state, 0)[0]["cards"] == list(state.held[0])
    assert GAME.lines(state, 1)[0]["cards"] == 7


def test_3_the_hazy_moon_is_the_fourth_place() -> None:
    state = dealt(3, oborozuki=True)
    assert state.held[1] == PACK[1::4]
    assert state.rest == tuple(PACK[k] for k in (27, 23, 19, 15, 11, 7, 3))
    assert zone(state, "rest", None, 0) == {"name": "rest", "kind": "pile", "count": 7}


def test_3_the_second_deal_keeps_points_unscored_cards_and_joker() -> None:
    state = at(
        Blessing,
        rows=(("5s", "5h"), (), ()),
        stock=(("Ts",), (), (), ()),
        hands=((), (), ()),
        joker=2,
        number=6,
        opened=True,
        most=(("Js",), ("Qs",), ("Ks",)),
        least=(("Jh",), ("Qd",), ("Kh",)),
    )
    state = moved(GAME, state, 2, "joker", suit="d")
    assert isinstance(state, Dealing)
    assert GAME.turn(state).chance == Chance("deal", PACK)
    assert (state.joker, state.deal, state.rows, state.opened) == (2, 2, ((), (), ()), False)
    assert state.stock[0] == ("Ts", "9s")
    assert state.most == (None, None, None)
    assert isinstance(shuffled(GAME, state, *PACK), Wishing)


def test_4_1_nobody_could_wish() -> None:
    poor = (("Js", "Jh"), ("Qs", "Qh"), ("Ks", "Kh"))
    state = at(Dealing, pack=PACK, deal=2, unscored=poor)
    assert isinstance(shuffled(GAME, state, *PACK), Bidding)


def test_4_1_seats_with_three_bid_cards_are_asked() -> None:
    left = (("Js", "Jh"), ("Qs", "Qh", "Qd"), deck("K"))
    state = shuffled(GAME, at(Dealing, pack=PACK, deal=2, unscored=left), *PACK)
    assert GAME.turn(state).waiting == (1, 2)
    assert GAME.legal(state, 1) == [{"type": "wish", "tie": False}, {"type": "wish", "tie": True}]
    state = moved(GAME, state, 2, "wish", tie=True)
    assert GAME.lines(state, 0) == [{"line": "chosen", "seat": 2}]
    state = moved(GAME, state, 1, "wish", tie=False)
    assert {"line": "wished", "seat": 2, "tie": True} in GAME.lines(state, None)
    assert state.ties == (2,)
    assert facts(state, "wished") == [{"name": "wished", "of": 2}]
    assert len(bids(state, 0)) == 24, "for seat 2, who wished, with four cards"
    assert len(bids(state, 1)) == 2, "for seat 0, with two"
    assert len(bids(state, 2)) == 6, "for seat 1, with three"


def test_4_2_bids_in_order() -> None:
    left = (("Js", "Jh", "Jc"), ("Qh", "Qd"), deck("K"))
    state = at(Bidding, held=((), (), ()), ties=(0,), unscored=left)
    assert bids(state, 1) == [
        ("Js", "Jh Jc"),
        ("Jh", "Js Jc"),
        ("Jc", "Js Jh"),
        ("Js Jh", "Jc"),
        ("Js Jc", "Jh"),
        ("Jh Jc", "Js"),
    ]
    assert bids(state, 2) == [("Qh", "Qd"), ("Qd", "Qh")]
    assert bids(state, 0)[:4] == [("Ks", "Kh"), ("Ks", "Kd"), ("Ks", "Kc"), ("Kh", "Ks")]


def test_4_2_the_held_hand_goes_to_the_right_with_its_prophecy() -> None:
    state = dealt()
    state = bid(state, 1, "Js", "Jd")
    own = {"name": "bid", "of": 1, "most": ["Js"], "least": ["Jd"]}
    assert own in GAME.view(state, 1)["facts"]
    assert own not in GAME.view(state, 0)["facts"], "he has to fulfil it, and waits as all do"
    held = state.held
    state = bid(bid(state, 0, "Kc", "Kh"), 2, "Qs", "Qh")
    assert state.hands == (held[1], held[2], held[0])
    assert state.most == (("Js",), ("Qs",), ("Kc",))
    assert state.least == (("Jd",), ("Qh",), ("Kh",))
    assert facts(state, "most")[0] == {"name": "most", "of": 0, "cards": ["Js"]}
    assert isinstance(state, Hiding)
    assert state.unscored[0] == deck("J"), "named or not, they are unscored"
    assert told(GAME, state) == ["chosen", *3 * ["bid"], *3 * ["received"]], "opened first"


@pytest.mark.parametrize(("players", "hazy"), [(3, False), (3, True), (4, False)])
def test_2_a_held_hand_is_no_longer_seen_after_it_was_passed_on(players: int, hazy: bool) -> None:
    state = dealt(players, oborozuki=hazy)
    for seat in range(players):
        assert seen(state, seat) == {*state.held[seat]}
    for seat in range(players):
        state = bid(state, seat, *bids(state, seat)[0])
    for seat in range(players):
        assert seen(state, seat) == {*state.hands[seat]}
    assert seen(state, None) == set()


def test_2_nobody_sees_a_card_of_the_pack_while_it_is_shuffled() -> None:
    state = moved(GAME, at(Blessing, rows=(("5s",), (), ()), opened=True), 0, "joker", suit="s")
    for first_or_second in (GAME.initial(3, {}), state):
        assert [seen(first_or_second, viewer) for viewer in (0, 1, 2, None)] == 4 * [set()]


def test_4_3_the_winner_of_the_first_deal_leads_the_second() -> None:
    secrets = ((),) * 3
    state = at(Hiding, hands=hands("2s 5s", "2h 5h", "2d 5d"), deal=2, joker=2, secrets=secrets)
    for seat, card in enumerate(("2s", "2h", "2d")):
        state = moved(GAME, state, seat, "secret", card=card)
    assert GAME.turn(state) == Turn(waiting=(2,))


def test_4_3_a_secret_card() -> None:
    state = dealt()
    for seat in range(3):
        state = bid(state, seat, *bids(state, seat)[0])
    assert [action["card"] for action in GAME.legal(state, 2)] == list(state.hands[2])
    state = moved(GAME, state, 2, "secret", card=state.hands[2][3])
    assert len(state.hands[2]) == 7
    state = hidden()
    assert all(len(hand) == 6 for hand in state.hands)
    assert (state.joker, GAME.turn(state).waiting) == (0, (0,))
    assert zone(state, "secret", 1, 0) == {
        "name": "secret",
        "seat": 1,
        "kind": "row",
        "count": 1,
        "cards": [None],
    }


@pytest.mark.parametrize(("text", "value", "suit"), NUMBERS)
def test_4_4_numbers_and_suits(text: str, value: int, suit: str | None) -> None:
    assert (number(face(text)), suit_of(face(text))) == (value, suit)


def test_4_4_what_the_leader_may_lay() -> None:
    state = at(Playing, hands=hands("2s 5s 6s 7s", "2h", "2d"))
    ways = [(a["card"], a["joker"], a["sideways"]) for a in GAME.legal(state, 0)]
    assert ways == [
        ("2s", None, False),
        ("2s", "plus", False),
        ("2s", "minus", False),
        ("5s", None, False),
        ("5s", "plus", False),
        ("5s", "plus", True),
        ("5s", "minus", False),
        ("6s", None, False),
        ("6s", None, True),
        ("6s", "plus", False),
        ("6s", "plus", True),
        ("6s", "minus", False),
        ("6s", "minus", True),
        ("7s", None, False),
        ("7s", "plus", False),
        ("7s", "minus", False),
        ("7s", "minus", True),
    ]


def test_4_4_a_follower_has_no_joker_but_can_turn_a_6() -> None:
    state = play(at(Playing, hands=hands("7h 2h", "6h 3h", "2d 8d")), "7h")
    assert [(a["card"], a["joker"], a["sideways"]) for a in GAME.legal(state, 1)] == [
        ("6h", None, False),
        ("6h", None, True),
        ("3h", None, False),
    ]


@pytest.mark.parametrize(
    ("hand", "led", "may"),
    [
        ("4h 8s 7c", "h", "4h 8s 7c"),
        ("2h 8s 7c 4d 2s", "h", "2h 4d 2s"),
        ("8s 7c 2d", "h", "8s 7c 2d"),
        ("2h 8s 7c", "h", "2h"),
        ("5h 4h 4s 2c 8c", "h", "5h 4h 4s 2c"),
        ("5h 8c", None, "5h 8c"),
    ],
)
def test_4_4_what_a_follower_may_lay(hand: str, led: str | None, may: str) -> None:
    assert legal_follows(tuple(hand.split()), led) == tuple(may.split())


@pytest.mark.parametrize(("faces", "winner", "loser"), TRICKS)
def test_4_4_and_8_winner_and_loser(faces: str, winner: str, loser: str) -> None:
    texts = faces.split()
    won, lost = outcome([face(text) for text in texts])
    assert (texts[won], texts[lost]) == (winner, loser)


def test_4_4_the_turn_goes_clockwise_from_the_owner_of_the_joker() -> None:
    state = at(Playing, hands=hands("5h 2h", "8h 2s", "3h 2d"), joker=2)
    asked = []
    for text in ("3h", "5h", "8h"):
        asked += GAME.turn(state).waiting
        state = play(state, text)
    assert asked == [2, 0, 1]
    assert isinstance(state, Rewarding)
    assert (state.winner, state.loser) == (1, 2)


def test_4_5_the_loser_takes_a_bonus_card() -> None:
    state = at(
        Rewarding,
        trick=((face("5h"),), (face("8h"),), (face("3h"),)),
        winner=1,
        loser=2,
        stock=(("Ts",), (), ("Td", "9d"), ("Tc", "9c")),
    )
    assert GAME.turn(state) == Turn(waiting=(2,))
    assert [action["card"] for action in GAME.legal(state, 2)] == ["Ts", "9d", "9c"]
    after = moved(GAME, state, 2, "bonus", card="9d")
    assert after.rows == ((), ("3h", "5h", "8h"), ("9d",))
    assert after.stock == (("Ts",), (), ("Td",), ("Tc", "9c"))
    assert (after.joker, GAME.turn(after).waiting) == (1, (1,))
    assert told(GAME, after) == ["bonus", "took", "leads"]


def test_4_6_a_covered_card_cannot_be_covered_again() -> None:
    rows = (("8s", Marked("7s", ("covered",))), (), ())
    state = moved(GAME, rewarding("8h 4s 4d", 0, 2, rows=rows), 2, "bonus", card="9s")
    assert isinstance(state, Playing), "two 4s for 8s and 8h: no choice"
    assert {printed(each) for each in state.rows[0]} == {"7s", "8s", "8h"}
    assert bare(state.rows[0]) == ()
    assert state.covering[0] == ("4s", "4d")


def test_4_6_the_winner_chooses() -> None:
    rows = (("8s", "7s"), (), ())
    state = moved(GAME, rewarding("8h 4s 4d", 0, 2, rows=rows), 2, "bonus", card="9s")
    assert GAME.turn(state) == Turn(waiting=(0,))
    sets = [action["cards"] for action in GAME.legal(state, 0)]
    assert sets == [["7s", "8s"], ["7s", "8h"], ["8s", "8h"]]
    assert zone(state, "fours", None, None)["cards"] == ["4s", "4d"]
    state = moved(GAME, state, 0, "erase", cards=["7s", "8h"])
    assert state.rows[0] == ("8s", Marked("7s", ("covered",)), Marked("8h", ("covered",)))
    assert state.covering[0] == ("4s", "4d")
    assert isinstance(state, Playing)


def test_4_6_without_a_choice_cards_are_covered_automatically() -> None:
    state = moved(GAME, rewarding("8h 4s 3s", 0, 1), 1, "bonus", card="9s")
    assert isinstance(state, Erasing), "two cards, one 4"
    state = moved(GAME, rewarding("8h 4s 4h", 0, 2), 2, "bonus", card="9s")
    assert isinstance(state, Playing)
    assert state.rows[0] == (Marked("8h", ("covered",)),)
    assert (state.covering[0], state.sealing[0], state.aside) == (("4s",), ("4h",), ())
    assert told(GAME, state) == ["bonus", "took", "covered", "covered-secret", "leads"]


def test_4_6_a_second_4_does_not_cover_the_secret_card_again() -> None:
    state = rewarding("8h 4s 4h", 0, 2, sealing=(("4c",), (), ()))
    state = moved(GAME, state, 2, "bonus", card="9s")
    assert (state.sealing[0], state.aside) == (("4c",), ("4h",))


def test_4_6_a_card_that_becomes_a_4_joins_the_row_and_a_printed_4_erases() -> None:
    state = moved(GAME, rewarding("5s- 3h 2h", 0, 2), 2, "bonus", card="9s")
    assert state.rows[0] == ("5s", "2h", "3h"), "purple: nothing is erased"
    state = moved(GAME, rewarding("4s+ 3s 2s", 0, 2), 2, "bonus", card="9s")
    assert isinstance(state, Erasing)
    assert [action["cards"] for action in GAME.legal(state, 0)] == [["2s"], ["3s"]]


def test_4_7_the_moon_turns_after_each_trick() -> None:
    state = rewarding("8h 3h 2h", 0, 2, hazy=True, rest=("8c", "7c"))
    state = moved(GAME, state, 2, "bonus", card="9s")
    assert (state.moon, state.rest) == (("8c",), ("7c",))
    assert told(GAME, state)[-2:] == ["moon", "leads"]


@pytest.mark.parametrize("seed", range(4))
def test_the_moon_shows_six_cards_a_deal(seed: int) -> None:
    steps = list(playout(GAME, 3, {"oborozuki": True}, random.Random(seed).randrange))
    last: Any = steps[-1].after
    assert (len(last.moon), len(last.rest)) == (6, 1)


@pytest.mark.parametrize("seed", range(6))
def test_every_card_of_the_pack_is_somewhere(seed: int) -> None:
    last: Any = list(playout(GAME, 3 + seed % 2, {}, random.Random(seed).randrange))[-1].after
    rows = [printed(each) for row in last.rows for each in row if printed(each)[0] not in "9T"]
    seats = sum(last.covering + last.sealing + last.secrets + last.hands, ())
    assert sorted([*rows, *seats, *last.aside, *last.rest]) == sorted(PACK)
    assert without(PACK, *rows)


def test_illegal_actions_are_refused() -> None:
    state = play(at(Playing, hands=hands("5h 2h", "3h 8s", "3d")), "5h")
    with pytest.raises(Illegal) as refused:
        play(state, "8s")
    assert refused.value.why == {"wrong": "card", "may": ["3h"]}
    with pytest.raises(Illegal) as refused:
        play(state, "3h+")
    assert refused.value.why == {"wrong": "joker", "may": [None]}
