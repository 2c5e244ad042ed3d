"""People's actions in a day: the assumptions behind all predictions. A change here changes them all.

They are for somebody who plays every day, in a few games at once; people who have registered and left cost only rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

DAY = 86_400
"""The seconds of a day."""


class Usage(NamedTuple):
    """The actions of one player in one day."""

    moves: float = 8
    house_moves: float = 4
    """The moves of house players at this player's tables."""
    polls: float = 400
    """Polls without news.

    They come from twenty minutes of looking, with a poll every 2 to 10 s, and from two hours of an open tab, with a
    poll every 60 s.
    """
    looks: float = 30
    """Complete responses: one at each visit, and after others' actions."""
    turns: float = 6
    """Requests for the list of waiting games, one for each visit."""
    lists: float = 6
    """Requests for a list of games, one for each visit."""
    mails: float = 3
    games: float = 0.3
    """The number of games that begin, counted for each of their players."""
    levels: Mapping[str, float] = {"easy": 0.25, "normal": 0.5, "strong": 0.25}
    """The fractions of the moves of house players that each level makes."""

    @property
    def requests(self) -> dict[str, float]:
        """The requests to web processes, by the name of their cost."""
        return {
            "idle poll": self.polls,
            "look at a table": self.looks,
            "list of turns": self.turns,
            "list of games": self.lists,
            "move": self.moves,
        }

    @property
    def work(self) -> dict[str, float]:
        """All work: requests, emails, and the moves of house players."""
        thoughts = {
            f"house: {level}": self.house_moves * part for level, part in self.levels.items()
        }
        return {**self.requests, "turn mail": self.mails, **thoughts}


HOURS = (
    2,
    1,
    0.5,
    0.3,
    0.3,
    0.5,
    1.5,
    3,
    3.5,
    3,
    3,
    3.5,
    5,
    4,
    3,
    3,
    3.5,
    4.5,
    6,
    7.5,
    9,
    9.5,
    8,
    5,
)
"""The relative load of each hour of a day for people in one time zone; it is highest in the evening."""
WORLD = {-8: 0.12, -5: 0.18, 0: 0.15, 1: 0.2, 5: 0.05, 8: 0.05, 9: 0.25}
"""The fraction of all players who live so many hours east of Greenwich."""
TOWN = {9: 1.0}
"""All players in one time zone, which makes the busiest hour busier."""


def busyness(hour: int, zones: Mapping[int, float]) -> float:
    """The load of this hour of UTC, as a multiple of the average hour."""
    mean = sum(HOURS) / len(HOURS)
    return sum(part * HOURS[(hour + east) % 24] / mean for east, part in zones.items())


def busiest(zones: Mapping[int, float]) -> float:
    """The load of the busiest hour."""
    return max(busyness(hour, zones) for hour in range(24))
