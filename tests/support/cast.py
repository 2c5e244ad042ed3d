"""The people in the tests of the service, and their clock.

alice opens tables and uses a cookie, bob uses a bearer token, carol a cookie; mallory is a stranger who is signed in,
too.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import pytest
from flask import Flask

import rules
from rules.kernel import text
from tests.support.dump import execute
from tests.support.kept_starts import KeptStarts

Json = dict[str, Any]
Choose = Callable[[list[Json]], Json]

BOOMERANG, CARAVAN = "boomerang-auction", "caravan"
NAMES = frozenset({"alice", "bob", "carol", "mallory"})
KEPT_STARTS = KeptStarts()
START = 1_795_255_200_000
"""The time at which every test begins: 2026-11-21T10:00:00Z."""

sqlite_only = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For tests that no database affects, or that only concern SQLite."""
postgresql_only = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
"""For tests that only concern PostgreSQL."""


class Clock:
    """A clock in ms UTC that is set by hand."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at

    def forward(self, ms: int) -> None:
        """Move the clock forward."""
        self.at += ms


class Person:
    """A person with a browser (a cookie jar) or a program (a bearer token); every response is checked against the
    document.
    """

    def __init__(self, app: Flask, name: str = "", *, program: bool = False) -> None:
        self.http = app.test_client(use_cookies=not program)
        self.name, self.headers, self.id = name, dict[str, str](), ""
        if name:
            self._arrive(program)

    def _arrive(self, program: bool) -> None:
        token = {"token": f"{self.name}'s program", "scopes": ["talk", "account"]}
        body = {"name": self.name} | (token if program else {})
        made = self.post("/api/players", body)
        self.id, self.key = made["player"]["id"], made["link"]["key"]
        if program:
            self.headers["Authorization"] = f"Bearer {made['token']['secret']}"
            self.get("/api/me")  # its first use is recorded now, not in the middle of a test

    def signed_in(self) -> Json:
        """The person's sign-in: see `be`."""
        cookies = dict(self.http._cookies or {})
        known = {"name": self.name, "id": self.id, "key": self.key, "headers": dict(self.headers)}
        return known | {"cookies": cookies}

    def be(self, signed_in: Json) -> Person:
        """Become somebody who has signed in before."""
        own = {name: value for name, value in signed_in.items() if name != "cookies"}
        vars(self).update(own | {"headers": dict(own["headers"])})
        self.http._cookies = dict(signed_in["cookies"]) if not own["headers"] else None
        return self

    def send(self, method: str, path: str, **more: Any) -> Any:
        """The response to a request."""
        headers = {**self.headers, **more.pop("headers", {})}
        return self.http.open(path, method=method, headers=headers, **more)

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        """The body of a response that has to have this status."""
        return told(self.send("GET", path, **more), status)

    def post(self, path: str, body: Any = None, status: int = 201, **more: Any) -> Any:
        """The body of the response to a POST."""
        return told(self.send("POST", path, json=body, **more), status)

    def put(self, path: str, body: Any, status: int = 200, **more: Any) -> Any:
        """The body of the response to a PUT."""
        return told(self.send("PUT", path, json=body, **more), status)

    def delete(self, path: str, status: int = 204, **more: Any) -> Any:
        """The body of the response to a DELETE."""
        return told(self.send("DELETE", path, **more), status)

    def refused(self, method: str, path: str, slug: str, body: Any = None, **more: Any) -> Any:
        """The problem document with which the request is refused, which has to be of this type."""
        if body is not None:
            more["json"] = body
        answer = self.send(method, path, **more)
        assert answer.mimetype == "application/problem+json", answer.get_data(as_text=True)[:500]
        assert answer.json["type"] == f"/problems/{slug}", answer.json
        assert answer.json["status"] == answer.status_code
        return answer.json

    def game(self, game_id: str, **more: Any) -> Any:
        """The game as this person may see it."""
        return self.get(f"/api/games/{game_id}", **more)

    def answer(self, game: Json, action: Json | None = None, status: int = 201) -> Any:
        """Answer the question in `game` with `action`, or otherwise with the first legal one."""
        action = game["legal"][0]["action"] if action is None else action
        body = {"asked": game["asked"], "action": action}
        return self.post(f"/api/games/{game['id']}/actions", body, status)


def told(answer: Any, status: int) -> Any:
    """The body of a response, which has to have this status."""
    assert answer.status_code == status, (answer.status_code, answer.get_data(as_text=True)[:2000])
    return answer.json if answer.mimetype == "application/json" else answer.get_data()


def refused(
    person: Person,
    method: str,
    path: str,
    slug: str,
    data: str | bytes,
    kind: str = "application/json",
) -> Any:
    """The problem document with which a body of these bytes is refused."""
    return person.refused(method, path, slug, data=data, content_type=kind)


def eager(rng: random.Random) -> Choose:
    """A random choice that ends games soon: in Caravan it sells when it can, and otherwise prefers numbers."""

    def worth(each: Json) -> int:
        action = each["action"]
        return {"sell": 9, "play": 1 - ("at" in action)}.get(action["type"], 0)

    def choose(legal: list[Json]) -> Json:
        best = max(map(worth, legal))
        return rng.choice([each for each in legal if worth(each) == best])

    return choose


class Move(NamedTuple):
    """A move: the person, what they saw before, the action, and the response."""

    person: Person
    shown: Json
    action: Json
    played: Json


class Cast:
    """All people. Each is made at first use, since most tests need only one or two."""

    def __init__(self, app: Flask, starts: KeptStarts = KEPT_STARTS) -> None:
        self.app, self._starts = app, starts
        self.nobody = Person(app)

    @cached_property
    def alice(self) -> Person:
        """alice, who opens the tables."""
        return Person(self.app, "Alice")

    @cached_property
    def bob(self) -> Person:
        """bob, who uses a program."""
        return Person(self.app, "Bob", program=True)

    @cached_property
    def carol(self) -> Person:
        """carol, who sits down last."""
        return Person(self.app, "Carol")

    @cached_property
    def mallory(self) -> Person:
        """mallory, who does not sit at the table."""
        return Person(self.app, "Mallory")

    @property
    def everybody(self) -> tuple[Person, Person, Person, Person]:
        """All four people."""
        return *self.seated, self.mallory

    @property
    def seated(self) -> tuple[Person, Person, Person]:
        """The three people who sit down."""
        return self.alice, self.bob, self.carol

    def open(
        self,
        slug: str = BOOMERANG,
        nonce: str | None = None,
        version: int | None = None,
        **wish: Any,
    ) -> str:
        """The id of a table that alice has opened, with seats in order of sitting down and perhaps her `nonce`.

        With `version`, the table was opened before a newer one came out.
        """
        wish = {"ruleset": slug, "seating": "order", "nonce": None} | wish
        older = version is not None and version != rules.versions(slug)[-1]
        asked = wish.pop("options", {}) if older else {}
        game = self.alice.post("/api/games", wish)
        if older:
            settled = rules.load(slug, version).settle(game["players"], asked)
            was = {"version": version, "options": text(settled)}
            command = "UPDATE games SET version = :version, options = :options WHERE id = :id"
            execute(self.app, command, id=game["id"], **was)
        if nonce:
            self.alice.put(f"/api/games/{game['id']}/nonce", {"nonce": nonce})
        return str(game["id"])

    def start(self, slug: str = BOOMERANG, **wish: Any) -> str:
        """The id of a game that has started: alice has seat 0, bob 1, carol 2."""
        if not NAMES.isdisjoint(vars(self)):
            return self.start_anew(slug, **wish)
        return self._starts.start(
            self.app,
            repr((slug, wish)),
            lambda: (self.start_anew(slug, **wish), self._signed_in()),
            self._back,
        )

    def _signed_in(self) -> dict[str, Json]:
        """The people so far, with their sign-ins."""
        here = [name for name in sorted(NAMES) if name in vars(self)]
        return {name: getattr(self, name).signed_in() for name in here}

    def _back(self, people: dict[str, Json]) -> None:
        for name, signed_in in people.items():
            vars(self)[name] = Person(self.app).be(signed_in)

    def start_anew(self, slug: str = BOOMERANG, **wish: Any) -> str:
        """The id of a game that has just been started with all requests that this takes."""
        game = self.alice.game(self.open(slug, **wish))
        invited = {"Invitation": game["invitation"]["key"]} if game["invitation"] else {}
        for person in self.seated[1 : game["players"] - len(game["seats"]) + 1]:
            person.post(f"/api/games/{game['id']}/seats", {}, headers=invited)
        self.alice.post(f"/api/games/{game['id']}/start", status=200)
        return str(game["id"])

    def holders(self, game_id: str) -> dict[int, Person]:
        """The people of the cast by the seats that they hold."""
        people = {person.name: person for person in self.seated}
        seats = self.alice.game(game_id)["seats"]
        return {seat["seat"]: people[seat["name"]] for seat in seats if not seat["house"]}

    def asked(self, game_id: str) -> tuple[Person, Json]:
        """Somebody who has to act, with the game as they see it."""
        seat = self.alice.game(game_id)["waiting"][0]["seat"]
        person = self.holders(game_id)[seat]
        return person, person.game(game_id)

    def moves(self, game_id: str, choose: Choose | None = None) -> Iterator[Move]:
        """Play to the end, a move at a time; `choose` picks from `legal`."""
        choose = choose or eager(random.Random(7))
        holders = self.holders(game_id)
        game = self.alice.game(game_id)
        while game["waiting"]:
            seat = game["waiting"][0]["seat"]
            person = holders[seat]
            shown = game if game["seat"] == seat else person.game(game_id)
            action = choose(shown["legal"])["action"]
            played = person.answer(shown, action)
            game = played["game"]
            yield Move(person, shown, action, played)

    def play(self, game_id: str, choose: Choose | None = None, most: int = 999) -> Move:
        """Play to the end, or `most` moves; returns the last of them."""
        *_, last = itertools.islice(self.moves(game_id, choose), most)
        return last
