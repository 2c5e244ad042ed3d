"""Who sees what in 2459n!, by part 2 of its specification."""

from __future__ import annotations

import itertools
from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, OWNER, Audience


def laid_last(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """Face up: everybody. Face down: in rounds, the seat that last laid it there; live, nobody."""
    if state.face_up[position]:
        return True
    return viewer is not None and state.rounds is not None and state.laid[position] == viewer


def face_up(before: Any, after: Any, line: Any) -> bool:
    """Whether a card was drawn from a place with a face-up card, or was put back face up in the same round."""
    at = line["at"]
    earlier = itertools.takewhile(lambda each: each is not line, after.told)
    return before.face_up[at] or any(
        each["line"] == "laid" and each["at"] == at for each in earlier
    )


AUDIENCE = Audience(
    zones={
        "table": laid_last,
        "collection": OWNER,
        "shown": ALL,
        "joker": ALL,
        "drawn": OWNER,
    },
    facts={"round": ALL, "taken": OWNER, "origin": ALL, "draw": OWNER, "stay": OWNER},
    derived={
        "stood": "past",
        "drew": "past",
        "missed": "past",
        "sum": "shown",
    },
    prompt={"round": "round", "rounds": "options"},
    lines={
        "shuffled": "count",
        "chosen": "seat",
        "stood": "seat",
        "drew": "seat at ?card",
        "kept": "seat",
        "joker": "seat",
        "laid": "seat at card",
        "missed": "seat at",
        "put-back": "seat at",
        "complete": "seats",
        "shown": "seat cards",
        "time-up": "",
    },
    open={"drew card": face_up},
)
