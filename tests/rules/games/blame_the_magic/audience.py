"""Who sees what in Blame the Magic, by part 2 of its specification."""

from __future__ import annotations

from tests.rules.audiences import ALL, OWNER, Audience

AUDIENCE = Audience(
    zones={"ace": ALL, "zone": ALL, "guild": OWNER, "hand": OWNER, "laid": ALL},
    facts={"round": ALL, "joker": ALL, "choose": OWNER, "lead": OWNER},
    derived={
        "marker": "past",
        "limit": "options",
        "influence": "zone laid",
        "unnoticed": "zone past",
    },
    prompt={
        "count": "past",
        "more": "past",
        "seat": "turn",
        "holder": "past",
        "number": "laid",
    },
    lines={
        "round": "number seat",
        "chosen": "seat",
        "chose": "seat *cards",
        "one-more": "seat",
        "laid": "seat card",
        "has": "seat card",
        "has-none": "seat number",
        "back": "seat card",
        "kept": "seat card value",
        "turned": "seat card value",
        "joker": "seat",
        "passed": "seat",
        "gave": "seat to",
        "closed": "seat",
        "took": "seat",
        "put-back": "seat *cards",
        "took-all": "seat *cards",
        "returned": "seat *card",
    },
)
