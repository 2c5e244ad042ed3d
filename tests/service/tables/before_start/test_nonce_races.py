"""Two requests about a nonce at the same moment, or one against the worker: exactly one of them is first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from service.tables.before_start import table_setup
from tests.service.tables.before_start.test_nonces import (
    ALONE,
    FIRST,
    OTHER,
    brought,
    nonce_of,
    seat,
)
from tests.support.cast import BOOMERANG, Cast, Person, sqlite_only
from tests.support.clock import SECOND
from tests.support.dump import execute

pytestmark = pytest.mark.both_databases

ROUNDS = 8


@pytest.fixture
def twins(app: Flask, cast: Cast) -> tuple[Person, Person]:
    """Two programs of bob's."""
    twin = Person(app)
    twin.headers = cast.bob.headers
    return cast.bob, twin


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The results of these calls, which are made at the same moment."""
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda call: call(), calls))


def putting(person: Person, game_id: str, nonce: str) -> Callable[[], str]:
    """Brings a nonce; returns the problem, or the status of the game."""
    return sending(person, "PUT", nonce_of(game_id), {"nonce": nonce})


def sending(person: Person, method: str, path: str, body: Any = None) -> Callable[[], str]:
    """Sends a request; returns the problem, or the status of the game in the answer."""

    def send() -> str:
        answer = person.send(method, path, json=body)
        told = answer.json or {"status": "done"}
        return str(told.get("type", told["status"])).replace("/problems/", "")

    return send


def started_with(app: Flask, game_id: str) -> list[str]:
    """The nonces in the start of a game, which was logged once."""
    query = """
        SELECT events.body FROM events JOIN games ON games.key = game_key
        WHERE games.id = :game ORDER BY events.number
    """
    logged = [json.loads(row.body) for row in execute(app, query, game=game_id)]
    (start,) = [event for event in logged if event["kind"] == "start"]
    assert start is logged[0]
    return list(digits(start["nonces"]))


def digits(listed: list[Any]) -> Iterator[str]:
    """The digits of the nonces in a list."""
    return (each["nonce"] for each in listed)


def test_a_nonce_against_the_workers_start(app, cast, clock, runtime):
    def start_if_due() -> bool:
        with app.app_context():
            return table_setup.start_if_due(runtime, game_id)

    for _ in range(ROUNDS):
        game_id = cast.bob.post("/api/games", ALONE)["id"]
        clock.forward(10 * SECOND)
        put, started = at_once(putting(cast.bob, game_id, FIRST), start_if_due)
        assert (put, started) in {("running", False), ("not-open", True)}
        assert started_with(app, game_id) == brought(app, game_id) == [FIRST] * (not started)


@sqlite_only
def test_a_nonce_against_the_start(app, cast, twins):
    for _ in range(ROUNDS):
        game_id = cast.bob.post("/api/games", {"ruleset": BOOMERANG, "house": 2})["id"]
        start = sending(twins[1], "POST", f"/api/games/{game_id}/start", {})
        put, started = at_once(putting(twins[0], game_id, FIRST), start)
        assert started == "running" and put in {"open", "not-open"}
        assert started_with(app, game_id) == brought(app, game_id) == [FIRST] * (put == "open")


@sqlite_only
def test_two_nonces_of_the_same_person(app, cast, twins):
    for _ in range(ROUNDS):
        game_id = cast.bob.post("/api/games", {"ruleset": BOOMERANG})["id"]
        pairs = zip(twins, (FIRST, OTHER), strict=True)
        answers = at_once(*(putting(each, game_id, nonce) for each, nonce in pairs))
        assert sorted(answers) == ["open", "other-nonce"]
        assert brought(app, game_id) == [(FIRST, OTHER)[answers.index("open")]]
        cast.bob.post(f"/api/games/{game_id}/start", {"house": True}, status=200)


@sqlite_only
def test_a_nonce_against_leaving(app, cast, twins):
    game_id, kept = cast.open(), 0
    for _ in range(ROUNDS):
        tenure = seat(cast.bob, game_id)
        leave = sending(twins[1], "DELETE", f"/api/games/{game_id}/seats/{tenure}")
        put, left = at_once(putting(twins[0], game_id, FIRST), leave)
        assert left == "done" and put in {"open", "not-seated"}
        kept += put == "open"
        assert brought(app, game_id) == [FIRST] * kept
    cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, status=200)
    assert started_with(app, game_id) == [FIRST] * kept
