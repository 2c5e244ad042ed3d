"""Paces: what people choose, how it is stored, and how it is shown."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY, HOUR
from service.core.words.words import phrases
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import NONE, PRESETS, Pace


def test_an_explicit_pace_is_in_seconds() -> None:
    assert paces.chosen({"kind": "decision", "seconds": 3600}) == Pace("decision", HOUR)
    wish = {"kind": "reserve", "increment": 3600, "reserve": 86400, "cap": 172800}
    assert paces.chosen(wish) == Pace("reserve", HOUR, DAY, 2 * DAY)


def test_the_bank_holds_at_least_what_is_in_it_at_the_start() -> None:
    wish = {"kind": "reserve", "increment": 3600, "reserve": 86400, "cap": 60}
    assert paces.chosen(wish).cap == DAY


def test_without_a_wish_there_is_no_clock() -> None:
    assert paces.chosen(None) == paces.chosen("none") == NONE
    assert paces.chosen("daily") == PRESETS["daily"]


@pytest.mark.parametrize("pace", PRESETS.values(), ids=PRESETS)
def test_a_stored_pace_comes_back(pace: Pace) -> None:
    row = paces.stored(pace)
    assert (row is None) == (pace == NONE)
    assert paces.loaded(row) == pace


@pytest.mark.parametrize(
    ("pace", "members"),
    [
        (NONE, {"preset": "none", "kind": "none", "words": "No clock"}),
        (
            PRESETS["daily"],
            {"preset": "daily", "kind": "decision", "words": "A move a day", "seconds": 86400},
        ),
        (
            Pace("decision", HOUR),
            {"preset": None, "kind": "decision", "words": "1 hour for each decision."}
            | {"seconds": 3600},
        ),
        (
            Pace("reserve", HOUR, DAY, 2 * DAY),
            {"preset": None, "kind": "reserve"}
            | {"reserve": 86400, "increment": 3600, "cap": 172800},
        ),
    ],
)
def test_a_pace_is_shown_in_words_and_whole_seconds(pace: Pace, members: dict[str, object]) -> None:
    shown = paces.shown(pace, phrases("en"))
    detail = shown.pop("detail")
    assert shown == {"words": detail, **members}
    assert not any(isinstance(value, float) for value in shown.values())


def test_the_detail_of_a_bank_says_all_of_its_times() -> None:
    detail = paces.shown(PRESETS["steady"], phrases("en"))["detail"]
    expected = (
        "A time bank of 3 days at the start, 12 hours more after each decision, at most 7 days."
    )
    assert detail == expected


def test_a_pace_of_ninety_days_is_the_longest() -> None:
    assert paces.LONGEST == 90 * 24 * 60 * 60
    assert isinstance(paces.LONGEST, int)
