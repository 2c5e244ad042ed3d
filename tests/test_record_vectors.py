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
RECORD, OUTSIDE = VECTORS["record"], VECTORS["outside"]
"""Records: of a game that is played to its end, and of one in which all happens that the rules do not see."""
every_record = pytest.mark.parametrize("record_of", [RECORD, OUTSIDE], ids=["record", "outside"])


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

    def holders(self, events: list[Any]) -> list[list[tuple[str, bool | None]]]:
        """By event: the tenure of each seat, and whether a house player has it (None: nothing says so yet)."""
        held: list[tuple[str, bool | None]] = [(tenure, None) for tenure in events[0]["seats"]]
        found = []
        for event in events:
            if event["kind"] == "handover":
                assert held[event["seat"]][0] == event["from"]
                held[event["seat"]] = event["to"], event["house"]
            found.append(list(held))
        return found


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


@every_record
def test_the_record_is_right(record_of: Any) -> None:
    data = text(record_of).encode()
    assert again.canonical(record_of).encode() == data
    assert f"{len(data)} bytes" in DOCUMENT
    assert f"`{hashlib.sha256(data).hexdigest()}`" in DOCUMENT
    assert record.verify(data)["result"] == record_of["result"]


@every_record
def test_the_record_is_right_without_our_code(record_of: Any) -> None:
    claimed = {key: record_of[key] for key in record_of if key != "digest"}
    digest = hashlib.sha256(again.canonical(claimed).encode()).hexdigest()
    assert digest == record_of["digest"]
    texts = [again.canonical(event) for event in record_of["events"]]
    assert again.digests(texts)[-1] == record_of["head"]
    start, seed = record_of["events"][0], record_of["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == start["commitment"]


def test_its_shuffles_are_right_without_our_code() -> None:
    start, *events = RECORD["events"]
    drawn = RECORD["seed"], start["game"], start["nonces"]
    assert start["seating"] == "random"
    assert again.shuffle(*drawn, 1, start["sat"]) == start["seats"]
    shuffles = [event for event in events if event["kind"] == "chance"]
    assert [event["name"] for event in shuffles] == ["deck-0", "deck-1"]
    for event in shuffles:
        deck = again.caravan_deck()
        assert again.shuffle(*drawn, event["number"], deck) == event["outcome"]


def test_what_happens_outside_the_rules_is_right_without_our_code() -> None:
    start, shuffled, *events = OUTSIDE["events"]
    drawn = OUTSIDE["seed"], start["game"], start["nonces"]
    assert start["seating"] == "order" and start["seats"] == start["sat"]
    clubs = ["Ac", "2c", "3c", "4c", "5c"]
    assert again.shuffle(*drawn, shuffled["number"], clubs) == shuffled["outcome"]
    told = {event["kind"] for event in OUTSIDE["events"]}
    assert told == record.EVENTS.keys(), "all kinds"
    held = again.holders(OUTSIDE["events"])
    for event in events:
        if event["kind"] == "action":
            _, house = held[event["number"] - 1][event["seat"]]
            assert house is None or house == (event["by"] == "house")
    why = [event["why"] for event in events if event["kind"] == "handover"]
    assert why == ["timeouts", "returned", "resigned", "substitute"]
    close = events[-1]
    assert OUTSIDE["result"] == {
        "winners": close["winners"],
        "scores": [None] * start["players"],
        "reason": close["why"],
    }


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


@every_record
def test_any_other_byte_is_refused(record_of: Any) -> None:
    data = text(record_of).encode()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 7
        refused(bytes(changed))
    for whole in (data + b"\n", b"\xef\xbb\xbf" + data, data[:-1], b"", data + data):
        refused(whole)


def refused(data: bytes) -> None:
    with pytest.raises(record.Refused):
        record.verify(data)


def forged(change: Callable[[Any], Any], record_of: Any = RECORD) -> bytes:
    """The record after `change`, with digests that agree with it again."""
    made = copy.deepcopy({key: record_of[key] for key in record_of if key != "digest"})
    change(made)
    made["head"] = again.digests([text(event) for event in made["events"]])[-1]
    return text({**made, "digest": hashlib.sha256(text(made).encode()).hexdigest()}).encode()


@every_record
def test_the_forge_works(record_of: Any) -> None:
    assert forged(lambda made: None, record_of) == text(record_of).encode()


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


def change(number: int, **members: Any) -> Callable[[Any], Any]:
    """Change members of the event with this number."""
    return lambda made: made["events"][number - 1].update(members)


def close(**members: Any) -> Callable[[Any], Any]:
    """Change the last event, and the result with it."""

    def changed(made: Any) -> None:
        made["events"][-1].update(members)
        made["result"].update(winners=made["events"][-1]["winners"])
        made["result"].update(reason=made["events"][-1]["why"])

    return changed


def drop(number: int) -> Callable[[Any], Any]:
    """Take an event out, and number those behind it anew."""

    def changed(made: Any) -> None:
        del made["events"][number - 1], made["times"][number - 1]
        renumber(made)

    return changed


def put(before: int, **members: Any) -> Callable[[Any], Any]:
    """Put an event in."""

    def changed(made: Any) -> None:
        made["events"].insert(before - 1, {**members, "number": 0, "salt": "00" * 16})
        made["times"].insert(0, made["times"][0])
        renumber(made)

    return changed


def renumber(made: Any) -> None:
    for number, event in enumerate(made["events"], 1):
        event["number"] = number


OTHER = "t_" + "0" * 22
OUTSIDE_FORGERIES: dict[str, Callable[[Any], Any]] = {
    "a time-out that is none": change(3, by="seat"),
    "a person's move by the house": change(14, by="house"),
    "a house player's move by a person": change(11, by="seat"),
    "a house player's move by the clock": change(12, by="timeout"),
    "the wrong seat changes hands": change(4, seat=1),
    "no seat changes hands": change(4, seat=None),
    "from somebody else": change(4, **{"from": OTHER}),
    "to who sat there": lambda made: made["events"][5].update(to=made["events"][3]["from"]),
    "to nobody": change(4, to=""),
    "a person instead of the house": change(4, house=False),
    "1 for true": change(4, house=1),
    "an unknown reason": change(4, why="bored"),
    "back without having left": change(4, why="returned", house=False),
    "out of time without a time-out": change(10, why="timeouts"),
    "no take-over": drop(4),
    "no return": drop(6),
    "no pause": drop(7),
    "no resume, and a second pause": lambda made: made["events"][7].update(kind="pause"),
    "a second resume": put(9, kind="resume"),
    "more time for nobody": change(9, seat=3),
    "no more time": change(9, seconds=0),
    "more time as text": change(9, seconds="86400"),
    "a pause before the cards are dealt": put(2, kind="pause"),
    "a pause after the end": put(16, kind="pause"),
    "a pause with a reason": put(9, kind="pause", why="tea"),
    "an end without a reason": close(why=""),
    "a draw that somebody wins": close(winners=[0]),
    "a draw that somebody is to blame for": close(seat=0),
    "one of three resigns and two win": close(why="resigned", seat=0, winners=[1, 2]),
    "one of three resigns and one wins": close(why="resigned", seat=0, winners=[1]),
    "another result than the end": lambda made: made["result"].update(winners=[1]),
    "scores": lambda made: made["result"].update(scores=[1, 0, 0]),
    "no end": drop(15),
    "a second end": put(15, kind="close", why="agreed", winners=[], seat=None),
}


@pytest.mark.parametrize("forgery", OUTSIDE_FORGERIES.values(), ids=OUTSIDE_FORGERIES.keys())
def test_a_forgery_of_what_the_rules_do_not_see_is_refused(forgery: Callable[[Any], Any]) -> None:
    refused(forged(forgery, OUTSIDE))
