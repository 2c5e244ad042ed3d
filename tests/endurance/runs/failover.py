"""The primary server of PostgreSQL is killed under load, and another one takes its place: nothing acknowledged is lost.

Three servers that Patroni looks after stand behind HAProxy and PgBouncer in transaction mode, with the settings of
docs/scale.md. Four pairs of people play without a pause. In each round somebody registers, and the primary server is
killed at once, as if its machine had lost its power; it comes back when people play again. In the end each move that
was acknowledged is in the log once, no log is damaged, everybody who registered was sent one mail, under one id, and
the server has logged no failure but commits of which it could not know.

A round takes half a minute. It counts kills, moves acknowledged and found, mails, and how long nobody could play. What
runs each day is tests/service/core/database/test_read_only.py and, of a process that is killed, test_kills.py.
"""

from __future__ import annotations

import shutil
import time

from tests.endurance.frame import Definition, Run
from tests.support.acknowledged import assert_sound
from tests.support.servers.databases import migrate
from tests.support.servers.patroni import PROGRAMS, Cluster
from tests.support.servers.server import Server, wait_until
from tests.support.servers.smtp_server import MailServer
from tests.support.steady_load import AGAIN, SteadyLoad
from tests.test_by_mail import Browser

MOST = 60
"""Seconds from a kill to the next move: Patroni takes up to 30."""
PAIRS = 4
LOST_MOVE = "lost-move"
"""A fault: a move was acknowledged, and is in no log."""
ASYNCHRONOUS = "asynchronous"
"""A fault: a commit waits for no standby server, and the primary server is killed before they have it."""


def missing() -> str:
    """The programs that are not installed."""
    lacking = [each for each in PROGRAMS if not shutil.which(each)]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


class Kills:
    """Kills primary servers while people play."""

    def __init__(self, run: Run, cluster: Cluster, server: Server, load: SteadyLoad) -> None:
        self._run, self._cluster, self._server, self._load = run, cluster, server, load
        self.addresses = list[str]()
        self.waits = list[float]()
        """For each kill, the seconds in which nobody could play."""

    def kill(self, number: int) -> None:
        """Kill the present primary server, and start it again when another one has taken its place."""
        self.addresses.append(register(self._server.url, number))
        killed = self._cluster.primary()
        if self._run.fault == ASYNCHRONOUS:
            self._cluster.mute(killed)
            self._load.go_on()
        begun = time.monotonic()
        self._cluster.kill(killed)
        self._await_moves()
        self.waits.append(time.monotonic() - begun)
        self._run.count("primary servers killed")
        self._cluster.start(killed)
        self._cluster.await_standbys()
        self._load.go_on()

    def _await_moves(self) -> None:
        """Wait until people play again; one move of each pair may have been acknowledged right before."""
        least = len(self._load.moves) + PAIRS
        wait_until(lambda: len(self._load.moves) > least or self._load.wrong, "moves", 3 * MOST)


def endure(run: Run) -> None:
    """Kill so often."""
    folders = [run.folder / name for name in ("cluster", "server")]
    for folder in folders:
        folder.mkdir()
    waits = run.fault != ASYNCHRONOUS
    with Cluster(folders[0], synchronous=waits) as cluster, MailServer() as mail:
        migrate(cluster.direct, run.folder)
        settings = {"SMTP_URL": mail.url, "DATABASE_PREPARED_STATEMENTS": "off"}
        settings |= {"DATABASE_REPLICA_URL": cluster.replicas}
        with Server(folders[1], cluster.url, **settings) as server:
            try:
                play(run, cluster, server, mail)
            except AssertionError as error:
                told = f"{error}\n{cluster.told()}\n{server.logged()[-3000:]}"
                raise AssertionError(told) from error


def play(run: Run, cluster: Cluster, server: Server, mail: MailServer) -> None:
    """The same, with these servers."""
    with SteadyLoad(PAIRS, [server.url], 15, {500, *AGAIN}) as load:
        load.go_on()
        kills = Kills(run, cluster, server, load)
        for number in range(run.rounds):
            kills.kill(number)
    if run.fault == LOST_MOVE:
        load.moves[0] = (load.moves[0][0], 9999)
    judge(run, cluster, server, load, kills)
    wait_until(lambda: all(map(mail.to, kills.addresses)), "each mail has been sent", 120)
    ids = [{each.id for each in mail.to(address)} for address in kills.addresses]
    run.counts |= {"mails sent, under one id each": sum(len(each) == 1 for each in ids)}
    assert {len(each) for each in ids} == {1}, f"mails: {ids}"


def judge(run: Run, cluster: Cluster, server: Server, load: SteadyLoad, kills: Kills) -> None:
    """Check that acknowledged moves are there, and that nobody had to wait for too long."""
    waits = sorted(kills.waits)
    run.counts |= {"moves acknowledged": len(load.moves)}
    run.counts |= {"seconds until the next move, median": round(waits[len(waits) // 2], 1)}
    run.counts |= {"seconds until the next move, at most": round(waits[-1], 1)}
    crashes = unexpected(server)
    assert not crashes, f"{len(crashes)} failures of the server: {crashes[:3]}"
    assert_sound(cluster.direct, run.folder, load.moves)
    run.counts |= {"moves found, once each": len(load.moves)}
    assert waits[-1] < MOST, f"nobody could play for {waits[-1]} s"


def unexpected(server: Server) -> list[str]:
    """The failures in the server's log, except for commits whose outcome nobody can know."""
    crashes = [line for line in server.logged().splitlines() if '"crash"' in line]
    return [line for line in crashes if "CommitUnknown" not in line]


def register(url: str, number: int) -> str:
    """Let somebody register; returns the address to which one mail is sent."""
    name = f"mailed{number}"
    browser = Browser(url)
    browser.send("POST", "/api/players", {"name": name})
    body = {"handle": name, "address": f"{name}@example.org"}
    browser.send("POST", "/api/me/registration", body)
    return body["address"]


DEFINITION = Definition(
    endure,
    rounds=20,
    quick=1,
    unit="kills",
    kinds=("postgresql",),
    faults=(LOST_MOVE, ASYNCHRONOUS),
    missing=missing,
    daily=False,
)
