"""The verification of a record, `tegami verify record.json` (docs/record.md): digests, shuffles, states, the result."""

from __future__ import annotations

import hmac
from typing import NamedTuple

import rules
from rules.kernel import Json, Result, State, plain, text
from service.core.database.failures import UNREADABLE
from service.log.event_log import NotLegal, digests, refold
from service.log.events import FOR_RULES
from service.log.records.record import record_digest
from service.log.records.record_text import VerificationError, demand, parsed
from service.log.records.signed_heads import is_signed
from service.log.shuffles import Shuffler, commitment
from service.log.verification.verify_form import check_form, nonces_of
from service.log.verification.verify_service_events import TableCheck
from service.log.verification.verify_voids import Recent


def verify(data: bytes) -> Json:
    """The record in this text, with its text, digests, shuffles, states and result verified.

    Raises VerificationError if anything is wrong.
    """
    record = parsed(data)
    try:
        log_format = check_form(record)
        claimed = record.pop("digest")
        demand(hmac.compare_digest(record_digest(record), claimed), "the digest")
        _check_chain(record)
        result = replayed(record["events"], record["game"], record["seed"], log_format).result
        demand(result is not None, "the game is not over")
        demand(text(plain(result and result._asdict())) == text(record["result"]), "the result")
    except VerificationError:
        raise
    except UNREADABLE as error:
        raise VerificationError(f"the record cannot be replayed: {error}") from error
    return record


def _check_chain(record: Json) -> None:
    """Check that digests chain the events, and that the owner of the key has signed the head, the last digest."""
    head = digests(record["events"])[-1]
    demand(head.hex() == record["head"], "the chain of digests")
    if "signature" in record:
        key, signature = bytes.fromhex(record["key"]), bytes.fromhex(record["signature"])
        right = is_signed(key, record["game"], len(record["events"]), head, signature)
        demand(right, "the signature of the head")


class Replayed(NamedTuple):
    """The end of a log that was verified."""

    ruleset: rules.Ruleset
    """The version of the rules under which the game continues."""
    options: Json
    """The options as these rules have settled them."""
    state: State
    table: TableCheck
    shuffles: int

    @property
    def result(self) -> Result | None:
        """The result of the game; None if it has not ended."""
        return self.table.result or self.ruleset.result(self.state)


def replayed(
    events: list[Json], game: str, seed: str, log_format: int, shuffled_as: str | None = None
) -> Replayed:
    """The end of a log after replaying it.

    The seed has to match the commitment, the shuffles have to follow from the seed, and every action has to be legal.
    `shuffled_as` replaces the id of the game in its shuffles unless it is None; otherwise the `deal` of the start does,
    if it has one.

    Raises VerificationError if the log is wrong, and the errors that the rules raise for anything unknown.
    """
    start, seed_bytes = events[0], bytes.fromhex(seed)
    demand(start["game"] == game, "the start")
    demand(commitment(seed_bytes) == start["commitment"], "the seed is not the committed one")
    shuffled_as = shuffled_as or start.get("deal", game)
    shuffler = Shuffler(seed_bytes, shuffled_as, tuple(nonces_of(start)), log_format)
    drawn = start["seating"] == "random"
    seats = shuffler.seats(start["sat"]) if drawn else start["sat"]
    demand(seats == start["seats"], "the seating")
    ruleset = rules.load(start["ruleset"], start["version"])
    state = ruleset.initial(start["players"], start["options"])
    settled = ruleset.settle(start["players"], start["options"])
    logged = ruleset.filled(start["players"], start["options"])
    demand(text(settled) == text(logged), "the options")
    table, recent, ordinal = TableCheck(start), Recent(), 0
    for event in events[1:]:
        table.check(ruleset, state, event)
        recent.check(event)
        ordinal += event["kind"] == "chance"
        if event["kind"] == "void":
            state = recent.undo(ruleset, event)
            continue
        before = state
        if event["kind"] == "version":
            ruleset, settled, state = _by_version(event, settled, events)
        else:
            state = _next(ruleset, state, event, shuffler, ordinal)
        recent.note(before, event, state)
    demand(recent.is_whole, "what is undone at the end")
    return Replayed(ruleset, settled, state, table, ordinal)


def _by_version(
    event: Json, options: Json, events: list[Json]
) -> tuple[rules.Ruleset, Json, State]:
    """The rules under which the game continues, with the options and the state under them.

    They have to allow all events before `event`; otherwise raises VerificationError.
    """
    start, version, number = events[0], event["to"], event["number"]
    known = version in rules.versions(start["ruleset"])
    demand(known, f"there is no version {version}, as in event {number}")
    ruleset = rules.load(start["ruleset"], version)
    try:
        return ruleset, *refold(ruleset, start["players"], options, events[: number - 1])
    except NotLegal as reason:
        raise VerificationError(f"the version of event {number}: {reason}") from None


def _next(
    ruleset: rules.Ruleset, state: State, event: Json, shuffler: Shuffler, ordinal: int
) -> State:
    names = FOR_RULES.get(event["kind"])
    if names is None:
        return state
    chance = ruleset.turn(state).chance
    if chance is not None and event["kind"] == "chance":
        number = event["number"]
        drawn = shuffler.outcome(chance.items, number=number, ordinal=ordinal)
        demand(event["outcome"] == drawn, f"the shuffle of event {number}")
    return ruleset.apply(state, {name: event[name] for name in names})
