"""Responses of a possible later server: every example with a new value wherever a set of values is open.

Objects also get an additional field. `open_sets` names these sets, closed_sets.py the others.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests import contract
from tests.contract import Json, Operation, operations, resolved

NEW = "unheard-of"
"""The new value of every open set."""
MORE = "unheardOf"
"""The new field of every object."""


class Answer(NamedTuple):
    """A response with new values, and the open sets to which they belong."""

    operation: Operation
    status: int
    value: Any
    sets: frozenset[str]


def later_answers() -> Iterator[Answer]:
    """The examples of all JSON responses of the API, except problems."""
    for operation in (each for each in operations() if each.path in contract.api()["paths"]):
        for status, media in _in_json(operation):
            for example in media["examples"].values():
                value = copy.deepcopy(resolved(example)["value"])
                _FULLER.get(operation.name, lambda told: None)(value)
                assert contract.errors(media["schema"], value) == [], operation.name
                found: set[str] = set()
                made = later(media["schema"], value, operation.name, found)
                yield Answer(operation, status, made, frozenset(found))


def _in_json(operation: Operation) -> Iterator[tuple[int, Json]]:
    for status, response in operation.responses.items():
        if status < 300 and "application/json" in response.get("content", {}):
            yield status, response["content"]["application/json"]


def _with_rare_events(told: Json) -> None:
    at = told["events"][0]["at"]
    more: Json = {"at": at, "lines": [], "news": False}
    opened: Json = {"seat": 0, "by": "seat", "moment": "opened", "action": None, "opened": []}
    told["events"] += [
        {"number": 98, "kind": "handover", "seat": 0, "house": True, "why": "timeouts", **more},
        {"number": 97, "kind": "action", **opened, **more},
        {"number": 96, "kind": "void", "seat": 0, "event": 4, "why": "free", **more},
        {"number": 99, "kind": "close", "seat": None, "why": "agreed", "winners": [], **more},
    ]


def _switched_off(told: Json) -> None:
    webhook = told["webhook"]
    webhook.update(active=False, off_at=webhook["created_at"], off_why="owner")


def _timed_out(told: Json) -> None:
    told["deliveries"][0]["attempts"][0].update(status=None, error="timeout")


def _to_be_closed(told: Json) -> None:
    told["proposals"][0].update(kind="close", seat=None, seconds=None, outcome="draw")


_FULLER: dict[str, Callable[[Json], None]] = {
    "listEvents": _with_rare_events,
    "listProposals": _to_be_closed,
    "getWebhook": _switched_off,
    "listDeliveries": _timed_out,
}
"""Functions that add missing sets to an operation's example, by operation."""


def later(schema: Json, value: Any, where: str, found: set[str]) -> Any:
    """`value` with a new value for each open set; adds the names of the sets to `found`."""
    if "$ref" in schema:
        where = schema["$ref"].rpartition("/")[2]
        schema = resolved(schema)
    if "anyOf" in schema and resolved(schema["anyOf"][-1]).get("type") == "string":
        found.add(where)
        return NEW
    for variants in (schema.get("oneOf"), schema.get("anyOf", [])[:-1]):
        if variants:
            return later(_fitting(variants, value), value, where, found)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [later(items, each, where, found) for each in value]
    if isinstance(value, dict):
        return _later_object(schema, value, where, found)
    return value


def _later_object(schema: Json, value: Json, where: str, found: set[str]) -> Json:
    fields, other = schema.get("properties", {}), schema.get("additionalProperties")
    made = {
        name: later(
            fields.get(name, other if isinstance(other, dict) else {}),
            each,
            f"{where}.{name}" if name in fields else where,
            found,
        )
        for name, each in value.items()
    }
    return {**made, MORE: [{"deep": None}]} if fields and other is None else made


def _fitting(variants: list[Json], value: Any) -> Json:
    return next(each for each in variants if not contract.errors(each, value))


def open_sets() -> set[str]:
    """The names of all open sets of texts in answers."""
    found, done = set[str](), set[str]()
    left = [
        (operation.name, media["schema"])
        for operation in operations()
        for _, media in _in_json(operation)
    ]
    while left:
        where, schema = left.pop()
        if "$ref" in schema:
            where = schema["$ref"].rpartition("/")[2]
            schema = {} if where in done else resolved(schema)
            done.add(where)
        if "anyOf" in schema and resolved(schema["anyOf"][-1]).get("type") == "string":
            found.add(where)
        left += _below(where, schema)
    return found


def _below(where: str, schema: Json) -> Iterator[tuple[str, Json]]:
    """The schemas in a schema, each with the name that its set of values would have."""
    yield from ((f"{where}.{name}", each) for name, each in schema.get("properties", {}).items())
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield where, schema[key]
    for key in ("oneOf", "anyOf", "allOf"):
        yield from ((where, each) for each in schema.get(key, ()))
