"""Many people play one day's deal over HTTP, four at a time, on a whole server: web, worker and one thinker.

Each arrives as a guest, begins the only try and plays it to the end. Three of four moves are the first one on offer, as
people often choose alike, the others are drawn; so many meet where somebody has been, and house players answer from
what was thought before. That is done for the ruleset whose tries cost least and for the one whose cost most, or for
those that DAILY_RULESETS names. In the end everybody is counted once, equal choices have led to equal results, and
strangers are told nothing.

Counted, for each fifth of the visitors: the processor time of a try, in web, worker and thinker, and which part of the
moves of house players needed no thought: the difference is what the kept thoughts save. Further: what the lines of the
strongest house player cost, and how long people waited for an answer. A visitor takes a second or two of one core. What
runs each day is tests/service/tables/play/daily_deals/test_daily_deals.py.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import statistics
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import create_engine, insert, text

import rules
from service.core.models.daily_deals import DailyDeal
from service.core.runtime import days
from service.core.runtime.time_and_random import system_clock
from tests.endurance.frame import Definition, Run
from tests.support.servers.remote import Remote, move
from tests.support.servers.server import PATIENCE, Server, wait_until

CHEAPEST, DEAREST = "joretsu", "oracle-land"
AT_ONCE = 4
ALIKE = 0.75
LINES = "SELECT count(*) FROM daily_tries WHERE who LIKE 'house:%' AND ended_at IS NOT NULL"
THOUGHTS = "SELECT count(*) FROM daily_thoughts"
TICKS = os.sysconf("SC_CLK_TCK")
Json = dict[str, Any]


class Visitor(Remote):
    """Somebody who comes for the day's deal. Requests are held until there is news."""

    def __init__(self, url: str, number: int) -> None:
        self.waits: list[float] = []
        self.choices: list[str] = []
        super().__init__(url, f"Visitor {number}", 4 * PATIENCE)

    def plays(self, rng: random.Random) -> Json:
        """Play a try to its end; returns the game."""
        status, game = self.insist("POST", "/api/daily-deals/today/tries", {})
        assert status == 201, game
        while True:
            begun = time.monotonic()
            game = self._asked_again(game["id"])
            self.waits.append(time.monotonic() - begun)
            if game["result"]:
                return game
            legal = game["legal"]
            choice = 0 if rng.random() < ALIKE else rng.randrange(len(legal))
            self.choices.append(json.dumps(legal[choice]["action"], sort_keys=True))
            status, told = self.insist(
                "POST", f"/api/games/{game['id']}/actions", move(game, choice)
            )
            assert status == 201, told

    def _asked_again(self, game_id: str) -> Json:
        """The game once this person has to act, or it is over."""
        headers = {"Authorization": f"Bearer {self._token}"}
        while True:
            request = urllib.request.Request(f"{self._url}/api/games/{game_id}", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    game: Json = json.loads(answer.read())
                    headers |= {"If-None-Match": answer.headers["ETag"], "Prefer": "wait=20"}
            except urllib.error.HTTPError as unchanged:
                if unchanged.code != 304:
                    raise
                continue
            if game["legal"] or game["result"]:
                return game


class Spent(NamedTuple):
    """Processor time so far in ms, by the part of the server."""

    web: float
    worker: float
    thinker: float


def spent(server: Server) -> Spent:
    """The processor time of the server's processes, with those that have ended."""
    web, worker = (server._running[name].pid for name in ("web", "worker"))
    children: dict[int, list[tuple[int, float]]] = {}
    own: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        pid, used = int(stat.parent.name), 1000 * (int(fields[11]) + int(fields[12])) / TICKS
        own[pid] = used
        children.setdefault(int(fields[1]), []).append((pid, used))

    def below(pid: int) -> float:
        return sum(used + below(child) for child, used in children.get(pid, []))

    return Spent(own[web] + below(web), own[worker], below(worker))


def deal(database: str, slug: str) -> None:
    """Let this ruleset be dealt on the present day."""
    ruleset, day = rules.load(slug), days.day_of(system_clock())
    daily = ruleset.looks.daily
    assert daily is not None, f"{slug} suits no day"
    made = {
        "day": day,
        "ruleset": slug,
        "version": ruleset.version,
        "players": daily.players,
        "options": ruleset.settle(daily.players, daily.options),
        "iterations": daily.iterations,
        "seed": secrets.token_bytes(32),
        "committed_at": system_clock(),
    }
    with create_engine(database).begin() as connection:
        connection.execute(insert(DailyDeal).values(made))


def number(database: str, query: str) -> int:
    """The number that this query finds."""
    with create_engine(database).connect() as connection:
        return int(connection.execute(text(query)).scalar() or 0)


class Day:
    """A day on one server: everybody's visit, and what was spent after each fifth."""

    def __init__(self, run: Run, slug: str, server: Server) -> None:
        self.run, self.slug, self.server = run, slug, server
        self.results: dict[tuple[str, ...], set[str]] = {}
        self.waits: list[float] = []
        self.house_moves = 0
        self._lock = threading.Lock()

    def opens(self) -> None:
        """Let the first person begin, and count what the lines of the strongest house player cost, once a day."""
        begun = spent(self.server)
        first = Visitor(self.server.url, -1)
        assert first.insist("POST", "/api/daily-deals/today/tries", {})[0] == 201
        database = self.server.database
        wait_until(lambda: number(database, LINES) == 2, "the lines", 30 * PATIENCE)
        self.counts("lines, once a day", begun)

    def counts(self, what: str, begun: Spent, people: int = 1) -> Spent:
        """Count what was spent for each of these people since then; returns what has been spent by now."""
        now = spent(self.server)
        each = [round((b - a) / people) for a, b in zip(begun, now, strict=True)]
        for part, value in zip(Spent._fields, each, strict=True):
            self.run.counts[f"{self.slug}: {what}, {part}, ms"] = value
        return now

    def visits(self, number: int) -> None:
        """Let somebody come, play and leave."""
        visitor = Visitor(self.server.url, number)
        game = visitor.plays(random.Random(f"{self.run.seed} {number}"))
        events = visitor.insist("GET", f"/api/games/{game['id']}/events?limit=200")[1]["events"]
        with self._lock:
            self.results.setdefault(tuple(visitor.choices), set()).add(json.dumps(game["result"]))
            self.waits += visitor.waits
            self.house_moves += sum(
                each["kind"] == "action" and each["seat"] != 0 for each in events
            )

    def lasts(self, people: int) -> None:
        """Let so many come, and count what they cost."""
        fifth = max(1, people // 5)
        begun, database = spent(self.server), self.server.database
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for first in range(0, people, fifth):
                last = min(first + fifth, people)
                before, self.house_moves = number(database, THOUGHTS), 0
                list(threads.map(self.visits, range(first, last)))
                what = f"a try, by visitor {last}"
                begun = self.counts(what, begun, last - first)
                thought = (number(database, THOUGHTS) - before) / self.house_moves
                self.run.counts[f"{self.slug}: {what}, moves without a thought"] = round(
                    1 - thought, 3
                )
                print(*list(self.run.counts.items())[-4:], flush=True)
        p95 = statistics.quantiles(self.waits, n=20)[-1]
        self.run.counts[f"{self.slug}: wait for an answer, p95, s"] = round(p95, 2)

    def judge(self, people: int) -> None:
        """Check that all are counted once, and that the same choices led to the same results."""
        assert all(len(each) == 1 for each in self.results.values()), "equal choices, other results"
        first = next(iter(self.results.values()))
        assert first
        late = Visitor(self.server.url, people + 1)
        told = late.insist("GET", "/api/daily-deals/today")[1]
        assert told["results"] is None and told["seed"] is None, "a stranger is told of the day"
        late.plays(random.Random(0))
        told = late.insist("GET", "/api/daily-deals/today")[1]["results"]
        counted = people + 1 + (self.run.fault == "one-more")
        assert (told["begun"], told["finished"]) == (counted + 1, counted), told
        assert sum(each["people"] for each in told["outcomes"]) == counted
        self.run.count("visitors counted", counted)
        assert '"event": "crash"' not in self.server.logged(), self.server.logged()[-2000:]


def endure(run: Run) -> None:
    """Let so many people come on a day of each ruleset."""
    slugs = os.environ.get("DAILY_RULESETS", f"{CHEAPEST} {DEAREST}").split()
    for slug in slugs:
        database = run.database()
        deal(database, slug)
        folder = run.folder / slug
        folder.mkdir()
        with Server(folder, database, preloaded=False, POLL_AFTER="1") as server:
            day = Day(run, slug, server)
            day.opens()
            day.lasts(run.rounds)
            day.judge(run.rounds)


DEFINITION = Definition(
    endure, rounds=300, quick=5, unit="visitors", faults=("one-more",), daily=False
)
