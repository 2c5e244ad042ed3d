"""Positions of The Trunk and the Peddler for its tests, made directly."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.games.trunk_and_peddler.components import SMALL
from rules.games.trunk_and_peddler.phases import First, Second
from rules.kernel import Illegal
from tests.rules.playouts import moved, shuffled

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
    state = shuffled(GAME, GAME.initial(2, custom(letters)), *DISPLAY, *UNUSED)
    return shuffled(GAME, state, *SMALL)


def second(leader: str, follower: str, in_force: str = "", number: int = 1) -> Any:
    """The position after the first cards: the named one of each seat."""
    state = at(hands=hands(leader, follower), in_force=in_force, number=number)
    return play(play(state, 0, leader[:2]), 1, follower[:2])


def won_by(state: Any) -> int:
    won = next(line for line in GAME.lines(state, None) if line["line"] == "won")
    return int(won["seat"])


def trick(leader: str, follower: str, in_force: str = "") -> Any:
    """A whole trick in which both play the named cards and have one more; spades are trumps."""
    mine, yours = leader.split(), follower.split()
    state = second(f"{leader} 9c", f"{follower} 8c", in_force)
    for seat, cards in ((0, mine), (1, yours)):
        if seat in GAME.turn(state).waiting and isinstance(state, Second):
            state = play(state, seat, cards[1]) if len(cards) > 1 else passing(state, seat)
    return state
