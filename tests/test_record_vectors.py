"""The test vectors of docs/record.md match our code and a second implementation, written from that document."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.kernel import text
from service.log import event_log
from service.log.events import KINDS, members
from service.log.records import record_text
from service.log.records.record_text import VerificationError
from service.log.shuffles import Shuffler, commitment
from service.log.verification import verify_form
from service.log.verification.verify_record import verify
from tests.support import forgeries, record_hashing, record_verifier, seen_verifier
from tests.support.in_one_go import in_one_go
from tests.support.record_hashing import (
    Refused,
    Shuffles,
    canonical,
    digests,
    number_below,
    sha256,
)
from tests.support.record_vectors import (
    DOCUMENT,
    EARLIER_OUTSIDE,
    EARLIER_SHUFFLES,
    OUTSIDE,
    RECORD,
    RECORDS,
    RESIGNED,
    SHUFFLES,
    TAKEN_BACK,
    VECTORS,
    refused,
)

every_record = pytest.mark.parametrize(
    "record_of", [VECTORS[name] for name in RECORDS], ids=RECORDS
)
both_derivations = pytest.mark.parametrize("prefix", ["", "earlier-"], ids=["2", "1"])


AT = 1_795_644_000_000
"""The time in the vectors: 2026-11-25T22:00:00Z."""


def second_shuffles(prefix: str, nonces: list[str | None]) -> Shuffles:
    """The second implementation of the derivation whose vectors have this prefix."""
    return Shuffles(SHUFFLES["seed"], SHUFFLES["game"], nonces, 1 if prefix else 2)


def ours(prefix: str, nonces: list[str | None], k: int, items: list[str]) -> list[str]:
    """The outcome of our code."""
    seed, game = bytes.fromhex(SHUFFLES["seed"]), SHUFFLES["game"]
    shuffler = Shuffler(seed, game, tuple(nonces), 2 if prefix else 3)
    if not (prefix or k):
        return shuffler.seats(items)
    number, ordinal = (k, 0) if prefix else (0, k)
    return shuffler.outcome(items, number=number, ordinal=ordinal)


def k_of(vector: Any) -> int:
    """The number that stands for k in a vector."""
    k: int = vector["k"] if "k" in vector else vector["number"]
    return k


def test_canonical_text() -> None:
    for vector in VECTORS["canonical"]:
        assert text(vector["value"]) == vector["text"] == canonical(vector["value"])


def test_numbers() -> None:
    numbers = VECTORS["numbers"]
    for digits in (*numbers["allowed"], *numbers["refused"]):
        data = f'{{"stake":{digits}}}'.encode()
        parsers = (record_text.parsed, VerificationError), (record_hashing.parse, Refused)
        for parse, refusal in parsers:
            if digits in numbers["allowed"]:
                assert parse(data) == {"stake": json.loads(digits)}
            else:
                with pytest.raises(refusal):
                    parse(data)


@both_derivations
def test_digests_of_the_chain(prefix: str) -> None:
    texts = [vector["text"] for vector in VECTORS[f"{prefix}digests"]]
    expected = [vector["digest"] for vector in VECTORS[f"{prefix}digests"]]
    head, ours = None, []
    for number, body in enumerate(texts, 1):
        event = json.loads(body)
        salt = bytes.fromhex(event["salt"])
        inside = {key: event[key] for key in event if key not in {"number", "salt", "at"}}
        sealed = event_log.sealed_body(inside, number, salt, None if prefix else AT + 59)
        assert sealed == body == canonical(event)
        head = event_log.digest(head, body)
        ours.append(head.hex())
    assert ours == expected == digests(texts)


def test_commitment() -> None:
    seed = bytes.fromhex(SHUFFLES["seed"])
    assert f"`{commitment(seed)}`" in DOCUMENT
    assert commitment(seed) == hashlib.sha256(bytes(range(32))).hexdigest()


@in_one_go(
    "prefix, vector",
    [("", vector) for vector in SHUFFLES["shuffles"]]
    + [("earlier-", vector) for vector in EARLIER_SHUFFLES["shuffles"]],
)
def test_shuffle(prefix: str, vector: Any) -> None:
    asked = vector["nonces"], k_of(vector), vector["items"]
    assert ours(prefix, *asked) == vector["outcome"]
    nonces, k, items = asked
    assert second_shuffles(prefix, nonces).shuffled(k, items) == vector["outcome"]


@both_derivations
def test_the_steps_of_a_shuffle(prefix: str) -> None:
    work, seed = VECTORS[f"{prefix}work"], bytes.fromhex(SHUFFLES["seed"])
    first = VECTORS[f"{prefix}shuffles"]["shuffles"][0]
    shuffles = second_shuffles(prefix, first["nonces"])
    message = shuffles.message(k_of(first), 0)
    assert message.hex() == work["message"]
    assert hmac.digest(seed, message, "sha256").hex() == work["block"]
    assert list(itertools.islice(shuffles.words(k_of(first)), 8)) == work["words"]
    drawn = iter(work["words"])
    assert [number_below(i + 1, drawn) for i in (4, 3, 2, 1)] == work["places"]


@both_derivations
def test_a_shuffle_that_discards_a_word(prefix: str) -> None:
    first, k = VECTORS[f"{prefix}shuffles"]["shuffles"][0], 15785 if prefix else 1055
    shuffles = second_shuffles(prefix, first["nonces"])
    items = [str(number) for number in range(1, 1001)]
    drawn = ours(prefix, first["nonces"], k, items)
    assert drawn == shuffles.shuffled(k, items)
    assert sha256(canonical(drawn).encode()) == VECTORS[f"{prefix}rejection"]
    words = shuffles.words(k)
    pairs = zip(words, range(1000, 1, -1), strict=False)
    assert any(word >= 2**32 - 2**32 % below for word, below in pairs)


@every_record
def test_the_record_is_valid(record_of: Any) -> None:
    data = text(record_of).encode()
    assert canonical(record_of).encode() == data
    assert f"{len(data)}\nbytes" in DOCUMENT or f"{len(data)} bytes" in DOCUMENT
    assert f"`{sha256(data)}`" in DOCUMENT
    assert verify(data)["result"] == record_of["result"]
    assert record_verifier.verify(data) == record_of


def test_its_shuffles_can_be_checked_without_the_rules() -> None:
    """Sort the outcome, shuffle, compare: no items are needed, nor the numbers of the events."""
    for record_of in (RECORD, OUTSIDE, RESIGNED, TAKEN_BACK):
        start, *later = record_of["events"]
        nonces = [brought["nonce"] for brought in start["nonces"]]
        shuffles = Shuffles(record_of["seed"], start["game"], nonces)
        outcomes = [event["outcome"] for event in later if event["kind"] == "chance"]
        assert len(outcomes) == 2
        for k, outcome in enumerate(outcomes, 1):
            assert shuffles.shuffled(k, outcome) == outcome


@pytest.mark.parametrize("record_of", [OUTSIDE, EARLIER_OUTSIDE], ids=["new", "earlier"])
def test_a_record_has_every_kind_of_event(record_of: Any) -> None:
    told = {event["kind"] for event in record_of["events"]}
    assert told == KINDS.keys() - {"version", "void", "clock"}, "every kind that it can have"
    why = [event["why"] for event in record_of["events"] if event["kind"] == "handover"]
    assert why == ["timeouts", "returned", "resigned", "substitute"]


def test_a_record_has_every_kind_of_take_back() -> None:
    why = [event["why"] for event in TAKEN_BACK["events"] if event["kind"] == "void"]
    assert why == ["free", "agreed", "agreed"]


def test_the_document_lists_all_members() -> None:
    section = DOCUMENT.partition("## The log")[2].partition("## Digests")[0]
    tables = section.split("| member | description |\n| --- | --- |\n")[1:]
    named = [_members(table) for table in tables]
    assert named == [
        verify_form.EVERY_EVENT,
        *(set().union(*members(kind)) for kind in ("start", "chance", "action", "clock")),
        *(
            set().union(*members(kind))
            for kind in ("handover", "extend", "void", "version", "close")
        ),
    ]
    bare = {kind for kind in KINDS if not any(members(kind))}
    assert bare == {"pause", "resume"}, "kinds without a table"
    section = DOCUMENT.partition("## The record\n")[2].partition("## Verify")[0]
    assert _members(section.partition("| --- | --- |\n")[2]) == verify_form.MEMBERS | {"programs"}
    assert RECORD.keys() == verify_form.MEMBERS


def _members(table: str) -> set[str]:
    """The names in the first column of the table."""
    rows = itertools.takewhile(lambda line: line.startswith("|"), table.splitlines())
    return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}


@every_record
def test_a_changed_byte_is_refused(record_of: Any) -> None:
    data = text(record_of).encode()
    for place in range(0, len(data), 3 if record_of is RECORD else 9):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 7
        refused(bytes(changed))
    for whole in (data + b"\n", b"\xef\xbb\xbf" + data, data[:-1], b"", data + data):
        refused(whole)


@in_one_go("entry", VECTORS["refused"], ids=lambda entry: entry["why"])
def test_what_breaks_one_rule_of_the_document_is_refused(entry: Any) -> None:
    data = forgeries.forged(entry, VECTORS)
    refused(data)
    with pytest.raises(Refused):
        record_verifier.verify(data)


@pytest.mark.parametrize(
    ("says", "spoilt"),
    [("in upper case", str.upper), ("a short ", lambda right: right[:-2])],
    ids=["upper case", "short"],
)
def test_spoilt_values_are_otherwise_those_of_the_record(
    says: str, spoilt: Callable[[str], str]
) -> None:
    """Otherwise a vector that is wrong in two ways, such as upper case and another digest, would be refused for the
    wrong one.
    """
    found = set()
    for entry in VECTORS["refused"]:
        if says in entry["why"] and len(entry.get("patch", ())) == 1:
            _, path, value = entry["patch"][0]
            name = path[1:]
            if name in {"digest", "head", "key", "seed", "signature"}:
                assert value == spoilt(RECORD[name]), entry["why"]
                found.add(name)
    assert found >= {"key", "seed", "signature"}


@in_one_go("entry", VECTORS["accepted"], ids=lambda entry: entry["why"])
def test_what_breaks_no_rule_is_accepted(entry: Any) -> None:
    data = forgeries.forged(entry, VECTORS)
    assert data != text(VECTORS[entry["of"]]).encode()
    record_verifier.verify(data)
    outcomes = [event["outcome"] for event in verify(data)["events"] if event["kind"] == "chance"]
    before = [
        event["outcome"] for event in VECTORS[entry["of"]]["events"] if event["kind"] == "chance"
    ]
    assert "reshuffle" in entry or outcomes == before, "nothing between two deals changes the next"


@pytest.mark.parametrize(("count", "right"), [(64, True), (65, False)])
def test_there_are_at_most_64_nonces(count: int, right: bool) -> None:
    nonces = [{"tenure": f"t_{n:022}", "nonce": f"{n:032x}"} for n in range(count)]
    patch = [["replace", "/events/0/nonces", nonces]]
    data = forgeries.forged({"of": "resigned", "reshuffle": True, "patch": patch}, VECTORS)
    if right:
        assert verify(data) and record_verifier.verify(data)
        return
    refused(data)
    with pytest.raises(Refused):
        record_verifier.verify(data)


@pytest.mark.parametrize("name", ["record", "outside", "resigned", "taken-back"])
def test_forging_without_a_change_gives_the_record(name: str) -> None:
    entry = {"of": name, "renumber": True, "reshuffle": True}
    assert forgeries.forged(entry, VECTORS) == text(VECTORS[name]).encode()


def test_every_refusal_says_something_else() -> None:
    told = [entry["why"] for entry in (*VECTORS["refused"], *VECTORS["accepted"])]
    assert len(told) == len(set(told))


def test_the_second_verifier_shares_no_code_with_the_service() -> None:
    for module in (record_hashing, record_verifier, seen_verifier, forgeries):
        source = Path(module.__file__).read_text(encoding="utf-8")
        assert "service" not in source
