"""A game that is played live: the delay between sending a move and its arrival at the others, who hold polls."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import statistics
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from benchmarks.report import Measure
from benchmarks.server import PATIENCE, served
from benchmarks.world import WISH, World, world
from service.core.database.database import db
from service.tables.before_start import ready_checks, table_setup
from service.tables.play.outside_clocks import BETWEEN

SLUG, SEATS = "2459n", 5
OPTIONS = {"tempo": "live", "minutes": 15}
MOVES = 200
PAUSE = 1.5 * BETWEEN / 1000 / SEATS
"""The pause (seconds) between two moves: each seat acts somewhat less often than it may."""
SLOWEST, WITHIN = 0.3, 95
"""The seconds after which so many of 100 moves have to be known to the others."""


class Seen(NamedTuple):
    """The last event that a seat has seen, and the time at which it saw it (seconds)."""

    number: int
    at: float


class Line:
    """The connection of a person."""

    def __init__(self, address: tuple[str, int], token: str) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=PATIENCE)
        self._token = {"Authorization": f"Bearer {token}"}

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """The status, the headers and the body of a response."""
        sent = {**self._token, **{name.replace("_", "-"): each for name, each in headers.items()}}
        if body is not None:
            sent["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, sent)
        answer = self._connection.getresponse()
        return answer.status, answer.headers, answer.read()


class Watcher(threading.Thread):
    """A person at the table who waits for news, like the page."""

    def __init__(self, line: Line, path: str) -> None:
        super().__init__(daemon=True)
        self._line, self._path = line, path
        self.seen = list[Seen]()
        self.is_over = threading.Event()

    def run(self) -> None:
        """Send the next request as soon as there is a response."""
        tag = ""
        while not self.is_over.is_set():
            headers = {"If_None_Match": tag} if tag else {}
            status, told, body = self._line.ask("GET", self._path, Prefer="wait=2", **headers)
            if status == http.client.OK:
                self.seen.append(Seen(json.loads(body)["number"], time.monotonic()))
                tag = told["ETag"]


def measures(kind: str) -> Iterator[Measure]:
    """The results of one table on one server."""
    with world(kind, rate_limits=False) as made:
        game, players = live_game(made)
        with served("service.web.app:create_app()", made.environment) as server:
            lines = {each: Line(server.address, made.tokens[each]) for each in players}
            watchers = {
                each: Watcher(Line(server.address, made.tokens[each]), f"/api/games/{game}")
                for each in players
            }
            for watcher in watchers.values():
                watcher.start()
            sent = played(lines, game)
            time.sleep(2 * SLOWEST)
            for watcher in watchers.values():
                watcher.is_over.set()
            for watcher in watchers.values():
                watcher.join(PATIENCE)
    late = sorted(
        seen_after(watcher, number, at)
        for number, (who, at) in sent.items()
        for each, watcher in watchers.items()
        if each != who
    )
    percentiles = statistics.quantiles(late, n=100)
    what = f"live, {SEATS} seats: a move is known to the others"
    yield Measure(f"{what}, median", percentiles[49], "s")
    yield Measure(f"{what}, {WITHIN} of 100 within", percentiles[WITHIN - 1], "s", most=SLOWEST)


def live_game(made: World) -> tuple[str, list[str]]:
    """A live game with new people: its id, and theirs."""
    people = [made.person() for _ in range(SEATS)]
    wish = {**WISH, "ruleset": SLUG, "players": SEATS, "options": OPTIONS}
    game = table_setup.open_table(made.services, people[0], wish).game.id
    for each in people[1:]:
        table_setup.sit(made.services, game, each, {})
    for each in people:
        ready_checks.confirm(made.services, game, each)
    db.session.remove()
    return game, people


def played(lines: Mapping[str, Line], game: str) -> dict[int, tuple[str, float]]:
    """Play random moves of all in turn; returns, by event number, the player and the time of sending (s)."""
    rng, sent = random.Random(1), dict[int, tuple[str, float]]()
    time.sleep(2 * BETWEEN / 1000)
    for who in itertools.islice(itertools.cycle(lines), MOVES):
        time.sleep(PAUSE)
        line, path = lines[who], f"/api/games/{game}"
        shown = json.loads(line.ask("GET", path)[2])
        drawn = [each["action"] for each in shown["legal"] if each["action"]["type"] != "show"]
        body, at = {"asked": shown["asked"], "action": rng.choice(drawn)}, time.monotonic()
        status, _, answer = line.ask("POST", f"{path}/actions", body)
        assert status == http.client.CREATED, answer
        sent[json.loads(answer)["number"]] = who, at
    return sent


def seen_after(watcher: Watcher, number: int, at: float) -> float:
    """The delay (seconds) between sending a move and the moment when somebody has seen it; infinite if they
    never did.
    """
    return next((seen.at for seen in watcher.seen if seen.number >= number), at + PATIENCE) - at
