"""Pairs of people who meet often in rated games, for an operator who looks for accounts that help each other.

Friends who only play with each other are such a pair, too: the numbers accuse nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from sqlalchemy import select

from service.core.database.database import columns, db, rows
from service.core.models.ratings import RatedResult
from service.people.ratings.estimates import NEW

MOST_RESULTS = 500_000
"""The largest number of a ruleset's results that are read, the latest ones first."""
PERSON = "p_"
"""The beginning of people's ids; house players and erased people have others."""

_result = RatedResult.metadata.tables["rated_results"]
_IS_RATED = _result.c.mean.is_not(None)


class Pair(NamedTuple):
    """Two people: their rated games with each other, the number of each one's games, and the gains of each.

    Gains are the thousandths of a point by which their ratings rose in the games with each other.
    """

    people: tuple[str, str]
    together: int
    played: tuple[int, int]
    gains: tuple[int, int]

    @property
    def share(self) -> float:
        """The games with each other, as a share of all games of the person who has played fewer."""
        return self.together / min(self.played)


class _Point(NamedTuple):
    """A player's rating after a game."""

    game_key: int
    who: str
    ruleset: str
    ended_at: int
    mean: int


def often(since: int, least: int, share: float) -> list[Pair]:
    """The pairs that have met in at least `least` rated games since then (ms UTC), and in at least this share of their
    games.

    The largest shares come first.
    """
    played, together = Counter[str](), Counter[tuple[str, str]]()
    for game in _games(since):
        people = sorted({each.who for each in game})
        played.update(people)
        together.update(combinations(people, 2))
    found = [
        Pair((one, other), times, (played[one], played[other]), (0, 0))
        for (one, other), times in together.items()
        if times >= least
    ]
    shown = [each for each in found if each.share >= share]
    gains = _gains(since, {each.people for each in shown})
    shown = [pair._replace(gains=_of(pair.people, gains)) for pair in shown]
    return sorted(shown, key=lambda pair: (-pair.share, -pair.together, pair.people))


def _of(people: tuple[str, str], gains: Counter[tuple[str, str]]) -> tuple[int, int]:
    one, other = people
    return gains[one, other], gains[other, one]


def _gains(since: int, pairs: Collection[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """The gain of the first of two people in games with the second, in thousandths of a point, for both orders of each
    pair.
    """
    watched, gains = {who for pair in pairs for who in pair}, Counter[tuple[str, str]]()
    before = dict[tuple[str, str], int]()
    for game in _games(since):
        present = {each.who: each for each in game if each.who in watched}
        for who, point in present.items():
            key = who, point.ruleset
            known = before[key] if key in before else _mean_before(point)
            before[key] = point.mean
            for other in present:
                if (who, other) in pairs or (other, who) in pairs:
                    gains[who, other] += point.mean - known
    return gains


def _mean_before(point: _Point) -> int:
    """The mean of the person's rating before this game, in thousandths of a point."""
    earlier = (_result.c.ended_at < point.ended_at) | (
        (_result.c.ended_at == point.ended_at) & (_result.c.game_key < point.game_key)
    )
    mine = _result.c.who == point.who, _result.c.ruleset == point.ruleset, _IS_RATED, earlier
    order = _result.c.ended_at.desc(), _result.c.game_key.desc()
    found = db.session.scalar(select(_result.c.mean).where(*mine).order_by(*order).limit(1))
    return NEW.mean if found is None else found


def _games(since: int) -> Iterator[Sequence[_Point]]:
    """The people in each rated game that has ended since then, ruleset by ruleset, in the order in which the games
    ended.
    """
    rulesets = db.session.scalars(select(_result.c.ruleset).distinct().order_by("ruleset")).all()
    for ruleset in rulesets:
        query = select(*columns(_Point, _result)).where(_result.c.ruleset == ruleset, _IS_RATED)
        latest = query.where(_result.c.ended_at >= since).order_by(
            _result.c.ended_at.desc(), _result.c.game_key.desc()
        )
        found = rows(_Point, latest.limit(MOST_RESULTS))
        for _, points in groupby(reversed(found), key=lambda each: each.game_key):
            yield [each for each in points if each.who.startswith(PERSON)]
