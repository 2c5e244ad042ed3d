"""Forged records: the changes described in docs/record.md, each with a record that is consistent except for
one thing.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.support.record_hashing import Shuffles, canonical, digests, sha256
from tests.support.record_verifier import signed_text

FORGER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The key of the server in the document's records."""


def forged(entry: Any, records: dict[str, Any]) -> bytes:
    """The file that this entry of the document describes."""
    record = copy.deepcopy(records[entry.get("of", "record")])
    del record["events"][entry.get("first", len(record["events"])) :]
    for operation, path, *value in entry.get("patch", ()):
        changed(record, operation, path.split("/")[1:], *copy.deepcopy(value))
    if "renumber" in entry:
        for number, event in enumerate(record["events"], 1):
            event["number"] = number
    if "reshuffle" in entry:
        shuffle_anew(record)
    number, old, new = entry.get("text", (0, "", ""))
    texts = [canonical(event) for event in record.get("events", ())]
    if number:
        assert old in texts[number - 1]
        texts[number - 1] = texts[number - 1].replace(old, new, 1)
    before, after = entry.get("file", ("", ""))
    return (before + sealed(record, texts, entry.get("exact")) + after).encode()


def changed(record: Any, operation: str, steps: list[str], *value: Any) -> None:
    """Do one operation of a JSON Patch."""
    *where, last = steps
    for step in where:
        record = record[int(step) if isinstance(record, list) else step]
    place: Any = last
    if isinstance(record, list):
        place = len(record) if last == "-" else int(last)
    if operation == "add" and isinstance(record, list):
        record.insert(place, *value)
    elif operation == "remove":
        del record[place]
    else:
        (record[place],) = value


def shuffle_anew(record: Any) -> None:
    """Derive the seats and all outcomes from what the record now says."""
    start, *later = record["events"]
    nonces = [brought["nonce"] for brought in start["nonces"]]
    shuffles = Shuffles(record["seed"], record["game"], nonces)
    if start["seating"] == "random":
        start["seats"] = shuffles.shuffled(0, start["sat"])
    chances = [event for event in later if event["kind"] == "chance"]
    for k, event in enumerate(chances, 1):
        event["outcome"] = shuffles.shuffled(k, event["outcome"])


def sealed(record: Any, texts: list[str], exact: Any) -> str:
    """The record as text, with these event texts and new digests."""
    if "head" in record and not exact:
        record["head"] = digests(texts)[-1]
    if not exact and {"head", "signature", "game", "events"} <= record.keys():
        record["signature"] = FORGER.sign(signed_text(record, len(record["events"]))).hex()
    if "events" in record and isinstance(record["events"], list):
        record["events"] = "@"
    without = {name: value for name, value in record.items() if name != "digest"}

    def written(value: Any) -> str:
        return re.sub(
            '"events":"@"', lambda _: f'"events":[{",".join(texts)}]', canonical(value), count=1
        )

    if "digest" in record and exact is not True:
        record["digest"] = sha256(written(without).encode())
    return written(record)
