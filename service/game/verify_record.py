"""The verification of a record, `tegami verify record.json` (docs/record.md): digests, shuffles, states, the result."""

from __future__ import annotations

import hmac
import json
import re

import rules
from rules.kernel import Json, State, plain, text
from service.game import events
from service.game.event_log import digest
from service.game.events import FOR_RULES, KINDS, members
from service.game.record import FORMAT, record_digest
from service.game.shuffles import commitment, shuffle
from service.game.verification_error import VerificationError, demand
from service.game.verify_service_events import TableCheck

MEMBERS = {"format", "game", "seed", "events", "times", "head", "result", "digest"}
"""Exactly the members of a record."""
EVERY_EVENT = {"kind", "number", "salt"}
_SEED, _SALT = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")
_NONCE = re.compile("[0-9a-f]{16,64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00\.000Z")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]{0,8})\.[0-9]{0,3}[1-9]")


def verify(data: bytes) -> Json:
    """Verify the text, digests, shuffles, states and result of a record, and return it. Raises VerificationError."""
    record = _parsed(data)
    claimed = record.pop("digest")
    demand(isinstance(claimed, str), "the digest is not text")
    demand(hmac.compare_digest(record_digest(record).encode(), claimed.encode()), "the digest")
    try:
        _check_chain(record)
        _check_game(record)
    except VerificationError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise VerificationError(f"the record cannot be replayed: {error}") from error
    return record


def _parsed(data: bytes) -> Json:
    try:
        record = json.loads(data, parse_float=_fraction, parse_constant=_fraction)
        canonical = text(record).encode() == data
    except (ValueError, RecursionError):
        raise VerificationError("this is not JSON") from None
    demand(canonical, "this is not canonical JSON")
    demand(isinstance(record, dict) and record.keys() == MEMBERS, "the members of the record")
    demand(record["format"] == FORMAT, "the format of the record")
    return record  # type: ignore[no-any-return]


def _fraction(digits: str) -> float:
    """A short decimal. Raises ValueError for any other number that is not an integer."""
    if not _FRACTION.fullmatch(digits):
        raise ValueError(digits)
    return float(digits)


def _check_chain(record: Json) -> None:
    """The events are numbered from 1 and chained by their digests; the last digest is the head."""
    head = None
    for number, event in enumerate(record["events"], 1):
        _check_event(event, number)
        head = digest(head, text(event))
    demand(head is not None and head.hex() == record["head"], "the chain of digests")
    demand(len(record["times"]) == len(record["events"]), "the times")
    demand(all(map(_TIME.fullmatch, record["times"])), "the times")


def _check_event(event: Json, number: int) -> None:
    """The event has its number, a salt and the members of its kind; the first one, and no other, is the start."""
    kind = event["kind"]
    demand(text(event["number"]) == str(number), f"event {number} is missing")
    demand(kind in KINDS, f"the kind of event {number}")
    demand((kind == "start") == (number == 1), "the start")
    required, optional = members(kind)
    present = event.keys() - EVERY_EVENT
    demand(required <= present <= required | optional, f"the members of event {number}")
    demand(event.keys() >= EVERY_EVENT, f"the members of event {number}")
    demand(bool(_SALT.fullmatch(event["salt"])), f"the salt of event {number}")


def _check_game(record: Json) -> None:
    """The seed matches the commitment, the shuffles follow from it, and legal actions lead to the result."""
    start, seed = record["events"][0], bytes.fromhex(record["seed"])
    demand(bool(_SEED.fullmatch(record["seed"])), "the seed")
    demand(start["game"] == record["game"], "the start")
    demand(text(start.get("format", 1)) in ("1", str(events.FORMAT)), "the format of the log")
    demand(commitment(seed) == start["commitment"], "the seed is not the committed one")
    _check_seats(start, seed)
    ruleset = rules.load(start["ruleset"], start["version"])
    demand(text(start["version"]) == str(ruleset.version), "the version of the rules")
    state = ruleset.initial(start["players"], start["options"])
    settled = ruleset.settle(start["players"], start["options"])
    demand(text(settled) == text(start["options"]), "the options")
    table = TableCheck(start["seats"])
    for event in record["events"][1:]:
        table.check(ruleset, state, event)
        state = _next(ruleset, state, event, start, seed)
    result = table.result or ruleset.result(state)
    demand(result is not None, "the game is not over")
    demand(text(plain(result and result._asdict())) == text(record["result"]), "the result")


def _check_seats(start: Json, seed: bytes) -> None:
    """Everybody who sat down holds one seat, the nonces are well-formed, and the seating follows from the seed."""
    sat, nonces = start["sat"], start["nonces"]
    demand(len(sat) == len(set(sat)) == len(nonces) == start["players"], "who sat down")
    demand(all(nonce is None or _NONCE.fullmatch(nonce) for nonce in nonces), "the nonces")
    demand(start["seating"] in {"order", "random"}, "the seating")
    drawn = start["seating"] == "random"
    seats = shuffle(seed, start["game"], nonces, 1, sat) if drawn else sat
    demand(seats == start["seats"], "the seating")


def _next(ruleset: rules.Ruleset, state: State, event: Json, start: Json, seed: bytes) -> State:
    names = FOR_RULES.get(event["kind"])
    seen = {name: event[name] for name in names} if names else None
    if seen is None:
        return state
    chance = ruleset.turn(state).chance
    if chance is not None and event["kind"] == "chance":
        number = event["number"]
        drawn = shuffle(seed, start["game"], start["nonces"], number, chance.items)
        demand(event["outcome"] == drawn, f"the shuffle of event {number}")
    return ruleset.apply(state, seen)
