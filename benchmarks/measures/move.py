"""A move: POST an action, compared with bare Flask that inserts one row. Both commit durably."""

from __future__ import annotations

import itertools
import random
import statistics
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import insert

from benchmarks.counting import calls, phases, statements
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import Caller, Server, request
from benchmarks.world import SLUGS, Move, World, beside, world
from service.core.database.database import db, transaction
from service.core.models.people import Account
from service.log.table_rows.table import Table

MOST = {
    ("sqlite", "boomerang-auction"): 1.6,
    ("sqlite", "caravan"): 2.0,
    ("postgresql", "boomerang-auction"): 2.0,
    ("postgresql", "caravan"): 2.4,
}
"""The greatest ratio of the CPU time of a move to that of an insert with bare Flask."""
BEFORE = {("sqlite", "boomerang-auction"): "2.5", ("sqlite", "caravan"): "4.1"}
MOST_STATEMENTS = {"without": 5, "with": 7}
"""The most statements of a move, without due emails and with emails to everybody."""
GAMES = {"boomerang-auction": 16, "caravan": 8}
"""The number of games; a round is a complete game, and the first one only warms up both sides."""
CALLERS = 3


def measures(kind: str) -> Iterator[Measure]:
    """The database work of one move, then its CPU time on two workers."""
    with world(kind) as made:
        if kind == "sqlite":
            for slug, mail in itertools.product(SLUGS, MOST_STATEMENTS):
                yield from _counted(made, slug, mail)
        with beside(made) as (tegami, flask):
            for slug in SLUGS:
                yield from _loaded(made, slug, tegami, flask)


def _counted(made: World, slug: str, mail: str) -> Iterator[Measure]:
    """The statements and the calls of `legal` in one game in this process."""
    commits, found, most = [], [], 0
    cold = made.another_process()
    table = made.open(slug)
    if mail == "with":
        _address(table)
    moves = list(made.course(table, random.Random(1)))
    for person in table.people:  # now everybody has been seen
        made.answer(
            made.request("GET", f"/api/games/{table.game.id}", str(person.player_id)), "200"
        )
    for move in moves:
        with statements() as heard, calls("legal", *phases()) as played:
            made.answer(made.posting(move), "201")
        with calls("legal", *phases()) as shown:  # in a process that has to replay the game
            cold.answer(cold.request("GET", f"/api/games/{move.table.game.id}", move.player), "200")
        commits.append(heard.count("COMMIT"))
        found.append(sum(not _is_bracket(statement) for statement in heard))
        most = max(most, _most_alike(played), _most_alike(shown))
    if mail == "without":
        worst = max(commits, key=lambda count: abs(count - 1))
        yield Measure(f"move, {slug}: commits", worst, "", least=1, most=1)
        yield Measure(f"move and GET, {slug}: `legal` of one seat in a request", most, "", most=1)
    what = f"move, {slug}: other statements {mail} mail due"
    yield Measure(what, statistics.fmean(found), "", most=MOST_STATEMENTS[mail], before="11–12")


def _address(table: Table) -> None:
    """Give everybody at the table a verified address."""
    with transaction():
        for person in table.people:
            handle = str(person.player_id).lower()[:20]
            address = f"{handle}@example.org"
            account = {"player_id": person.player_id, "handle": handle, "registered_at": 0}
            db.session.execute(insert(Account).values(**account, address=address, folded=address))


def _is_bracket(statement: str) -> bool:
    return statement.startswith(("BEGIN", "COMMIT", "ROLLBACK"))


def _most_alike(listed: list[tuple[Any, ...]]) -> int:
    """The highest number of calls of `legal` for one state and seat."""
    return max(Counter((id(state), seat) for state, seat in listed).values(), default=0)


def _loaded(made: World, slug: str, tegami: Server, flask: Server) -> Iterator[Measure]:
    games = [list(made.course(made.open(slug), random.Random(n))) for n in range(GAMES[slug])]
    callers = [Caller(flask.address) for _ in range(CALLERS)]
    _, *rounds = in_turns(
        lambda moves: tegami.load(lambda: _play(made, tegami, moves)),
        lambda moves: flask.load(lambda: _insert(callers, moves)),
        games,
    )
    for caller in callers:
        caller.close()
    cpu = ratio(rounds, lambda load: load.cpu)
    which = made.kind, slug
    before = BEFORE.get(which, "")
    what = f"move, {slug}: CPU / bare Flask insert"
    yield Measure(what, cpu, most=MOST[which], before=before)
    seconds = ratio(rounds, lambda load: load.seconds)
    yield Measure(f"move, {slug}: time / bare Flask insert", seconds)


def _play(made: World, server: Server, moves: list[Move]) -> None:
    """Play a complete game; each player has a separate connection, so that both workers are used."""
    callers = {player: Caller(server.address) for player in {move.player for move in moves}}
    for move in moves:
        token = {"Authorization": f"Bearer {made.tokens[move.player]}"}
        callers[move.player].send(request("POST", move.path, token, move.body))
        assert callers[move.player].status() == 201
    for caller in callers.values():
        caller.close()


def _insert(callers: list[Caller], moves: list[Move]) -> None:
    """Make the same number of inserts with the same number of bytes."""
    for move, caller in zip(moves, itertools.cycle(callers), strict=False):
        caller.send(request("POST", "/entries", {}, move.body))
        assert caller.status() == 201
