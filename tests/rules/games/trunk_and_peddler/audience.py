"""Who sees what in The Trunk and the Peddler, by part 2 of its specification."""

from __future__ import annotations

from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience


def turned_up(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """Positions 1 and 5 from the start, position t from the start of trick t."""
    number = position + 1
    return number in (1, 5) or number <= state.trick


AUDIENCE = Audience(
    zones={
        "display": turned_up,
        "unused": NOBODY,
        "stock": NOBODY,
        "hand": OWNER,
        "trunk": {"": OWNER, "over": ALL},
        "junk": ALL,
        "threes": ALL,
        "up": ALL,
        "down": NOBODY,
        "side": ALL,
        "played": ALL,
        "discard": ALL,
        "joker": ALL,
    },
    facts={"sum": ALL, "winner": ALL, "trunk": OWNER},
    derived={
        "load": "junk threes up #down",
        "trick": "past played",
        "trumps": "past",
        "account": "trunk junk threes up #down side",
    },
    prompt={
        "led": "played",
        "trump": "past",
        "suit": "past",
        "must": "past",
        "cards": "played",
        "card": "past",
    },
    lines={
        "laid-out": "cards",
        "dealt": "seat *cards",
        "chosen": "seat",
        "trunk": "seat *card",
        "trick": "seat number card trump",
        "played": "seat card value",
        "lacking": "seat suit",
        "compelled": "seat suit",
        "won": "seat value other",
        "loaded": "seat cards",
        "discarded": "seat cards",
        "stored": "seat card place",
        "coin": "seat",
        "passed": "seat",
        "likewise": "seat",
        "drew": "seat *cards",
        "left": "seat cards",
        "left-junk": "seat cards",
        "opened": "seat card",
        "empty-handed": "seat",
        "took-all": "seat cards",
        "stacked": "seat cards",
        "turned": "seat card value",
    },
)
