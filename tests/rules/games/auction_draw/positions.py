"""Positions of Auction Draw for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.common.dominoes import canonical
from rules.games.auction_draw.options import Terms
from rules.games.auction_draw.phases import Bidding, Playing
from tests.rules.playouts import moved, shuffled

GAME = rules.load("auction-draw")
PASS = {"type": "pass"}
BUY = {"type": "buy"}
TERMS = Terms(highest=6, hand=0, ante=3, free=False, laps=0)


def tiles(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def line(text: str, left: int, right: int) -> dict[str, Any]:
    return {"line": tiles(text), "numbers": (left, right)}


def table(*hands: str, stock: str = "1-0 5-1 4-4 0-0 1-1", **fields: Any) -> dict[str, Any]:
    return {
        "players": len(hands),
        "hands": tuple(canonical(tiles(hand)) for hand in hands),
        "stock": tiles(stock),
        "purses": (27,) * len(hands),
        "pot": 3 * len(hands),
        "terms": TERMS._replace(**fields.pop("terms", {})),
        **fields,
    }


def playing(*hands: str, **fields: Any) -> Playing:
    """It is the turn of seat 0."""
    return Playing(**{"on_turn": 0, **table(*hands, **fields)})


def bidding(players: int = 3, first: int = 0, **fields: Any) -> Bidding:
    """The last two tiles are for sale; one tile is on the table."""
    usual = {**table(*(("6-1",) * players), stock="1-0 5-1"), **line("6-6", 6, 6)}
    return Bidding(**{**usual, "first": first, "passed": (None,) * players, **fields})


def play(state: Any, seat: int, tile: str, *end: int) -> Any:
    return moved(GAME, state, seat, "play", tile=tile, **({"end": end[0]} if end else {}))


def buy(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "buy")


def passing(state: Any, seat: int) -> Any:
    return moved(GAME, state, seat, "pass")


def bid(state: Any, seat: int, chips: int) -> Any:
    return moved(GAME, state, seat, "bid", chips=chips)


def plays(state: Any, seat: int) -> list[tuple[str, int | None]]:
    legal = GAME.legal(state, seat)
    return [(action["tile"], action.get("end")) for action in legal if action["type"] == "play"]


def deal(state: Any) -> Any:
    return shuffled(GAME, state, *GAME.turn(state).chance.items)


def fact(state: Any, name: str) -> list[Any]:
    return [each for each in GAME.view(state, None)["facts"] if each["name"] == name]


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]
