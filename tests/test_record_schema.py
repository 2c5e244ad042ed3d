"""The JSON Schema of records is served, covers every kind of event, fits every record, and nothing that is spoiled."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.log.events import KINDS, members
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.forgeries import forged
from tests.support.record_schema import FILE, SCHEMA, fits, misfits
from tests.support.record_vectors import DOCUMENT, OUTSIDE, RECORDS, VECTORS

PATH = "/api/records/schema"


@sqlite_only
def test_it_is_served_and_named_where_records_are_described(client):
    answer = client.get(PATH)
    assert answer.mimetype == "application/schema+json"
    assert answer.get_data() == FILE.read_bytes()
    again = client.get(PATH, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert PATH in DOCUMENT


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_it_has_every_kind_of_event_with_exactly_its_members():
    kinds = {each["$ref"].rpartition("/")[2] for each in SCHEMA["$defs"]["event"]["oneOf"]}
    assert kinds | {"start"} == set(KINDS)
    for kind in KINDS:
        required, optional = members(kind)
        own = {"kind", "number", "salt", "at"} | required | optional
        event = SCHEMA["$defs"][kind]
        assert event["properties"].keys() == own
        assert set(event["required"]) == own - {"at", "deal"}


@pytest.mark.parametrize("name", RECORDS)
def test_the_vectors_fit(name):
    assert misfits(VECTORS[name]) == []


def test_the_vectors_with_a_newer_version_fit():
    for vector in VECTORS["newer-accepted"]:
        assert misfits(json.loads(forged(vector, VECTORS))) == [], vector["why"]


def spoiled(record: Any) -> Iterator[tuple[str, Any]]:
    """Copies of a record with one thing wrong: a member is gone, added, or of another type."""
    parts: list[list[str | int]] = [[], ["result"]]
    parts += [["events", place] for place in range(len(record["events"]))]
    parts += [["programs", place] for place in range(len(record.get("programs", ())))]
    for path in parts:
        part = functools.reduce(lambda at, key: at[key], path, record)
        yield f"more in {path}", replaced(record, path, {**part, "note": ""})
        for name, value in part.items():
            if name != "programs":  # as if there were no house players
                less = {each: part[each] for each in part if each != name}
                yield f"{path} without {name}", replaced(record, path, less)
            other: Any = [] if isinstance(value, dict) else {}
            yield f"another type in {path}: {name}", replaced(record, [*path, name], other)


def replaced(record: Any, path: list[str | int], value: Any) -> Any:
    """A copy with `value` at this place."""
    if not path:
        return value
    copied = copy.deepcopy(record)
    functools.reduce(lambda at, key: at[key], path[:-1], copied)[path[-1]] = value
    return copied


@pytest.mark.parametrize("name", RECORDS)
def test_a_spoiled_record_does_not_fit(name):
    found = list(spoiled(VECTORS[name]))
    assert len(found) >= 100
    assert [what for what, record in found if fits(record)] == []


def of_kind(kind: str) -> int:
    """The place of an event of this kind in the record of a game with events outside the rules."""
    return next(place for place, each in enumerate(OUTSIDE["events"]) if each["kind"] == kind)


SPOILED: dict[str, tuple[list[str | int], Any]] = {
    "no events": (["events"], []),
    "an unknown kind": (["events", 1, "kind"], "earthquake"),
    "a second start": (["events", 1], OUTSIDE["events"][0]),
    "no start": (["events", 0], OUTSIDE["events"][1]),
    "the number of another event": (["events", 0, "number"], 2),
    "a salt in upper case": (["events", 0, "salt"], "A" * 32),
    "a short salt": (["events", 0, "salt"], "a" * 31),
    "a time that is no full hour": (["events", 0, "at"], "2026-11-25T22:30:00.000Z"),
    "an hour that does not exist": (["events", 0, "at"], "2026-11-25T24:00:00.000Z"),
    "a day that does not exist": (["events", 0, "at"], "2026-02-30T22:00:00.000Z"),
    "another format of the log": (["events", 0, "format"], 2),
    "the id of a player": (["events", 0, "sat", 0], "p_0123456789abcdef"),
    "somebody twice": (["events", 0, "sat"], OUTSIDE["events"][0]["sat"][:1] * 3),
    "a seat below the first": (["events", of_kind("action"), "seat"], -1),
    "a stranger's action": (["events", of_kind("action"), "by"], "stranger"),
    "a house player who comes back": (["events", of_kind("handover"), "why"], "returned"),
    "less time": (["events", of_kind("extend"), "seconds"], 0),
    "a draw with a winner": (["events", of_kind("close"), "winners"], [0]),
    "a draw with a loser": (["events", of_kind("close"), "seat"], 0),
    "an unknown format": (["format"], "tegami-record/3"),
    "the earlier format": (["format"], "tegami-record/1"),
    "a short head": (["head"], "0" * 63),
    "half a point": (["result", "scores"], [0.5, None, None]),
    "a list of no programs": (["programs"], []),
}
"""By the error, the changed place in the record of the game with events outside the rules."""


@pytest.mark.parametrize("what", SPOILED)
def test_a_value_that_cannot_be_does_not_fit(what):
    assert not fits(replaced(OUTSIDE, *SPOILED[what]))


@sqlite_only
def test_every_line_of_records_in_bulk_fits(cast):
    for slug in (CARAVAN, BOOMERANG):
        game_id = cast.start(slug)
        cast.play(game_id)
    resigned = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{resigned}/resignation", {}, 200)
    lines = cast.nobody.send("GET", "/api/records").get_data().splitlines()
    assert len(lines) == 3
    for line in lines:
        assert misfits(json.loads(line)) == []
        assert not fits(json.loads(line.replace(b'"kind":"start"', b'"kind":"begin"')))
