"""The estimates of players' strengths after a game, by Plackett and Luce's model as `openskill` updates it.

A strength is estimated as a mean with a standard deviation. After every game, both are rounded to thousandths of a
point, so that machines whose last digits differ get the same numbers. A lead of 400 points means odds of about ten to
one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # only processes that rate games load it, and no web process
    from openskill.models import PlackettLuce

SCALE = 1000
"""The number of stored units in a point: thousandths."""
MEAN, DEVIATION = 1500, 250
"""The assumed rating of a player who has not finished a game: its mean and its deviation, in points."""
SPREAD = DEVIATION / 2
"""The influence of luck and form on a single game, in points: the usual value of the model."""
DRIFT = 5.0
"""The points by which a person's strength changes from game to game, so that ratings become less certain.

House players do not change.
"""
LEAST = 15
"""The lowest deviation, in points: even house players vary, with less time to think on a busy day."""

HOUSE = "house:"
"""The beginning of the identities of house players."""


class Estimate(NamedTuple):
    """A player's strength, as far as it is known, with the number of games behind it, and of public games among
    them.
    """

    mean: int
    deviation: int
    games: int
    public_games: int = 0


NEW = Estimate(MEAN * SCALE, DEVIATION * SCALE, 0)


def after_game(
    who: Sequence[str],
    places: Sequence[int],
    before: Sequence[Estimate],
    *,
    private: bool = False,
) -> dict[str, Estimate]:
    """The estimates of all players after a game in which they took these places, by their identities.

    A player with several seats, such as the house players of one level, is updated by each of them.
    """
    deviations = [_grown(name, known) for name, known in zip(who, before, strict=True)]
    rated = _rated([known.mean / SCALE for known in before], deviations, places)
    found = dict[str, Estimate]()
    for name in dict.fromkeys(who):
        seats = [seat for seat, each in enumerate(who) if each == name]
        known, deviation = before[seats[0]], deviations[seats[0]]
        mean = known.mean / SCALE + sum(rated[seat][0] - known.mean / SCALE for seat in seats)
        shrunk = deviation * math.prod(rated[seat][1] / deviation for seat in seats)
        found[name] = Estimate(
            round(mean * SCALE),
            round(max(shrunk, LEAST) * SCALE),
            known.games + 1,
            known.public_games + (not private),
        )
    return found


def _grown(name: str, known: Estimate) -> float:
    """The deviation before a game, in points: greater than after the last one, except for house players."""
    drift = DRIFT if known.games and not name.startswith(HOUSE) else 0.0
    return min(math.hypot(known.deviation / SCALE, drift), DEVIATION)


def _rated(
    means: Sequence[float], deviations: Sequence[float], places: Sequence[int]
) -> list[tuple[float, float]]:
    """The means and deviations after a game, by seat."""
    model = _model(len(means))
    seats = [[model.rating(mu, sigma)] for mu, sigma in zip(means, deviations, strict=True)]
    return [
        (each.mu, each.sigma) for (each,) in model.rate(seats, ranks=[float(p) for p in places])
    ]


@cache
def _model(seats: int) -> PlackettLuce:
    """The model for games with this number of seats.

    The library assumes more luck the more seats there are, which would put the ratings of large tables on another
    scale; so it is given less luck there. It also uses only a part of the information in each game: ratings were still
    far from people's strengths after a hundred games. `_all` makes it use everything (docs/ratings.md).
    """
    from openskill.models import PlackettLuce  # see above

    luck = SPREAD * math.sqrt(2 / seats)
    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=luck, tau=0.0, gamma=_all)


def _all(*_of_the_game: object, **_more: object) -> float:
    return 1.0
