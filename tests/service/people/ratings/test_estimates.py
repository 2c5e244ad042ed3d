"""What games say about strengths, for any number of seats; a season recovers the strengths that were put in."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.people.ratings.estimates import (
    DEVIATION,
    LEAST,
    MEAN,
    NEW,
    SCALE,
    SPREAD,
    Estimate,
    after_game,
)

HOUSE = "house:caravan:usual:3"


def estimates(count):
    one = st.builds(
        Estimate,
        st.integers(500_000, 2_500_000),
        st.integers(LEAST * SCALE, DEVIATION * SCALE),
        st.integers(1, 999),
    )
    return st.lists(one, min_size=count, max_size=count)


def a_game(low=2, high=7):
    return st.integers(low, high).flatmap(
        lambda n: st.tuples(
            estimates(n), st.lists(st.integers(1, n), min_size=n, max_size=n), st.just(n)
        )
    )


@given(a_game())
@settings(max_examples=60)
def test_each_number_of_seats_and_every_tie_can_be_rated(game):
    before, places, seats = game
    who = [f"p{seat}" for seat in range(seats)]
    after = after_game(who, places, before)
    assert after == after_game(who, places, before)
    assert list(after) == who
    for name, known in zip(who, before, strict=True):
        assert LEAST * SCALE <= after[name].deviation <= DEVIATION * SCALE
        assert after[name].games == known.games + 1


@pytest.mark.parametrize("seats", range(2, 8))
def test_of_newcomers_a_better_place_means_a_higher_rating(seats):
    who = [f"p{seat}" for seat in range(seats)]
    after = after_game(who, list(range(1, seats + 1)), [NEW] * seats)
    means = [after[name].mean for name in who]
    assert means == sorted(set(means), reverse=True)
    tied = after_game(who, [1] * seats, [NEW] * seats)
    assert {each.mean for each in tied.values()} == {NEW.mean}


def test_somebody_with_several_seats_learns_from_each_and_is_one():
    who = ["p", HOUSE, HOUSE, HOUSE]
    first = after_game(who, [1, 2, 2, 2], [NEW] * 4)
    last = after_game(who, [4, 1, 1, 1], [NEW] * 4)
    assert list(first) == ["p", HOUSE]
    assert first["p"].mean > NEW.mean > first[HOUSE].mean
    assert last["p"].mean < NEW.mean < last[HOUSE].mean
    assert first[HOUSE].games == 1


def test_what_is_known_of_a_house_player_does_not_grow_old_but_that_of_a_person_does():
    sure = Estimate(NEW.mean, 20 * SCALE, 500)
    unsure = NEW
    after = after_game([HOUSE, "p"], [1, 1], [sure, sure])
    assert after[HOUSE].deviation < after["p"].deviation
    moved = after_game([HOUSE, "p"], [2, 1], [sure, unsure])
    assert abs(moved[HOUSE].mean - sure.mean) * 20 < abs(moved["p"].mean - unsure.mean)


def season(strengths, seats, games, rng):
    """Ratings after a season: everybody's performance is their strength plus luck, as in the model (Gumbel)."""
    known = dict.fromkeys(strengths, NEW)
    luck = SPREAD * math.sqrt(2)
    for _ in range(games):
        who = rng.sample(list(strengths), rng.choice(seats))
        shown = {w: strengths[w] - luck * math.log(-math.log(rng.random())) for w in who}
        order = sorted(who, key=lambda w: -shown[w])
        places = [1 + order.index(w) for w in who]
        known |= after_game(who, places, [known[w] for w in who])
    return known


@pytest.mark.parametrize("seats", [[2], [4], [2, 3, 4, 5, 6, 7]])
def test_a_season_recovers_the_strengths_that_were_put_in(seats):
    rng = random.Random(38)
    strengths = {f"p{n}": rng.gauss(MEAN, 200) for n in range(40)}
    known = season(strengths, seats, 1500, rng)
    found = [known[w].mean / SCALE for w in strengths]
    assert statistics.correlation(found, list(strengths.values())) > 0.96
    shift = statistics.mean(found) - statistics.mean(strengths.values())
    off = [
        (known[w].mean / SCALE - strengths[w] - shift) * SCALE / known[w].deviation
        for w in strengths
    ]
    assert statistics.pstdev(off) < 1.4  # deviations promise 1
    slope, _ = statistics.linear_regression(list(strengths.values()), found)
    assert 0.9 < slope < 1.35
