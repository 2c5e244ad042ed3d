"""Twin games: in one a person's orders answer, in the other the person gives the same answers by hand at the same ms.

Nobody else can tell them apart, whatever they look at: the twins have the same keys, ids, shuffles and times, so every
response, every mail and every row from which others are shown something has to be the same byte by byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from service.core.runtime.time_and_random import Runtime
from service.web.app import create_app
from tests.support.cast import Clock, Person
from tests.support.clock import MINUTE, Hours
from tests.support.dump import dump, execute
from tests.support.each_game import each_slug
from tests.support.post_office import Office
from tests.support.quick_settings import quick_settings
from tests.support.receiving import made
from tests.support.servers.databases import disconnect

STEPS, MANY = 8, 100
"""The number of steps of a game, without and with --thorough."""
PACE = {"kind": "decision", "seconds": 86400}
WHERE = ("", "/events?limit=200", "/views?limit=50", "/clock", "/proposals")
"""What anybody may look at of a game."""
PRIVATE = {"standing_orders", "own_answers", "credentials", "heartbeats"}
"""Tables of what people do for themselves, and of when they were there."""
OWN = {
    "seats": {"acts_from", "acts_at"},
    "tenures": {"orders", "only_move"},
    "outbox": {"cause"},
}
"""Columns of what only owners know, and of whose request has caused a mail, for the limit of such requests."""


class World:
    """One of the twins."""

    def __init__(self, databases: Any, folder: Any) -> None:
        self.clock, self.random = Clock(), random.Random(37)
        config = quick_settings(folder, databases.fresh("sqlite", folder))
        self.app = create_app(config, Runtime(self.clock, self.random.randbytes))
        self.hours, self.office = Hours(self.app, self.clock), Office(self.app)
        self.people = list[Person]()
        self.nobody = Person(self.app)

    def seat_down(self, slug: str, players: int) -> str:
        """The id of a new game whose seats these people have."""
        while len(self.people) < players:
            self.people.append(Person(self.app, f"Player{len(self.people)}", program=True))
            self.office.address(self.people[-1])
            made(self.people[-1])
            self.people[-1].get("/api/me/changes")
        options = rules.load(slug).looks.lengths(players)[0].options
        wish = {"ruleset": slug, "players": players, "options": options, "pace": PACE}
        wish |= {"seating": "order", "start": "full", "nonce": None}
        game_id = str(self.people[0].post("/api/games", wish)["id"])
        for other in self.people[1:players]:
            other.post(f"/api/games/{game_id}/seats", {})
        self.hours.look()
        return game_id


class Twins:
    """A pair of games. In the first, the seats `owners` have orders; in all games the same people."""

    def __init__(self, worlds: tuple[World, World], slug: str, rng: random.Random) -> None:
        self.ours, self.other = worlds
        players = rules.load(slug).players
        self.players = 3 if 3 in players else min(players)
        (self.id,) = {each.seat_down(slug, self.players) for each in worlds}
        self.rng, self.owners = rng, range(0, self.players, 2)
        self.ordered = self.answered = self.letters = 0
        self.number = int(self.ours.nobody.game(self.id)["number"])
        self.send(self.owners[-1], "PATCH", {"only_move": True})

    def send(self, seat: int, method: str, body: Any) -> Any:
        """Let an owner do something that nobody else may notice; it happens in our world only."""
        person = self.ours.people[seat]
        answer = person.send(method, f"/api/games/{self.id}/orders", json=body)
        self.other.random.setstate(self.ours.random.getstate())
        return answer

    def step(self) -> bool:
        """Let somebody act, and some time pass; returns whether the game goes on."""
        game = self.ours.nobody.game(self.id)
        if not game["waiting"]:
            return False
        seat = self.rng.choice(game["waiting"])["seat"]
        shown = self.ours.people[seat].game(self.id)
        if seat in self.owners and self.rng.random() < 0.8:
            self.leave(seat, shown)
            self.later(20 * MINUTE)
        else:
            action = self.rng.choice(shown["legal"])["action"]
            for world in (self.ours, self.other):
                self.answer(world, seat, shown["asked"], action)
            self.number = self.last_number()
            self.later(self.rng.randrange(3 * MINUTE))
        return True

    def leave(self, seat: int, shown: Any) -> None:
        """Leave an order at a question: one of those on offer, or an action."""
        action = {"action": self.rng.choice(shown["legal"])["action"], "until": {"times": 1}}
        offers = self.ours.people[seat].get(f"/api/games/{self.id}/orders")["offers"]
        order = self.rng.choice([action, action, *(each["terms"] for each in offers)])
        self.ordered += self.send(
            seat, "POST", {"asked": shown["asked"], "order": order}
        ).status_code == 201  # fmt: skip
        self.compare()

    def later(self, ms: int) -> None:
        """Let time pass in both; when an order answers in ours, the person does the same in the other."""
        end, before = self.ours.clock() + ms, None
        while (at := self.ours.hours.answers_next()) is not None and at <= end and at != before:
            self.both_at(max(at, self.ours.clock()))
            before = at
        self.both_at(end)
        self.compare()

    def both_at(self, at: int) -> None:
        """Let both workers look at this time, and mails be sent."""
        for world in (self.ours, self.other):
            world.hours.look_at(at)
        if self.last_number() > self.number:
            body = execute(
                self.ours.app,
                "SELECT body FROM events JOIN games ON game_key = games.key"
                " WHERE games.id = :game AND events.number = :number",
                game=self.id,
                number=self.number + 1,
            )
            event = json.loads(body[0][0])
            assert event["by"] == "seat" and event["seat"] in self.owners
            asked = self.other.people[event["seat"]].game(self.id)["asked"]
            self.answer(self.other, event["seat"], asked, event["action"])
            self.answered += 1
            self.number = self.last_number()
            for world in (self.ours, self.other):
                world.hours.look()
            self.compare(whole=True)

    def last_number(self) -> int:
        """The number of the last event in our game."""
        return int(
            execute(self.ours.app, "SELECT number FROM games WHERE id = :id", id=self.id)[0][0]
        )

    def answer(self, world: World, seat: int, asked: int, action: Any) -> None:
        """Answer a question by hand."""
        body = {"asked": asked, "action": action}
        world.people[seat].post(f"/api/games/{self.id}/actions", body)

    def compare(self, *, whole: bool = False) -> None:
        """Everything is the same for everybody else, and so are the mails that they get now."""
        assert self.stored(self.ours) == self.stored(self.other)
        where = WHERE if whole else WHERE[:1]
        for seat in (None, *range(self.players)):
            if seat in self.owners:
                continue
            shown = [seen(world, self.id, seat, where) for world in (self.ours, self.other)]
            assert shown[0] == shown[1]
        letters = [mails(world) for world in (self.ours, self.other)]
        assert letters[0] == letters[1]
        self.letters += len(letters[0])

    def stored(self, world: World) -> dict[str, Any]:
        """Everything that is stored, but for what only owners are shown: their orders, and their own mails and news."""
        owners = {each.id for each in world.people[::2]}
        found: dict[str, Any] = {
            name: [each for each in rows if owners.isdisjoint(map(str, each))]
            for name, rows in dump(world.app).items()
            if name not in PRIVATE | OWN.keys()
        }
        for name, hidden in OWN.items():
            rows = [each._asdict() for each in execute(world.app, f"SELECT * FROM {name}")]
            found[name] = [
                {column: value for column, value in each.items() if column not in hidden}
                for each in sorted(rows, key=repr)
                if name != "outbox" or each["player_id"] not in owners
            ]
        return found


def seen(world: World, game_id: str, seat: int | None, where: tuple[str, ...]) -> list[Any]:
    """The responses to somebody who looks at a game, with their tags."""
    person = world.nobody if seat is None else world.people[seat]
    paths = [f"/api/games/{game_id}{each}" for each in where]
    if seat is not None:
        paths += [f"/api/games/{game_id}/talk", "/api/me/turns", "/api/me/changes?after=0"]
    answers = [person.send("GET", path) for path in paths]
    assert {each.status_code for each in answers} == {200}
    return [(each.headers.get("ETag"), each.get_data()) for each in answers]


@pytest.fixture(scope="module")
def worlds(databases: Any, tmp_path_factory: Any) -> Iterator[tuple[World, World]]:
    """Two applications with the same keys, times and random bytes."""
    made = [World(databases, tmp_path_factory.mktemp("twin")) for _ in "ab"]
    yield (made[0], made[1])
    for each in made:
        disconnect(each.app)


@each_slug
@pytest.mark.of_service
def test_nobody_else_can_tell_an_order_from_a_person_who_answers(
    worlds: tuple[World, World], slug: str, request: pytest.FixtureRequest
) -> None:
    twins = Twins(worlds, slug, random.Random(slug))
    for _ in range(MANY if request.config.getoption("--thorough") else STEPS):
        if not twins.step():
            break
    for world in worlds:  # nothing is to be answered there during the next games
        execute(world.app, "UPDATE games SET status = 'over'")
    assert twins.ordered and twins.answered and twins.letters


def mails(world: World) -> list[Any]:
    """The mails that those who have no orders get now."""
    of_owners = {f"{each.name.lower()}@example.org" for each in world.people[::2]}
    found = [each for each in world.office.deliver(now=False) if each["To"] not in of_owners]
    return [(each["To"], each["Subject"], each["Date"], bodies(each)) for each in found]


def bodies(letter: Any) -> list[Any]:
    return [part.get_content() for part in letter.walk() if not part.is_multipart()]
