"""A finished game in the form of its people's rows: places, scores, house players beaten, and answers.

People who held a seat at the beginning have a place; those who have left have the last one (ratings/results.py). People
who sat down later have none, and nobody has one if the game ended outside its rules without a resignation.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from rules.kernel import Json
from service.core.database.database import rows
from service.core.models.games import Tenure
from service.core.runtime.units import SECOND
from service.log.records.answers import Answer, answers
from service.log.table_rows.table import Table
from service.people.ratings import results
from service.people.ratings.places import places
from service.people.ratings.played.numbers import Numbers, limit_of, stronger
from service.people.ratings.results import Beginner

CLOSE = 10
"""The divisor of the mean score that gives the largest difference of the best two scores in a close game."""
_NO_PLACES = {"agreed", "abandoned", "removed"}
"""The reasons for ends of games that nobody has won or lost."""

_tenure = Tenure.metadata.tables["tenures"]


class Stay(NamedTuple):
    """The time for which a person held a seat, in numbers of events."""

    player_id: str | None
    seat: int
    began: int
    ended: int | None

    def has(self, answer: Answer) -> bool:
        """Whether an answer was given during this stay, in its seat."""
        return self.seat == answer.seat and self.began <= answer.number < (self.ended or 2**62)


_STAYS = (
    select(*(_tenure.c[name] for name in Stay._fields))
    .where(_tenure.c.game_key == bindparam("game"), _tenure.c.began.is_not(None))
    .order_by(_tenure.c.began, _tenure.c.seat)
)


def finished(table: Table) -> dict[str, Json]:
    """The part of each person in a finished game, by their ids, as the columns of a row of `played_games`.

    Raises MalformedEvent, ColdStorageOutOfReach or LostObject if the game's log cannot be read.
    """
    stays = rows(Stay, _STAYS, {"game": table.game.key})
    people = dict.fromkeys(each.player_id for each in stays if each.player_id)
    ends, close = _ends(table), is_close(table.game.result or {})
    given = _answers_of(table.game.key, stays)
    return {
        who: {**ends.get(who, _NO_END), **_answered(given.get(who, [])), "close": close}
        for who in people
    }


_NO_END: Json = dict.fromkeys(("place", "score", "table_score", "beaten"))


def _ends(table: Table) -> dict[str, Json]:
    """The place, scores and beaten level of each person who held a seat at the beginning; empty if nobody has a
    place.
    """
    result = table.game.result
    if not result or result["reason"] in _NO_PLACES:
        return {}
    beginners = results.beginners_of(table.game.key)
    left = {each.seat for each in beginners if results.has_left(table, each)}
    taken = places(result, left, [each.seat for each in beginners])
    by_seat = dict(zip((each.seat for each in beginners), taken, strict=True))
    scores = result["scores"]
    scored = all(score is not None for score in scores)
    mean = round(1000 * sum(scores) / len(scores)) if scored else None
    return {
        each.player_id: {
            "place": by_seat[each.seat],
            "score": scores[each.seat] if scored and each.seat not in left else None,
            "table_score": mean if each.seat not in left else None,
            "beaten": _beaten(beginners, by_seat, left, by_seat[each.seat]),
        }
        for each in beginners
        if each.player_id
    }


def _beaten(
    beginners: list[Beginner], by_seat: dict[int, int], left: set[int], place: int
) -> str | None:
    """The strongest level of house players that stayed and came after this place; None if there is none."""
    found = None
    for each in beginners:
        if each.is_house and each.seat not in left and by_seat[each.seat] > place:
            found = stronger(found, each.house_level)
    return found


def is_close(result: Json) -> bool:
    """Whether the winners were little ahead of the best of the others, or several players won; False without scores."""
    winners, scores = result.get("winners"), result.get("scores") or []
    if not winners or result["reason"] in {*_NO_PLACES, "resigned"} or None in scores:
        return False
    best = {scores[seat] for seat in winners}
    others = [score for seat, score in enumerate(scores) if seat not in winners]
    between = min((abs(one - other) for one in best for other in others), default=0)
    gap = 0 if len(winners) > 1 else between
    return any(scores) and gap * CLOSE * len(scores) <= sum(map(abs, scores))


def _answers_of(game_key: int, stays: list[Stay]) -> dict[str, list[Answer]]:
    """The answers of each person, including those that the service has given for them.

    Others see the sums of them, and could otherwise tell how many answers in a history were given by the person.
    """
    found = dict[str, list[Answer]]()
    for answer in answers(game_key):
        who = next((each.player_id for each in stays if each.has(answer)), None)
        if who and answer.by != "house":
            found.setdefault(who, []).append(answer)
    return found


def _answered(given: list[Answer]) -> Json:
    """The number of decisions that a person made and missed, the times, and how fast they were."""
    taken = [each for each in given if each.by == "seat"]
    waits = Counter((_hour(each.asked_at), limit_of(each.at - each.asked_at)) for each in taken)
    times = Numbers(
        waits=waits,
        games_at=Counter({hour for hour, _ in waits}),
        played_at=Counter(_hour(each.at) for each in taken),
    ).stored
    kept = ("waits", "games_at", "played_at")
    return {
        "answered": len(taken),
        "missed": len(given) - len(taken),
        "times": {name: times[name] for name in kept},
    }


def _hour(at: int) -> int:
    return datetime.fromtimestamp(at / SECOND, UTC).hour
