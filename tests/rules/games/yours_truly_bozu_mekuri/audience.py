"""Who sees what in Yours truly, Bozu-mekuri, by part 2 of its specification."""

from __future__ import annotations

from tests.rules.audiences import ALL, NOBODY, OWNER, Audience

AUDIENCE = Audience(
    zones={
        "stock": NOBODY,
        "discard": ALL,
        "pile": NOBODY,
        "out": ALL,
        "row": ALL,
        "drawn": ALL,
        "pending": ALL,
        "own": ALL,
        "hand": {"": OWNER, "over": ALL},
    },
    facts={"last-round": ALL},
    derived={
        "sum": "row",
        "chosen-suit": "hand own",
        "bozu": "own",
        "score": "hand own",
        "suit-set": "own",
        "rank-set": "own",
    },
    prompt={"seat": "turn", "acted": "past", "count": "pending"},
    lines={
        "shuffled": "count",
        "dealt": "seat *cards",
        "headed": "row card",
        "turned": "seat card",
        "laid": "seat card row value",
        "played": "seat card row value",
        "drew": "seat *cards",
        "turn": "seat",
        "passed": "seat card",
        "burst": "seat card",
        "covered": "seat card bozu",
        "discarded": "cards",
        "beaten": "seat card count",
        "kept": "seat cards",
        "repiled": "count",
        "restocked": "count",
        "run-out": "seat",
        "ended": "seat",
    },
)
