"""Counting within windows: nothing remains of a window that has ended, and the number of windows is limited."""

from __future__ import annotations

from service.web.http.limits.rate_limits import Windows


def test_a_window_begins_with_the_first_count_and_ends_all_at_once():
    windows = Windows()
    assert [
        windows.add("a", cost, 60, now) for cost, now in ((1, 0), (5, 59), (2, 60), (1, 61))
    ] == [
        (1, 60),
        (6, 60),
        (2, 120),
        (3, 120),
    ]
    assert windows.add("b", 1, 60, 61) == (1, 121), "each key has a window of its own"


def test_of_too_many_windows_the_first_is_forgotten():
    windows = Windows(most=2)
    for key in "abc":
        windows.add(key, 1, 60, 0)
    assert [windows.add(key, 1, 60, 1).counted for key in "cba"] == [2, 2, 1]
