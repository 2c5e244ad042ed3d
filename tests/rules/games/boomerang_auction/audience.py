"""Who sees what in Boomerang Auction, by part 2 of its specification."""

from __future__ import annotations

from tests.rules.audiences import ALL, NOBODY, OWNER, Audience

AUDIENCE = Audience(
    zones={
        "hand": OWNER,
        "stock": NOBODY,
        "good": ALL,
        "bid": ALL,
        "discard": NOBODY,
        "won": ALL,
    },
    facts={"sale": ALL, "dealer": ALL, "passed": ALL},
    derived={"score": "won", "sum": "won"},
    prompt={"high": "bid"},
    lines={
        "shuffled": "count",
        "offered": "card",
        "bid": "seat cards value",
        "passed": "seat",
        "empty-handed": "seat",
        "sold": "seat card value",
        "unsold": "card",
    },
)
