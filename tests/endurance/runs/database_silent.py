"""The database is silent for a while during commits: unknown outcomes are reported, and a repetition learns them.

Between a whole server and PostgreSQL there is a relay, which at times swallows everything, like a network that is down,
or hangs up on everybody. Meanwhile many people arrive, each with an `Idempotency-Key`, and others play. 503 means that
nothing was done: of those who are told so, half never ask again, and are not there in the end. 500, or no response,
means that nobody knows: somebody who repeats the request with the same key is there once, and the earlier response says
so if there was a commit. Each game is played out, and its record proven. Whether the process is alive is answered
within two seconds all the time.

A round takes as long as the silence, a minute, and the short form half a minute in all. It counts arrivals by the
answers that they got, those that were found out, moves, and the longest wait for an answer. What runs each day is
tests/service/web/serving/test_silent_database.py and tests/service/core/database/test_silence.py.
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
"""The seconds of silence, and those in the short form."""
SOON = 2.0
"""The most seconds for a response that needs no database."""
PEOPLE = 6
NO_ANSWER = 0
SHORTLY = 1
"""The most seconds until somebody whose first request is still being processed may ask again: no response is lost."""
Told = tuple[int, int]
_THERE = "SELECT count(*) FROM players WHERE name = %s"


class Arrivals:
    """The people who arrived, and the responses that they got."""

    def __init__(self, run: Run, url: str) -> None:
        self._run, self._url, self._stop = run, url, threading.Event()
        self.wanted: list[str] = []
        """The names of those who were told in the end that they are there."""
        self.refused: list[str] = []
        """The names of those who were told that nothing was done, and who never asked again."""
        self.wrong: list[str] = []
        """Responses that nobody should get."""
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._arrive, args=(n,)) for n in range(PEOPLE)]

    def begin(self) -> None:
        """Let people arrive from now on."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Wait until everybody who has begun knows the outcome."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _arrive(self, number: int) -> None:
        n = 0
        while not self._stop.is_set():
            n += 1
            name = f"Player {number} {n}"
            try:
                there = self._is_there(name, patient=n % 2 == 0)
            except AssertionError as error:  # in a thread that nobody would hear
                self.wrong.append(f"{name}: {error}")
                return
            (self.wanted if there else self.refused).append(name)

    def _is_there(self, name: str, *, patient: bool) -> bool:
        """Whether somebody was told that they are there; False if they were told that nothing was done."""
        key, unknown = uuid.uuid4().hex, False
        while True:
            status = self._asked(name, uuid.uuid4().hex if self._forgets() else key)
            if status == 201:
                self._count("outcomes found out by a repeat", int(unknown))
                return True
            if status == 503 and not patient and not unknown:
                return False
            unknown = unknown or status != 503
            self._stop.wait(0.2)

    def _forgets(self) -> bool:
        return self._run.fault == "other-keys"

    def _asked(self, name: str, key: str) -> int:
        body = json.dumps({"name": name}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        begun = time.monotonic()
        status, again = answered(f"{self._url}/api/players", body, headers)
        with self._lock:
            self._run.most("longest wait, seconds", time.monotonic() - begun)
        self._count(f"arrivals answered {status or 'with nothing'}", 1)
        assert status in {201, 500, 503, 409, NO_ANSWER}, status
        assert status != 409 or again <= SHORTLY, f"ask again after {again} s"
        return status

    def _count(self, what: str, number: int) -> None:
        with self._lock:
            self._run.count(what, number)


def asked(url: str) -> int:
    """The status of a response; NO_ANSWER if there is none."""
    return answered(url)[0]


def answered(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Told:
    """The status, and the number of seconds after which to ask again, if the response says so."""
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
        with HouseGames(run, server.url, 2, seconds + PATIENCE) as games:
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
    """Ask for this long whether the process is alive."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        assert asked(f"{server.url}/healthz") == 200
        run.most("longest wait for its health, seconds", time.monotonic() - begun)
        assert time.monotonic() - begun < SOON
        time.sleep(0.25)


def judge(run: Run, arrivals: Arrivals, url: str) -> None:
    """Check that everybody who was told to be there is there once, and that nobody is who was told that nothing was
    done.
    """
    assert not arrivals.wrong, arrivals.wrong[:3]
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
