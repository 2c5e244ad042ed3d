"""The contract breaks no client of the last release, and a change that would is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract import Json, document
from tests.release_api import FILE, released
from tests.support.contract_changes import breaking, stripped


def test_no_client_of_the_last_release_breaks():
    """docs/released/ has the released document; a change adds to it."""
    assert breaking(released(), document()) == []


def test_what_is_kept_has_no_texts():
    kept = released()
    assert stripped(kept) == kept
    assert FILE.stat().st_size < 1_000_000


Change = Callable[[Json], Any]


def path(contract: Json, name: str) -> Json:
    found: Json = contract["paths"][f"/api/{name}"]
    return found


def schema(contract: Json, name: str) -> Json:
    found: Json = contract["components"]["schemas"][name]
    return found


def fields(contract: Json, name: str) -> Json:
    found: Json = schema(contract, name)["properties"]
    return found


def opened(contract: Json) -> Json:
    """A separate copy of a part of the document, so that only this part changes."""
    return path(contract, "games")["post"]


BREAKING: dict[str, tuple[Change, str]] = {
    "an operation is gone": (
        lambda each: path(each, "games").pop("post"),
        "openGame: the operation is gone",
    ),
    "a path has another name": (
        lambda each: each["paths"].update({"/api/tables": each["paths"].pop("/api/games")}),
        "openGame: it is at POST /api/tables",
    ),
    "an operation has another name": (
        lambda each: opened(each).update(operationId="makeGame"),
        "openGame: the operation is gone",
    ),
    "a token may no longer do it": (
        lambda each: opened(each).update(security=[{"cookie": []}]),
        'openGame: {"play": []} is not enough',
    ),
    "a field of an answer is gone": (
        lambda each: fields(each, "Game").pop("commitment"),
        ".commitment",
    ),
    "an optional field of an answer is gone": (
        lambda each: fields(each, "Zone").pop("cards"),
        ".cards: is gone",
    ),
    "a field may be missing": (
        lambda each: schema(each, "Game")["required"].remove("legal"),
        ".legal: may be missing",
    ),
    "a field may be null": (
        lambda each: fields(each, "Game").update(number={"type": ["integer", "null"]}),
        ".number: may be null",
    ),
    "a field has another type": (
        lambda each: fields(each, "Game").update(revision={"type": "string"}),
        ".revision: may be string",
    ),
    "a closed set of answers has another value": (
        lambda each: schema(each, "Status")["enum"].append("asleep"),
        "has other values (['asleep'])",
    ),
    "a value that can be sent is gone": (
        lambda each: schema(each, "Level")["enum"].remove("easy"),
        "has other values (['easy'])",
    ),
    "a field that is sent is required": (
        lambda each: schema(each, "NewGame").setdefault("required", []).append("pace"),
        ".pace: may be missing",
    ),
    "a field can no longer be sent": (
        lambda each: fields(each, "NewGame").pop("seating"),
        ".seating: is unknown",
    ),
    "a text that is sent has to be shorter": (
        lambda each: schema(each, "Label").update(maxLength=20),
        "maxLength is 60, not 20",
    ),
    "a new parameter is required": (
        lambda each: path(each, "games")["get"]["parameters"].append(
            {"name": "age", "in": "query", "required": True, "schema": {"type": "integer"}}
        ),
        "listGames: the parameter age is required",
    ),
    "a parameter is gone": (
        lambda each: path(each, "games")["get"].update(parameters=[]),
        "listGames: the parameter status is gone",
    ),
    "a header is required": (
        lambda each: opened(each)["parameters"].append(
            {"name": "X-Age", "in": "header", "required": True, "schema": {}}
        ),
        "openGame: the parameter X-Age is required",
    ),
    "an optional body is required": (
        lambda each: path(each, "games/{game_id}/start")["post"]["requestBody"].update(
            required=True
        ),
        "startGame: the body is required",
    ),
    "an answer is of another media type": (
        lambda each: opened(each)["responses"].update(
            {"201": {"content": {"application/xml": {"schema": {}}}}}
        ),
        "openGame: 201 is not application/json any more",
    ),
    "a success has another status": (
        lambda each: opened(each)["responses"].update({"202": opened(each)["responses"].pop("201")}),
        "openGame: 201 is gone",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKING)
def test_what_breaks_clients_is_found(name):
    change, said = BREAKING[name]
    later = copy.deepcopy(document())
    change(later)
    found = breaking(document(), later)
    assert any(said in each for each in found), found


ADDED: dict[str, Change] = {
    "an operation": lambda each: each["paths"].update(
        {"/api/new": {"get": {**path(each, "games")["get"], "operationId": "listNew"}}}
    ),
    "a field of an answer": lambda each: fields(each, "Game").update(weather={"type": "string"}),
    "a field that can be sent": lambda each: fields(each, "NewGame").update(x={"type": "string"}),
    "a parameter": lambda each: path(each, "games")["get"]["parameters"].append(
        {"name": "age", "in": "query", "schema": {"type": "integer"}}
    ),
    "a value that can be sent": lambda each: schema(each, "Level")["enum"].append("grand"),
    "a value of an open set": lambda each: schema(each, "ChangeKind")["enum"].append("dance"),
    "a longer text": lambda each: schema(each, "TypedPassword").update(maxLength=600),
    "a kind of refusal": lambda each: opened(each)["responses"].update(
        {"418": {"content": {"application/problem+json": {"schema": {}}}}}
    ),
    "texts": lambda each: opened(each).update(description="Other words."),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_is_added_breaks_nothing(name):
    later = copy.deepcopy(document())
    ADDED[name](later)
    assert later != document()
    assert breaking(document(), later) == []
