"""The places of a result, for any number of seats, with ties and players who have left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.people.ratings.places import places


def of(scores, winners, left=()):
    result = {"winners": list(winners), "scores": list(scores), "reason": "end"}
    return places(result, set(left), range(len(scores)))


@pytest.mark.parametrize(
    ("scores", "winners", "left", "expected"),
    [
        ([3, 9, 5], [1], [], [3, 1, 2]),
        ([9, 9, 5, 5], [0, 1], [], [1, 1, 3, 3]),
        ([2, 7, 4], [0], [], [1, 3, 2]),  # less is better
        ([9, 9, 5], [1], [], [2, 1, 3]),  # a tie that the rules have broken
        ([5, 5, 5], [1], [], [2, 1, 2]),
        ([5, 4, 6], [0], [], [1, 2, 2]),  # the scores say nothing
        ([5, 4, 6], [], [], [1, 1, 1]),
        ([5, 4, 6], [0, 1, 2], [], [1, 1, 1]),
        ([None, None], [1], [], [2, 1]),
        ([3, 9, 5], [1], [1], [2, 3, 1]),
        ([3, 9, 5, 4], [1], [0, 2], [3, 1, 3, 2]),
        ([3, 9], [], [0], [2, 1]),
    ],
)
def test_winners_come_first_then_others_by_their_scores_then_who_left(
    scores, winners, left, expected
):
    assert of(scores, winners, left) == expected


@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=7),
    st.sets(st.integers(0, 6)),
    st.randoms(use_true_random=False),
)
def test_the_order_of_seats_does_not_matter(scores, left, rng):
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    gone = left & set(range(len(scores)))
    mixed = rng.sample(range(len(scores)), len(scores))
    places_of = dict(enumerate(of(scores, best, gone)))
    again = of(
        [scores[s] for s in mixed], [mixed.index(s) for s in best], {mixed.index(s) for s in gone}
    )
    assert again == [places_of[seat] for seat in mixed]
    assert min(again) == 1
    assert all(
        again[at] > max((again[o] for o in range(len(again)) if mixed[o] not in gone), default=0)
        for at in range(len(again))
        if mixed[at] in gone
    ) or len(gone) == len(scores)


def test_of_seats_that_do_not_count_nobody_is_before_anybody():
    result = {"winners": [0], "scores": [9, 7, 3, 5], "reason": "end"}
    assert places(result, set(), [1, 2, 3]) == [1, 3, 2]
