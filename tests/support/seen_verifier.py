"""The second verifier's comparison of a record with what somebody kept, written from docs/record.md."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from tests.support.record_hashing import Refused, canonical, digests, must
from tests.support.record_members import is_hex, is_integer, is_list, is_nonce, is_tenure
from tests.support.record_verifier import is_signed

TYPES = {"ruleset": str, "version": int, "players": int, "options": dict, "seating": str}
"""The types of the members of `agreed`."""
SHORT = re.compile(r"([1-9][0-9]*)\.([\w-]{43})\.([\w-]{86})", re.ASCII)


def compare(record: Any, data: bytes) -> None:
    """Compare a verified record with the file. Raises Refused."""
    seen = parsed(data)
    start, events = record["events"][0], record["events"]
    must(seen["game"] == record["game"], "another game")
    key = record.get("key", seen.get("key"))
    must(seen.get("key", key) == key, "the key")
    must(seen.get("commitment", start["commitment"]) == start["commitment"], "the commitment")
    earlier = record["format"] == "tegami-record/1"
    pairs = (
        list(zip(start["sat"], start["nonces"], strict=True))
        if earlier
        else [(each["tenure"], each["nonce"]) for each in start["nonces"]]
    )
    must("nonce" not in seen or seen["nonce"] in dict(pairs).values(), "the nonce")
    for name, value in seen.get("agreed", {}).items():
        must(canonical(value) == canonical(start[name]), name)
    here = [tenure for tenure in seen.get("sat", ()) if tenure in start["sat"]]
    must(all(a == b for a, b in zip(here, start["sat"], strict=False)), "who sat down when")
    for each in seen.get("nonces", ()):
        if not earlier or each["tenure"] in start["sat"]:
            must((each["tenure"], each["nonce"]) in pairs, "a nonce")
    chain = digests([canonical(event) for event in events])
    for number, head, signature in map(head_of, seen["heads"]):
        must(number <= len(chain) and chain[number - 1] == head, f"event {number}")
        shown = {"game": record["game"], "head": head, "key": key, "signature": signature}
        must(key is None or is_signed(shown, number), f"the signature of {number}")
    for sent in seen["actions"]:
        event = events[sent["number"] - 1] if sent["number"] <= len(events) else {}
        must((event.get("kind"), event.get("by")) == ("action", "seat"), "no action")
        must(event["seat"] == sent["seat"], "another seat")
        must(canonical(event["action"]) == canonical(sent["action"]), "another action")


def whole_if_it_is(digits: str) -> Any:
    """1 for 1.0, as in canonical JSON."""
    return int(float(digits)) if float(digits) % 1 == 0 else float(digits)


def parsed(data: bytes) -> Any:
    """The file, if it follows the description."""
    try:
        seen = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=members, parse_float=whole_if_it_is
        )
    except (ValueError, RecursionError) as error:
        raise Refused(str(error)) from None
    must(isinstance(seen, dict) and seen.get("format") == "tegami-seen/1", "its format")
    least = {"format", "game", "heads", "actions"}
    optional = {"key", "commitment", "nonce", "agreed", "sat", "nonces"}
    must(least <= seen.keys() <= least | optional, "its members")
    forms: dict[str, Any] = {
        "game": lambda value: isinstance(value, str),
        "key": lambda value: is_hex(value, 64),
        "commitment": lambda value: is_hex(value, 64),
        "nonce": lambda value: is_hex(value, 16, 64),
        "agreed": is_agreed,
        "sat": lambda value: is_list(value, is_tenure) and len(value) == len(set(value)),
        "nonces": lambda value: is_list(value, is_nonce),
        "heads": lambda value: is_list(value, is_head),
        "actions": lambda value: is_list(value, is_action),
    }
    for name in seen.keys() - {"format"}:
        must(forms[name](seen[name]), name)
    return seen


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name occurs twice."""
    must(len({name for name, _ in pairs}) == len(pairs), "a name occurs twice")
    return dict(pairs)


def is_agreed(value: Any) -> bool:
    """Whether this is something to which somebody may have agreed."""
    if not isinstance(value, dict) or not value.keys() <= TYPES.keys():
        return False
    return all(type(each) is TYPES[name] for name, each in value.items())


def is_head(value: Any) -> bool:
    """Whether this is a head as an object, or in its short form."""
    if isinstance(value, str):
        return bool(SHORT.fullmatch(value))
    return (
        isinstance(value, dict)
        and value.keys() == {"number", "head", "signature"}
        and is_integer(value["number"], 1)
        and is_hex(value["head"], 64)
        and is_hex(value["signature"], 128)
    )


def is_action(value: Any) -> bool:
    """Whether this is an action that was sent."""
    return (
        isinstance(value, dict)
        and value.keys() == {"number", "seat", "action"}
        and is_integer(value["number"], 1)
        and is_integer(value["seat"])
        and isinstance(value["action"], dict)
    )


def head_of(given: Any) -> tuple[int, str, str]:
    """The number, digest and signature of a head."""
    if not isinstance(given, str):
        return given["number"], given["head"], given["signature"]
    number, *parts = given.split(".")
    head, signature = (base64.urlsafe_b64decode(part + "==").hex() for part in parts)
    return int(number), head, signature
