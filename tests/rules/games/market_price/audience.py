"""Who sees what in Market Price, by part 2 of its specification."""

from __future__ import annotations

from tests.rules.audiences import ALL, NOBODY, OWNER, Audience

AUDIENCE = Audience(
    zones={
        "upper": ALL,
        "lower": ALL,
        "watch": NOBODY,
        "watched": ALL,
        "share": {"": OWNER, "over": ALL},
        "hand": OWNER,
        "removed": NOBODY,
    },
    facts={"round": ALL, "passed": ALL},
    derived={"price": "upper lower", "sum": "share", "score": "share"},
    prompt={"watched": "watched"},
    lines={
        "shuffled": "deck",
        "share": "seat *card",
        "dealt": "seat *cards",
        "turned": "card suit round",
        "played": "seat card at value",
        "passed": "seat suit",
        "put-away": "seat count",
        "shown": "seat cards value",
    },
)
