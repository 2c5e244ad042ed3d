"""docs/record.md holds: its vectors are those of our code and of a second implementation, written after it."""

from __future__ import annotations

import copy
import hashlib
import hmac
import itertools
import json
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules.kernel import text
from service import chance, log, record
from service.config import ROOT

DOCUMENT = (ROOT / "docs/record.md").read_text(encoding="utf-8")
VECTORS = {
    name: json.loads(block)
    for name, block in re.findall(r"^```json (\w+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
}
SHUFFLES = VECTORS["shuffles"]
FIRST = SHUFFLES["shuffles"][0]
RECORD = VECTORS["record"]


class Again:
    """The document once more as code, and nothing of ours."""

    ESCAPES = dict(zip('"\\\b\t\n\f\r', [f"\\{c}" for c in '"\\btnfr'], strict=True))

    def canonical(self, value: Any) -> str:
        if isinstance(value, dict):
            members = (f"{self.quoted(k)}:{self.canonical(value[k])}" for k in sorted(value))
            return "{" + ",".join(members) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.canonical, value)) + "]"
        if isinstance(value, str):
            return self.quoted(value)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        return str(value)

    def quoted(self, letters: str) -> str:
        escaped = (self.ESCAPES.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in letters)
        return '"' + "".join(escaped) + '"'

    def digests(self, texts: list[str]) -> list[str]:
        digest, found = bytes(32), []
        for each in texts:
            digest = hashlib.sha256(digest + each.encode()).digest()
            found.append(digest.hex())
        return found

    def message(self, game: str, nonces: list[str | None], number: int, block: int) -> bytes:
        parts = [b"tegami/shuffle/1", game.encode("ascii")]
        parts += [nonce.encode("ascii") if nonce else b"" for nonce in nonces]
        parts += [struct.pack(">Q", number), struct.pack(">I", block)]
        return b"".join(struct.pack(">I", len(part)) + part for part in parts)

    def words(self, seed: bytes, game: str, nonces: list[str | None], number: int) -> Iterator[int]:
        for block in itertools.count():
            message = self.message(game, nonces, number, block)
            yield from struct.unpack(">8I", hmac.new(seed, message, hashlib.sha256).digest())

    def shuffle(
        self, seed: str, game: str, nonces: list[str | None], number: int, items: list[str]
    ) -> list[str]:
        words = self.words(bytes.fromhex(seed), game, nonces, number)
        entries = list(items)
        for i in reversed(range(1, len(entries))):
            j = self.number_below(i + 1, words)
            entries[i], entries[j] = entries[j], entries[i]
        return entries

    def number_below(self, n: int, words: Iterator[int]) -> int:
        word = next(words)
        while word >= 2**32 - (2**32 % n):
            word = next(words)
        return word % n

    def caravan_deck(self) -> list[str]:
        return [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]


again = Again()


def test_canonical_text() -> None:
    for vector in VECTORS["canonical"]:
        assert text(vector["value"]) == vector["text"] == again.canonical(vector["value"])


def test_digests_of_the_chain() -> None:
    texts = [vector["text"] for vector in VECTORS["digests"]]
    expected = [vector["digest"] for vector in VECTORS["digests"]]
    head, ours = None, []
    for number, body in enumerate(texts, 1):
        event = json.loads(body)
        salt = bytes.fromhex(event["salt"])
        inside = {key: event[key] for key in event if key not in {"number", "salt"}}
        assert log.sealed_body(inside, number, salt) == body == again.canonical(event)
        head = log.digest(head, body)
        ours.append(head.hex())
    assert ours == expected == again.digests(texts)


def test_commitment() -> None:
    seed = bytes.fromhex(SHUFFLES["seed"])
    assert f"`{chance.commitment(seed)}`" in DOCUMENT
    assert chance.commitment(seed) == hashlib.sha256(bytes(range(32))).hexdigest()


@pytest.mark.parametrize(
    "vector", SHUFFLES["shuffles"], ids=lambda each: f"{len(each['items'])}-items"
)
def test_shuffle(vector: Any) -> None:
    seed, game = SHUFFLES["seed"], SHUFFLES["game"]
    asked = vector["nonces"], vector["number"], vector["items"]
    assert chance.shuffle(bytes.fromhex(seed), game, *asked) == vector["outcome"]
    assert again.shuffle(seed, game, *asked) == vector["outcome"]


def test_a_shuffle_at_work() -> None:
    work, seed = VECTORS["work"], bytes.fromhex(SHUFFLES["seed"])
    message = again.message(SHUFFLES["game"], FIRST["nonces"], FIRST["number"], 0)
    assert message.hex() == work["message"]
    assert hmac.digest(seed, message, "sha256").hex() == work["block"]
    words = again.words(seed, SHUFFLES["game"], FIRST["nonces"], FIRST["number"])
    assert list(itertools.islice(words, 8)) == work["words"]
    drawn = iter(work["words"])
    assert [again.number_below(i + 1, drawn) for i in (4, 3, 2, 1)] == work["places"]


def test_a_shuffle_that_throws_a_word_away() -> None:
    asked = FIRST["nonces"], 15785, [str(number) for number in range(1, 1001)]
    ours = chance.shuffle(bytes.fromhex(SHUFFLES["seed"]), SHUFFLES["game"], *asked)
    assert ours == again.shuffle(SHUFFLES["seed"], SHUFFLES["game"], *asked)
    assert hashlib.sha256(again.canonical(ours).encode()).hexdigest() == VECTORS["rejection"]
    words = again.words(bytes.fromhex(SHUFFLES["seed"]), SHUFFLES["game"], *asked[:2])
    pairs = zip(words, range(1000, 1, -1), strict=False)
    assert any(word >= 2**32 - 2**32 % below for word, below in pairs)


def test_the_record_is_right() -> None:
    data = text(RECORD).encode()
    assert again.canonical(RECORD).encode() == data
    assert f"{len(data)} bytes" in DOCUMENT
    assert f"`{hashlib.sha256(data).hexdigest()}`" in DOCUMENT
    assert record.verify(data)["result"] == RECORD["result"]


def test_the_record_is_right_without_our_code() -> None:
    claimed = {key: RECORD[key] for key in RECORD if key != "digest"}
    digest = hashlib.sha256(again.canonical(claimed).encode()).hexdigest()
    assert digest == RECORD["digest"]
    texts = [again.canonical(event) for event in RECORD["events"]]
    assert again.digests(texts)[-1] == RECORD["head"]
    start, *events = RECORD["events"]
    seed, drawn = RECORD["seed"], (RECORD["seed"], start["game"], start["nonces"])
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == start["commitment"]
    assert start["seating"] == "random"
    assert again.shuffle(*drawn, 1, start["sat"]) == start["seats"]
    shuffles = [event for event in events if event["kind"] == "chance"]
    assert [event["name"] for event in shuffles] == ["deck-0", "deck-1"]
    for event in shuffles:
        deck = again.caravan_deck()
        assert again.shuffle(*drawn, event["number"], deck) == event["outcome"]


def test_members_are_those_of_the_document() -> None:
    section = DOCUMENT.partition("## The log")[2].partition("## Digests")[0]
    tables = section.split("| member | |\n| --- | --- |\n")[1:]
    named = [_members(table) for table in tables]
    assert named == [
        record.EVERY_EVENT,
        *(record.EVENTS[kind] for kind in ("start", "chance", "action")),
        *(record.EVENTS[kind] for kind in ("handover", "extend", "close")),
    ]
    bare = {kind for kind, members in record.EVENTS.items() if not members}
    assert bare == {"pause", "resume"}, "which have no table"
    section = DOCUMENT.partition("## The record\n")[2].partition("## Check")[0]
    assert _members(section.partition("| --- | --- |\n")[2]) == record.MEMBERS == RECORD.keys()


def _members(table: str) -> set[str]:
    """What stands in the first column, up to the end of the table."""
    rows = itertools.takewhile(lambda line: line.startswith("|"), table.splitlines())
    return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def test_any_other_byte_is_refused() -> None:
    data = text(RECORD).encode()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 7
        refused(bytes(changed))
    for whole in (data + b"\n", b"\xef\xbb\xbf" + data, data[:-1], b"", data + data):
        refused(whole)


def refused(data: bytes) -> None:
    with pytest.raises(record.Refused):
        record.verify(data)


def forged(change: Callable[[Any], Any]) -> bytes:
    """The record after `change`, with digests that agree with it again."""
    made = copy.deepcopy({key: RECORD[key] for key in RECORD if key != "digest"})
    change(made)
    made["head"] = again.digests([text(event) for event in made["events"]])[-1]
    return text({**made, "digest": hashlib.sha256(text(made).encode()).hexdigest()}).encode()


def test_the_forge_works() -> None:
    assert forged(lambda made: None) == text(RECORD).encode()


def swap_cards(made: Any) -> None:
    outcome = made["events"][1]["outcome"]
    outcome[-1], outcome[-2] = outcome[-2], outcome[-1]


FORGERIES: dict[str, Callable[[Any], Any]] = {
    "another shuffle": swap_cards,
    "other seats": lambda made: made["events"][0]["seats"].reverse(),
    "another order of sitting": lambda made: made["events"][0]["sat"].reverse(),
    "seats in order": lambda made: made["events"][0].update(seating="order", seats=[]),
    "an unknown seating": lambda made: made["events"][0].update(seating="free"),
    "another seed": lambda made: made.update(seed="00" * 32),
    "capitals in the seed": lambda made: made.update(seed=made["seed"].upper()),
    "another nonce": lambda made: made["events"][0]["nonces"].reverse(),
    "an empty nonce": lambda made: made["events"][0].update(nonces=[FIRST["nonces"][0], ""]),
    "no options": lambda made: made["events"][0].update(options={}),
    "another version": lambda made: made["events"][0].update(version=2),
    "true for the version 1": lambda made: made["events"][0].update(version=True),
    "true for the number 1": lambda made: made["events"][0].update(number=True),
    "another game": lambda made: made.update(game="g_0"),
    "another result": lambda made: made["result"].update(winners=[1]),
    "true for a score of 1": lambda made: made["result"].update(winners=[False]),
    "a game cut short": lambda made: (made["events"].pop(), made["times"].pop()),
    "a game without a result": lambda made: (
        made["events"].pop(),
        made["times"].pop(),
        made.update(result=None),
    ),
    "an event after the end": lambda made: (
        made["events"].append({**made["events"][-1], "number": 15}),
        made["times"].append(made["times"][-1]),
    ),
    "a second start": lambda made: (
        made["events"].append({**made["events"][0], "number": 15}),
        made["times"].append(made["times"][-1]),
    ),
    "an event of an unknown kind": lambda made: (
        made["events"].append({"kind": "note", "number": 15, "salt": "00" * 16}),
        made["times"].append(made["times"][-1]),
    ),
    "an illegal action": lambda made: made["events"][3]["action"].update(cards=["9d", "7d", "9d"]),
    "a fraction for a whole number": lambda made: made["events"][5]["action"].update(lane=1.0),
    "an action by nobody": lambda made: made["events"][3].update(by="dealer"),
    "one member more": lambda made: made["events"][3].update(asked=3),
    "no salt": lambda made: made["events"][3].pop("salt"),
    "a short salt": lambda made: made["events"][3].update(salt="00"),
    "a missing time": lambda made: made["times"].pop(),
    "minutes": lambda made: made["times"].__setitem__(0, "2026-11-25T22:01:00.000Z"),
    "another format": lambda made: made.update(format="tegami-record/2"),
    "a member of its own": lambda made: made.update(note=""),
    "not a number": lambda made: made["result"].update(scores=[float("nan"), 0]),
    "no events": lambda made: made.update(events=[made["events"][0]], times=made["times"][:1]),
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forgery_that_agrees_with_itself_is_refused(change: Callable[[Any], Any]) -> None:
    refused(forged(change))
