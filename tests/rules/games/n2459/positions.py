"""Positions of 2459n! for its tests, made directly."""

from __future__ import annotations

from typing import Any

import rules
from rules.common.cards import deck
from rules.games.n2459.components import SLOT
from rules.games.n2459.phases import Collecting, Racing
from tests.rules.playouts import moved

GAME = rules.load("2459n")
ALL = deck(jokers=1)
AT = {card: position for position, card in enumerate(ALL)}
"""The position of each card: these tests do not shuffle."""
LIVE = {"tempo": "live"}
TIME_UP = {"kind": "clock", "name": "time-up"}


def cards(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=SLOT.__getitem__))


def collecting(*held: str, **fields: Any) -> Collecting:
    """A game in rounds; the held cards have left their positions."""
    return Collecting(**{**table(held, 24), "taken": (None,) * len(held), **fields})


def racing(*held: str, **fields: Any) -> Racing:
    """Live."""
    empty: tuple[Any, ...] = ((),) * len(held)
    return Racing(**{**table(held, 0), "drawn": empty, "origin": (None,) * len(held), **fields})


def table(held: tuple[str, ...], rounds: int) -> dict[str, Any]:
    collections = tuple(map(cards, held))
    gone = {card for each in collections for card in each}
    return {
        "players": len(held),
        "collections": collections,
        "jokers": ((),) * len(held),
        "positions": tuple(None if card in gone else card for card in ALL),
        "rounds": rounds,
    }


def choose(state: Any, *choices: str) -> Any:
    """Play one round: `7d` draws that card, `.` stays; `7d held`, `. drawn` decide about the drawing hand."""
    for seat, choice in enumerate(choices):
        card, _, keep = choice.partition(" ")
        parameters = {"keep": keep} if keep else {}
        if card == ".":
            state = moved(GAME, state, seat, "stay", **parameters)
        else:
            state = moved(GAME, state, seat, "draw", at=AT[card], **parameters)
    return state


def draw(state: Any, seat: int, card: str) -> Any:
    return moved(GAME, state, seat, "draw", at=AT[card])


def put_back(state: Any, seat: int, **parameters: Any) -> Any:
    return moved(GAME, state, seat, "put-back", **parameters)


def seen(state: Any, viewer: int | None, position: int) -> Any:
    zones = GAME.view(state, viewer)["zones"]
    return next(zone for zone in zones if zone["name"] == "table")["cards"][position]


def fact(state: Any, name: str, viewer: int | None = None) -> list[Any]:
    return [each for each in GAME.view(state, viewer)["facts"] if each["name"] == name]


def zones(state: Any, name: str, viewer: int | None = None) -> list[Any]:
    return [each for each in GAME.view(state, viewer)["zones"] if each["name"] == name]


def result_of(*held: str) -> Any:
    """The end with these collections when the time is up."""
    return GAME.result(GAME.apply(racing(*held), TIME_UP))
