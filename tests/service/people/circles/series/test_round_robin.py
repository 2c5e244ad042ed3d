"""Round-robins: everybody meets everybody as equally as possible, and takes every seat equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.people.circles.series.exchanges import spread
from service.people.circles.series.round_robin import (
    MOST_PEOPLE,
    cycle_length,
    meetings,
    schedule,
)
from service.people.circles.series.seats import balanced_seats
from service.people.circles.series.sizes import table_sizes

BERGER = {
    4: ["14 23", "43 12", "24 31"],
    6: ["16 25 34", "64 53 12", "26 31 45", "65 14 23", "36 42 51"],
    8: [
        "18 27 36 45",
        "85 64 73 12",
        "28 31 47 56",
        "86 75 14 23",
        "38 42 51 67",
        "87 16 25 34",
        "48 53 62 71",
    ],
}
"""The Berger tables of the FIDE Handbook, C.05, annex 1: each round, by the people's numbers."""


@pytest.mark.parametrize("people", BERGER)
def test_tables_of_two_are_the_berger_tables_of_chess(people):
    known = [{frozenset(map(int, pair)) for pair in row.split()} for row in BERGER[people]]
    ours = schedule(people, (2,) * (people // 2), people - 1)
    assert [{frozenset(who + 1 for who in table) for table in each} for each in ours] == known


@pytest.mark.parametrize(
    ("people", "seats", "rounds", "times"),
    [
        (8, 4, 7, 3),  # a whist tournament for 8 (E. H. Moore, 1896)
        (12, 4, 11, 3),  # a whist tournament for 12
        (9, 3, 4, 1),  # Kirkman's problem for 9: the affine plane of order 3
        (6, 3, 10, 4),  # all 20 triples, in their complementary pairs
        (12, 3, 11, 2),  # a resolvable design (12, 3, 2)
        (10, 2, 9, 1),
        (12, 6, 11, 5),  # the Hadamard 3-design with 12 points
    ],
)
def test_where_a_perfect_schedule_is_known_everybody_meets_equally_often(
    people, seats, rounds, times
):
    found = meetings(schedule(people, (seats,) * (people // seats), rounds))
    assert set(found.values()) == {times} and len(found) == people * (people - 1) // 2


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_a_short_season_repeats_no_more_meetings_than_it_has_to(rounds):
    """At three tables of four, at least one pair of each table sits together again in each other round."""
    found = meetings(schedule(12, (4, 4, 4), rounds))
    again = sum(number * (number - 1) // 2 for number in found.values())
    assert again == 3 * rounds * (rounds - 1) // 2


SIZES = st.tuples(st.integers(2, MOST_PEOPLE), st.integers(2, 7)).filter(lambda n: n[1] <= n[0])


@settings(max_examples=7, deadline=None)
@given(SIZES, st.integers(1, 14))
def test_any_season_is_as_fair_as_its_tables_allow(numbers, rounds):
    people, wished = numbers
    sizes = table_sizes(people, wished, range(2, 8))
    made = schedule(people, sizes, rounds)
    outs, leads = Counter(range(people)), Counter(range(people))
    for tables in made:
        assert sorted(map(len, tables), reverse=True) == list(sizes)
        sat = [who for table in tables for who in table]
        assert len(set(sat)) == len(sat)
        outs.update(set(range(people)).difference(sat))
        leads.update(table[0] for table in tables)
    assert max(outs.values()) - min(outs.values()) <= 1
    assert max(leads.values()) - min(leads.values()) <= 2
    if rounds == cycle_length(people, sizes):
        assert spread(people, made) <= 2


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 7), st.integers(1, 4), st.integers(1, 20), st.randoms(use_true_random=False))
def test_at_tables_of_one_size_everybody_takes_every_seat_equally_often(seats, tables, rounds, rng):
    people, played = list(range(seats * tables + 1)), []
    for _ in range(rounds):
        rng.shuffle(people)
        played.append([tuple(people[n * seats : (n + 1) * seats]) for n in range(tables)])
    seated = balanced_seats(played)
    sat = {who: [] for who in people}
    for before, after in zip(played, seated, strict=True):
        assert list(map(sorted, before)) == list(map(sorted, after))
        for table in after:
            for seat, who in enumerate(table):
                sat[who].append(seat)
    for mine in sat.values():
        taken = [mine.count(seat) for seat in range(seats)]
        assert max(taken) - min(taken) <= 1
        for begin in range(0, len(mine), seats):
            part = mine[begin : begin + seats]
            assert len(set(part)) == len(part), "no seat comes twice before each has come once"


@given(st.integers(2, 250), st.integers(2, 7), st.sets(st.integers(2, 7), min_size=1))
def test_as_many_people_as_possible_play_at_tables_as_wished(people, wished, allowed):
    sizes = table_sizes(people, wished, allowed | {wished})
    near = {wished} if wished == 2 else {s for s in allowed | {wished} if abs(s - wished) <= 1}
    near = {size for size in near if size >= min(wished, 3)}
    assert set(sizes) <= near
    assert 0 <= people - sum(sizes) < min(near), "nobody sits out where another table can be filled"
    assert list(sizes) == sorted(sizes, reverse=True)
    if people % wished == 0:
        assert set(sizes) == {wished}


def test_schedules_are_the_same_at_every_call_and_never_shared():
    one = schedule(9, (3, 3, 3), 4)
    schedule.cache_clear()
    assert schedule(9, (3, 3, 3), 4) == one
    assert all(first != second for first, second in pairwise(one))
    assert all(len(list(combinations(table, 2))) == 3 for tables in one for table in tables)
