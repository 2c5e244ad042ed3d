"""Numbers of games: sums in any order, medians by limits, and hours in a zone."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from service.people.ratings.played.finished import is_close
from service.people.ratings.played.numbers import LIMITS, Numbers, limit_of, stronger
from tests.support.cast import START
from tests.support.clock import HOUR, MINUTE


def made_up(rng):
    return Numbers(
        games=1,
        places=Counter([rng.randint(1, 4)]),
        scored=1,
        score=rng.randint(-9, 90),
        table_score=rng.randint(0, 90_000),
        close=rng.randint(0, 1),
        beaten=rng.choice([None, "easy", "normal", "strong"]),
        answered=rng.randint(1, 30),
        missed=rng.randint(0, 3),
        waits=Counter({(rng.randrange(24), rng.randrange(17)): rng.randint(1, 9)}),
        games_at=Counter({rng.randrange(24): 1}),
        played_at=Counter({rng.randrange(24): 4}),
    )


def test_sums_are_the_same_in_any_order_and_survive_storage():
    rng = random.Random(5)
    games = [made_up(rng) for _ in range(30)]
    forwards, shuffled = Numbers(), Numbers()
    for each in games:
        forwards += each
    rng.shuffle(games)
    for each in games:
        shuffled = Numbers.of((shuffled + each).stored)
    assert forwards == shuffled
    assert (forwards.games, sum(forwards.places.values())) == (30, 30)


def test_half_of_the_answers_come_within_the_limit_that_is_told():
    waits = [MINUTE, 2 * MINUTE, 3 * MINUTE, 5 * HOUR, 300 * HOUR]
    numbers = Numbers(waits=Counter((9, limit_of(each)) for each in waits))
    assert numbers.answers_within == 5 * MINUTE, "three minutes, rounded up to a limit"
    assert Numbers().answers_within is None
    late = Numbers(waits=Counter({(9, limit_of(300 * HOUR)): 1}))
    assert late.answers_within == LIMITS[-1]


@pytest.mark.parametrize(("zone", "hour"), [(UTC, 6), (ZoneInfo("Asia/Tokyo"), 15)])
def test_hours_are_those_of_a_zone_and_need_enough_games(zone, hour):
    numbers = Numbers(
        waits=Counter({(6, limit_of(MINUTE)): 3, (7, limit_of(HOUR)): 9}),
        games_at=Counter({6: 3, 7: 2}),
        played_at=Counter({6: 4}),
    )
    within = numbers.answers_within_at(zone, START, 3)
    assert {n: each for n, each in enumerate(within) if each} == {hour: MINUTE}
    assert numbers.answers_within_at(zone, START, 1)[(hour + 1) % 24] == HOUR
    assert numbers.answers_at(zone, START)[hour] == 4


def test_missed_decisions_are_counted_of_a_hundred():
    assert Numbers(answered=57, missed=3).missed_per_hundred == 5.0
    assert Numbers().missed_per_hundred is None


def test_the_stronger_level_is_kept_and_unknown_ones_are_not():
    assert stronger("easy", "strong") == stronger("strong", None) == "strong"
    assert stronger("a level of old", None) is None


def result(winners, scores, reason="done"):
    return {"winners": winners, "scores": scores, "reason": reason}


@pytest.mark.parametrize(
    ("ended", "close"),
    [
        (result([0], [50, 46, 20]), False),
        (result([0], [50, 47, 20]), True),
        (result([0], [50, 40]), False),
        (result([1], [12, 11, 40]), True),
        (result([0, 1], [50, 50, 3]), True),
        (result([0], [1, 0]), False),
        (result([], [9, 9]), False),
        (result([0], [None, None]), False),
        (result([0], [50, 49], "resigned"), False),
    ],
)
def test_a_game_is_close_if_little_is_between_the_best(ended, close):
    assert is_close(ended) is close
