"""Positions of Caravan for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.common.cards import deck
from rules.games.caravan.phases import Opening, Trading
from rules.kernel import Json
from tests.rules.playouts import moved, shuffled

GAME = rules.load("caravan")
HAND_0 = "3h 7d 9s Ah 5c Js Qs Ks"
HAND_1 = "Tc 4h 8c 2s 3s Jh Qh Kh"


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def deal(hand: str, jokers: int = 0) -> tuple[str, ...]:
    """A shuffled deck with `hand` on top."""
    top = cards(hand)
    return top + tuple(card for card in deck(jokers=jokers) if card not in top)


def shuffle(hand: str) -> Json:
    """The event that deals `hand` to seat 0."""
    return {"kind": "chance", "name": "deck-0", "outcome": list(deal(hand))}


def opening(**options: str) -> Opening:
    """Both hands are dealt, and nobody has chosen yet."""
    state = shuffled(GAME, GAME.initial(2, options), *deal(HAND_0))
    return shuffled(GAME, state, *deal(HAND_1))


def trading(
    own: str = "", facing: str = "", direction: str | None = None, hand: str = "As", **fields: Any
) -> Trading:
    """It is the turn of seat 0, with `hand`; `own` and `facing` lie in lane 0."""
    usual = {
        "players": 2,
        "hands": (cards(hand), ("As",)),
        "stocks": ((), ()),
        "rows": ((cards(own), (), ()), (cards(facing), (), ())),
        "discards": ((), ()),
        "directions": ((direction, None, None), (None, None, None)),
        "sold": (None, None, None),
        "joker": "none",
    }
    return Trading(**{**usual, **fields})


def may_play(state: Trading, card: str) -> bool:
    return {"type": "play", "card": card, "lane": 0} in GAME.legal(state, 0)


def play(state: Trading, card: str, **parameters: Any) -> Any:
    return moved(GAME, state, 0, "play", card=card, lane=0, **parameters)


def lane_0(state: Any) -> tuple[str, str | None]:
    return " ".join(state.rows[0][0]), state.directions[0][0]
