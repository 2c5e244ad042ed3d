"""Random games with take-backs: the command, the page and a second implementation agree on their records."""

from __future__ import annotations

import copy
import hashlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel import Ruleset, text
from service.log.records.record_text import VerificationError
from service.log.table_rows.taking_back import Recent
from service.log.verification import verify_voids
from service.log.verification.verify_record import verify
from tests.rules.playouts import next_event
from tests.service.log.table_rows.test_taking_back import Log
from tests.support import record_verifier
from tests.support.each_game import each_ruleset
from tests.support.record_hashing import Refused
from tests.web.support.records import AT, GAME, NONCES, SEED, canonical, sealed, shuffled
from tests.web.test_verify import Check, check, evaluate

__all__ = ["check", "evaluate"]

Json = dict[str, Any]
LONG, SHORT = 90, 30
"""The most and the fewest events of a game."""
CHANGES, MANY = 8, 120
"""The number of changed take-backs in a game, without and with --thorough."""


class Recorded(Log):
    """A game with take-backs whose shuffles follow from its seed, so that it has a record."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.rng, self.shuffles = ruleset, rng, 0
        self.players = rng.choice(sorted(ruleset.players)[:3])
        self.options = ruleset.settle(self.players, {})
        self.start = self.state = ruleset.initial(self.players, self.options)
        self.events: list[Any] = [{"kind": "start", "number": 1}]
        self.before: dict[int, Any] = {}
        self.recent, self.verified = Recent.of(None, 1), verify_voids.Recent()
        self.undone = set[str]()

    def next(self) -> Json:
        """A shuffle as the seed has it, or a random action."""
        due = self.ruleset.turn(self.state).chance
        if due is None:
            return next_event(self.ruleset, self.state, self.rng.randrange)
        self.shuffles += 1
        outcome = shuffled(list(due.items), self.shuffles)
        return {"kind": "chance", "name": due.name, "outcome": outcome}

    def record(self) -> Json:
        """The record of the game, which ends by agreement if it is not over."""
        tenures = [f"t_{letter * 22}" for letter in "abcdefghij"[: self.players]]
        brought = zip(tenures, NONCES, strict=False)
        start = {
            "kind": "start",
            "format": 3,
            "game": GAME,
            "ruleset": self.ruleset.slug,
            "version": self.ruleset.version,
            "players": self.players,
            "options": self.options,
            "seating": "order",
            "sat": tenures,
            "seats": tenures,
            "house": [False] * self.players,
            "commitment": hashlib.sha256(SEED).hexdigest(),
            "nonces": [{"tenure": tenure, "nonce": nonce} for tenure, nonce in brought],
        }
        ended = self.ruleset.result(self.state)
        result: Json = {"winners": [], "scores": [None] * self.players, "reason": "agreed"}
        close = [{"kind": "close", "why": "agreed", "winners": [], "seat": None}]
        events = [start, *self.events[1:], *([] if ended else close)]
        made = {"format": "tegami-record/2", "game": GAME, "seed": SEED.hex()}
        return written({**made, "result": ended._asdict() if ended else result}, events)


def written(record: Json, events: list[Json]) -> Json:
    """The record with these events, numbered and sealed."""
    numbered = [
        {**each, "number": n, "salt": f"{n:032x}", "at": AT} for n, each in enumerate(events, 1)
    ]
    return sealed({**record, "events": numbered})


def played(ruleset: Ruleset) -> Iterator[Json]:
    """Records of random games in which something was taken back, freely or not, as the game allows."""
    found = set[str]()
    for seed in range(6):
        log = Recorded(ruleset, random.Random(seed))
        while not log.ruleset.turn(log.state).over and (
            len(log.events) < LONG or log.ruleset.turn(log.state).chance
        ):
            log.play()
        if not log.undone <= found:
            found |= log.undone
            yield log.record()
    assert found, "something was taken back"


def ours(record: Json) -> bool:
    """Whether the command accepts a record."""
    try:
        verify(text(record).encode())
    except VerificationError:
        return False
    return True


def second(record: Json) -> bool:
    """Whether the second implementation accepts it."""
    try:
        record_verifier.verify(canonical(record).encode())
    except Refused:
        return False
    return True


@each_ruleset
def test_records_of_games_with_take_backs_are_accepted_and_forged_ones_are_not(
    check: Check, ruleset: Ruleset, request: pytest.FixtureRequest
) -> None:
    count = MANY if request.config.getoption("--thorough") else CHANGES
    for record in played(ruleset):
        assert ours(record) and second(record)
        assert check(record)["events"] == len(record["events"])
        for why, events in forgeries(record["events"]):
            forged = written(record, events)
            assert (ours(forged), second(forged)) == (False, False), why
            assert str(check(forged)).startswith("void"), why
        rng = random.Random(len(record["events"]))
        for _ in range(count):
            other = written(record, changed(record["events"], rng))
            accepted = ours(other)
            assert second(other) == accepted
            assert not accepted or isinstance(check(other), dict)


def forgeries(events: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    """What no take-back can be, as the page sees it without the rules."""
    voids = [n for n, each in enumerate(events) if each["kind"] == "void"]
    at, by = voids[-1], {each["number"]: each for each in events}
    void = events[at]
    shuffles = [n for n, each in by.items() if each["kind"] == "chance" and n < void["number"]]
    chance = max(shuffles, default=1)
    others = {"the start": 1, "a shuffle": chance, "itself": at + 1, "what comes later": at + 2}
    for what, number in others.items():
        yield what, with_void(events, at, event=number)
    if len(voids) > 1:
        yield "what was undone", with_void(events, at, event=events[voids[0]]["event"])
    seats = events[0]["players"]
    yield "by another seat", with_void(events, at, seat=(void["seat"] + 1) % seats)
    yield "the same again", [*events[: at + 1], {**void}, *later(events[at + 1 :])]
    before = [n for n, each in by.items() if each["kind"] == "action" and n < chance]
    if before:
        seat = by[before[-1]]["seat"]
        for why in ("free", "agreed"):
            over = {"kind": "void", "seat": seat, "event": before[-1], "why": why}
            yield f"over a shuffle, {why}", [*events[:at], over, *later(events[at + 1 :])]


def later(events: list[Json]) -> list[Json]:
    """The events after a change, up to the end, without take-backs, whose numbers would no longer fit."""
    return [copy.deepcopy(events[-1])] if events else []


def with_void(events: list[Json], at: int, **change: Any) -> list[Json]:
    """The events with another take-back at this place."""
    return [*events[:at], {**events[at], **change}, *events[at + 1 :]]


def changed(events: list[Json], rng: random.Random) -> list[Json]:
    """The events with any take-back changed in any way."""
    at = rng.choice([n for n, each in enumerate(events) if each["kind"] == "void"])
    void, seats = events[at], events[0]["players"]
    values: Json = {
        "event": rng.randrange(max(1, void["event"] - 4), len(events) + 1),
        "seat": rng.randrange(seats),
        "why": rng.choice(["free", "agreed"]),
    }
    names = rng.sample(sorted(values), rng.randrange(1, 4))
    return with_void(events, at, **{name: values[name] for name in names})
