"""Measuring the cost of requests, commits, processes and rows, on each kind of database.

Costs are the CPU time of the processes that do the work, not time by the clock, so that other work on the machine
matters less.
"""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence

from sqlalchemy import text

from benchmarks.capacity.costs import Cost, cost
from benchmarks.capacity.processes import below, cpu, database_processes, flushes, memory
from benchmarks.fill import copy_games
from benchmarks.measures.idle import running
from benchmarks.measures.poll import CALLERS, idle_polls
from benchmarks.server import Caller, Server, request, served
from benchmarks.world import SLUGS, Move, World, world
from service.core.database.database import db

ROUNDS = 5
GAMES = 6
"""The number of games in each round of measurements."""
REQUESTS = 150
"""The number of requests of every other kind in each round."""
HELD = 400
HELD_SECONDS = 20.0
SETTLED = 3.0
"""How long (seconds) it takes until the memory of processes is stable."""
HELD_BY_ONE = 8
"""The number of responses of one player that a web process holds."""
APPENDS, APPENDED = 300, 8192
"""The number of durable appends to a file, and the bytes of each, like a small commit."""
COPIES = 300
SETTINGS = {"TRUSTED_PROXIES": "1", "RATE_LIMITS": "off", "MAILS_PER_DAY": "0"}


def of_requests(kind: str) -> Iterator[Cost]:
    """The CPU time of each kind of request in the web process, and in the database's server."""
    with world(kind, rate_limits=False) as made:
        rounds = [_requests(made) for _ in range(1 + ROUNDS)]
        with _served(made) as server:
            seen = [_measured(made, server, each) for each in rounds][1:]  # one warms up
            yield from _flushed(made, server)
    for name in seen[0]:
        each = [request for one in seen for request in one[name][0]]
        means = [1000 * sum(one[name][0]) / len(one[name][0]) for one in seen]
        yield cost(f"web: {name}", kind, "ms", means, each)
        if kind == "postgresql":
            yield cost(f"database: {name}", kind, "ms", [1000 * one[name][1] for one in seen])


def _served(made: World):  # type: ignore[no-untyped-def]
    return served("service.web.app:create_app()", {**made.environment, **SETTINGS}, workers=1)


def _requests(made: World) -> dict[str, list[bytes]]:
    """The requests of a round, by kind; moves in the order in which they can be made."""
    moves = [move for n in range(GAMES) for move in _course(made, SLUGS[n % 2], n)]
    table = made.open("caravan")
    who = _token(made, str(table.people[0].player_id))
    paths = {
        "look at a table": f"/api/games/{table.game.id}",
        "list of turns": "/api/me/turns",
        "list of games": "/api/games?mine=true",
    }
    looks = {name: [request("GET", path, who)] * REQUESTS for name, path in paths.items()}
    polls = idle_polls(made) * REQUESTS
    return {"move": [posted(made, each) for each in moves], "idle poll": polls[:REQUESTS], **looks}


def _course(made: World, slug: str, number: int) -> list[Move]:
    return list(made.course(made.open(slug), random.Random(number)))


def posted(made: World, move: Move) -> bytes:
    """The bytes of the request that makes a move."""
    return request("POST", move.path, _token(made, move.player), move.body)


def _token(made: World, player: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {made.tokens[player]}"}


def _measured(
    made: World, server: Server, requests: dict[str, list[bytes]]
) -> dict[str, tuple[list[float], float]]:
    """For each kind, the CPU seconds of each request in the web process.

    Each comes with the mean in the database's server.
    """
    found = {}
    for name, sent in requests.items():
        before = cpu(database_processes(made))
        caller, each = Caller(server.address), []
        for one in sent:
            began = server.cpu()
            caller.send(one)
            assert caller.status() in {200, 201, 304}
            each.append((server.cpu() - began) / 1e9)
        caller.close()
        found[name] = each, (cpu(database_processes(made)) - before) / len(sent)
    return found


def _flushed(made: World, server: Server) -> Iterator[Cost]:
    """The number of flushes to the disk for each move."""
    counts = []
    for number in range(3):
        moves = [posted(made, each) for each in _course(made, SLUGS[0], number)]
        caller = Caller(server.address)
        caller.send(moves[0])  # it has its connection to the database
        assert caller.status() == 201
        with flushes([*server._workers(), *database_processes(made)]) as found:
            for each in moves[1:]:
                caller.send(each)
                assert caller.status() == 201
        caller.close()
        counts.append(found[0] / (len(moves) - 1))
    yield cost("flushes: move", made.kind, "", counts)


def of_processes(kind: str) -> Iterator[Cost]:
    """The memory of each process of a server, and the cost of holding a poll until there is news."""
    with world(kind, rate_limits=False) as made:
        polls = [
            each.replace(b"\r\n\r\n", b"\r\nPrefer: wait=60\r\n\r\n")
            for _ in range(HELD // HELD_BY_ONE // CALLERS + 1)
            for each in idle_polls(made)
        ]
        with running(made) as serving:
            for name, pids in _roles(serving, database_processes(made)).items():
                each = [memory(pid) for pid in pids]
                yield cost(f"memory: {name}", kind, "MB", each)
        with _served(made) as server:
            warm = _held(server, polls)
            for caller in warm:
                caller.close()
            time.sleep(SETTLED)
            before, idle = server.memory(), _used(server)
            callers = _held(server, polls)
            used, kept = _used(server) - idle, server.memory() - before
            for caller in callers:
                caller.close()
    yield cost("held poll: memory", kind, "KB", [1024 * kept / HELD])
    yield cost("held poll: CPU", kind, "ms/s", [1000 * used / HELD_SECONDS / HELD])


def _held(server: Server, polls: Sequence[bytes]) -> list[Caller]:
    callers = [Caller(server.address) for _ in range(HELD)]
    for caller, poll in zip(callers, itertools.cycle(polls), strict=False):
        caller.send(poll)
    time.sleep(SETTLED)
    return callers


def _used(server: Server) -> float:
    """The CPU seconds of the web process in HELD_SECONDS."""
    began = cpu(server._workers())
    time.sleep(HELD_SECONDS)
    return cpu(server._workers()) - began


def _roles(serving: int, database: Sequence[int]) -> dict[str, list[int]]:
    """The processes of a server, by role."""
    found: dict[str, list[int]] = {}
    for pid in below(serving):
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
            line = file.read().replace("\0", " ")
        named = {"gunicorn: master": "gunicorn", "gunicorn: worker": "web process"}
        named |= {
            "commands work": "worker",
            "operations.thinking": "thinker",
            "serve": "supervisor",
        }
        role = next((name for part, name in named.items() if part in line), None)
        if role:
            found.setdefault(role, []).append(pid)
    if database:
        found["PostgreSQL, each process"] = list(database)
    return found


def of_rows(kind: str) -> Iterator[Cost]:
    """The bytes of rows on the disk, including indexes."""
    with world(kind, rate_limits=False) as made:
        for n in range(4):
            for move in made.course(made.open(SLUGS[n % 2]), random.Random(n)):
                made.play(move)
        copy_games(COPIES)
        sizes, counts = _sizes(made), _counts()
        yield cost("disk: event", kind, "bytes", [sizes["events"] / counts["events"]])
        beside = sizes["games"] + sizes["seats"] + sizes["tenures"]
        yield cost("disk: game, besides events", kind, "bytes", [beside / counts["games"]])
        yield cost("events of a game", kind, "", [counts["events"] / counts["games"]])


def _counts() -> dict[str, int]:
    return {
        table: db.session.scalar(text(f"SELECT count(*) FROM {table}")) or 0
        for table in ("events", "games")
    }


def _sizes(made: World) -> dict[str, int]:
    """The bytes of each table with its indexes."""
    query = (
        "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
        if made.kind == "postgresql"
        else "SELECT tbl_name, sum(pgsize) FROM sqlite_schema JOIN dbstat USING (name) GROUP BY tbl_name"
    )
    return {name: int(size) for name, size in db.session.execute(text(query))}


def of_the_disk() -> Iterator[Cost]:
    """The time by the clock of a durable append, for which everything that waits for a commit has to wait."""
    rounds, every = [], list[float]()
    with tempfile.NamedTemporaryFile(prefix="benchmark-") as file:
        for _ in range(ROUNDS):
            each = []
            for _ in range(APPENDS // ROUNDS):
                began = time.perf_counter()
                file.write(bytes(APPENDED))
                file.flush()
                os.fdatasync(file.fileno())
                each.append(1000 * (time.perf_counter() - began))
            rounds.append(sum(each) / len(each))
            every += each
    yield cost("flush", None, "ms by the clock", rounds, every)
