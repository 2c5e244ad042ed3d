"""Who sees what in Auction Draw, by parts 2 and 5 of its specification."""

from __future__ import annotations

from typing import Any

from rules.kernel import Viewer
from tests.rules.audiences import ALL, NOBODY, OWNER, Audience


def counted(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:
    """Whether all hands have been counted openly, after a blocked round."""
    return state.blocked or OWNER(state, viewer, seat, position)


AUDIENCE = Audience(
    zones={
        "hand": {"": OWNER, "over": counted},
        "stock": NOBODY,
        "removed": NOBODY,
        "line": ALL,
    },
    facts={
        "purse": ALL,
        "pot": ALL,
        "round": ALL,
        "bought": ALL,
        "bare": ALL,
        "high": ALL,
        "bidder": ALL,
        "passed": ALL,
    },
    derived={"lead": "past", "open": "line", "pips": "hand"},
    prompt={
        "bought": "bought",
        "left": "line",
        "right": "line",
        "high": "high",
        "lap": "past",
        "laps": "options",
    },
    lines={
        "round": "number seat value",
        "dealt": "seat *tiles",
        "opened": "seat tile",
        "played": "seat tile end",
        "passed": "seat",
        "bought": "seat *tile",
        "stopped": "seat",
        "out": "seat chips",
        "short": "seat chips",
        "stuck": "seat",
        "blocked": "",
        "counted": "seat tiles value",
        "fewest": "seat chips",
        "auction": "count",
        "bid": "seat chips",
        "outbid": "seat",
        "sold": "seat chips *tiles",
        "unsold": "count",
        "left-over": "count",
        "shared": "seats chips rest",
    },
)
