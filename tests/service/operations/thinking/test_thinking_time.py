"""Thoughts get shorter early enough for everybody who waits."""

from __future__ import annotations

import pytest

from service.operations.thinking.thinking_time import BESIDES, LEAST, PATIENCE, duration, share

WHOLE = duration("strong")


def served(waiting, thinkers, whole=WHOLE):
    """When the last of this number of simultaneous questions is answered; each thought gets the share of its moment."""
    free, ends = [0.0] * thinkers, []
    for n in range(waiting):
        now = min(free)
        part = share(((now, whole) for _ in range(waiting - n)), thinkers)
        free[free.index(now)] = now + part * whole + BESIDES
        ends.append(max(free))
    return max(ends)


def test_who_is_alone_has_all_the_time():
    assert share([(0.1, WHOLE)], 1) == 1
    assert share([(0.0, duration("easy"))] * 5, 1) == 1
    assert share([], 1) == 1


@pytest.mark.parametrize("thinkers", [1, 4])
@pytest.mark.parametrize("waiting", [2, 10, 50])
def test_whoever_waits_is_answered_in_time(waiting, thinkers):
    """The thought is as long as the time allows."""
    assert served(waiting, thinkers) <= max(PATIENCE, WHOLE + BESIDES) + 0.01
    if WHOLE * waiting > PATIENCE * thinkers:
        assert served(waiting, thinkers) > 0.8 * PATIENCE


def test_more_than_can_be_answered_have_the_least_of_it():
    assert share([(0.0, WHOLE)] * 500, 1) == LEAST
    assert share([(60.0, WHOLE)], 1) == LEAST


def test_short_thoughts_leave_more_for_all():
    quick = [(0.0, duration("easy"))] * 9
    assert share([*quick, (0.0, WHOLE)], 1) > share([(0.0, WHOLE)] * 10, 1)
