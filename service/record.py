"""The record of a finished game, and its proof: `tegami verify record.json` (docs/record.md)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re

from sqlalchemy import select

import rules
from rules.kernel import Json, State, plain, text
from service import afterwards
from service.chance import commitment, shuffle
from service.database import AnySession
from service.log import digest, for_rules
from service.models import Event
from service.outside import rfc3339
from service.refused import Refused, demand
from service.table import Table

FORMAT = "tegami-record/1"
HOUR = 3_600_000
MEMBERS = {"format", "game", "seed", "events", "times", "head", "result", "digest"}
"""Exactly the members of a record."""
EVERY_EVENT = {"kind", "number", "salt"}
EVENTS = {
    "start": {"game", "ruleset", "version", "players", "options", "seating"}
    | {"sat", "seats", "nonces", "commitment"},
    "chance": {"name", "outcome"},
    "action": {"seat", "action", "by"},
    **afterwards.EVENTS,
}
"""What else an event of each kind holds: all of it, and nothing more."""
_SEED, _SALT = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")
_NONCE = re.compile("[0-9a-f]{16,64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00\.000Z")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]{0,8})\.[0-9]{0,3}[1-9]")


def whole_record(session: AnySession, table: Table) -> bytes:
    """The record of a game that is over: canonical JSON."""
    game = table.game
    query = select(Event.body, Event.at).where(Event.game_key == game.key).order_by(Event.number)
    rows = session.execute(query).all()
    record = {
        "format": FORMAT,
        "game": game.id,
        "seed": game.seed.hex(),
        "events": [json.loads(row.body) for row in rows],
        "times": [rfc3339(row.at - row.at % HOUR) for row in rows],
        "head": game.head.hex(),
        "result": game.result,
    }
    return text({**record, "digest": record_digest(record)}).encode()


def record_digest(record: Json) -> str:
    """SHA-256 of the canonical JSON of a record without its digest, in hex."""
    return hashlib.sha256(text(record).encode()).hexdigest()


def verify(data: bytes) -> Json:
    """Check a record: its text, digests, shuffles, every state and the result. Returns it. Raises Refused."""
    record = _parsed(data)
    claimed = record.pop("digest")
    demand(isinstance(claimed, str), "the digest is not text")
    demand(hmac.compare_digest(record_digest(record).encode(), claimed.encode()), "the digest")
    try:
        _check_chain(record)
        _check_game(record)
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused(f"the record cannot be replayed: {error}") from error
    return record


def _parsed(data: bytes) -> Json:
    try:
        record = json.loads(data, parse_float=_fraction, parse_constant=_fraction)
        canonical = text(record).encode() == data
    except (ValueError, RecursionError):
        raise Refused("this is not JSON") from None
    demand(canonical, "this is not canonical JSON")
    demand(isinstance(record, dict) and record.keys() == MEMBERS, "these are not its members")
    demand(record["format"] == FORMAT, "this is another format")
    return record  # type: ignore[no-any-return]


def _fraction(digits: str) -> float:
    """A short decimal. Raises ValueError for every other number that is no integer."""
    if not _FRACTION.fullmatch(digits):
        raise ValueError(digits)
    return float(digits)


def _check_chain(record: Json) -> None:
    """The events are numbered from 1 and hashed one on the other; the last digest is the head."""
    head = None
    for number, event in enumerate(record["events"], 1):
        _check_event(event, number)
        head = digest(head, text(event))
    demand(head is not None and head.hex() == record["head"], "the chain of digests")
    demand(len(record["times"]) == len(record["events"]), "the times")
    demand(all(map(_TIME.fullmatch, record["times"])), "the times")


def _check_event(event: Json, number: int) -> None:
    """It has its number, its salt and the members of its kind; the first one, and no other, is the start."""
    kind = event["kind"]
    demand(text(event["number"]) == str(number), f"event {number} is not there")
    demand(kind in EVENTS, f"the kind of event {number}")
    demand((kind == "start") == (number == 1), "the start")
    demand(event.keys() == EVERY_EVENT | EVENTS[kind], f"the members of event {number}")
    demand(bool(_SALT.fullmatch(event["salt"])), f"the salt of event {number}")


def _check_game(record: Json) -> None:
    """The seed is the committed one, every shuffle follows from it, every action was legal, the result is theirs."""
    start, seed = record["events"][0], bytes.fromhex(record["seed"])
    demand(bool(_SEED.fullmatch(record["seed"])), "the seed")
    demand(start["game"] == record["game"], "the start")
    demand(commitment(seed) == start["commitment"], "the seed is not the committed one")
    _check_seats(start, seed)
    ruleset = rules.load(start["ruleset"], start["version"])
    demand(text(start["version"]) == str(ruleset.version), "the version of the rules")
    state = ruleset.initial(start["players"], start["options"])
    settled = ruleset.settle(start["players"], start["options"])
    demand(text(settled) == text(start["options"]), "the options")
    course = afterwards.Course(start["seats"])
    for event in record["events"][1:]:
        course.check(ruleset, state, event)
        state = _next(ruleset, state, event, start, seed)
    result = course.result or ruleset.result(state)
    demand(result is not None, "the game is not over")
    demand(text(plain(result and result._asdict())) == text(record["result"]), "the result")


def _check_seats(start: Json, seed: bytes) -> None:
    """Every seat is held by one who sat down, each brought a nonce or none, and seats were drawn as it says."""
    sat, nonces = start["sat"], start["nonces"]
    demand(len(sat) == len(set(sat)) == len(nonces) == start["players"], "who sat down")
    demand(all(nonce is None or _NONCE.fullmatch(nonce) for nonce in nonces), "the nonces")
    demand(start["seating"] in {"order", "random"}, "the seating")
    drawn = start["seating"] == "random"
    seats = shuffle(seed, start["game"], nonces, 1, sat) if drawn else sat
    demand(seats == start["seats"], "the seating")


def _next(ruleset: rules.Ruleset, state: State, event: Json, start: Json, seed: bytes) -> State:
    seen = for_rules(event)
    if seen is None:
        return state
    chance = ruleset.turn(state).chance
    if chance is not None and event["kind"] == "chance":
        number = event["number"]
        drawn = shuffle(seed, start["game"], start["nonces"], number, chance.items)
        demand(event["outcome"] == drawn, f"the shuffle of event {number}")
    return ruleset.apply(state, seen)
