"""The closed sets of values in responses: a client that knows such a set could not read a value added to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.contract import Json, operations, resolved


class _Place(NamedTuple):
    """A schema in a response, and the fields that a catch-all beside it leaves open."""

    name: str
    schema: Json
    caught: frozenset[str] = frozenset()


def closed_sets() -> set[str]:
    """The names of all closed sets in responses and in messages that the server sends."""
    found: set[str] = set()
    done: set[tuple[str, frozenset[str]]] = set()
    left = list(_roots())
    while left:
        name, schema, caught = left.pop()
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = {} if (name, caught) in done else resolved(schema)
            done.add((name, caught))
        if schema.keys() & {"enum", "const"}:
            found.add(name)
        left += _below(_Place(name, schema, caught))
    return found


def _roots() -> Iterator[_Place]:
    """The bodies of all responses and of webhook messages."""
    for operation in operations():
        for response in operation.responses.values():
            for media in response.get("content", {}).values():
                yield _Place(operation.name, media["schema"])
        for callback in operation.spec.get("callbacks", {}).values():
            for sent in (each["post"] for each in callback.values()):
                media = sent["requestBody"]["content"]["application/json"]
                yield _Place(operation.name, media["schema"])


def _below(place: _Place) -> Iterator[_Place]:
    """The schemas in a schema, each with the name that its set of values would have."""
    name, schema, caught = place
    for field, each in schema.get("properties", {}).items():
        if field not in caught:
            yield _Place(f"{name}.{field}", each)
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield _Place(name, schema[key])
    for key in ("oneOf", "allOf"):
        yield from (_Place(name, each, caught) for each in schema.get(key, ()))
    yield from _with_a_catch_all(place)


def _with_a_catch_all(place: _Place) -> Iterator[_Place]:
    """The alternatives before the last one of `anyOf`: their texts are open, as are the fields that the last leaves
    open.
    """
    if "anyOf" not in place.schema:
        return
    *known, last = place.schema["anyOf"]
    last = resolved(last)
    declared = last.get("properties", {})
    fields = frozenset(
        field
        for field in {*declared, *last.get("required", ())}
        if not resolved(declared.get(field, {})).keys() & {"enum", "const"}
    )
    yield _Place(place.name, last)
    if last.get("type") != "string":
        yield from (_Place(place.name, each, fields) for each in known)
