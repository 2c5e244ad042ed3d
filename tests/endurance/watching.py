"""Tables on a whole server at which one player watches when and how another one answers."""

from __future__ import annotations

import http.client
import itertools
import json
import queue
import re
import threading
import time
from bisect import bisect
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from typing import Any, NamedTuple, Self

from sqlalchemy import create_engine, text

from tests.endurance.frame import Run
from tests.support.servers.remote import Json, Remote
from tests.support.servers.server import PATIENCE, Server, wait_until
from tests.support.servers.smtp_server import Mail, MailServer

PERSON, ORDER, FORCED = "person", "order", "only move"
SECONDS = 5
"""The time for a decision."""
PACE = {"kind": "decision", "seconds": SECONDS}
OWN_TABLES, OWN_PACE = 4, {"kind": "decision", "seconds": 1}
"""The tables of the watcher at which the time of somebody runs out again and again."""
BID = 3
"""The number of the first action, after the start and the shuffle."""
PASS = {"type": "pass"}
AWAY = "UPDATE credentials SET seen_at = 0 WHERE player_id = :player"
ACCOUNT = (
    "INSERT INTO accounts (player_id, handle, address, folded, generation, registered_at)"
    " VALUES (:player, :name, :address, :address, 0, 0)"
)
NO_TIME_OUTS = (
    "UPDATE seats SET due = NULL WHERE game_key = (SELECT key FROM games WHERE id = :game)"
)


class Seen(NamedTuple):
    """What was seen of an answer; times in ms UTC."""

    address: str
    """That of the player who is asked next."""
    asked_at: float
    at: float
    """The time of its event."""
    told_at: float
    """When a held poll told of it."""
    changes: int
    """How often the table changed until then, as its ETag says."""
    shown: frozenset[str]
    """The table and the headers of its response, without what differs between any two tables."""


class Line:
    """The held polls of a player at a table."""

    def __init__(self, url: str, player: Remote, path: str) -> None:
        address = url.removeprefix("http://")
        self._connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        self._headers = {"Authorization": f"Bearer {player._token}", "Prefer": "wait=20"}
        self._path = path
        self.told_at, self.headers = 0.0, list[str]()

    def next(self) -> Json:
        """The table after its next change. Raises AssertionError if it does not change for long."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self._connection.request("GET", self._path, headers=self._headers)
            answer = self._connection.getresponse()
            body = answer.read()
            if answer.status == http.client.OK:
                self.told_at, self.headers = 1000 * time.time(), sorted(answer.headers.keys())
                self._headers["If-None-Match"] = answer.headers["ETag"]
                found: Json = json.loads(body)
                return found
        raise AssertionError(f"{self._path} did not change for {PATIENCE} s")


class Watched(AbstractContextManager["Watched"]):
    """A server, people of each kind who answer there, and those who watch them."""

    def __init__(self, run: Run) -> None:
        self._run, self._until_the_end = run, ExitStack()
        self._numbers, self._is_over = itertools.count(1), threading.Event()
        self._own = list[tuple[Remote, str]]()
        self._free = queue.SimpleQueue[tuple[Remote, Remote]]()
        """Those who watch and those who are watched, while they do not play."""
        self._few = threading.Semaphore(2)
        """Tables begin one after another, so that the first bid is in time on a slow machine too."""

    def __enter__(self) -> Self:
        with self._until_the_end as ends:
            run, url = self._run, self._run.database()
            self._post = ends.enter_context(MailServer())
            self._engine = create_engine(url)
            ends.callback(self._engine.dispose)
            more: dict[str, Any] = {"SMTP_URL": self._post.url, "MAIL_FROM": "t@example.org"}
            if run.fault:
                more["worker"] = ("-m", "tests.support.servers.planted_answers", run.fault)
            self.url = ends.enter_context(Server(run.folder, url, **more)).url
            self._until_the_end = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._until_the_end.close()

    def begin_own_tables(self) -> None:
        """Begin tables at which time runs out again and again; their games are over after a minute."""
        for _ in range(OWN_TABLES):
            people = [self._person() for _ in range(3)]
            self._own.append((people[0], seated(people, pace=OWN_PACE)))

    def _person(self) -> Remote:
        return Remote(self.url, f"Player {next(self._numbers)}")

    def _write(self, statement: str, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(text(statement), values)

    def answer(self, kind: str, wait: float) -> Seen:
        """What is seen of an answer at a new table; a person waits this long (ms)."""
        watcher, other = pair = self._pair()
        away = self._person()
        player = away.insist("GET", "/api/me")[1]["player"]["id"]
        address, name = f"{player.lower()}@example.org", player[2:26].lower()
        self._write(ACCOUNT, player=player, name=name, address=address)
        with self._few:
            while not bid_most(watcher, game_id := seated((*pair, away), pace=PACE)):
                self._write(NO_TIME_OUTS, game=game_id)  # time ran out before
        self._write(AWAY, player=player)
        path = f"/api/games/{game_id}"
        line, changes = Line(self.url, watcher, path), 0
        give(other, kind, game_id, wait)
        while (shown := line.next())["waiting"][0]["seat"] == 1:
            changes += 1
        bid, event = watcher.insist("GET", f"{path}/events?after={BID - 1}")[1]["events"]
        self._write(NO_TIME_OUTS, game=game_id)
        self._free.put(pair)
        assert (bid["kind"], event["by"]) == ("action", "seat"), (bid, event)
        seen = {f"event {alike(event)}", f"table {alike(shown)}", f"headers {line.headers}"}
        times = ms(bid["at"]), ms(event["at"]), line.told_at
        return Seen(address, *times, changes, frozenset(seen))

    def _pair(self) -> tuple[Remote, Remote]:
        try:
            return self._free.get_nowait()
        except queue.Empty:
            return self._person(), self._person()

    def numbers(self, answers: Sequence[Seen]) -> dict[str, list[float]]:
        """What was measured of these answers, by what it is."""
        acts = sorted(at for who, game in self._own for at in time_outs(who, game))
        mails = [self._mail_to(each.address) for each in answers]
        return {
            "wait": [each.at - each.asked_at for each in answers],
            "ms of the second": [each.at % 1000 for each in answers],
            "nearest act of the worker": [nearest(acts, each.at) for each in answers],
            "delay of the poll": [each.told_at - each.at for each in answers],
            "delay of the mail": [at - each.at for each, at in zip(answers, mails, strict=True)],
            "changes of the table": [each.changes for each in answers],
        }

    def _mail_to(self, address: str) -> float:
        """The time (ms UTC) at which the mail about a turn came."""
        mails: list[Mail] = wait_until(lambda: self._post.to(address), f"a mail to {address}")
        return 1000 * (time.time() - time.monotonic() + mails[0].begun)


def seated(people: Sequence[Remote], **wish: Any) -> str:
    """The id of a game that these people have begun."""
    game_id = people[0].open(players=len(people), takeover=0, **wish)
    for each in people[1:]:
        status, told = each.insist("POST", f"/api/games/{game_id}/seats", {})
        assert status == 201, told
    return game_id


def bid_most(player: Remote, game_id: str) -> bool:
    """Bid the two cards to which nobody has an answer; returns whether there was still time."""
    game = player.asked(game_id)
    (bid,) = (
        each["action"]
        for each in game["legal"]
        if sorted(card[0] for card in each["action"].get("cards", ())) == ["5", "A"]
    )
    body = {"asked": game["asked"], "action": bid}
    return player.insist("POST", f"/api/games/{game_id}/actions", body)[0] == 201


def give(player: Remote, kind: str, game_id: str, wait: float) -> None:
    """Let a player pass so long (ms) after the question, or leave that to the service."""
    path = f"/api/games/{game_id}"
    if kind == FORCED:
        status, told = player.insist("PATCH", f"{path}/orders", {"only_move": True})
        assert status == 200, told
        return
    game = player.asked(game_id)
    if kind == ORDER:
        order = {"asked": game["asked"], "order": {"action": PASS}}
        status, told = player.insist("POST", f"{path}/orders", order)
        assert status == 201, told
        return
    pause = ms(game["waiting"][0]["since"]) + wait - 1000 * time.time()
    threading.Timer(max(0, pause) / 1000, passed, (player, game)).start()


def passed(player: Remote, game: Json) -> None:
    """Pass."""
    body = {"asked": game["asked"], "action": PASS}
    player.insist("POST", f"/api/games/{game['id']}/actions", body)


def time_outs(player: Remote, game_id: str) -> list[float]:
    """The times at which the worker has played at a table for those whose time was over (ms UTC)."""
    found, after = list[float](), 0
    while True:
        path = f"/api/games/{game_id}/events?limit=200&after={after}"
        events = player.insist("GET", path)[1]["events"]
        if not events:
            return found
        found += [ms(each["at"]) for each in events if each.get("by") == "timeout"]
        after = events[-1]["number"]


def nearest(acts: Sequence[float], at: float) -> float:
    """The time from `at` to the nearest of these times (ms)."""
    n = bisect(acts, at)
    return min((abs(each - at) for each in acts[max(0, n - 1) : n + 1]), default=0)


def ms(time_of: str) -> float:
    """A time of the API in ms UTC."""
    return 1000 * datetime.fromisoformat(time_of).timestamp()


_DIFFERENT = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+Z|\b[a-z]_\w{16,}|\b[0-9a-f]{20,}\b|Player \d+|\b(10|[2-9AKQJ])[shdcbr]\b"
)


def alike(shown: object) -> str:
    """What is shown, without times, names, ids, digests and cards."""
    return _DIFFERENT.sub("…", json.dumps(shown, sort_keys=True))
