"""The database says nothing for a while, amid commits: what is not known is told, and found out by a repeat.

Between a whole server and PostgreSQL stands a relay, which in turn swallows all that it gets, as a network does that is
gone, or hangs up on everybody. Meanwhile many people arrive, each with an `Idempotency-Key`, and others play. 503 means
that nothing was done: of those who are told so, half never ask again, and are not there in the end. 500, or no answer,
means that nobody knows: whoever repeats the request with the same key is there once, and is told so, if only by 409
that lasts for the day, where the answer itself was lost. Each game is played out, and its
record proven. Whether the process is alive is answered within two seconds all the time.

A round takes as long as the silence, a minute, and the short form half a minute in all. It counts arrivals by the
answers that they got, those that were found out, moves, and the longest that somebody has waited for an answer. What
runs each day is tests/service/web/serving/test_silent_database.py and tests/service/core/database/test_silence.py.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
import uuid

import psycopg

from tests.endurance.frame import Definition, Run
from tests.endurance.house_games import LOST_MOVE, HouseGames
from tests.support.servers.databases import plain
from tests.support.servers.relay import Relay
from tests.support.servers.server import PATIENCE, Server, wait_until

SILENT, QUICK_SILENT = 60.0, 4.0
"""Seconds without a word, and in the short form."""
SOON = 2.0
"""Seconds for an answer that needs no database."""
PEOPLE = 6
NO_ANSWER = 0
LEASE = 60
"""Seconds after which 409 says that what was asked for is there, and its answer is lost."""
Told = tuple[int, int]
_THERE = "SELECT count(*) FROM players WHERE name = %s"


class Arrivals:
    """Who arrived, with what they were told."""

    def __init__(self, run: Run, url: str) -> None:
        self._run, self._url, self._stop = run, url, threading.Event()
        self.wanted: list[str] = []
        """The names of those who were told in the end that they are there."""
        self.refused: list[str] = []
        """The names of those who were told that nothing was done, and never asked again."""
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._arrive, args=(n,)) for n in range(PEOPLE)]

    def begin(self) -> None:
        """From now on people arrive."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Wait until all that have begun know what became of it."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _arrive(self, number: int) -> None:
        n = 0
        while not self._stop.is_set():
            n += 1
            name = f"Player {number} {n}"
            if self._is_there(name, patient=n % 2 == 0):
                self.wanted.append(name)
            else:
                self.refused.append(name)

    def _is_there(self, name: str, *, patient: bool) -> bool:
        """Whether somebody was told that they are there; False: that nothing was done."""
        key, unknown = uuid.uuid4().hex, False
        while True:
            status, again = self._asked(name, uuid.uuid4().hex if self._forgets() else key)
            if status == 201:
                self._count("outcomes found out by a repeat", int(unknown))
                return True
            if status == 409 and again > LEASE:
                self._count("answers lost: known to be there", 1)
                return True
            if status == 503 and not patient and not unknown:
                return False
            unknown = unknown or status != 503
            self._stop.wait(0.2)

    def _forgets(self) -> bool:
        return self._run.fault == "other-keys"

    def _asked(self, name: str, key: str) -> Told:
        body = json.dumps({"name": name}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        begun = time.monotonic()
        status, again = answered(f"{self._url}/api/players", body, headers)
        with self._lock:
            self._run.most("longest wait, seconds", time.monotonic() - begun)
        self._count(f"arrivals answered {status or 'with nothing'}", 1)
        assert status in {201, 500, 503, 409, NO_ANSWER}, status
        return status, again

    def _count(self, what: str, number: int) -> None:
        with self._lock:
            self._run.count(what, number)


def asked(url: str) -> int:
    """The status of an answer; NO_ANSWER if there is none."""
    return answered(url)[0]


def answered(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Told:
    """The same, and after how many seconds to ask again, if it says so."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, body, headers or {}), timeout=PATIENCE
        ) as answer:
            return int(answer.status), 0
    except urllib.error.HTTPError as error:
        return error.code, int(error.headers.get("Retry-After", 0))
    except (OSError, http.client.HTTPException):
        return NO_ANSWER, 0


def endure(run: Run) -> None:
    """Be silent so often."""
    url, seconds = run.database(), SILENT if run.rounds > DEFINITION.quick else QUICK_SILENT
    patience = {"DATABASE_STATEMENT_TIMEOUT": "2", "DATABASE_TCP_TIMEOUT": "2"}
    with Relay(url) as relay, Server(run.folder, relay.url, **patience) as server:
        arrivals = Arrivals(run, server.url)
        with HouseGames(run, server.url, 2) as games:
            arrivals.begin()
            try:
                for number in range(run.rounds):
                    games.go_on(5)
                    relay.hang_up() if number % 2 else relay.swallow()
                    stay_alive(run, server, seconds)
                    relay.go_on()
                wait_until(lambda: asked(f"{server.url}/readyz") == 200, "it is ready again")
            finally:
                relay.go_on()
                arrivals.end()
    judge(run, arrivals, url)


def stay_alive(run: Run, server: Server, seconds: float) -> None:
    """Ask for so long whether the process is alive."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        assert asked(f"{server.url}/healthz") == 200
        run.most("longest wait for its health, seconds", time.monotonic() - begun)
        assert time.monotonic() - begun < SOON
        time.sleep(0.25)


def judge(run: Run, arrivals: Arrivals, url: str) -> None:
    """Who was told to be there is there once, and who was told that nothing was done is not."""
    with psycopg.connect(plain(url)) as connection:
        for names, number in ((arrivals.wanted, 1), (arrivals.refused, 0)):
            for name in names:
                row = connection.execute(_THERE, [name]).fetchone()
                assert row == (number,), f"{name} is there {row} times, not {number}"
    run.counts |= {"people who are there": len(arrivals.wanted)}
    run.counts |= {"people who were refused": len(arrivals.refused)}


DEFINITION = Definition(
    endure, rounds=10, quick=2, kinds=("postgresql",), faults=(LOST_MOVE, "other-keys"), daily=False
)
