"""Numbers of a person's games: sums to which each game adds its numbers, and what readers are shown of them.

Times to answer are counted by the limits of LIMITS, and only the median limit is shown. So sums stay small, and
nobody's single answer can be read from them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from datetime import datetime, tzinfo
from itertools import accumulate
from typing import Self, TypeVar

from rules.kernel import Json
from rules.players.levels import LEVELS
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND

LIMITS = (
    *(10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE),
    *(40 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, DAY, 2 * DAY, 4 * DAY),
)
"""The limits (ms) by which answers are counted: each at the first limit that it does not exceed, if there is one."""
HOURS = 24

Waits = Counter[tuple[int, int]]
T = TypeVar("T")


def limit_of(wait: int) -> int:
    """The index in LIMITS of a time to answer (ms)."""
    return next((n for n, limit in enumerate(LIMITS) if wait <= limit), len(LIMITS))


@dataclass(frozen=True)
class Numbers:
    """Sums over games. Hours are hours of UTC."""

    games: int = 0
    places: Counter[int] = field(default_factory=Counter)
    """The number of games in which each place was taken."""
    scored: int = 0
    """The number of games with scores; the next two numbers are sums over these games."""
    score: int = 0
    table_score: int = 0
    """The sum of the tables' mean scores, in thousandths."""
    close: int = 0
    beaten: str | None = None
    answered: int = 0
    missed: int = 0
    waits: Waits = field(default_factory=Counter)
    """The number of answers, by the hour of the question and the index in LIMITS."""
    games_at: Counter[int] = field(default_factory=Counter)
    """The number of games with a question in each hour."""
    played_at: Counter[int] = field(default_factory=Counter)
    """The number of answers given in each hour."""

    def __add__(self, other: Numbers) -> Numbers:
        """The sums of these numbers and the `other` ones."""
        sums = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, mine in sums.items():
            theirs = getattr(other, name)
            sums[name] = stronger(mine, theirs) if name == "beaten" else mine + theirs
        return Numbers(**sums)

    @property
    def stored(self) -> Json:
        """The form in which a row stores these numbers."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return plain | {
            "places": _pairs(self.places),
            "waits": sorted([*key, count] for key, count in self.waits.items()),
            "games_at": _pairs(self.games_at),
            "played_at": _pairs(self.played_at),
        }

    @classmethod
    def of(cls, stored: Json) -> Self:
        """The numbers in a row's stored form."""
        counted = {
            name: Counter(dict(stored[name])) for name in ("places", "games_at", "played_at")
        }
        waits = Counter({(hour, limit): count for hour, limit, count in stored["waits"]})
        return cls(**{**stored, **counted, "waits": waits})

    @property
    def missed_per_hundred(self) -> float | None:
        """The number of missed decisions among a hundred, to a tenth; None if there was no decision."""
        decisions = self.answered + self.missed
        return round(100 * self.missed / decisions, 1) if decisions else None

    @property
    def answers_within(self) -> int | None:
        """The limit (ms) within which half of the answers came, at most the longest limit; None if there was no
        answer.
        """
        limits = Counter[int]()
        for (_, limit), count in self.waits.items():
            limits[limit] += count
        return _median(limits)

    def answers_within_at(self, zone: tzinfo, now: int, enough: int) -> list[int | None]:
        """The result of `answers_within` for each hour of the question in this zone, as its clocks are now.

        It is None for hours with questions in fewer than `enough` games.
        """
        hours = [Counter[int]() for _ in range(HOURS)]
        for (hour, limit), count in self.waits.items():
            hours[hour][limit] += count
        shown = [
            _median(each) if self.games_at[hour] >= enough else None
            for hour, each in enumerate(hours)
        ]
        return turned(shown, zone, now)

    def answers_at(self, zone: tzinfo, now: int) -> list[int]:
        """The number of answers in each hour in this zone, as its clocks are now."""
        return turned([self.played_at[hour] for hour in range(HOURS)], zone, now)


def turned(by_hour: list[T], zone: tzinfo, now: int) -> list[T]:
    """A list by the hours of UTC, reordered by the hours of a zone, to the nearest whole hour."""
    offset = datetime.fromtimestamp(now / SECOND, zone).utcoffset()
    ahead = round(offset.total_seconds() / 3600) if offset else 0
    return [by_hour[(hour - ahead) % HOURS] for hour in range(HOURS)]


def stronger(one: str | None, other: str | None) -> str | None:
    """The stronger of two levels of house players, either of which may be None."""
    order = [None, *LEVELS]
    return max((each for each in (one, other) if each in order), key=order.index, default=None)


def _median(limits: Counter[int]) -> int | None:
    total = sum(limits.values())
    if not total:
        return None
    order = sorted(limits)
    passed = accumulate(limits[each] for each in order)
    middle = next(each for each, count in zip(order, passed, strict=True) if 2 * count >= total)
    return LIMITS[min(middle, len(LIMITS) - 1)]


def _pairs(counted: Counter[int]) -> list[list[int]]:
    return sorted([key, count] for key, count in counted.items())
