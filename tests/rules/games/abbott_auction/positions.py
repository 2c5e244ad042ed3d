"""Positions of Auction (Abbott) for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.common.cards import canonical
from rules.games.abbott_auction.phases import Bidding
from tests.rules.playouts import moved

GAME = rules.load("abbott-auction")
PASS = {"type": "pass"}
LEAVE = {"type": "leave"}
DECLARE = {"type": "declare"}
STOCK = "2c 3c 5c 6c 7c 8c"


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def bidding(*hands: str, pile: str = "9d", stock: str = STOCK, **fields: Any) -> Bidding:
    """The beginning of an auction."""
    usual = {
        "players": len(hands),
        "hands": tuple(canonical(cards(hand)) for hand in hands),
        "pile": cards(pile),
        "stock": cards(stock),
        "totals": (0,) * len(hands),
        "target": 150,
        "max_deals": 20,
        "passed": (None,) * len(hands),
        "left": (None,) * len(hands),
    }
    return Bidding(**{**usual, **fields})


def bid(state: Any, seat: int, kind: str, rank: str = "", suit: str = "") -> Any:
    named = {name: value for name, value in (("rank", rank), ("suit", suit)) if value}
    action = {"type": "bid", "kind": kind, **named}
    return GAME.apply(state, {"kind": "action", "seat": seat, "action": action})


def act(state: Any, seat: int, kind: str) -> Any:
    return moved(GAME, state, seat, kind)


def lay(state: Any, *laid: str) -> Any:
    for card in laid:
        state = moved(GAME, state, GAME.turn(state).waiting[0], "lay", card=card)
    return state


def won(state: Any, seat: int, kind: str, *named: str) -> Any:
    """`seat` bids and all others leave."""
    state = bid(state, seat, kind, *named)
    for other in range(state.players):
        if other != seat:
            state = act(state, other, "leave")
    return state


def claims(state: Any, seat: int, kind: str = "") -> list[str]:
    """The possible bids of the seat, in words: `single 9 h`."""
    legal = GAME.legal(state, seat)
    bids = [action for action in legal if action["type"] == "bid"]
    words = [" ".join(value for key, value in each.items() if key != "type") for each in bids]
    return [each for each in words if each.startswith(kind)]


def lays(state: Any) -> list[str]:
    return [action["card"] for action in GAME.legal(state, GAME.turn(state).waiting[0])]


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]


def facts(state: Any, name: str, viewer: int | None = None) -> list[Any]:
    return [fact for fact in GAME.view(state, viewer)["facts"] if fact["name"] == name]


def nines() -> Any:
    """Two decks: seat 0 has bid a 9, and seat 1 the 9 of hearts."""
    state = bidding("9s 9h 9c", "9h 9d 2s", "9s 2s", "9c 2s")
    state = bid(state, 0, "single", "9")
    assert claims(state, 1, "single") == ["single 9 d", "single 9 h"]
    return bid(state, 1, "single", "9", "h")
