"""The record of a finished game, and its proof: `tegami verify record.json` (docs/record.md)."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from sqlalchemy import select

import rules
from rules.kernel import Illegal, Invalid, Json, State, plain, text
from service.chance import commitment, shuffle
from service.database import AnySession
from service.log import digest, for_rules
from service.models import Event
from service.outside import rfc3339
from service.table import Table

FORMAT = "tegami-record/1"
HOUR = 3_600_000
_KEYS = {"format", "game", "seed", "events", "times", "head", "result", "digest"}


class Refused(ValueError):
    """The record is not what it says it is."""


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
    _demand(isinstance(claimed, str), "the digest is not text")
    _demand(hmac.compare_digest(record_digest(record).encode(), claimed.encode()), "the digest")
    try:
        _check_chain(record)
        _check_game(record)
    except (Illegal, Invalid, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Refused(f"the record cannot be replayed: {error}") from error
    return record


def _parsed(data: bytes) -> Json:
    try:
        record = json.loads(data)
        canonical = text(record).encode() == data
    except (ValueError, RecursionError):
        raise Refused("this is not JSON") from None
    _demand(canonical, "this is not canonical JSON")
    _demand(isinstance(record, dict) and record.keys() == _KEYS, "these are not its members")
    _demand(record["format"] == FORMAT, "this is another format")
    return record  # type: ignore[no-any-return]


def _check_chain(record: Json) -> None:
    """The events are numbered from 1 and hashed one on the other; the last digest is the head."""
    head = None
    for number, event in enumerate(record["events"], 1):
        _demand(event["number"] == number, f"event {number} is not there")
        head = digest(head, text(event))
    _demand(head is not None and head.hex() == record["head"], "the chain of digests")
    _demand(len(record["times"]) == len(record["events"]), "the times")


def _check_game(record: Json) -> None:
    """The seed is the committed one, every shuffle follows from it, every action was legal, the result is theirs."""
    start, seed = record["events"][0], bytes.fromhex(record["seed"])
    _demand(start["kind"] == "start" and start["game"] == record["game"], "the start")
    _demand(commitment(seed) == start["commitment"], "the seed is not the committed one")
    _demand(_seats(start, seed) == start["seats"], "the seating")
    ruleset = rules.load(start["ruleset"], start["version"])
    state = ruleset.initial(start["players"], start["options"])
    for event in record["events"][1:]:
        state = _next(ruleset, state, event, start, seed)
    result = ruleset.result(state)
    told = plain(result._asdict()) if result else None
    _demand(told == record["result"], "the result")


def _seats(start: Json, seed: bytes) -> Any:
    if start["seating"] == "order":
        return start["sat"]
    return shuffle(seed, start["game"], start["nonces"], 1, start["sat"])


def _next(ruleset: rules.Ruleset, state: State, event: Json, start: Json, seed: bytes) -> State:
    seen = for_rules(event)
    if seen is None:
        return state
    chance = ruleset.turn(state).chance
    if chance is not None and event["kind"] == "chance":
        number = event["number"]
        drawn = shuffle(seed, start["game"], start["nonces"], number, chance.items)
        _demand(event["outcome"] == drawn, f"the shuffle of event {number}")
    return ruleset.apply(state, seen)


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(f"refused: {what}")
