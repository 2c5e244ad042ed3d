"""Records of earlier formats that were forged consistently, digests and all, are refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rules.kernel import text
from tests.support.in_one_go import in_one_go
from tests.support.record_hashing import (
    digests,
    sha256,
)
from tests.support.record_vectors import EARLIER, EARLIER_OUTSIDE, RECORDS, refused

old_records = pytest.mark.parametrize("record_of", [EARLIER, EARLIER_OUTSIDE], ids=RECORDS[3:5])


def forged(change: Callable[[Any], Any], record_of: Any = EARLIER) -> bytes:
    """The record of the earlier format after `change`, with recomputed digests."""
    made = copy.deepcopy({key: record_of[key] for key in record_of if key != "digest"})
    change(made)
    made["head"] = digests([text(event) for event in made["events"]])[-1]
    return text({**made, "digest": sha256(text(made).encode())}).encode()


@old_records
def test_forging_an_earlier_record_without_a_change_gives_it(record_of: Any) -> None:
    assert forged(lambda made: None, record_of) == text(record_of).encode()


def swap_cards(made: Any) -> None:
    outcome = made["events"][1]["outcome"]
    outcome[-1], outcome[-2] = outcome[-2], outcome[-1]


FORGERIES: dict[str, Callable[[Any], Any]] = {
    "another shuffle": swap_cards,
    "other seats": lambda made: made["events"][0]["seats"].reverse(),
    "another order of sitting": lambda made: made["events"][0]["sat"].reverse(),
    "seats in order": lambda made: made["events"][0].update(seating="order", seats=[]),
    "an unknown seating": lambda made: made["events"][0].update(seating="free"),
    "another seed": lambda made: made.update(seed="00" * 32),
    "upper case in the seed": lambda made: made.update(seed=made["seed"].upper()),
    "another nonce": lambda made: made["events"][0]["nonces"].reverse(),
    "an empty nonce": lambda made: made["events"][0].update(nonces=["ab" * 8, ""]),
    "no options": lambda made: made["events"][0].update(options={}),
    "another version": lambda made: made["events"][0].update(version=2),
    "true for the version 1": lambda made: made["events"][0].update(version=True),
    "true for the number 1": lambda made: made["events"][0].update(number=True),
    "another game": lambda made: made.update(game="g_0"),
    "another result": lambda made: made["result"].update(winners=[1]),
    "true for a score of 1": lambda made: made["result"].update(winners=[False]),
    "a game cut short": lambda made: (made["events"].pop(), made["times"].pop()),
    "a game without a result": lambda made: (
        made["events"].pop(),
        made["times"].pop(),
        made.update(result=None),
    ),
    "an event after the end": lambda made: (
        made["events"].append({**made["events"][-1], "number": 15}),
        made["times"].append(made["times"][-1]),
    ),
    "a second start": lambda made: (
        made["events"].append({**made["events"][0], "number": 15}),
        made["times"].append(made["times"][-1]),
    ),
    "an event of an unknown kind": lambda made: (
        made["events"].append({"kind": "note", "number": 15, "salt": "00" * 16}),
        made["times"].append(made["times"][-1]),
    ),
    "an illegal action": lambda made: made["events"][3]["action"].update(cards=["9d", "7d", "9d"]),
    "a fraction for a whole number": lambda made: made["events"][5]["action"].update(lane=1.0),
    "an action by an unknown party": lambda made: made["events"][3].update(by="dealer"),
    "an extra member": lambda made: made["events"][3].update(asked=3),
    "no salt": lambda made: made["events"][3].pop("salt"),
    "a short salt": lambda made: made["events"][3].update(salt="00"),
    "a missing time": lambda made: made["times"].pop(),
    "minutes": lambda made: made["times"].__setitem__(0, "2026-11-25T22:01:00.000Z"),
    "another format": lambda made: made.update(format="tegami-record/2"),
    "another format of the log": lambda made: made["events"][0].update(format=3),
    "an unknown member": lambda made: made.update(note=""),
    "not a number": lambda made: made["result"].update(scores=[float("nan"), 0]),
    "no events": lambda made: made.update(events=[made["events"][0]], times=made["times"][:1]),
}


@in_one_go("change", FORGERIES)
def test_a_consistent_forgery_is_refused(change: Callable[[Any], Any]) -> None:
    refused(forged(change))


def change(number: int, **members: Any) -> Callable[[Any], Any]:
    """Change members of the event with this number."""
    return lambda made: made["events"][number - 1].update(members)


def close(**members: Any) -> Callable[[Any], Any]:
    """Change the last event, and the result with it."""

    def changed(made: Any) -> None:
        made["events"][-1].update(members)
        made["result"].update(winners=made["events"][-1]["winners"])
        made["result"].update(reason=made["events"][-1]["why"])

    return changed


def drop(number: int) -> Callable[[Any], Any]:
    """Remove an event and renumber the rest."""

    def changed(made: Any) -> None:
        del made["events"][number - 1], made["times"][number - 1]
        renumber(made)

    return changed


def insert(before: int, **members: Any) -> Callable[[Any], Any]:
    """Insert an event."""

    def changed(made: Any) -> None:
        made["events"].insert(before - 1, {**members, "number": 0, "salt": "00" * 16})
        made["times"].insert(0, made["times"][0])
        renumber(made)

    return changed


def renumber(made: Any) -> None:
    for number, event in enumerate(made["events"], 1):
        event["number"] = number


OTHER = "t_" + "0" * 22
OUTSIDE_FORGERIES: dict[str, Callable[[Any], Any]] = {
    "a time-out played by a person": change(3, by="seat"),
    "a person's move by the house": change(14, by="house"),
    "a house player's move by a person": change(11, by="seat"),
    "a house player's move by the clock": change(12, by="timeout"),
    "the wrong seat changes hands": change(4, seat=1),
    "no seat changes hands": change(4, seat=None),
    "from somebody else": change(4, **{"from": OTHER}),
    "back to an old tenure": lambda made: made["events"][5].update(to=made["events"][3]["from"]),
    "to nobody": change(4, to=""),
    "a person instead of the house": change(4, house=False),
    "1 for true": change(4, house=1),
    "an unknown reason": change(4, why="bored"),
    "a return without having left": change(4, why="returned", house=False),
    "out of time without a time-out": change(10, why="timeouts"),
    "no takeover": drop(4),
    "no return": drop(6),
    "no pause": drop(7),
    "no resume, and a second pause": lambda made: made["events"][7].update(kind="pause"),
    "a second resume": insert(9, kind="resume"),
    "more time for nobody": change(9, seat=3),
    "no more time": change(9, seconds=0),
    "more time as text": change(9, seconds="86400"),
    "a pause before the cards are dealt": insert(2, kind="pause"),
    "a pause after the end": insert(16, kind="pause"),
    "a pause with a reason": insert(9, kind="pause", why="tea"),
    "an end without a reason": close(why=""),
    "a draw with a winner": close(winners=[0]),
    "a draw by one seat": close(seat=0),
    "one of three resigns and two win": close(why="resigned", seat=0, winners=[1, 2]),
    "one of three resigns and one wins": close(why="resigned", seat=0, winners=[1]),
    "another result than the end": lambda made: made["result"].update(winners=[1]),
    "scores": lambda made: made["result"].update(scores=[1, 0, 0]),
    "no end": drop(15),
    "a second end": insert(15, kind="close", why="agreed", winners=[], seat=None),
}


@in_one_go("forgery", OUTSIDE_FORGERIES)
def test_a_forgery_of_events_outside_the_rules_is_refused(forgery: Callable[[Any], Any]) -> None:
    refused(forged(forgery, EARLIER_OUTSIDE))
