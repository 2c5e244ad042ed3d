"""Who sees what in The Land of Oracles, by part 2 of its specification."""

from __future__ import annotations

from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience


def secret(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """The seat itself always; others once trick 6 of the deal is over, unless a 4 lies on it."""
    if viewer is not None and viewer == seat:
        return True
    return bool(state.opened) and not state.sealing[seat]


AUDIENCE = Audience(
    zones={
        "held": OWNER,
        "hand": OWNER,
        "unscored": ALL,
        "points": ALL,
        "row": ALL,
        "covering": ALL,
        "secret": secret,
        "on-secret": ALL,
        "trick": ALL,
        "fours": ALL,
        "stock": ALL,
        "joker": ALL,
        "set-aside": ALL,
        "rest": NOBODY,
        "moon": ALL,
    },
    facts={
        "joker": ALL,
        "deal": ALL,
        "trick": ALL,
        "most": ALL,
        "least": ALL,
        "blessed": ALL,
        "winner": ALL,
        "loser": ALL,
        "bid": OWNER,
        "wish": OWNER,
        "secret": OWNER,
    },
    derived={
        "counts": "row past",
        "score": "points",
        "number": "trick",
        "wished": "past",
        "made": "row past most least",
    },
    prompt={"seat": "turn", "led": "trick", "count": "fours"},
    lines={
        "dealt": "seat *cards",
        "chosen": "seat",
        "wished": "seat tie",
        "received": "seat *cards",
        "bid": "seat of most least",
        "hid": "seat *cards",
        "leads": "seat",
        "played": "seat card number sideways joker",
        "decided": "winner loser",
        "bonus": "seat card",
        "took": "seat cards",
        "moon": "card",
        "covered": "seat cards fours",
        "covered-secret": "seat card",
        "set-aside": "card",
        "opened": "seat card",
        "blessed": "seat suit",
        "counted": "seat s h d c cards",
    },
)
