"""Comparing what somebody kept of a running game with its record (docs/record.md, "Heads that you have seen")."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

from rules.kernel import Json, text
from service.log import events
from service.log.event_log import digests
from service.log.records.record_text import VerificationError, demand
from service.log.records.signed_heads import is_signed
from service.log.verification.verify_form import (
    DIGEST,
    NONCE,
    SIGNATURE,
    TENURE,
    is_like,
    nonces_of,
)

FORMAT = "tegami-seen/1"
_SHORT = re.compile(r"([1-9][0-9]{0,15})\.([0-9A-Za-z_-]{43})\.([0-9A-Za-z_-]{86})")
_REQUIRED = {"format", "game", "heads", "actions"}
_OPTIONAL = {"key", "commitment", "nonce", "agreed", "sat", "nonces"}
_AGREED: dict[str, type] = {
    "ruleset": str,
    "version": int,
    "players": int,
    "options": dict,
    "seating": str,
}
"""The members of `start` to which people agree by sitting down."""


SeenHead = tuple[int, bytes, bytes]
"""A head that the server showed: its number, the digest and the signature."""


class SeenGame(NamedTuple):
    """The part of a game that somebody has kept in a file."""

    game: str
    key: str | None
    commitment: str | None
    nonce: str | None
    agreed: Json
    sat: list[str]
    nonces: list[Json]
    heads: list[SeenHead]
    actions: list[Json]


def parse_seen(data: bytes) -> SeenGame:
    """The contents of the file that somebody kept. Raises VerificationError if they are malformed."""
    try:
        decoded = data.decode("utf-8-sig")
        seen = json.loads(decoded, object_pairs_hook=_object, parse_float=_number)
    except (ValueError, RecursionError):
        raise VerificationError("the file of what was seen is not JSON") from None
    _demand(isinstance(seen, dict) and seen.get("format") == FORMAT, "its format")
    _demand(_REQUIRED <= seen.keys() <= _REQUIRED | _OPTIONAL, "its members")
    _demand(isinstance(seen["game"], str), "game")
    for name, form in (("key", DIGEST), ("commitment", DIGEST), ("nonce", NONCE)):
        _demand(name not in seen or is_like(form, seen[name]), name)
    _demand(isinstance(seen["heads"], list) and isinstance(seen["actions"], list), "its lists")
    agreed, sat, nonces = seen.get("agreed", {}), seen.get("sat", []), seen.get("nonces", [])
    _demand(isinstance(agreed, dict), "agreed")
    types = {name: type(value) for name, value in agreed.items()}
    _demand(types.items() <= _AGREED.items(), "agreed")
    _demand(isinstance(sat, list) and all(is_like(TENURE, each) for each in sat), "sat")
    _demand(len(sat) == len(set(sat)), "sat")
    _demand(isinstance(nonces, list), "nonces")
    for each in nonces:
        _demand(_has(each, tenure=_like(TENURE), nonce=_like(NONCE)), "nonces")
    heads = [_head(each, n) for n, each in enumerate(seen["heads"])]
    for n, each in enumerate(seen["actions"]):
        right = _has(each, number=_at_least(1), seat=_at_least(0), action=_is_object)
        _demand(right, f"actions, {n}")
    own = seen.get("key"), seen.get("commitment"), seen.get("nonce")
    return SeenGame(seen["game"], *own, agreed, sat, nonces, heads, seen["actions"])


def _number(digits: str) -> int | float:
    """The number with these digits in the form of canonical JSON, where 1.0 is 1."""
    number = float(digits)
    return int(number) if number.is_integer() else number


def check_seen(record: Json, seen: SeenGame) -> str | None:
    """Check that this verified record belongs to the game that somebody saw.

    Returns the key with which the signatures were checked; None if neither the file nor the record has one. Raises
    VerificationError for the first statement that is not true.
    """
    start = record["events"][0]
    demand(seen.game == record["game"], "the file of what was seen is about another game")
    demand(seen.key in (None, record.get("key", seen.key)), "the key is not the one that was seen")
    committed = seen.commitment in (None, start["commitment"])
    demand(committed, "the commitment is not the one that was seen")
    demand(seen.nonce is None or seen.nonce in nonces_of(start), "the nonce is not in the start")
    _check_start(start, seen)
    key = seen.key or record.get("key")
    _check_heads(record, seen.heads, key and bytes.fromhex(key))
    for action in seen.actions:
        _check_action(record["events"], action)
    return key


def _check_start(start: Json, seen: SeenGame) -> None:
    """Check that the start is as agreed on, and has everybody who was shown before it, with their nonces."""
    for name, agreed in seen.agreed.items():
        right = text(start[name]) == text(agreed)
        demand(right, f"the {name} in the start is not what was agreed on")
    stayed = [tenure for tenure in seen.sat if tenure in start["sat"]]
    right = start["sat"][: len(stayed)] == stayed  # the people who came later sit behind them
    demand(right, "the order of sitting down is not the one that was seen")
    if start.get("format", 1) < 3:
        brought = dict(zip(start["sat"], start["nonces"], strict=True))
    else:
        brought = {each["tenure"]: each["nonce"] for each in start["nonces"]}
    for each in seen.nonces:
        tenure = each["tenure"]
        # Logs of earlier formats do not mention others.
        is_told = start.get("format") == events.FORMAT or tenure in start["sat"]
        right = not is_told or brought.get(tenure) == each["nonce"]
        demand(right, f"the nonce of {tenure} in the start is not the one that was seen")


def _check_heads(record: Json, heads: Iterable[SeenHead], key: bytes | None) -> None:
    """Check that the digests are the ones that were seen, and that the signatures are valid if there is a key.

    Raises VerificationError if they are not.
    """
    chain = digests(record["events"])
    for number, head, signature in heads:
        demand(number <= len(chain), f"the record ends before event {number}, which was seen")
        demand(chain[number - 1] == head, f"event {number} is not the one that was seen")
        right = key is None or is_signed(key, record["game"], number, head, signature)
        demand(right, f"the signature of the head of event {number}")


def _check_action(logged: list[Json], sent: Json) -> None:
    """Check that the event with this number is this action, chosen by the person in this seat.

    Raises VerificationError if it is not.
    """
    number = sent["number"]
    event = logged[number - 1] if number <= len(logged) else {}
    expected = {"kind": "action", "by": "seat", "seat": sent["seat"], "action": sent["action"]}
    logged_so = {name: event.get(name) for name in expected}
    demand(text(logged_so) == text(expected), f"event {number} is not the action that was sent")


def _head(given: object, n: int) -> SeenHead:
    """The head that is given as an object or in its short form. Raises VerificationError if it is neither."""
    where = f"heads, {n}"
    short = _SHORT.fullmatch(given) if isinstance(given, str) else None
    if short:
        return int(short[1]), _bytes(short[2]), _bytes(short[3])
    right = _has(given, number=_at_least(1), head=_like(DIGEST), signature=_like(SIGNATURE))
    _demand(right, where)
    head = cast(Json, given)
    return head["number"], bytes.fromhex(head["head"]), bytes.fromhex(head["signature"])


def _bytes(letters: str) -> bytes:
    return base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))


def _has(given: object, **members: Callable[[object], bool]) -> bool:
    """Whether this is an object with exactly these members, each of the right form."""
    if not isinstance(given, dict) or given.keys() != members.keys():
        return False
    return all(is_right(given[name]) for name, is_right in members.items())


def _at_least(least: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and value >= least


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _like(form: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: is_like(form, value)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object with these members. Raises ValueError if a name occurs twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name occurs twice")
    return made


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise VerificationError(f"the file of what was seen is malformed: {what}")
