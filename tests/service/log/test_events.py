"""Log events: each kind has fixed members of fixed types, checked when written and when read."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import text
from service.log import events
from service.log.events import MalformedEvent, checked, parsed
from tests.support.in_one_go import in_one_go

START = events.Start(
    kind="start",
    format=events.FORMAT,
    game="g_1",
    ruleset="boomerang-auction",
    version=1,
    players=3,
    options={},
    seating="order",
    sat=["t_a", "t_b", "t_c"],
    seats=["t_a", "t_b", "t_c"],
    house=[False, False, True],
    nonces=[{"tenure": "t_a", "nonce": "00"}],
    commitment="00",
)
EVERY_KIND: list[Any] = [
    START,
    events.chance("stock", ["As", "2s"]),
    events.action(1, {"type": "pass"}, "seat"),
    events.handover(1, "t_b", "t_d", "timeouts", house=True),
    events.pause(),
    events.resume(),
    events.extend(2, 3600),
    events.void(1, 3, "free"),
    events.clock("time-up"),
    events.version(1, 2),
    events.close("resigned", [0], 1),
    events.close("agreed", [], None),
]
every_kind = in_one_go("event", EVERY_KIND, ids=lambda event: event["kind"])


def test_there_is_an_example_of_every_kind() -> None:
    assert {event["kind"] for event in EVERY_KIND} == events.KINDS.keys()


@every_kind
def test_built_events_can_be_appended_and_read(event: Any) -> None:
    assert checked(event) is event
    logged = {**event, "number": 7, "salt": "00" * 16, "at": "2026-11-25T22:00:00.000Z"}
    assert parsed(text(logged)) == logged


@every_kind
def test_a_missing_member_is_an_error(event: Any) -> None:
    for name in event.keys() - {"format", "house"}:
        with pytest.raises(MalformedEvent):
            checked({key: value for key, value in event.items() if key != name})


@every_kind
def test_an_extra_member_is_an_error(event: Any) -> None:
    with pytest.raises(MalformedEvent):
        checked({**event, "extra": 1})


@every_kind
def test_a_member_of_the_wrong_type_is_an_error(event: Any) -> None:
    for name in event:
        with pytest.raises(MalformedEvent, match=name):
            checked({**event, name: 1.5})


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"kind": "void"},
        {"kind": ["start"]},
        {**events.action(1, {}, "seat"), "seat": True},
        {**events.action(1, {}, "seat"), "by": "somebody"},
        {**events.chance("stock", []), "outcome": ["As", 2]},
        {**events.close("agreed", [], None), "why": "bored"},
    ],
    ids=str,
)
def test_malformed_events_are_an_error(event: Any) -> None:
    with pytest.raises(MalformedEvent):
        checked(event)


def test_the_start_states_the_log_format_except_in_the_first_format() -> None:
    assert START["format"] == events.FORMAT
    assert checked({key: value for key, value in START.items() if key != "format"})


def test_starts_of_the_earlier_formats_can_be_read():
    earlier = {**START, "format": 2, "nonces": ["00", None, None]}
    del earlier["house"]
    assert checked(earlier) is earlier


def test_the_rules_see_only_shuffles_actions_and_outside_clocks() -> None:
    seen = {event["kind"]: events.for_rules(event) for event in EVERY_KIND}
    assert seen.pop("chance") == {"kind": "chance", "name": "stock", "outcome": ["As", "2s"]}
    assert seen.pop("action") == {"kind": "action", "seat": 1, "action": {"type": "pass"}}
    assert seen.pop("clock") == {"kind": "clock", "name": "time-up"}
    assert set(seen.values()) == {None}
