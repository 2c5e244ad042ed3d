"""Random histories of whole games: whatever people and outages do, nobody's time is taken but by their own decision.

Beside the service stands a plain count: how long the clock of each seat has really run, while a worker was alive, the
table did not pause and its player was not away.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest
from flask import Flask

from service import consent, play, seats, waits
from service.clock import HOUR, MINUTE
from service.database import db, transaction
from service.problems import Problem
from service.table import Table, find
from tests.service.cast import START, Cast, Clock, sqlite_only
from tests.service.dump import execute
from tests.service.hours import Hours

STEP = 10 * MINUTE
PACES: dict[str, dict[str, Any]] = {
    "decision": {"kind": "decision", "seconds": 6 * 3600},
    "reserve": {"kind": "reserve", "reserve": 36_000, "increment": 7200, "cap": 43_200},
}
AUCTION = "abbott-auction"
"""Several are asked at once, and what one does changes the questions of others."""
COUNT, THOROUGH, LENGTH = 3, 40, 150
"""Histories of each pace, also with --thorough, and what happens in one."""
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
    """A seat's row."""

    tenure: str
    asked: int
    waiting: bool
    due: int | None
    spent: int
    reserve: int
    extra: int
    misses: int


class Count:
    """What the clock of a seat has run, in ms: for its present question, and since it was promised `had`."""

    def __init__(self) -> None:
        self.question = self.ran = self.had = 0

    def begin(self, had: int) -> None:
        """A new promise."""
        self.question, self.ran, self.had = 0, 0, had

    def run(self, ms: int) -> None:
        """The clock runs."""
        self.question += ms
        self.ran += ms


class History:
    """A game, whatever happens to it, and the count beside it."""

    def __init__(self, app: Flask, clock: Clock, rng: random.Random, pace: Any) -> None:
        self.app, self.clock, self.rng = app, clock, rng
        self.kit = app.extensions["tegami"]
        self.people = Cast(app)
        self.hours = Hours(app, clock)
        self.each = pace.get("seconds", 0) * 1000
        self.game_id = self.people.start(AUCTION, pace=pace, takeover=2, players=3)
        self.down, self.number = False, 1
        self.last: dict[int, tuple[str, int, Any]] = {}
        """What each seat answered last: who, which question, and what."""
        self.told: list[str] = []
        self.times = self.look()
        self.counts = [Count(), Count(), Count()]
        self.promise(range(3))

    def table(self) -> Table:
        """As it is now."""
        with self.app.app_context():
            found = find(self.game_id)
            db.session.rollback()
            return found

    def look(self) -> list[Time]:
        """Everybody's time now."""
        return [Time(*(getattr(p, name) for name in Time._fields)) for p in self.table().people]

    def promise(self, which: Iterable[int]) -> None:
        """These seats have all their time before them."""
        for seat in which:
            time = self.times[seat]
            self.counts[seat].begin(time.extra + (self.each or time.reserve))

    def happen(self) -> None:
        """One thing, or it is refused."""
        names = [name[3:] for name in dir(self) if name.startswith("do_")]
        (name,) = self.rng.choices(names, [OFTEN.get(name, 1) for name in names])
        with self.app.app_context():
            try:
                getattr(self, f"do_{name}")()
            except Problem as refused:
                db.session.rollback()
                name += f" {type(refused).__name__}"
        self.check(name)

    # What happens

    def do_pass(self) -> None:
        """Time, and with it all that a worker does, in order."""
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
            away = any(begins <= now < ends for begins, ends in waits.away(person))
            if person.waiting and not (self.down or away or table.game.paused_at):
                self.counts[person.seat].run(ms)
        self.clock.forward(ms)

    def alive(self) -> None:
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())

    def do_down(self) -> None:
        """No worker is alive from now on; people play all the same."""
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
            state = self.kit.states.load(db.session, table.game)
            action = self.rng.choice(table.ruleset.legal(state, one.seat))
            self.play(one.player_id, one.asked, action)
            self.last[one.seat] = one.player_id, one.asked, action

    def play(self, who: str, asked: int, action: Any) -> Any:
        return play.play(self.kit.outside, self.kit.states, self.table(), who, asked, action)

    def do_again(self) -> None:
        """The same answer once more is acknowledged, or refused, and moves nothing."""
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
            waits.go_away(self.clock(), self.someone(), span)

    def do_come_home(self) -> None:
        with transaction():
            waits.go_away(self.clock(), self.someone(), None)

    def agree(self, **wish: Any) -> None:
        kit, here = self.kit, [p.player_id for p in self.table().people if p.player_id]
        self.rng.shuffle(here)
        if here:
            _, made = consent.propose(kit.outside, kit.states, self.game_id, here[0], wish)
            for other in here[1:]:
                consent.vote(kit.outside, kit.states, self.game_id, made, other, True)

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
            seats.resign(self.kit.outside, self.kit.states, self.game_id, self.someone())

    def do_return(self) -> None:
        seats.come_back(self.kit.outside, self.kit.states, self.game_id, self.someone())

    # What holds

    def check(self, name: str) -> None:
        """Nothing has gone wrong since the last look."""
        self.told.append(f"{(self.clock() - START) / HOUR:.2f} {name}")
        before, self.times = self.times, self.look()
        events, table = self.news(), self.table()
        for seat, (old, new) in enumerate(zip(before, self.times, strict=True)):
            mine = [e["by"] for e in events if e["kind"] == "action" and e["seat"] == seat]
            why = self.wrong(old, new, mine, self.counts[seat], table)
            assert not why, f"seat {seat}: {why}: {self.told[-25:]}, {old}, {new}"
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
        """What should never happen to a seat, whose answers in between are `mine`."""
        person = next(each for each in table.people if each.tenure == new.tenure)
        away = any(begins < (old.due or 0) < ends for begins, ends in waits.away(person))
        changed = old.waiting and new.asked != old.asked
        took = new.spent > old.spent or new.reserve < old.reserve or new.extra < old.extra
        there = person.player_id and new.waiting and table.game.status == "running"
        found = {
            "timed out in a pause": "timeout" in mine and table.game.paused_at,
            "timed out while away": "timeout" in mine and away,
            "timed out before all the time had run": "timeout" in mine and count.ran < count.had,
            "asked without a due time": there and new.due is None,
            "charged for what did not run": new.spent - old.spent > count.question,
        }
        if old.tenure == new.tenure:
            early = old.due and new.due and new.due < old.due
            found |= {
                "brought forward": early and not mine,
                "charged without a decision": took and not mine and not changed,
                "not forgiven": mine and mine[-1] == "seat" and new.misses,
            }
        return ", ".join(why for why, so in found.items() if so)


@sqlite_only
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(
    "number",
    [n if n < COUNT else pytest.param(n, marks=pytest.mark.thorough) for n in range(THOROUGH)],
)
def test_whatever_happens_to_time(app: Flask, clock: Clock, pace: str, number: int) -> None:
    history = History(app, clock, random.Random(number), PACES[pace])
    for _ in range(LENGTH):
        history.happen()
