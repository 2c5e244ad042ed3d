"""Positions of The Land of Oracles for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.common.cards import deck
from rules.common.faces import Face
from rules.games.oracle_land.components import PACK, Table, cleared
from rules.games.oracle_land.phases import Rewarding
from rules.kernel import Marked
from tests.rules.playouts import moved, shuffled

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
    """Plays in order, in the notation of `face`."""
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
    return shuffled(GAME, GAME.initial(players, options), *PACK)


def seen(state: Any, viewer: int | None) -> set[str]:
    """The cards of the pack that a viewer sees."""
    zones = GAME.view(state, viewer)["zones"]
    return {card for zone in zones for card in zone.get("cards", ())} & {*PACK}


def hidden(players: int = 3) -> Any:
    """The first trick of a game in which every seat has run out of time so far."""
    state = dealt(players)
    for _ in range(2 * players):
        seat = GAME.turn(state).waiting[0]
        action = GAME.fallback(state, seat)
        assert action
        state = GAME.apply(state, {"kind": "action", "seat": seat, "action": action})
    return state


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


def rewarding(faces: str, winner: int, loser: int, **fields: Any) -> Any:
    trick = tuple((face(text),) for text in faces.split())
    return at(Rewarding, len(trick), trick=trick, winner=winner, loser=loser, **fields)


def fields_of(state: Any) -> dict[str, Any]:
    names = [name for name, _ in Table.declared]
    return {name: getattr(state, name) for name in names}
