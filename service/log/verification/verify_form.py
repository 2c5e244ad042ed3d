"""The form of a record: the members that it and its events have, and the type and form of each (docs/record.md)."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import date, datetime
from itertools import compress
from typing import TypeGuard

from rules.kernel import Json, text
from service.log import events
from service.log.records.record import EARLIER_FORMAT, FORMAT, PROGRAM
from service.log.records.record_text import VerificationError, demand, has_fraction

MEMBERS = {"format", "game", "seed", "events", "head", "result", "key", "signature", "digest"}
"""The members of a record, apart from `programs`; it has to have exactly these."""
EARLIER_MEMBERS = MEMBERS - {"key", "signature"} | {"times"}
"""The members of a record of the earlier format."""
EVERY_EVENT = {"kind", "number", "salt", "at"}
"""The members of every event; the events of logs up to format 2 have no `at`."""
LOG_FORMATS = {EARLIER_FORMAT: ("1", "2"), FORMAT: ("3",)}
"""The formats of the logs in each format of the record."""
ADDED = {"format": 2, "house": 3}
"""The log format from which on `start` has each of these members."""
ONLY_SOME = {"deal": 3}
"""The log format from which on `start` may have each of these members."""

DIGEST, SIGNATURE = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{128}")
"""The pattern of digests, seeds and public keys, and the pattern of signatures."""
NONCE = re.compile("[0-9a-f]{16,64}")
"""The pattern of a nonce."""
GAME, TENURE = (re.compile(f"{letter}_[0-9A-Za-z]{{16,32}}") for letter in "gt")
"""The patterns of the ids of games and of tenures."""
_SALT = re.compile("[0-9a-f]{32}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00\.000Z", re.ASCII)
_DEAL = re.compile("daily-([0-9]{4}-[0-9]{2}-[0-9]{2})", re.ASCII)
_WORD = re.compile("[a-z]{1,16}")
_PROGRAM_FORMS = {"name": _WORD, "level": _WORD, "version": re.compile("[0-9]{1,8}", re.ASCII)}
_FORMS = dict.fromkeys(("seed", "head", "key", "digest"), DIGEST)
_FORMS |= {"game": GAME, "signature": SIGNATURE}


def check_form(record: Json) -> int:
    """Check the form of a record, and return the format of its log. Raises VerificationError if the form is wrong."""
    stated = record.get("format")
    demand(stated in (EARLIER_FORMAT, FORMAT), "the format of the record")
    is_earlier = stated == EARLIER_FORMAT
    optional = set() if is_earlier else {"programs"}
    demand(record.keys() - optional == (EARLIER_MEMBERS if is_earlier else MEMBERS), "its members")
    for name in record.keys() & _FORMS.keys():
        demand(is_like(_FORMS[name], record[name]), f"the {name}")
    log_format = check_log(record["events"], LOG_FORMATS[record["format"]])
    rest = {name: value for name, value in record.items() if name != "events"}
    demand(not has_fraction(rest), "a decimal outside the options")
    _check_times(record)
    if "programs" in record:
        _check_programs(record["programs"], record["events"])
    return log_format


def check_log(logged: object, formats: Collection[str]) -> int:
    """Check the form of a log's events, and return the log's format, one of `formats`.

    Raises VerificationError if the form is wrong.
    """
    demand(isinstance(logged, list) and bool(logged), "the events")
    assert isinstance(logged, list)
    demand(all(isinstance(event, dict) for event in logged), "the events")
    log_format = text(logged[0].get("format", 1))
    demand(log_format in formats, "the format of the log")
    for number, event in enumerate(logged, 1):
        _check_event(event, number, int(log_format))
    without_options = [{**logged[0], "options": None}, *logged[1:]]
    demand(not has_fraction(without_options), "a decimal outside the options")
    _check_start(logged[0], int(log_format))
    return int(log_format)


def nonces_of(start: Json) -> list[str | None]:
    """The digits of the nonces, in the order of sitting down; up to format 2, None for a person without a nonce."""
    return [each["nonce"] if isinstance(each, dict) else each for each in start["nonces"]]


def is_like(form: re.Pattern[str], value: object) -> TypeGuard[str]:
    """Whether `value` is a text of this form."""
    return isinstance(value, str) and form.fullmatch(value) is not None


def _check_event(event: Json, number: int, log_format: int) -> None:
    """Check the event's number, salt and members, and that only the first event is the start.

    Raises VerificationError if anything is wrong.
    """
    kind = event.get("kind", "")
    demand(isinstance(kind, str) and kind in events.KINDS, f"the kind of event {number}")
    demand(text(event.get("number")) == str(number), f"event {number} is missing")
    demand((kind == "start") == (number == 1), "the start")
    required, optional = events.members(kind)
    every = EVERY_EVENT if log_format >= 3 else EVERY_EVENT - {"at"}
    own = required | {name for name in optional & ADDED.keys() if log_format >= ADDED[name]}
    own |= {name for name in event.keys() & ONLY_SOME.keys() if log_format >= ONLY_SOME[name]}
    demand(event.keys() == every | own, f"the members of event {number}")
    try:
        events.checked(event)
    except events.MalformedEvent as error:
        raise VerificationError(f"refused: event {number}: {error}") from None
    demand(is_like(_SALT, event["salt"]), f"the salt of event {number}")
    if kind == "handover":
        ids = event["from"], event["to"]
        demand(all(is_like(TENURE, each) for each in ids), f"the tenures of event {number}")


def _check_start(start: Json, log_format: int) -> None:
    """Check that tenures and nonces are well-formed, and that every seat has a tenure.

    Raises VerificationError if not.
    """
    sat, seats = start["sat"], start["seats"]
    demand(len(sat) == len(set(sat)) == len(seats) == start["players"], "who sat down")
    demand(all(is_like(TENURE, tenure) for tenure in sat), "the tenures that sat down")
    if log_format < 3:
        demand(len(start["nonces"]) == len(sat), "the nonces")
        brought = [nonce for nonce in start["nonces"] if nonce is not None]
    else:
        demand(len(start["house"]) == len(seats), "who is a house player")
        _check_owners(start)
        brought = nonces_of(start)
    demand(all(is_like(NONCE, nonce) for nonce in brought), "the form of the nonces")
    demand(_is_deal(start.get("deal")), "the deal")


def _is_deal(value: object) -> bool:
    """Whether the value names the deal of an existing day, or is None."""
    if value is None:
        return True
    with suppress(ValueError):
        found = _DEAL.fullmatch(value) if isinstance(value, str) else None
        return found is not None and date.fromisoformat(found[1]) is not None
    return False


def _check_owners(start: Json) -> None:
    """Check that every tenure has at most one nonce, that no house player has one, and that the nonces are in order."""
    demand(len(start["nonces"]) <= events.MOST_NONCES, "there are too many nonces")
    demand(all(isinstance(each, dict) for each in start["nonces"]), "whose the nonces are")
    tenures = [each["tenure"] for each in start["nonces"]]
    demand(all(is_like(TENURE, tenure) for tenure in tenures), "whose the nonces are")
    demand(len(tenures) == len(set(tenures)), "there are two nonces of one tenure")
    houses = set(compress(start["seats"], start["house"]))
    demand(houses.isdisjoint(tenures), "there is a nonce of a house player")
    there = [tenure for tenure in tenures if tenure in start["sat"]]
    in_order = [tenure for tenure in start["sat"] if tenure in there]
    demand(there == in_order, "the order of the nonces")


def _check_programs(programs: object, logged: list[Json]) -> None:
    """Check that every house player who held a seat is described, in the order in which they came to their seats."""
    demand(isinstance(programs, list) and bool(programs), "the programs")
    assert isinstance(programs, list)
    for program in programs:
        demand(isinstance(program, dict) and program.keys() == set(PROGRAM), "the programs")
        for name, form in _PROGRAM_FORMS.items():
            demand(is_like(form, program[name]), f"the {name} of a program")
    start, *later = logged
    came = [*compress(start["seats"], start["house"])]
    came += [event["to"] for event in later if event["kind"] == "handover" and event["house"]]
    demand([program["tenure"] for program in programs] == came, "which tenures are programs")


def _check_times(record: Json) -> None:
    """Check that every time exists, and that none is before the previous one; in records of format 1, times may be
    unknown.
    """
    earlier = record["format"] == EARLIER_FORMAT
    times = record["times"] if earlier else [event["at"] for event in record["events"]]
    demand(isinstance(times, list) and len(times) == len(record["events"]), "the times")
    for number, at in enumerate(times, 1):
        demand(_is_time(at), f"the time of event {number}")
        forward = earlier or number == 1 or times[number - 2] <= at
        demand(forward, f"event {number} was logged before the event before it")


def _is_time(value: object) -> bool:
    """Whether the value is the beginning of an existing hour."""
    with suppress(ValueError):
        return is_like(_TIME, value) and datetime.fromisoformat(str(value)) is not None
    return False
