"""Swiss rounds: near each other in the standings, nobody again as long as that can be, every seat in turn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.people.circles.series.seats import seats_of
from service.people.circles.series.sizes import table_sizes
from service.people.circles.series.standings import Played, standings
from service.people.circles.series.swiss import pair_round


def season(people, wished, rounds, strengths):
    """A season that the stronger always wins, as lists of tables by round, with the final standings."""
    sizes = table_sizes(people, wished, {wished})
    met, outs, taken = Counter(), Counter(), Counter()
    played, made, order = [], [], list(range(people))
    for _ in range(rounds):
        tables = pair_round(order, sizes, met, outs, taken)
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
        outs.update(set(order).difference(*tables))
        taken.update(seats_of(tables))
        for table in tables:
            ranked = sorted(table, key=strengths.__getitem__, reverse=True)
            played.append(Played(table, tuple(1 + ranked.index(who) for who in table)))
        made.append(tables)
        order = [row.who for row in standings(range(people), played, outs)]
    return made, met, outs, taken, order


@settings(max_examples=8, deadline=None)
@given(st.integers(13, 32), st.integers(2, 5), st.randoms(use_true_random=False))
def test_a_season_repeats_no_meeting_that_it_can_avoid(people, wished, rng):
    strengths = list(range(people))
    rng.shuffle(strengths)
    rounds = max(1, min(6, people // wished // wished))
    made, met, outs, taken, _ = season(people, wished, rounds, strengths)
    assert max(met.values()) == 1, "there are tables enough for no meeting to be repeated"
    assert max(outs.values(), default=0) <= 1 + rounds * wished // people
    for tables in made:
        sat = [who for table in tables for who in table]
        assert len(set(sat)) == len(sat) == people - people % wished
    for who in range(people):
        seats = [taken[who, seat] for seat in range(wished)]
        assert max(seats) - min(seats) <= 3
        assert abs(seats[0] - sum(seats) / wished) < 2


@pytest.mark.parametrize(("people", "wished", "rounds"), [(32, 2, 6), (64, 4, 6)])
def test_the_best_and_the_worst_are_found(people, wished, rounds):
    *_, order = season(people, wished, rounds, list(range(people)))
    assert order[0] == people - 1 and order[-1] == 0
    assert {people - 2, people - 3} & set(order[1:4])


def test_neighbours_in_the_standings_meet_first():
    tables = pair_round([4, 2, 0, 1, 5, 3], (3, 3), {}, {}, Counter())
    assert [set(table) for table in tables] == [{4, 2, 0}, {1, 5, 3}]
    tables = pair_round([0, 1, 2, 3], (2, 2), {(0, 1): 1}, {}, Counter())
    assert {frozenset(table) for table in tables} == {frozenset({0, 2}), frozenset({1, 3})}


def test_the_lowest_who_has_not_yet_done_so_sits_out():
    assert {who for table in pair_round([0, 1, 2], (2,), {}, {}, Counter()) for who in table} == {
        0,
        1,
    }
    (table,) = pair_round([0, 1, 2], (2,), {}, {2: 1}, Counter())
    assert set(table) == {0, 2}


def test_people_who_are_kept_apart_meet_only_if_there_is_no_other_way():
    often = {(0, 2): 3, (1, 3): 3, (0, 3): 3, (1, 2): 3}
    tables = pair_round([0, 1, 2, 3], (2, 2), often, {}, Counter(), {(0, 1)})
    assert frozenset({0, 1}) not in map(frozenset, tables)
    assert len(pair_round([0, 1], (2,), {}, {}, Counter(), {(0, 1)})) == 1


def test_whoever_has_led_most_does_not_lead():
    (table,) = pair_round([0, 1, 2], (3,), {}, {}, Counter({(0, 0): 1, (1, 0): 1}))
    assert table[0] == 2


def test_two_hundred_people_are_paired_in_a_moment():
    made, met, *_ = season(200, 4, 4, list(range(200)))
    assert len(made) == 4 and max(met.values()) == 1
