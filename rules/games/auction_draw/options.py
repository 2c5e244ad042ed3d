"""1 The options of a match: the set, the hand, chips, antes and the length."""

from __future__ import annotations

from typing import NamedTuple

from rules.common.dominoes import double_set
from rules.kernel import Json, Length, Option

MOST_PLAYERS = {6: 4, 9: 6, 12: 8, 15: 10}
USUAL_SET = {2: 6, 3: 6, 4: 9, 5: 9, 6: 12, 7: 12, 8: 15, 9: 15, 10: 15}
USUAL_HAND = {
    6: {2: 7, 3: 7, 4: 5},
    9: {2: 10, 3: 10, 4: 9, 5: 8, 6: 7},
    12: {2: 12, 3: 12, 4: 12, 5: 11, 6: 10, 7: 9, 8: 8},
    15: {2: 15, 3: 15, 4: 15, 5: 14, 6: 13, 7: 12, 8: 11, 9: 10, 10: 10},
}
"""1 The number of tiles dealt to each seat, by set and number of players."""
LEAST_HAND = 3
LEAST_CHIPS, MOST_CHIPS = 10, 100
"""The least and the most chips to begin with. The source suggests 30 to 40; fewer make a shorter match."""


class Terms(NamedTuple):
    """1 The values of this match's options."""

    highest: int
    hand: int
    ante: int
    free: bool
    laps: int


def options(players: int) -> dict[str, Option]:
    """1 The options for this number of players, with the sets that are large enough; hands may use up the largest
    set.
    """
    sets = tuple(highest for highest, most in MOST_PLAYERS.items() if players <= most)
    most = len(double_set(sets[-1])) // players
    return {
        "set": Option(sets, USUAL_SET[players]),
        "hand": Option((0, *range(LEAST_HAND, most + 1)), 0),
        "chips": Option(tuple(range(LEAST_CHIPS, MOST_CHIPS + 1)), 30),
        "ante": Option(tuple(range(1, 11)), 3),
        "free": Option((False, True), False),
        "laps": Option((0, 1, 2, 3), 0),
    }


def lengths(players: int) -> tuple[Length, ...]:
    """The usual lengths: two laps, or until a seat is bankrupt, which takes two players long, but many only a lap or
    two.
    """
    return Length({"laps": 2}, 50), Length({}, {2: 200, 3: 75}.get(players, 60))


def together(players: int, chosen: Json) -> bool:
    """1 Whether the set has enough tiles for all hands."""
    return bool(chosen["hand"] * players <= len(double_set(chosen["set"])))
