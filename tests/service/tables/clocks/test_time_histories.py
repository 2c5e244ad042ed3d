"""Random histories of whole games: whatever people and outages do, nobody loses time except by deciding.

An independent count is kept of how long each seat's clock has really run: while a worker was alive, the table was not
paused and the seat's player was not away.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest
from flask import Flask

from service.core.database.database import db, transaction
from service.core.runtime.problems import Problem
from service.core.runtime.units import HOUR, MINUTE
from service.log.table_rows.table import Table, find
from service.tables.clocks import seat_clocks
from service.tables.play import leaving, moves, proposals
from tests.support.cast import START, Cast, Clock, sqlite_only
from tests.support.clock import Hours
from tests.support.dump import execute

pytestmark = pytest.mark.of_service

STEP = 10 * MINUTE
PACES: dict[str, dict[str, Any]] = {
    "decision": {"kind": "decision", "seconds": 6 * 3600},
    "reserve": {"kind": "reserve", "reserve": 36_000, "increment": 7200, "cap": 43_200},
}
AUCTION = "abbott-auction"
"""Several seats are asked at the same time, and an action of one changes the questions of the others."""
COUNT, THOROUGH, LENGTH = 3, 40, 150
"""The number of histories for each pace, the same with --thorough, and the steps of one history."""
OFTEN = {"pass": 12, "act": 12, "again": 3}

MOMENTS = """
SELECT due AS at FROM seats UNION SELECT paused_until FROM games
UNION SELECT away_from FROM players UNION SELECT away_until FROM players
"""
EVENTS = """
SELECT body FROM events JOIN games ON key = game_key
WHERE id = :id AND events.number > :after ORDER BY events.number
"""


class Time(NamedTuple):
    """The times in a seat's row."""

    tenure: str
    asked: int
    waiting: bool
    due: int | None
    spent: int
    reserve: int
    extra: int
    misses: int


class Count:
    """The ms for which a seat's clock has run: for its present question, and since it was promised `had`."""

    def __init__(self) -> None:
        self.question = self.ran = self.had = 0

    def begin(self, had: int) -> None:
        """The seat is promised `had` ms from now on."""
        self.question, self.ran, self.had = 0, 0, had

    def run(self, ms: int) -> None:
        """The clock runs."""
        self.question += ms
        self.ran += ms


class History:
    """A game, the random steps that happen to it, and the count of its clocks."""

    def __init__(self, app: Flask, clock: Clock, rng: random.Random, pace: Any) -> None:
        self.app, self.clock, self.rng = app, clock, rng
        self.services = app.extensions["tegami"]
        self.people = Cast(app)
        self.hours = Hours(app, clock)
        self.each = pace.get("seconds", 0) * 1000
        self.game_id = self.start(pace)
        self.down, self.number = False, 1
        self.last: dict[int, tuple[str, int, Any]] = {}
        """The last answer of each seat: the player, the question and the action."""
        self.steps: list[str] = []
        self.times = self.look()
        self.counts = [Count(), Count(), Count()]
        self.promise(range(3))

    def start(self, pace: Any) -> str:
        """Start the game; returns its id."""
        return self.people.start(AUCTION, pace=pace, takeover=2, players=3)

    def table(self) -> Table:
        """The table as it is now."""
        with self.app.app_context():
            found = find(self.game_id)
            db.session.rollback()
            return found

    def look(self) -> list[Time]:
        """The time of each seat now."""
        return [Time(*(getattr(p, name) for name in Time._fields)) for p in self.table().people]

    def promise(self, which: Iterable[int]) -> None:
        """Note that these seats now have all their time before them."""
        for seat in which:
            time = self.times[seat]
            self.counts[seat].begin(time.extra + (self.each or time.reserve))

    def happen(self) -> None:
        """Take one random step, which may be refused."""
        names = [name[3:] for name in dir(self) if name.startswith("do_")]
        (name,) = self.rng.choices(names, [OFTEN.get(name, 1) for name in names])
        with self.app.app_context():
            try:
                getattr(self, f"do_{name}")()
            except Problem as refused:
                db.session.rollback()
                name += f" {type(refused).__name__}"
        self.check(name)

    # Steps

    def do_pass(self) -> None:
        """Let time pass and, unless it is down, let the worker do everything that becomes due, in order."""
        until = self.clock() + self.rng.choice([1, 1, 3, 6, 12, 24, 72]) * STEP
        while (now := self.clock()) < until:
            known = [row.at for row in execute(self.app, MOMENTS) if row.at and row.at > now]
            self.run(min([until, *known]) - now)
            if not self.down:
                self.alive()
                self.hours.look()
                self.check("worker")

    def run(self, ms: int) -> None:
        table, now = self.table(), self.clock()
        for person in table.people:
            away = any(begins <= now < ends for begins, ends in seat_clocks.away(person))
            if person.waiting and not (self.down or away or table.game.paused_at):
                self.counts[person.seat].run(ms)
        self.clock.forward(ms)

    def alive(self) -> None:
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())

    def do_down(self) -> None:
        """Let no worker be alive from now on; people play on."""
        if not self.down:
            self.alive()
        self.down = True

    def do_up(self) -> None:
        self.down = False
        self.hours.look()

    def do_act(self) -> None:
        table = self.table()
        asked = [person for person in table.people if person.player_id and person.waiting]
        if asked:
            one = self.rng.choice(asked)
            state = self.services.states.load(table.game)
            action = self.rng.choice(table.ruleset.legal(state, one.seat))
            self.play(one.player_id, one.asked, action)
            self.last[one.seat] = one.player_id, one.asked, action

    def play(self, who: str, asked: int, action: Any) -> Any:
        return moves.play(self.services, self.table(), who, asked, action)

    def do_again(self) -> None:
        """A repeated answer is acknowledged or refused, and moves no deadline."""
        if self.last:
            before = self.look()
            try:
                assert not self.play(*self.rng.choice(list(self.last.values()))).new
            finally:
                assert self.look() == before

    def someone(self) -> str:
        return self.rng.choice(self.people.seated).id

    def do_vacation(self) -> None:
        begins = self.clock() + self.rng.choice([0, 6, 30, 100]) * STEP
        with transaction():
            span = begins, begins + self.rng.choice([6, 30, 200]) * STEP
            seat_clocks.set_vacation(self.clock(), self.someone(), span)

    def do_cancel_vacation(self) -> None:
        with transaction():
            seat_clocks.set_vacation(self.clock(), self.someone(), None)

    def agree(self, **wish: Any) -> None:
        services, here = self.services, [p.player_id for p in self.table().people if p.player_id]
        self.rng.shuffle(here)
        if here:
            proposals.propose(services, self.game_id, here[0], wish)
            made = proposals.listed(self.table())[-1].id
            for other in here[1:]:
                proposals.vote(services, self.game_id, made, other, True)

    def do_pause(self) -> None:
        self.agree(kind="pause", seconds=self.rng.choice([1, 10, 100, 1000]) * 600)

    def do_resume(self) -> None:
        self.agree(kind="resume")

    def do_extend(self) -> None:
        seat, seconds = self.rng.randrange(3), self.rng.choice([600, 12_000])
        before = self.look()[seat].extra
        self.agree(kind="extend", seat=seat, seconds=seconds)
        if self.look()[seat].extra > before:
            self.counts[seat].had += seconds * 1000

    def do_resign(self) -> None:
        if self.rng.random() < 0.3:
            leaving.resign(self.services, self.game_id, self.someone())

    def do_return(self) -> None:
        leaving.return_to_seat(self.services, self.game_id, self.someone())

    # Invariants

    def check(self, name: str) -> None:
        """Check that nothing has gone wrong since the last check."""
        self.steps.append(f"{(self.clock() - START) / HOUR:.2f} {name}")
        before, self.times = self.times, self.look()
        events, table = self.news(), self.table()
        for seat, (old, new) in enumerate(zip(before, self.times, strict=True)):
            mine = [e["by"] for e in events if e["kind"] == "action" and e["seat"] == seat]
            why = self.wrong(old, new, mine, self.counts[seat], table)
            assert not why, f"seat {seat}: {why}: {self.steps[-25:]}, {old}, {new}"
            if mine or old.tenure != new.tenure or (new.waiting and not old.waiting):
                self.promise([seat])
            elif new.waiting and new.asked != old.asked:
                self.counts[seat].question = 0
                self.promise([seat] if self.each else [])

    def news(self) -> list[Any]:
        rows = execute(self.app, EVENTS, id=self.game_id, after=self.number)
        self.number += len(rows)
        return [json.loads(row.body) for row in rows]

    def wrong(self, old: Time, new: Time, mine: list[str], count: Count, table: Table) -> str:
        """The errors about a seat since the last check; `mine` says who gave its answers since then."""
        person = next(each for each in table.people if each.tenure == new.tenure)
        away = any(begins < (old.due or 0) < ends for begins, ends in seat_clocks.away(person))
        changed = old.waiting and new.asked != old.asked
        took = new.spent > old.spent or new.reserve < old.reserve or new.extra < old.extra
        there = person.player_id and new.waiting and table.game.status == "running"
        found = {
            "timed out during a pause": "timeout" in mine and table.game.paused_at,
            "timed out while away": "timeout" in mine and away,
            "timed out before all the time had run": "timeout" in mine and count.ran < count.had,
            "asked without a deadline": there and new.due is None,
            "charged for time that did not run": new.spent - old.spent > count.question,
        }
        if old.tenure == new.tenure:
            early = old.due and new.due and new.due < old.due
            found |= {
                "deadline brought forward": early and not mine,
                "charged without a decision": took and not mine and not changed,
                "misses not reset": mine and mine[-1] == "seat" and new.misses,
            }
        return ", ".join(problem for problem, occurred in found.items() if occurred)


@sqlite_only
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(
    "number",
    [n if n < COUNT else pytest.param(n, marks=pytest.mark.thorough) for n in range(THOROUGH)],
)
def test_only_decisions_cost_time_in_random_histories(
    app: Flask, clock: Clock, pace: str, number: int
) -> None:
    history = History(app, clock, random.Random(number), PACES[pace])
    for _ in range(LENGTH):
        history.happen()
