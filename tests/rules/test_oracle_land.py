"""The Land of Oracles: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import rules
from rules.cards import SUITS, deck, without
from rules.faces import Face, bare, printed
from rules.kernel import Chance, Illegal, Invalid, Marked, Result, Turn
from rules.oracle_land import (
    PACK,
    Bidding,
    Blessing,
    Dealing,
    Erasing,
    Hiding,
    Over,
    Playing,
    Rewarding,
    Table,
    Wishing,
    alone,
    cleared,
)
from rules.oracle_tricks import followers, number, outcome, suit_of
from tests.rules.playouts import fallen, moved, playout, told

GAME = rules.load("oracle-land")
SETS = {3: "JQK", 4: "AJQK"}


def face(text: str) -> Face:
    """`"5h+s"`: the five of hearts with the joker upright, itself sideways."""
    marks = [{"+": "plus", "-": "minus", "s": "sideways"}[each] for each in text[2:]]
    return Marked(text[:2], tuple(marks)) if marks else text


def at(phase: Any, players: int = 3, **fields: Any) -> Any:
    """A position with the bid sets of the start."""
    usual = {name: value for name, value in cleared(players).items() if name != "pack"}
    sets = tuple(deck(rank) for rank in SETS[players])
    usual |= {"players": players, "unscored": sets, "points": ((),) * players, "hazy": False}
    usual |= {"earlier": (0,) * players, "joker": 0, "number": 1}
    usual |= {"secrets": tuple((card,) for card in ("8d", "8c", "7c", "6c")[:players])}
    return phase(**{**usual, **fields})


def hands(*texts: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.split()) for text in texts)


def play(state: Any, *faces: str) -> Any:
    """Plays in turn, as `face` reads them."""
    for text in faces:
        joker = {"+": "plus", "-": "minus"}.get(text[2:3])
        parameters = {"card": text[:2], "sideways": text.endswith("s", 2), "joker": joker}
        state = moved(GAME, state, GAME.turn(state).waiting[0], "play", **parameters)
    return state


def bid(state: Any, seat: int, most: str, least: str) -> Any:
    return moved(GAME, state, seat, "bid", most=most.split(), least=least.split())


def bids(state: Any, seat: int) -> list[tuple[str, str]]:
    return [(" ".join(a["most"]), " ".join(a["least"])) for a in GAME.legal(state, seat)]


def zone(state: Any, name: str, seat: int | None, viewer: int | None) -> Any:
    zones = GAME.view(state, viewer)["zones"]
    return next(z for z in zones if z["name"] == name and z.get("seat") == seat)


def facts(state: Any, name: str) -> list[Any]:
    return [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == name]


def dealt(players: int = 3, **options: Any) -> Any:
    return fallen(GAME, GAME.initial(players, options), *PACK)


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
    state = fallen(GAME, state, *PACK)
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
    assert isinstance(fallen(GAME, state, *PACK), Wishing)


def test_4_1_nobody_could_wish() -> None:
    poor = (("Js", "Jh"), ("Qs", "Qh"), ("Ks", "Kh"))
    state = at(Dealing, pack=PACK, deal=2, unscored=poor)
    assert isinstance(fallen(GAME, state, *PACK), Bidding)


def test_4_1_who_has_three_bid_cards_is_asked() -> None:
    left = (("Js", "Jh"), ("Qs", "Qh", "Qd"), deck("K"))
    state = fallen(GAME, at(Dealing, pack=PACK, deal=2, unscored=left), *PACK)
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
    assert told(GAME, state) == ["chosen", *3 * ["received"], *3 * ["bid"]], "as in the source"


def seen(state: Any, viewer: int | None) -> set[str]:
    """The cards of the pack that a viewer sees."""
    zones = GAME.view(state, viewer)["zones"]
    return {card for zone in zones for card in zone.get("cards", ())} & {*PACK}


@pytest.mark.parametrize(("players", "hazy"), [(3, False), (3, True), (4, False)])
def test_2_a_held_hand_is_not_seen_any_more_after_the_pass(players: int, hazy: bool) -> None:
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


def hidden(players: int = 3) -> Any:
    """The first trick of a game in which nothing was chosen."""
    state = dealt(players)
    for _ in range(2 * players):
        seat = GAME.turn(state).waiting[0]
        action = GAME.fallback(state, seat)
        assert action
        state = GAME.apply(state, {"kind": "action", "seat": seat, "action": action})
    return state


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


NUMBERS = [
    ("2h", 2, "h"),
    ("2h+", 3, "h"),
    ("2h-", 1, "h"),
    ("3h+", 4, None),
    ("3h-", 2, "h"),
    ("4h", 4, None),
    ("4h+", 5, "h"),
    ("4h-", 3, "h"),
    ("5h+", 6, "h"),
    ("5h+s", 0, "h"),
    ("5h-", 4, None),
    ("6h", 6, "h"),
    ("6hs", 0, "h"),
    ("6h+", 7, "h"),
    ("6h+s", 1, "h"),
    ("6h-", 5, "h"),
    ("6h-s", 0, "h"),
    ("7h+", 8, "h"),
    ("7h-", 6, "h"),
    ("7h-s", 0, "h"),
    ("8h+", 9, "h"),
    ("8h-", 7, "h"),
]


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
    assert followers(tuple(hand.split()), led) == tuple(may.split())


TRICKS = [
    ("2h 2s 2d 2c", "2h", "2c"),
    ("4c 8h 2d 6cs", "8h", "6cs"),
    ("5h 8h 3h", "8h", "3h"),
    ("5h 8s 3d", "5h", "3d"),
    ("5h 3s 3d", "5h", "3d"),
    ("5h 2s 7h", "7h", "2s"),
    ("6hs 2s 8c", "2s", "8c"),
    ("3h 4h 8h", "8h", "4h"),
    ("5h 3c 4s", "5h", "4s"),
    ("5h 4s 4d 3c", "5h", "4d"),
    ("5h 4s 6cs", "5h", "4s"),
    ("3h+ 4s 4d", "3h+", "4d"),
    ("4h 4s 5d", "5d", "4s"),
    ("4h+ 5h 4s", "4h+", "4s"),
    ("3h- 2s 2d", "3h-", "2d"),
]


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


def rewarding(faces: str, winner: int, loser: int, **fields: Any) -> Any:
    trick = tuple((face(text),) for text in faces.split())
    return at(Rewarding, len(trick), trick=trick, winner=winner, loser=loser, **fields)


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


def test_4_6_without_a_choice_it_happens_by_itself() -> None:
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


def test_4_6_a_made_4_joins_the_row_and_a_printed_4_erases() -> None:
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


def test_5_1_secret_cards_open_after_trick_6() -> None:
    state = rewarding("8h 3h 2h", 1, 2, number=6, sealing=((), (), ("4s",)))
    state = moved(GAME, state, 2, "bonus", card="9s")
    assert isinstance(state, Blessing)
    assert GAME.turn(state) == Turn(waiting=(1,))
    opened = [line for line in GAME.lines(state, None) if line["line"] == "opened"]
    assert [(line["seat"], line["card"]) for line in opened] == [(0, "8d"), (1, "8c")]


def test_5_2_any_suit() -> None:
    state = at(Blessing, joker=1)
    assert GAME.legal(state, 1) == [{"type": "joker", "suit": suit} for suit in "shdc"]


@pytest.mark.parametrize(
    ("counts", "most", "least", "made"),
    [
        ((4, 2, 0, 3), "Ks", "Kd", "Ks Kd"),
        ((4, 2, 0, 3), "Kc", "Kh", ""),
        ((6, 2, 2, 6), "Ks", "Kh", ""),
        ((6, 2, 2, 6), "Ks Kc", "Kh", "Ks Kc"),
        ((6, 2, 2, 6), "Ks", "Kh Kd", "Kh Kd"),
        ((3, 1, 5, 1), "Kd", "Kh Kc", "Kd Kh Kc"),
        ((3, 0, 5, 1), "Kd", "Kh Kc", "Kd"),
        ((1, 1, 5, 1), "Kd", "Kh Kc", "Kd"),
        ((5, 1, 2, 5), "Kc", "Kh", "Kh"),
        ((3, 3, 3, 0), "Ks Kh", "Kc", "Kc"),
    ],
)
def test_5_3_most_and_least(counts: tuple[int, ...], most: str, least: str, made: str) -> None:
    less = tuple(-count for count in counts)
    found = alone(tuple(most.split()), counts) + alone(tuple(least.split()), less)
    assert found == tuple(made.split())


def test_5_3_what_counts_and_8_ao() -> None:
    row = hands("2s 3s 5s 6s 2h 2d 2c 3c 5c 6c 7c")[0]
    state = at(
        Blessing,
        deal=2,
        opened=True,
        joker=1,
        rows=((), (*row, Marked("8h", ("covered",))), ()),
        secrets=(("3h",), ("7s",), ("8c",)),
        most=(("Js",), ("Qc",), ("Kc",)),
        least=(("Jd",), ("Qh",), ("Kh",)),
    )
    over = moved(GAME, state, 1, "joker", suit="d")
    shown = {fact["of"]: [fact[s] for s in "shdc"] for fact in facts(over, "counts")}
    assert shown == {0: [0, 1, 0, 0], 1: [5, 1, 2, 5], 2: [0, 0, 0, 1]}
    assert over.points == ((), ("Qh",), ("Kc",))
    assert over.unscored[1] == ("Qs", "Qd", "Qc")
    assert {"name": "made", "of": 1, "first": [], "second": ["Qh"]} in facts(over, "made")


def test_5_3_a_covered_secret_card_does_not_count() -> None:
    state = at(
        Blessing,
        deal=2,
        opened=True,
        sealing=((), ("4s",), ()),
        most=(("Js",), ("Qc",), ("Kc",)),
        least=(("Jd",), ("Qh",), ("Kh",)),
    )
    over = moved(GAME, state, 0, "joker", suit="s")
    assert over.points == ((), (), ("Kc",))


def test_5_4_the_pairs_of_the_special_bid_are_two_points() -> None:
    state = at(
        Blessing,
        deal=2,
        opened=True,
        secrets=(("2d",), ("2s",), ("8c",)),
        rows=(("3d", "3s"), (), ()),
        most=(("Jd",), ("Qc",), ("Ks",)),
        least=(("Jh", "Jc"), ("Qh",), ("Kh",)),
        unscored=(("Jh", "Jd", "Jc"), deck("Q"), deck("K")),
    )
    over = moved(GAME, state, 0, "joker", suit="d")
    assert over.points[0] == ("Jh", "Jd", "Jc")


@pytest.mark.parametrize(
    ("points", "joker", "winner", "reason"),
    [
        ((2, 1, 2), 1, 2, "joker"),
        ((0, 0, 0, 0), 3, 3, "joker"),
        ((3, 3, 1, 0), 2, 0, "joker"),
        ((1, 3, 2), 0, 1, "points"),
    ],
)
def test_5_4_the_winner(points: Sequence[int], joker: int, winner: int, reason: str) -> None:
    sets = [deck(rank) for rank in SETS[len(points)]]
    won = tuple(cards[:n] for cards, n in zip(sets, points, strict=True))
    over = at(Over, len(points), points=won, joker=joker)
    assert GAME.result(over) == Result((winner,), tuple(points), reason)


@pytest.mark.parametrize(("players", "most"), [(3, 75), (4, 92)])
def test_5_the_longest_game(players: int, most: int) -> None:
    for seed in range(5):
        assert len(list(playout(GAME, players, {}, random.Random(seed).randrange))) <= most


def test_6_out_of_time() -> None:
    assert GAME.fallback(at(Wishing, held=((), (), ())), 1) == {"type": "wish", "tie": False}
    state = at(Bidding, held=((), (), ()), ties=(0,))
    assert GAME.fallback(state, 0) == {"type": "bid", "most": ["Ks"], "least": ["Kh"]}
    assert GAME.fallback(state, 1) == {"type": "bid", "most": ["Js"], "least": ["Jh", "Jd"]}
    state = at(Playing, hands=hands("6s 3h 5d 3c", "2h", "2d"))
    lowest = {"type": "play", "card": "3h", "sideways": False, "joker": None}
    assert GAME.fallback(state, 0) == lowest
    assert GAME.fallback(state, 1) is None
    empty = ((), ("Th",), ("Td", "9d"), ())
    state = rewarding("8h 3h 2h", 0, 2, stock=empty)
    assert GAME.fallback(state, 2) == {"type": "bonus", "card": "Th"}
    state = at(Erasing, winner=0, fours=("4s",), rows=(("8h", "7s"), (), ()))
    assert GAME.fallback(state, 0) == {"type": "erase", "cards": ["7s"]}


def test_6_out_of_time_the_joker_makes_the_most_points() -> None:
    state = at(
        Blessing,
        opened=True,
        secrets=(("2d",), ("2s",), ("8c",)),
        most=(("Js",), ("Qc",), ("Ks",)),
        least=(("Jc",), ("Qh",), ("Kh",)),
        rows=(("3s", "3h"), (), ()),
    )
    assert GAME.fallback(state, 0) == {"type": "joker", "suit": "s"}
    assert GAME.fallback(state.change(most=(("Jh",), None, None)), 0) == {
        "type": "joker",
        "suit": "h",
    }


def test_7_11_a_secret_4_counts_for_its_suit() -> None:
    state = at(Blessing, deal=2, opened=True, secrets=(("4h",), ("8c",), ("8s",)))
    counts = {fact["of"]: fact["h"] for fact in facts(state, "counts")}
    assert counts == {0: 1, 1: 0, 2: 0}


def test_8_gray_and_the_colours() -> None:
    state = play(at(Playing, hands=hands("2h 5h", "3h", "3d")), "2h")
    assert GAME.view(state, None)["prompt"] == {"seat": 1, "led": "h"}
    state = play(at(Playing, hands=hands("5h 2h", "3s 8h", "3d")), "5h-")
    assert GAME.view(state, None)["prompt"] == {"seat": 1, "led": "none"}
    assert len(GAME.legal(state, 1)) == 2, "anything may be laid"
    assert facts(state, "number") == [{"name": "number", "of": 0, "value": 4}]


def test_8_a_first_trick_of_4s() -> None:
    four = hands("8h 7h", "4s 8d", "4h 8c", "4d 8s")
    state = at(Playing, 4, hands=four, secrets=hands("3s", "3h", "3d", "3c"))
    state = play(state, "8h", "4s", "4h", "4d")
    assert (state.winner, state.loser) == (0, 3)
    state = moved(GAME, state, 3, "bonus", card="9s")
    assert state.rows[0] == (Marked("8h", ("covered",)),)
    assert (state.covering[0], state.sealing[0], state.aside) == (("4s",), ("4h",), ("4d",))
    faces = "7s 4c 8c 8d"
    trick = tuple((face(text),) for text in faces.split())
    state = Rewarding(**{**fields_of(state), "trick": trick, "winner": 0, "loser": 1})
    state = moved(GAME, state, 1, "bonus", card="9h")
    assert [action["cards"] for action in GAME.legal(state, 0)] == [["7s"], ["8d"], ["8c"]]


def fields_of(state: Any) -> dict[str, Any]:
    names = [name for name, _ in Table.declared]
    return {name: getattr(state, name) for name in names}


def test_8_hazy_moon_in_canonical_order() -> None:
    state = dealt(3, oborozuki=True)
    while not state.moon:
        seat = GAME.turn(state).waiting[0]
        action = GAME.fallback(state, seat)
        assert action
        state = GAME.apply(state, {"kind": "action", "seat": seat, "action": action})
    assert state.moon == ("8c",)


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


def test_what_is_not_legal_is_refused() -> None:
    state = play(at(Playing, hands=hands("5h 2h", "3h 8s", "3d")), "5h")
    with pytest.raises(Illegal) as refused:
        play(state, "8s")
    assert refused.value.why == {"wrong": "card", "may": ["3h"]}
    with pytest.raises(Illegal) as refused:
        play(state, "3h+")
    assert refused.value.why == {"wrong": "joker", "may": [None]}
