"""Who sees what in Joretsu, by part 2 of its specification."""

from __future__ import annotations

from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience


def top(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """The top card of the stock lies face up; nobody sees the rest."""
    return position == 0


AUDIENCE = Audience(
    zones={
        "aces": ALL,
        "ladder": ALL,
        "stock": top,
        "hand": OWNER,
        "played": ALL,
        "drawn": OWNER,
        "discard": NOBODY,
        "pile": NOBODY,
    },
    facts={
        "joker": ALL,
        "round": ALL,
        "chief": ALL,
        "drawer": ALL,
        "bid": OWNER,
        "keep": OWNER,
        "rank": OWNER,
        "raise": OWNER,
        "decline": OWNER,
        "showdown": OWNER,
    },
    derived={"compared": "played ladder", "worth": "played ladder", "score": "past"},
    prompt={
        "round": "round",
        "place": "ladder",
        "chief": "chief",
        "drawer": "drawer",
    },
    lines={
        "shuffled": "count",
        "dealt": "seat *cards",
        "turned": "card",
        "chosen": "seat",
        "bid": "seat card",
        "chief": "seat",
        "nobody-draws": "",
        "collected": "seat",
        "ranked": "seat suit place",
        "drew": "seat *cards",
        "kept": "seat *card",
        "raised": "seat suit place",
        "declined": "seat",
        "showdown": "seat cards value",
    },
)
