"""A second verifier of records, written from docs/record.md; of our code it uses only the rules of the games."""

from __future__ import annotations

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
from tests.support.record_members import (
    FORMS,
    LATER_OPTIONS,
    OWN_MEMBERS,
    TO_HOUSE,
    TO_PERSON,
    VERSIONS,
    is_hex,
    is_id,
    is_integer,
    is_list,
    is_nonce,
    is_text,
    is_time,
    shown_cards,
)

# The record


def verify(data: bytes) -> Any:
    """The record, if it follows the document. Raises Refused."""
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
    """Check that every house player who had a seat is described, in the order of seats and then of handovers."""
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
    """Whether this point has a small order, or is not in the standard form."""
    y = bytes([*key[:31], key[31] & 127])[::-1].hex()
    return y >= PRIME or y in SMALL


def signed_text(record: Any, number: int) -> bytes:
    """The text that is signed."""
    told = {"format": "tegami-head/1", "game": record["game"], "head": record["head"]}
    return canonical({**told, "number": number}).encode()


def check_events(events: list[Any], earlier: bool) -> None:
    """Check that every event has its number, and exactly the members of its kind, each well-formed."""
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
            members |= {"deal"} & event.keys() if not earlier else set()
        must(event.keys() == members, f"the members of event {number}")
        must(is_integer(event["number"]) and event["number"] == number, f"event {number}")
        forms = FORMS | (VERSIONS if kind == "version" else {})
        for name in members & forms.keys():
            must(forms[name](event[name]), f"{name} of event {number}")
        if kind in ("action", "handover", "extend", "void"):
            must(is_integer(event["seat"]), f"the seat of event {number}")
        allowed = {"options"} if kind == "start" else set()
        must(
            not any(decimals({name: event[name] for name in members - allowed})),
            f"a decimal in event {number}",
        )


def check_times(times: Any, record: Any) -> None:
    """Check that times exist and, in the log, never run backward."""
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
    """The game in a record, replayed."""

    def __init__(self, record: Any) -> None:
        self.start, *self.events = self.log = record["events"]
        self.result = record["result"]
        self.earlier = record["format"] == "tegami-record/1"
        self.check_seats()
        given = self.start["nonces"]
        nonces = given if self.earlier else [each["nonce"] for each in given]
        of = self.start.get("deal", record["game"])
        self.shuffles = Shuffles(record["seed"], of, nonces, 1 if self.earlier else 2)
        sat, seats = self.start["sat"], self.start["seats"]
        drawn = self.shuffles.shuffled(1 if self.earlier else 0, sat)
        must(seats == (drawn if self.start["seating"] == "random" else sat), "the seating")
        self.holders = list(seats)
        self.house: list[bool | None] = list(self.start.get("house", [None] * len(seats)))
        self.seen = {*seats, *(() if self.earlier else (each["tenure"] for each in given))}
        self.given_up, self.paused, self.late = dict[int, str](), False, -1
        self.since: list[Any] = []
        """The states and actions since the last shuffle, alternately, without those taken back."""
        self.began = dict[int, int]()
        self.undoing: int | None = None
        self.chances = 0
        self.closed: Any = None
        try:
            self.rules = rules.load(self.start["ruleset"], self.start["version"])
            self.state = self.rules.initial(len(seats), self.start["options"])
            self.options = self.rules.settle(len(seats), self.start["options"])
        except (LookupError, ValueError, TypeError) as error:
            raise Refused(f"the rules: {error}") from None
        logged = {
            **{name: self.options[name] for name in LATER_OPTIONS.get(self.start["ruleset"], ())},
            **self.start["options"],
        }
        must(canonical(self.options) == canonical(logged), "the options")

    def check_seats(self) -> None:
        """Check that there are as many tenures as seats, none twice, and nonces only of those who may have one."""
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
        must(self.undoing is None, "what is undone at the end")
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
        is_next = kind == "void" and (event["seat"], event["why"]) == (self.undoing, "agreed")
        must(self.undoing is None or is_next, "what is undone before it")
        getattr(self, kind)(event)

    def chance(self, event: Any) -> None:
        """Play a shuffle."""
        self.chances += 1
        due = self.rules.turn(self.state).chance
        assert due
        k = event["number"] if self.earlier else self.chances
        must(event["outcome"] == self.shuffles.shuffled(k, list(due.items)), "the shuffle")
        seen = {name: event[name] for name in ("kind", "name", "outcome")}
        self.state = self.rules.apply(self.state, seen)
        self.since = []

    def action(self, event: Any) -> None:
        """Play a decision."""
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
        self.act(event)

    def act(self, event: Any) -> None:
        """Play an action that has not been taken back."""
        self.since.append((self.state, event))
        seen = {name: event[name] for name in ("kind", "seat", "action")}
        self.state = self.rules.apply(self.state, seen)

    def clock(self, event: Any) -> None:
        """Play the end of an outside clock."""
        must(not self.paused, "a clock that runs out during a pause")
        self.state = self.rules.apply(self.state, {name: event[name] for name in ("kind", "name")})
        self.since = []

    def void(self, event: Any) -> None:
        """Take an action back."""
        seat, why, numbers = event["seat"], event["why"], [each["number"] for _, each in self.since]
        must(why in ("free", "agreed"), "why")
        must(event["event"] in numbers, "what is taken back")
        at = numbers.index(event["event"])
        states = [*(state for state, _ in self.since), self.state]
        later = [each for _, each in self.since[at + 1 :]]
        before, undone = self.since[at]
        if why == "free" or undone["seat"] == seat:
            must(undone["seat"] == seat and undone["by"] == "seat", "whose it is")
            must(undone["number"] > self.began.get(seat, 0), "who takes it back")
        if why == "free":
            must(all(each["seat"] != seat for each in later), "it is not the last of the seat")
            for n in range(at, len(numbers)):
                must(self.is_unseen(states[n], self.since[n][1], states[n + 1]), "it was seen")
        else:
            must(not later, "it is not the last")
            must(not self.is_turned(before, undone, self.state), "something was turned")
            self.undoing = None if undone["seat"] == seat else seat
        self.late, self.state = -1, before
        del self.since[at:]
        for each in later:
            self.act(each)

    def viewers(self) -> list[int | None]:
        """All viewers: the seats and a spectator."""
        return [None, *range(len(self.holders))]

    def is_unseen(self, before: Any, event: Any, after: Any) -> bool:
        """Whether an action shows nothing except that the seat has chosen (and to the seat, its choice)."""
        seat, action = event["seat"], event["action"]
        own = {"name": action["type"], "of": seat}
        own |= {name: value for name, value in action.items() if name != "type"}
        for viewer in self.viewers():
            old, new = self.rules.view(before, viewer), self.rules.view(after, viewer)
            if viewer == seat:
                new["facts"] = [fact for fact in new["facts"] if fact != own]
            new["committed"] = [each for each in new["committed"] if each != seat]
            told = self.rules.lines(after, viewer)
            if viewer != seat and self.rules.legal(before, viewer) != self.rules.legal(
                after, viewer
            ):
                return False
            if old != new or told != [{"line": "chosen", "seat": seat}]:
                return False
        asked = [
            ({*turn.waiting} - {seat}, {*turn.optional} - {seat}, turn.chance, turn.clock)
            for turn in map(self.rules.turn, (before, after))
        ]
        return asked[0] == asked[1]

    def is_turned(self, before: Any, event: Any, after: Any) -> bool:
        """Whether an action shows somebody a card that neither they nor the seat saw before, or another's choice."""
        if any(each != event["seat"] for each in self.rules.view(before, None)["committed"]):
            left = self.rules.view(after, None)["committed"]
            if not set(self.rules.view(before, None)["committed"]) <= set(left):
                return True
        own = shown_cards(self.rules.view(before, event["seat"]))
        for viewer in self.viewers():
            known = own | shown_cards(self.rules.view(before, viewer))
            if shown_cards(self.rules.view(after, viewer)) - known:
                return True
        return False

    def handover(self, event: Any) -> None:
        """Give a seat to another holder."""
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
        self.began[seat] = event["number"]
        if house:
            self.given_up[seat] = why
        if self.late == seat:
            self.late = -1

    def pause(self, event: Any) -> None:
        """Stop the clocks."""
        must(not self.paused, "a pause in a pause")
        self.paused = True

    def resume(self, event: Any) -> None:
        """Restart the clocks."""
        must(self.paused, "no pause")
        self.paused = False

    def extend(self, event: Any) -> None:
        """Accept that a seat gets time; the members were checked before."""

    def version(self, event: Any) -> None:
        """Change to a newer version of the rules, by which all earlier events are replayed."""
        slug, seats = self.start["ruleset"], len(self.holders)
        must(event["from"] == self.rules.version < event["to"], "from and to")
        self.rules, self.since = rules.load(slug, event["to"]), []
        self.options = self.rules.settle(seats, self.options)
        self.state = self.rules.initial(seats, self.options)
        earlier = self.log[: event["number"] - 1]
        gone = {each["event"] for each in earlier if each["kind"] == "void"}
        for each in (each for each in earlier if each["number"] not in gone):
            names = {"chance": ("kind", "name", "outcome"), "action": ("kind", "seat", "action")}
            names["clock"] = ("kind", "name")
            if each["kind"] in names:
                seen = {name: each[name] for name in names[each["kind"]]}
                self.state = self.rules.apply(self.state, seen)
        turn = self.rules.turn(self.state)
        must(turn.chance is None and self.rules.result(self.state) is None, "where it goes on")

    def close(self, event: Any) -> None:
        """End the game."""
        why, seat, seats = event["why"], event["seat"], len(self.holders)
        must(why in ("resigned", "agreed", "abandoned", "removed"), "why")
        if why == "resigned":
            must(seats == 2 and seat is not None and self.house[seat] is not True, "who resigns")
            must(event["winners"] == [1 - seat], "who wins")
        else:
            must(seat is None and event["winners"] == [], "nobody wins")
        scores = [None] * seats
        self.closed = {"winners": event["winners"], "scores": scores, "reason": why}
