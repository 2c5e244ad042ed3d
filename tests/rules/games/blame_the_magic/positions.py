"""Positions of Blame the Magic for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.kernel import Marked
from tests.rules.playouts import moved

GAME = rules.load("blame-the-magic")
SUITS = "shdc"
PASS = {"type": "pass"}
TAKE = {"type": "take"}
ANSWER = {"type": "answer"}


def cards(seat: int, ranks: str) -> tuple[Any, ...]:
    """`"2 7!"`: two cards of the seat's suit, the second one turned."""
    found = ((each[0] + SUITS[seat], each.endswith("!")) for each in ranks.split())
    return tuple(Marked(card, ("turned",)) if turned else card for card, turned in found)


def at(phase: Any, hands: list[str], zones: list[str] | None = None, **fields: Any) -> Any:
    """A position: ranks in hand and in the zone of each seat; all other cards are in the guilds."""
    n = len(hands)
    ranks, rows = ("234567", "2345678")[n - 3], zones or [""] * n
    lying = [f"{hand} {row}" for hand, row in zip(hands, rows, strict=True)]
    laid = fields.get("laid", ())
    usual = {
        "players": n,
        "aces": tuple((f"A{suit}",) for suit in SUITS[:n]),
        "zones": tuple(cards(seat, row) for seat, row in enumerate(rows)),
        "hands": tuple(cards(seat, hand) for seat, hand in enumerate(hands)),
        "guilds": tuple(
            tuple(
                rank + SUITS[seat]
                for rank in ranks
                if rank not in lying[seat] and rank + SUITS[seat] not in laid
            )
            for seat in range(n)
        ),
        "began": tuple(range(n)),
    }
    return phase(**{**usual, **fields})


def choose(state: Any, seat: int, ranks: str) -> Any:
    return moved(GAME, state, seat, "choose", cards=list(cards(seat, ranks)))


def lead(state: Any, rank: str) -> Any:
    return moved(GAME, state, state.joker, "lead", card=rank + SUITS[state.joker])


def may(state: Any, seat: int, *types: str) -> list[Any]:
    """The legal actions of these types, as the only parameter of each."""
    listed = [action for action in GAME.legal(state, seat) if action["type"] in types]
    return [next((v for k, v in action.items() if k != "type"), None) for action in listed]


def types(state: Any, seat: int) -> list[str]:
    return list(dict.fromkeys(action["type"] for action in GAME.legal(state, seat)))


def zone(state: Any, name: str, seat: int | None, viewer: int | None) -> Any:
    zones = GAME.view(state, viewer)["zones"]
    return next(z for z in zones if z["name"] == name and z.get("seat") == seat)


def facts(state: Any, name: str) -> list[Any]:
    return [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == name]


JUDGED = [
    (["5 7", "6 7", "5 7"], "everyone", [0, 1, 2], [13, 14, 13]),
    (["5 7", "5 6 7", "5 7"], "everyone", [0, 1, 2], [13, 19, 13]),
    (["5 6 7", "5 6 7", "5 7"], "over-limit", [], [19, 19, 13]),
    (["5 7", "5 6", "7"], "survivor", [2], [13, 12, 8]),
    (["5 7", "7", "5 2"], "survivor", [2], [13, 8, 8]),
    (["5 7", "7", "7"], "nobody", [], [13, 8, 8]),
]
