"""Ratings: computed from results, in the order in which games ended, for each ruleset separately.

A worker rates each game after its end. If a game arrives whose end lies before the end of games that are rated already,
because its commit took longer, all games from there on are rated again. So the numbers depend on the results alone:
`recompute`, which uses nothing else, finds the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Select, and_, bindparam, delete, insert, or_, select, update

from service.core.database.database import columns, db, one_row, rows, transaction
from service.core.models.games import Game
from service.core.models.ratings import RatedResult, Rating
from service.people.ratings import turns
from service.people.ratings.estimates import NEW, Estimate, after_game

AT_ONCE = 50
"""The number of games that are rated in one commit."""
MOST_SEATS = 10
"""A number greater than the number of seats in any game."""

_result = RatedResult.metadata.tables["rated_results"]
_rating, _game = Rating.metadata.tables["ratings"], Game.metadata.tables["games"]
_ORDER = (_result.c.ended_at, _result.c.game_key, _result.c.seat)


class Result(NamedTuple):
    """A player's place in a game, and the rating that is stored with it."""

    game_key: int
    seat: int
    who: str
    ended_at: int
    place: int
    private: bool
    """Whether the table is private."""
    mean: int | None
    deviation: int | None
    games: int | None
    public_games: int | None


class Rated(NamedTuple):
    """A result with the rating that follows from it."""

    result: Result
    estimate: Estimate

    @property
    def is_stored(self) -> bool:
        """Whether the stored rating is the same as this one."""
        return self.result[-len(self.estimate) :] == self.estimate


_OF_GAME = _game.c.key == _result.c.game_key
_RESULTS = select(*columns(Result, _result, _game)).join(_game, _OF_GAME).order_by(*_ORDER)
_PUT = (
    update(_result)
    .where(_result.c.game_key == bindparam("of"), _result.c.seat == bindparam("at"))
    .values({name: bindparam(f"new_{name}") for name in Estimate._fields})
)


_IS_WAITING = _result.c.mean.is_(None)


def waiting_rulesets() -> Select[str]:
    """The query for the rulesets with games that wait to be rated."""
    return select(_result.c.ruleset).where(_IS_WAITING).distinct()


def rate_some(ruleset: str) -> int:
    """Rate some of the waiting games of a ruleset, the earliest first; return their number.

    It rates none if another worker is rating.
    """
    with transaction():
        if not turns.take("ratings"):
            return 0
        waiting = _result.c.ruleset == ruleset, _IS_WAITING
        first = rows(Result, _RESULTS.where(*waiting).limit(1))
        if not first:
            return 0
        _take_back(ruleset, first[0])
        games = _games(rows(Result, _RESULTS.where(*waiting).limit(AT_ONCE * MOST_SEATS)))
        rated = list(_folded(games[:AT_ONCE], _Known(ruleset)))
        theirs = _rating.c.who.in_({each.result.who for each in rated})
        db.session.execute(delete(_rating).where(_rating.c.ruleset == ruleset, theirs))
        _store(ruleset, rated)
        return min(len(games), AT_ONCE)


def _games(found: Iterable[Result]) -> list[list[Result]]:
    """Results by game. Only the last game of a full page may be incomplete; it is left for the next call."""
    return [list(seats) for _, seats in groupby(found, key=lambda each: each.game_key)]


def _take_back(ruleset: str, first: Result) -> None:
    """Let all rated games of a ruleset that ended after this one wait again."""
    later = _result.c.ended_at > first.ended_at
    same = and_(_result.c.ended_at == first.ended_at, _result.c.game_key > first.game_key)
    rated = _result.c.ruleset == ruleset, _result.c.mean.is_not(None)
    again = update(_result).where(*rated, or_(later, same), _result.c.ended_at >= first.ended_at)
    db.session.execute(again.values(dict.fromkeys(Estimate._fields)))


class _Known(dict[str, Estimate]):
    """The stored estimates of all players in a ruleset, each as of the player's last rated game."""

    def __init__(self, ruleset: str) -> None:
        self._ruleset = ruleset

    def __missing__(self, who: str) -> Estimate:
        mine = _result.c.who == who, _result.c.ruleset == self._ruleset
        query = select(*(_result.c[name] for name in Estimate._fields))
        last = query.where(*mine, _result.c.mean.is_not(None)).order_by(
            _result.c.ended_at.desc(), _result.c.game_key.desc()
        )
        found = rows(Estimate, last.limit(1))
        return found[0] if found else NEW


def _folded(games: Iterable[list[Result]], known: dict[str, Estimate]) -> Iterator[Rated]:
    """Every result with the rating after it.

    `known` has the estimates before these games, and afterwards those after them.
    """
    for game in games:
        who = [each.who for each in game]
        before = [known[name] for name in who]
        taken, private = [each.place for each in game], game[0].private
        known.update(after_game(who, taken, before, private=private))
        yield from (Rated(each, known[each.who]) for each in game)


def _store(ruleset: str, rated: Sequence[Rated]) -> None:
    """Store ratings with results where they differ, and make each player's last one their present rating."""
    last = {each.result.who: each for each in rated}
    seen = {each.result.who: each.estimate for each in rated if not each.result.private}
    changed = [
        {"of": each.result.game_key, "at": each.result.seat}
        | {f"new_{name}": value for name, value in each.estimate._asdict().items()}
        for each in rated
        if not each.is_stored
    ]
    if changed:
        db.session.execute(_PUT, changed)
    if last:
        present = [
            _present(ruleset, each, seen.get(who) or _seen_before(ruleset, each))
            for who, each in last.items()
        ]
        db.session.execute(insert(_rating), present)


def _seen_before(ruleset: str, last: Rated) -> Estimate | None:
    """The stored estimate of a player after their last public game; None if there is none."""
    if last.estimate.public_games == 0:
        return None
    mine = _result.c.who == last.result.who, _result.c.ruleset == ruleset
    query = select(*columns(Estimate, _result)).join(_game, _OF_GAME)
    public = query.where(*mine, _result.c.mean.is_not(None), _game.c.private.is_(False))
    order = _result.c.ended_at.desc(), _result.c.game_key.desc()
    return one_row(Estimate, public.order_by(*order).limit(1))


def _present(ruleset: str, last: Rated, seen: Estimate | None) -> dict[str, object]:
    """The row of a present rating; `seen` is the rating that others see, after the last public game."""
    about = {"who": last.result.who, "ruleset": ruleset, "ended_at": last.result.ended_at}
    return {
        **about,
        **{name: getattr(last.estimate, name) for name in ("mean", "deviation", "games")},
        "seen_mean": seen and seen.mean,
        "seen_deviation": seen and seen.deviation,
        "seen_games": seen and seen.public_games,
    }


class Recomputed(NamedTuple):
    """The outcome of recomputing a ruleset's ratings: its games, and the number of results with a different rating."""

    ruleset: str
    games: int
    changed: int


def recompute() -> Iterator[Recomputed]:
    """Compute all ratings again from results alone, each ruleset in one commit, and yield the outcomes."""
    for ruleset in db.session.scalars(
        select(_result.c.ruleset).distinct().order_by("ruleset")
    ).all():
        with transaction():
            turns.wait_for("ratings")
            games = _games(rows(Result, _RESULTS.where(_result.c.ruleset == ruleset)))
            rated = list(_folded(games, _Unknown()))
            wrong = [each for each in rated if not each.is_stored]
            db.session.execute(delete(_rating).where(_rating.c.ruleset == ruleset))
            _store(ruleset, rated)
        yield Recomputed(ruleset, len(games), len(wrong))


class _Unknown(dict[str, Estimate]):
    """The estimates before any game: nothing is known of anybody."""

    def __missing__(self, who: str) -> Estimate:
        return NEW
