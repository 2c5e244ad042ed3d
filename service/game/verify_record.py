"""The verification of a record, `tegami verify record.json` (docs/record.md): digests, shuffles, states, the result."""

from __future__ import annotations

import hmac
import json
import re

import rules
from rules.kernel import Json, State, plain, text
from service.game.event_log import NotLegal, digest, refold
from service.game.events import FOR_RULES, KINDS, members
from service.game.record import EARLIER_FORMAT, FORMAT, record_digest
from service.game.shuffles import Shuffler, commitment
from service.game.signed_heads import is_signed
from service.game.verification_error import VerificationError, demand
from service.game.verify_service_events import TableCheck

MEMBERS = {"format", "game", "seed", "events", "head", "result", "key", "signature", "digest"}
"""Exactly the members of a record."""
EARLIER_MEMBERS = MEMBERS - {"key", "signature"} | {"times"}
"""Those of a record of the earlier format."""
EVERY_EVENT = {"kind", "number", "salt", "at"}
"""The members of every event; those of logs up to format 2 have no `at`."""
LOG_FORMATS = {EARLIER_FORMAT: ("1", "2"), FORMAT: ("3",)}
"""The formats of the logs in each format of the record."""
ADDED = {"format": 2, "house": 3}
"""Since which format of the log `start` has these members."""
_SEED, _SALT = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")
_KEY, _SIGNATURE = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{128}")
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
    demand(isinstance(record, dict), "this is not a record")
    known = record.get("format") in (EARLIER_FORMAT, FORMAT)
    demand(known, "the format of the record")
    members = MEMBERS if record["format"] == FORMAT else EARLIER_MEMBERS
    demand(record.keys() == members, "the members of the record")
    return record  # type: ignore[no-any-return]


def _fraction(digits: str) -> float:
    """A short decimal. Raises ValueError for any other number that is not an integer."""
    if not _FRACTION.fullmatch(digits):
        raise ValueError(digits)
    return float(digits)


def _check_chain(record: Json) -> None:
    """The events are numbered from 1 and chained by their digests; the last digest is the head."""
    head, log_format = None, _log_format(record)
    for number, event in enumerate(record["events"], 1):
        _check_event(event, number, log_format)
        head = digest(head, text(event))
    demand(head is not None and head.hex() == record["head"], "the chain of digests")
    if record["format"] == FORMAT:
        _check_signature(record, head or b"")
    times = record.get("times") or [event["at"] for event in record["events"]]
    demand(len(times) == len(record["events"]), "the times")
    demand(all(map(_TIME.fullmatch, times)), "the times")


def _check_signature(record: Json, head: bytes) -> None:
    """The owner of the key has signed the last head."""
    key, signature = record["key"], record["signature"]
    demand(bool(_KEY.fullmatch(key)), "the key")
    demand(bool(_SIGNATURE.fullmatch(signature)), "the signature of the head")
    number, signed = len(record["events"]), bytes.fromhex(signature)
    right = is_signed(bytes.fromhex(key), record["game"], number, head, signed)
    demand(right, "the signature of the head")


def _log_format(record: Json) -> int:
    """The format of the log, which the record's format allows."""
    stated = text(record["events"][0].get("format", 1))
    demand(stated in LOG_FORMATS[record["format"]], "the format of the log")
    return int(stated)


def _check_event(event: Json, number: int, log_format: int) -> None:
    """The event has its number, a salt and the members of its kind; the first one, and no other, is the start."""
    kind = event["kind"]
    demand(text(event["number"]) == str(number), f"event {number} is missing")
    demand(kind in KINDS, f"the kind of event {number}")
    demand((kind == "start") == (number == 1), "the start")
    required, optional = members(kind)
    every = EVERY_EVENT if log_format >= 3 else EVERY_EVENT - {"at"}
    own = required | {name for name in optional if log_format >= ADDED[name]}
    demand(event.keys() == every | own, f"the members of event {number}")
    demand(bool(_SALT.fullmatch(event["salt"])), f"the salt of event {number}")


def _check_game(record: Json) -> None:
    """The seed matches the commitment, the shuffles follow from it, and legal actions lead to the result."""
    start, seed = record["events"][0], bytes.fromhex(record["seed"])
    demand(bool(_SEED.fullmatch(record["seed"])), "the seed")
    demand(start["game"] == record["game"], "the start")
    demand(commitment(seed) == start["commitment"], "the seed is not the committed one")
    log_format = _log_format(record)
    if log_format < 3:
        demand(len(start["nonces"]) == len(start["sat"]), "the nonces")
        nonces = start["nonces"]
    else:
        nonces = _checked_nonces(start)
    demand(all(nonce is None or _NONCE.fullmatch(nonce) for nonce in nonces), "the nonces")
    shuffler = Shuffler(seed, record["game"], tuple(nonces), log_format)
    _check_seats(start, shuffler)
    ruleset = rules.load(start["ruleset"], start["version"])
    demand(text(start["version"]) == str(ruleset.version), "the version of the rules")
    state = ruleset.initial(start["players"], start["options"])
    settled = ruleset.settle(start["players"], start["options"])
    demand(text(settled) == text(start["options"]), "the options")
    table, ordinal = TableCheck(start), 0
    for event in record["events"][1:]:
        table.check(ruleset, state, event)
        ordinal += event["kind"] == "chance"
        if event["kind"] == "version":
            ruleset = _newer(start, event)
            settled, state = _by_version(ruleset, settled, record["events"], event["number"])
        else:
            state = _next(ruleset, state, event, shuffler, ordinal)
    result = table.result or ruleset.result(state)
    demand(result is not None, "the game is not over")
    demand(text(plain(result and result._asdict())) == text(record["result"]), "the result")


def _newer(start: Json, event: Json) -> rules.Ruleset:
    """The version of the rules by which the game goes on."""
    known = event["to"] in rules.versions(start["ruleset"])
    demand(known, f"there is no version {event['to']}, as in event {event['number']}")
    return rules.load(start["ruleset"], event["to"])


def _by_version(
    ruleset: rules.Ruleset, options: Json, events: list[Json], number: int
) -> tuple[Json, State]:
    """The options and the state by this version, under which every event before event `number` is legal."""
    try:
        return refold(ruleset, events[0]["players"], options, events[: number - 1])
    except NotLegal as reason:
        raise VerificationError(f"the version of event {number}: {reason}") from None


def _checked_nonces(start: Json) -> list[str]:
    """The nonces of a log of format 3: one a tenure at most, none of a house player, in the order of sitting down."""
    entries = start["nonces"]
    demand(all(entry.keys() == {"tenure", "nonce"} for entry in entries), "the nonces")
    tenures = [entry["tenure"] for entry in entries]
    demand(len(tenures) == len(set(tenures)), "two nonces of one tenure")
    houses = {tenure for tenure, house in zip(start["seats"], start["house"], strict=True) if house}
    demand(houses.isdisjoint(tenures), "the nonce of a house player")
    demand(all(isinstance(entry["nonce"], str) for entry in entries), "the nonces")
    there = [tenure for tenure in tenures if tenure in start["sat"]]
    demand(there == [each for each in start["sat"] if each in there], "the order of the nonces")
    return [entry["nonce"] for entry in entries]


def _check_seats(start: Json, shuffler: Shuffler) -> None:
    """Everybody who sat down holds one seat, and the seating follows from the seed."""
    sat = start["sat"]
    demand(len(sat) == len(set(sat)) == start["players"], "who sat down")
    demand(start["seating"] in {"order", "random"}, "the seating")
    seats = shuffler.seats(sat) if start["seating"] == "random" else sat
    demand(seats == start["seats"], "the seating")


def _next(
    ruleset: rules.Ruleset, state: State, event: Json, shuffler: Shuffler, ordinal: int
) -> State:
    names = FOR_RULES.get(event["kind"])
    seen = {name: event[name] for name in names} if names else None
    if seen is None:
        return state
    chance = ruleset.turn(state).chance
    if chance is not None and event["kind"] == "chance":
        number = event["number"]
        drawn = shuffler.outcome(chance.items, number=number, ordinal=ordinal)
        demand(event["outcome"] == drawn, f"the shuffle of event {number}")
    return ruleset.apply(state, seen)
