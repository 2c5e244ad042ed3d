"""Who sees what in Auction (Abbott), by part 2 of its specification."""

from __future__ import annotations

from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience


def winner(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """The card that the winner of an auction takes from the stock is its secret."""
    return viewer is not None and viewer == state.winner


AUDIENCE = Audience(
    zones={
        "hand": {"dealing": ALL, "over": ALL, "": OWNER},
        "pile": ALL,
        "stock": NOBODY,
    },
    facts={
        "number": ALL,
        "score": ALL,
        "bidder": ALL,
        "opener": ALL,
        "passed": ALL,
        "winner": ALL,
        "taken": winner,
    },
    derived={"points": "pile", "deal": "past", "best": "hand"},
    prompt={"kind": "past", "rank": "past", "suit": "past", "count": "past"},
    lines={
        "deal": "number",
        "dealt": "seat *cards",
        "opened": "card",
        "bid": "seat kind rank suit",
        "passed": "seat",
        "left": "seat",
        "won": "seat kind rank suit",
        "took": "seat cards",
        "drew": "seat *cards",
        "laid": "seat card",
        "turned": "card",
        "declared": "seat",
        "no-bid": "",
        "joker": "",
        "ended": "value",
        "shown": "seat cards kind best",
        "scored": "seats value",
        "bonus": "seat value",
    },
)
