"""A second verifier of records, written from docs/record.md; of our code it uses only the rules of the games."""

from __future__ import annotations

import datetime
import re
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import rules
from tests.support.record_hashing import (
    Refused,
    Shuffles,
    canonical,
    decimals,
    digests,
    must,
    parse,
    sha256,
)

OWN_MEMBERS = {
    "start": "game ruleset version players options seating sat seats nonces commitment",
    "chance": "name outcome",
    "action": "seat action by",
    "handover": "seat from to house why",
    "pause": "",
    "resume": "",
    "extend": "seat seconds",
    "version": "from to",
    "close": "why winners seat",
}
TO_HOUSE, TO_PERSON = ("resigned", "timeouts", "left"), ("returned", "substitute")


# The form of each member


def is_text(value: Any) -> bool:
    """Whether this is text."""
    return isinstance(value, str)


def is_integer(value: Any, least: int = 0) -> bool:
    """Whether this is an integer, and not less than that."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_list(value: Any, fits: Any) -> bool:
    """Whether this is a list of what `fits`."""
    return isinstance(value, list) and all(map(fits, value))


def is_hex(value: Any, least: int, most: int | None = None) -> bool:
    """Whether these are so many digits, in lower case."""
    return (
        is_text(value) and least <= len(value) <= (most or least) and not set(value) - HEXADECIMAL
    )


def is_id(value: Any, letter: str) -> bool:
    """Whether this is an id of this kind."""
    return is_text(value) and bool(re.fullmatch(f"{letter}_[0-9A-Za-z]{{16,32}}", value))


def is_tenure(value: Any) -> bool:
    """Whether this is the id of a tenure."""
    return is_id(value, "t")


def is_time(value: Any) -> bool:
    """Whether this is an hour of the calendar."""
    if not is_text(value) or not re.fullmatch(r"\d{4}(-\d\d){2}T\d\d:00:00\.000Z", value, re.ASCII):
        return False
    year, month, day, hour = (int(value[a:b]) for a, b in ((0, 4), (5, 7), (8, 10), (11, 13)))
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return hour < 24


def is_nonce(value: Any) -> bool:
    """Whether this is an entry of `nonces`."""
    return (
        isinstance(value, dict)
        and value.keys() == {"tenure", "nonce"}
        and is_tenure(value["tenure"])
        and is_hex(value["nonce"], 16, 64)
    )


HEXADECIMAL = frozenset("0123456789abcdef")
FORMS: dict[str, Any] = {
    "salt": lambda value: is_hex(value, 32),
    "at": is_time,
    "game": lambda value: is_id(value, "g"),
    "ruleset": is_text,
    "version": lambda value: is_integer(value, 1),
    "players": is_integer,
    "options": lambda value: isinstance(value, dict),
    "seating": lambda value: value in ("order", "random"),
    "sat": lambda value: is_list(value, is_tenure),
    "seats": lambda value: is_list(value, is_tenure),
    "commitment": lambda value: is_hex(value, 64),
    "name": is_text,
    "outcome": lambda value: is_list(value, is_text),
    "action": lambda value: isinstance(value, dict),
    "by": lambda value: value in ("seat", "house", "timeout"),
    "from": is_tenure,
    "to": is_tenure,
    "seconds": lambda value: is_integer(value, 1),
    "winners": lambda value: is_list(value, is_integer),
    "why": is_text,
}
VERSIONS = {"from": is_integer, "to": is_integer}
"""In a `version`."""


# The record


def verify(data: bytes) -> Any:
    """The record, if it keeps to the document. Raises Refused."""
    record = parse(data)
    must(isinstance(record, dict), "it is no object")
    must(record.get("format") in ("tegami-record/1", "tegami-record/2"), "its format")
    earlier = record["format"] == "tegami-record/1"
    members = {"format", "game", "seed", "events", "head", "result", "digest"}
    members |= {"times"} if earlier else {"key", "signature"}
    must(record.keys() - ({"programs"} if not earlier else set()) == members, "its members")
    must(is_id(record["game"], "g"), "the id")
    for name in members & {"seed", "head", "digest", "key"}:
        must(is_hex(record[name], 64), name)
    must(earlier or is_hex(record["signature"], 128), "the signature")
    rest = {name: value for name, value in record.items() if name != "digest"}
    must(record["digest"] == sha256(canonical(rest).encode()), "the digest")
    events = record["events"]
    must(events and is_list(events, lambda event: isinstance(event, dict)), "the events")
    check_events(events, earlier)
    if "programs" in record:
        check_programs(record["programs"], events)
    check_times(record["times"] if earlier else [event["at"] for event in events], record)
    must(digests([canonical(event) for event in events])[-1] == record["head"], "the head")
    must(earlier or is_signed(record, len(events)), "the signature")
    must(events[0]["game"] == record["game"], "the game")
    must(sha256(bytes.fromhex(record["seed"])) == events[0]["commitment"], "the commitment")
    Game(record).play()
    return record


def check_programs(programs: Any, events: Any) -> None:
    """Every house player who had a seat is described, in the order of seats and then of handovers."""
    must(programs and is_list(programs, is_program), "the programs")
    start = events[0]
    due = [start["seats"][seat] for seat, house in enumerate(start["house"]) if house]
    due += [event["to"] for event in events if event["kind"] == "handover" and event["house"]]
    must([program["tenure"] for program in programs] == due, "the tenures of programs")


def is_program(value: Any) -> bool:
    """Whether this describes a house player."""
    forms = {"name": "[a-z]{1,16}", "level": "[a-z]{1,16}", "version": "[0-9]{1,8}"}
    return (
        isinstance(value, dict)
        and value.keys() == {"tenure", *forms}
        and is_text(value["tenure"])
        and all(
            is_text(value[name]) and bool(re.fullmatch(form, value[name]))
            for name, form in forms.items()
        )
    )


def is_signed(record: Any, number: int) -> bool:
    """Whether the key has signed the head of the event with this number."""
    if is_weak(bytes.fromhex(record["key"])):
        return False
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(record["key"]))
    try:
        key.verify(bytes.fromhex(record["signature"]), signed_text(record, number))
    except InvalidSignature:
        return False
    return True


def is_weak(key: bytes) -> bool:
    """Whether this is the point of a small order, or not written as points are."""
    y = bytes([*key[:31], key[31] & 127])[::-1].hex()
    return y >= PRIME or y in SMALL


def signed_text(record: Any, number: int) -> bytes:
    """What is signed."""
    told = {"format": "tegami-head/1", "game": record["game"], "head": record["head"]}
    return canonical({**told, "number": number}).encode()


def check_events(events: list[Any], earlier: bool) -> None:
    """Every event has a number, and exactly the members of its kind, each of its form."""
    for number, event in enumerate(events, 1):
        kind = event.get("kind")
        must(is_text(kind) and kind in OWN_MEMBERS, f"the kind of event {number}")
        must((kind == "start") == (number == 1), "the start is event 1")
        members = {"kind", "number", "salt", *OWN_MEMBERS[kind].split()}
        members |= set() if earlier else {"at"}
        if kind == "start":
            members |= {"house"} if not earlier else set()
            must(is_integer(event.get("format", 1)), "the format of the log")
            must(event.get("format", 1) in ((1, 2) if earlier else (3,)), "the format of the log")
            members |= {"format"} if event.get("format", 1) > 1 else set()
        must(event.keys() == members, f"the members of event {number}")
        must(is_integer(event["number"]) and event["number"] == number, f"event {number}")
        forms = FORMS | (VERSIONS if kind == "version" else {})
        for name in members & forms.keys():
            must(forms[name](event[name]), f"{name} of event {number}")
        if kind in ("action", "handover", "extend"):
            must(is_integer(event["seat"]), f"the seat of event {number}")
        allowed = {"options"} if kind == "start" else set()
        must(
            not any(decimals({name: event[name] for name in members - allowed})),
            f"a decimal in event {number}",
        )


def check_times(times: Any, record: Any) -> None:
    """Times exist and, in the log, never run backward."""
    must(is_list(times, is_time) and len(times) == len(record["events"]), "the times")
    if record["format"] == "tegami-record/2":
        must(times == sorted(times), "times run backward")


PRIME = "7" + "f" * 61 + "ed"
SMALL = {
    "00" * 32,
    "00" * 31 + "01",
    "7" + "f" * 61 + "ec",
    "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
    "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
}


class Game:
    """The game in a record, played again."""

    def __init__(self, record: Any) -> None:
        self.start, *self.events = self.log = record["events"]
        self.result = record["result"]
        self.earlier = record["format"] == "tegami-record/1"
        self.check_seats()
        given = self.start["nonces"]
        nonces = given if self.earlier else [each["nonce"] for each in given]
        self.shuffles = Shuffles(record["seed"], record["game"], nonces, 1 if self.earlier else 2)
        sat, seats = self.start["sat"], self.start["seats"]
        drawn = self.shuffles.shuffled(1 if self.earlier else 0, sat)
        must(seats == (drawn if self.start["seating"] == "random" else sat), "the seating")
        self.holders = list(seats)
        self.house: list[bool | None] = list(self.start.get("house", [None] * len(seats)))
        self.seen = {*seats, *(() if self.earlier else (each["tenure"] for each in given))}
        self.given_up, self.paused, self.late = dict[int, str](), False, -1
        self.chances = 0
        self.closed: Any = None
        try:
            self.rules = rules.load(self.start["ruleset"], self.start["version"])
            self.state = self.rules.initial(len(seats), self.start["options"])
            self.options = self.rules.settle(len(seats), self.start["options"])
        except (LookupError, ValueError, TypeError) as error:
            raise Refused(f"the rules: {error}") from None
        must(canonical(self.options) == canonical(self.start["options"]), "the options")

    def check_seats(self) -> None:
        """As many tenures as seats, none twice; the nonces of those who may have one."""
        start = self.start
        sat, seats, nonces = start["sat"], start["seats"], start["nonces"]
        must(len(sat) == len(set(sat)) == len(seats) == start["players"], "who sat down")
        if self.earlier:
            fits = is_list(nonces, lambda each: each is None or is_hex(each, 16, 64))
            must(fits and len(nonces) == len(sat), "the nonces")
            return
        must(is_list(start["house"], lambda each: isinstance(each, bool)), "the house players")
        must(len(start["house"]) == len(seats), "the house players")
        must(is_list(nonces, is_nonce) and len(nonces) <= 64, "the nonces")
        owners = [each["tenure"] for each in nonces]
        must(len(owners) == len(set(owners)), "two nonces of one tenure")
        house = {seats[seat] for seat, is_house in enumerate(start["house"]) if is_house}
        must(not house & set(owners), "a house player's nonce")
        places = [sat.index(owner) for owner in owners if owner in sat]
        must(places == sorted(places), "the order of the nonces")

    def play(self) -> None:
        """Play all events, and compare the result."""
        for event in self.events:
            try:
                self.next(event)
            except (LookupError, ValueError, TypeError) as error:
                raise Refused(f"event {event['number']}: {error}") from None
        result = self.closed
        if result is None:
            found = self.rules.result(self.state)
            must(found, "it is not over")
            assert found
            result = {"winners": list(found.winners), "reason": found.reason}
            result["scores"] = list(found.scores)
        must(canonical(result) == canonical(self.result), "the result")

    def next(self, event: Any) -> None:
        """Play one event."""
        kind = event["kind"]
        must(self.closed is None and self.rules.result(self.state) is None, "it is over already")
        due = self.rules.turn(self.state).chance
        must((kind == "chance") == (due is not None), "whether a chance is due")
        if "seat" in event and event["seat"] is not None:
            must(is_integer(event["seat"]) and event["seat"] < len(self.holders), "the seat")
        getattr(self, kind)(event)

    def chance(self, event: Any) -> None:
        """A shuffle."""
        self.chances += 1
        due = self.rules.turn(self.state).chance
        assert due
        k = event["number"] if self.earlier else self.chances
        must(event["outcome"] == self.shuffles.shuffled(k, list(due.items)), "the shuffle")
        seen = {name: event[name] for name in ("kind", "name", "outcome")}
        self.state = self.rules.apply(self.state, seen)

    def action(self, event: Any) -> None:
        """A decision."""
        seat, by = event["seat"], event["by"]
        if self.house[seat] is None:
            self.house[seat] = by == "house"
        must(self.house[seat] == (by == "house"), "who acts")
        if by == "timeout":
            must(not self.paused, "a time-out during a pause")
            fallback = self.rules.fallback(self.state, seat)
            must(fallback is not None, "nobody waits for it")
            must(canonical(fallback) == canonical(event["action"]), "no fallback")
        self.late = seat if by == "timeout" else -1
        seen = {name: event[name] for name in ("kind", "seat", "action")}
        self.state = self.rules.apply(self.state, seen)

    def handover(self, event: Any) -> None:
        """A seat changes hands."""
        seat, house, why = event["seat"], event["house"], event["why"]
        must(isinstance(house, bool), "true or false")
        must(event["from"] == self.holders[seat] and event["to"] not in self.seen, "the tenures")
        must(why in (TO_HOUSE if house else TO_PERSON), "why")
        must(self.house[seat] in (None, not house), "who had it")
        must(len(self.holders) > 2 or why != "resigned", "one of two resigns")
        must(why != "returned" or self.given_up.get(seat, "left") != "left", "nobody has left")
        must(why != "timeouts" or self.late == seat, "no time-out")
        self.holders[seat], self.house[seat] = event["to"], house
        self.seen.add(event["to"])
        if house:
            self.given_up[seat] = why
        if self.late == seat:
            self.late = -1

    def pause(self, event: Any) -> None:
        """The clocks stop."""
        must(not self.paused, "a pause in a pause")
        self.paused = True

    def resume(self, event: Any) -> None:
        """The clocks run again."""
        must(self.paused, "no pause")
        self.paused = False

    def extend(self, event: Any) -> None:
        """A seat gets time; its members have been looked at."""

    def version(self, event: Any) -> None:
        """A newer version of the rules: all that has happened is played again by it."""
        slug, seats = self.start["ruleset"], len(self.holders)
        must(event["from"] == self.rules.version < event["to"], "from and to")
        self.rules = rules.load(slug, event["to"])
        self.options = self.rules.settle(seats, self.options)
        self.state = self.rules.initial(seats, self.options)
        for each in self.log[: event["number"] - 1]:
            names = {"chance": ("kind", "name", "outcome"), "action": ("kind", "seat", "action")}
            if each["kind"] in names:
                seen = {name: each[name] for name in names[each["kind"]]}
                self.state = self.rules.apply(self.state, seen)
        turn = self.rules.turn(self.state)
        must(turn.chance is None and self.rules.result(self.state) is None, "where it goes on")

    def close(self, event: Any) -> None:
        """The game ends."""
        why, seat, seats = event["why"], event["seat"], len(self.holders)
        must(why in ("resigned", "agreed", "abandoned", "removed"), "why")
        if why == "resigned":
            must(seats == 2 and seat is not None and self.house[seat] is not True, "who resigns")
            must(event["winners"] == [1 - seat], "who wins")
        else:
            must(seat is None and event["winners"] == [], "nobody wins")
        scores = [None] * seats
        self.closed = {"winners": event["winners"], "scores": scores, "reason": why}
