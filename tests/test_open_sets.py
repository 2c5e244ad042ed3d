"""Additions to the contract break no client: plain and generated clients read one addition of each kind.

Generated clients are made in test_generated_client.py and test_generated_typescript.py.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests import contract
from tests.contract import PROBLEM, Json, document, operations, resolved
from tests.support.closed_sets import closed_sets
from tests.support.open_sets import later_answers, open_sets

EXAMPLES: Json = document()["components"]["examples"]


def example(name: str) -> Any:
    return copy.deepcopy(EXAMPLES[name]["value"])


def game() -> Json:
    """A game with a field, a pace, a kind of proposal, a kind of zone and an end that nobody knows yet."""
    shown = example("getGame-200")
    shown["weather"] = "rain"
    shown["pace"] = {"preset": "lunar", "kind": "hourglass", "words": "x", "detail": "x"}
    shown["view"]["zones"][0]["kind"] = "spiral"
    proposal = example("listProposals-200")["proposals"][0]
    shown["proposals"] = [{**proposal, "kind": "dance"}]
    return shown


def events() -> Json:
    """A history with a kind of event, a decider and reasons that nobody knows yet."""
    shown = example("listEvents-200")
    at = shown["events"][0]["at"]
    acted = next(each for each in shown["events"] if each["kind"] == "action")
    more = {"at": at, "lines": [], "news": True}
    shown["events"] += [
        {"number": 97, "kind": "earthquake", "strength": 7, **more},
        {**acted, "number": 98, "by": "oracle"},
        {"number": 99, "kind": "handover", "seat": 0, "house": True, "why": "moved", **more},
        {"number": 100, "kind": "close", "seat": None, "why": "flooded", "winners": [], **more},
    ]
    return shown


def tokens() -> Json:
    """Tokens with a scope that nobody knows yet."""
    shown = example("listTokens-200")
    shown["tokens"][0]["scopes"].append("dream")
    return shown


def settings() -> Json:
    """Settings with a kind of mail that nobody knows yet."""
    return {**example("getSettings-200")["settings"], "unwanted": ["gossip"]}


def player() -> Json:
    """A player with a language that the server learned later."""
    shown = example("getMe-200")
    shown["player"]["language"] = "fr"
    return shown


ADDED = {"Game": game, "Events": events, "Tokens": tokens, "Settings": settings, "Me": player}
"""By the name of a schema, a response of a later server."""
NEW_PROBLEM = {"type": "/problems/eclipse", "title": "It is dark", "status": 409, "until": "noon"}


@pytest.fixture(scope="module")
def registry() -> Any:
    """The schemas as clients read them, open."""
    resource = Resource(contents=document(), specification=DRAFT202012)
    return Registry().with_resource("urn:open", resource)


def is_read(registry: Any, schema: Json, value: Any) -> bool:
    text = json.dumps(schema).replace('"#/', '"urn:open#/')
    return Draft202012Validator(json.loads(text), registry=registry).is_valid(value)


@pytest.mark.parametrize("name", ADDED)
def test_a_plain_client_reads_what_is_added(registry, name):
    schema = {"$ref": f"#/components/schemas/{name}"}
    assert is_read(registry, schema, ADDED[name]())
    assert contract.errors(schema, ADDED[name]()) != []  # but our server does not answer so


def test_every_refusal_may_be_of_a_new_type(registry):
    for operation in operations():
        for status, response in operation.responses.items():
            if PROBLEM in response.get("content", {}):
                schema = response["content"][PROBLEM]["schema"]
                assert is_read(registry, schema, {**NEW_PROBLEM, "status": status}), operation.name


KNOWN_VALUES = {
    "ChangeKind",
    "Channel",
    "Language",
    "Level",
    "MailKind",
    "Outcome",
    "PaceName",
    "Scope",
    "Seating",
    "Start",
}
"""Values that can be sent; responses with them are read with a catch-all."""


def answered() -> Iterator[tuple[str, Json]]:
    """The schemas that answers use, by name."""
    seen: set[str] = set()
    left = [
        media["schema"]
        for operation in operations()
        for response in operation.responses.values()
        for media in response.get("content", {}).values()
    ]
    while left:
        node = left.pop()
        if isinstance(node, list):
            left += node
        elif isinstance(node, dict):
            name = str(node.get("$ref", ""))
            if name and name not in seen:
                seen.add(name)
                yield name, resolved(node)
                left.append(resolved(node))
            left += [each for key, each in node.items() if key not in {"$ref", "examples"}]


def test_what_is_marked_open_is_open():
    """A closed list of values marked "Open" breaks generated clients at the first addition."""

    def check(name: str, node: Any, inside: bool = False) -> None:
        if isinstance(node, list):
            for each in node:
                check(name, each, inside)
        elif isinstance(node, dict):
            is_open = str(node.get("description", "")).strip().endswith("Open.")
            assert not (is_open and "enum" in node), name
            for key, each in node.items():
                check(name, each, key == "anyOf")

    for name, schema in answered():
        if name.rpartition("/")[2] not in KNOWN_VALUES:
            check(name, schema)


CLOSED = tomllib.loads((Path(__file__).parent / "closed_sets.toml").read_text(encoding="utf-8"))
"""By name, the reason why a set of values in responses is closed."""


def test_a_set_of_values_in_answers_is_open_or_it_is_said_why_not():
    """A client that validates strictly stumbles over a value that is added to a closed one."""
    assert closed_sets() == CLOSED.keys()
    assert all(reason.endswith(".") for reason in CLOSED.values())


def test_there_is_an_answer_with_a_new_value_of_every_open_set():
    assert set().union(*(answer.sets for answer in later_answers())) == open_sets()
    assert len(open_sets()) > 10


def test_a_plain_client_reads_every_answer_with_new_values_and_fields(registry):
    for answer in later_answers():
        media = answer.operation.responses[answer.status]["content"]["application/json"]
        assert is_read(registry, media["schema"], answer.value), answer.operation.name
