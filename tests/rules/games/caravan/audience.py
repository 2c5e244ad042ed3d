"""Who sees what in Caravan, by part 2 of its specification."""

from __future__ import annotations

from tests.rules.audiences import ALL, NOBODY, OWNER, Audience

AUDIENCE = Audience(
    zones={"hand": OWNER, "stock": NOBODY, "row": ALL, "discard": ALL},
    facts={"direction": ALL, "sold": ALL, "open": OWNER},
    derived={"score": "sold", "points": "row", "saleable": "row"},
    prompt={"seat": "turn", "saleable": "row"},
    lines={
        "shown": "seat cards",
        "dealt": "seat *cards",
        "chosen": "seat",
        "opened": "seat cards",
        "discarded": "seat card",
        "drew": "seat *cards",
        "played": "seat card lane",
        "headed": "seat lane value",
        "renewed": "seat card lane",
        "removed": "seat cards lane",
        "cut": "seat card lane at",
        "inserted": "seat card lane at",
        "struck": "seat card lane at",
        "skipped": "seat",
        "sold": "seat lane value",
    },
)
