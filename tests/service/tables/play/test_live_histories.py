"""Random histories of games that are played live: people act early, late, twice and from lines that were broken.

An independent book records who has acted when, and when the clock has to run out.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from flask import Flask

from service.core.database.database import db
from service.log.event_log import States
from service.log.table_rows.table import find
from service.log.verification.verify_record import verify
from tests.support import record_verifier
from tests.support.cast import Cast, Clock, Json, Person, sqlite_only
from tests.support.clock import MINUTE, SECOND, Hours
from tests.support.dump import execute

LIVE = {
    "ruleset": "2459n",
    "players": 3,
    "options": {"tempo": "live", "minutes": 0.5},
    "seating": "order",
}
LASTS, BETWEEN = 30 * SECOND, 500
COUNT, THOROUGH = 4, 60
PAUSES = (1, 90, 250, 499, 500, 501, 1200)
OFTEN = {"act": 12, "wait": 10, "look": 3, "worker": 2}


class LiveHistory:
    """A game, the random steps that happen to it, and the book that is kept about them."""

    def __init__(self, app: Flask, clock: Clock, rng: random.Random) -> None:
        self.app, self.clock, self.rng = app, clock, rng
        self.cast, self.hours = Cast(app), Hours(app, clock)
        self.people = list(self.cast.seated)
        self.game_id = self.begun()
        self.acted = dict.fromkeys(self.people, clock())
        """The time of each player's last action, or of the beginning."""
        self.due = clock() + LASTS
        self.seen: dict[Person, list[Json]] = {
            each: [each.game(self.game_id)] for each in self.people
        }
        """The table that each browser was shown; a browser without a connection has an earlier one."""
        self.answered: list[tuple[Person, Json, int]] = []
        self.gone: set[Person] = set()
        self.alive_at = clock()
        self.steps: list[str] = []

    def begun(self) -> str:
        made = self.people[0].post("/api/games", LIVE)
        for person in self.people[1:]:
            person.post(f"/api/games/{made['id']}/seats", {})
        for person in self.people:
            person.post(f"/api/games/{made['id']}/ready", status=200)
        return str(made["id"])

    def happen(self) -> None:
        """Take a random step."""
        names = [name[3:] for name in dir(self) if name.startswith("do_")]
        (name,) = self.rng.choices(names, [OFTEN.get(name, 1) for name in names])
        self.steps.append(f"{self.due - self.clock()} {name}")
        getattr(self, f"do_{name}")()

    def do_wait(self) -> None:
        self.clock.forward(self.rng.choice(PAUSES))
        if self.clock() - self.alive_at < MINUTE:
            self.beat()

    def do_look(self) -> None:
        """Somebody's connection is (again) there: they are shown the present table."""
        person = self.rng.choice(self.people)
        self.seen[person].append(person.game(self.game_id))

    def do_worker(self) -> None:
        self.beat()
        self.hours.look()

    def do_outage(self) -> None:
        """Let nobody work for a while; meanwhile people may act, and their clock stands still."""
        if self.rng.random() < 0.3:
            self.beat()
            began = self.clock()
            self.clock.forward(5 * MINUTE + self.rng.choice([1, 50_000]))
            if self.rng.random() < 0.5 and self.due > began:
                self.act(is_open=True)
            self.hours.look()
            if self.is_running:
                self.due += self.clock() - began
            self.beat()

    def do_act(self) -> None:
        self.act(is_open=self.clock() < self.due)

    def do_again(self) -> None:
        """Send the same request again: nothing is added."""
        if self.answered:
            person, body, number = self.rng.choice(self.answered)
            found = person.send("POST", f"/api/games/{self.game_id}/actions", json=body)
            assert found.status_code in {200, 403, 409}, found.get_data(as_text=True)
            assert found.status_code != 200 or found.json["number"] == number

    def do_leave(self) -> None:
        """Let somebody resign or come back; others play on."""
        person = self.rng.choice(self.people)
        if self.rng.random() < 0.3 and self.is_running:
            what = "return" if person in self.gone else "resignation"
            found = person.send("POST", f"/api/games/{self.game_id}/{what}", json={})
            assert found.status_code in {200, 204}, found.get_data(as_text=True)
            self.gone ^= {person}
            if what == "return":
                self.seen[person].append(person.game(self.game_id))

    def act(self, *, is_open: bool) -> None:
        """Let somebody answer a table that they were shown, mostly the last one."""
        person, now = self.rng.choice(self.people), self.clock()
        game = self.rng.choice(self.seen[person][-2:])
        if not game["legal"]:
            return
        body = {"asked": game["asked"], "action": self.rng.choice(game["legal"])["action"]}
        found = person.send("POST", f"/api/games/{self.game_id}/actions", json=body)
        if found.status_code == 201:
            assert is_open, f"too late: {self.steps[-20:]}"
            assert now - self.acted[person] >= BETWEEN, f"too soon: {self.steps[-20:]}"
            self.acted[person] = now
            self.answered.append((person, body, found.json["number"]))
            self.seen[person].append(person.game(self.game_id))
        elif found.status_code == 429:
            assert is_open
            assert now - self.acted[person] < BETWEEN
        else:
            assert found.status_code in {200, 403, 409, 422}, found.get_data(as_text=True)

    def beat(self) -> None:
        self.alive_at = self.clock()
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())

    @property
    def is_running(self) -> bool:
        return bool(self.cast.mallory.game(self.game_id)["status"] == "running")

    def check(self) -> None:
        """Check that the state is that of the log, and that the table shows when its clock runs out."""
        with self.app.app_context():
            table = find(self.game_id)
            assert States(8).load(table.game) == self.app.extensions["tegami"].states.load(
                table.game
            )
            assert table.game.clock_due in {self.due, None}, self.steps[-20:]
            db.session.rollback()

    def end(self) -> bytes:
        """Let the clock run out; returns the record."""
        if self.is_running:
            self.beat()
            self.clock.forward(max(0, self.due - self.clock() - 1))
            self.do_worker()
            assert self.is_running, "the clock has not run out"
            self.clock.forward(1)
            for _ in range(2):
                self.do_worker()
        assert not self.is_running
        found = self.people[0].send("GET", f"/api/games/{self.game_id}/record")
        return bytes(found.data)


@pytest.mark.of_service
@sqlite_only
@pytest.mark.parametrize(
    "number",
    [*range(COUNT), *(pytest.param(n, marks=pytest.mark.thorough) for n in range(COUNT, THOROUGH))],
)
def test_whatever_happens_to_a_live_game_the_log_says_how_it_was(
    app: Flask, clock: Clock, number: int
) -> None:
    history = LiveHistory(app, clock, random.Random(number))
    for _ in range(120):
        history.happen()
        history.check()
    record = history.end()
    verify(record)
    record_verifier.verify(record)
    events: list[Any] = json.loads(record)["events"]
    kinds = [event["kind"] for event in events]
    reason = json.loads(record)["result"]["reason"]
    assert kinds.count("clock") == (reason in {"time-up", "mascot"})
    assert kinds.count("clock") == 0 or kinds[-1] == "clock"
    numbers = {event["number"] for event in events if event["kind"] == "action"}
    assert numbers == {number for _, _, number in history.answered}
    assert len(history.answered) > 10, "it was played"
