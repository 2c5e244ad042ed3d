"""Standings: points by places at the table, and what decides between equals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.people.circles.series.standings import Played, shares, standings
from tests.support.second_standings import by_duels


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (0.5, 0.5)),
        ((1, 2, 3), (1, 0.5, 0)),
        ((4, 2, 1, 2), (0, 0.5, 1, 0.5)),
        ((1, 1, 3, 3, 5), (0.875, 0.875, 0.375, 0.375, 0)),
    ],
)
def test_points_are_the_share_of_the_others_that_one_is_ahead_of(places, points):
    assert tuple(map(float, shares(places))) == points


def game(*ranked):
    """A table at which these have finished in this order."""
    return Played(ranked, tuple(range(1, len(ranked) + 1)))


def order_of(rows):
    return [(row.who, row.place) for row in rows]


def test_more_points_are_better_and_a_round_without_a_game_is_half_a_point():
    rows = standings(range(3), [game(0, 1)], {2: 1})
    assert order_of(rows) == [(0, 1), (2, 2), (1, 3)]
    assert [float(row.points) for row in rows] == [1, 0.5, 0]
    assert (rows[1].games, rows[1].out) == (0, 1)


def test_then_it_counts_how_equals_have_done_against_each_other():
    rows = standings(range(4), [game(0, 1), game(1, 2), game(3, 0)], {})
    assert [row.who for row in rows if row.points == 1] == [3, 0, 1]
    assert [float(row.against) for row in rows] == [1, 0.5, 0, 0.5]


def test_then_how_many_points_those_have_whom_they_have_met():
    rows = standings(range(6), [game(0, 2), game(1, 3), game(2, 4), game(2, 5)], {})
    assert order_of(rows)[:3] == [(2, 1), (0, 2), (1, 3)]
    assert [row.opposition for row in rows[1:3]] == [2, 0]


def test_then_how_many_games_they_have_won_and_equals_share_a_place():
    rows = standings(range(3), [game(0, 1, 2), game(2, 1, 0)], {})
    assert order_of(rows) == [(0, 1), (2, 1), (1, 3)]
    assert {(row.points, row.against, row.opposition) for row in rows} == {(1, Fraction(1, 2), 1)}


TABLES = st.lists(
    st.lists(st.integers(0, 7), min_size=2, max_size=5, unique=True).flatmap(
        lambda people: st.lists(st.integers(0, 3), min_size=len(people), max_size=len(people)).map(
            lambda scores: (people, scores)
        )
    ),
    max_size=12,
)


@given(TABLES, st.dictionaries(st.integers(0, 7), st.integers(0, 3)))
def test_a_second_implementation_agrees(tables, outs):
    played = [
        Played(tuple(people), tuple(1 + sum(o > s for o in scores) for s in scores))
        for people, scores in tables
    ]
    rows = standings(range(8), played, outs)
    expected = by_duels(range(8), tables, outs)
    assert {row.who: (row.points, row.against, row.opposition, row.won) for row in rows} == expected
    for row in rows:
        better = sum(expected[other] > expected[row.who] for other in expected)
        assert row.place == 1 + better
    assert sum(row.points for row in rows) == sum(
        Fraction(len(people), 2) for people, _ in tables
    ) + Fraction(sum(outs.values()), 2)
