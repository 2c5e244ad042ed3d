"""An idle poll: a signed-in player requests a game that has not changed, and gets a 304."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import text

from benchmarks.counting import calls, statements
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import Caller, Server, request
from benchmarks.world import SLUGS, World, beside_bare_flask, world
from rules.kernel import Ruleset
from service.core.database import db, transaction
from service.people import credentials

CALLERS = 16
TURNS = 60
"""Polls per caller in each round."""
ROUNDS = 9


def measures() -> Iterator[Measure]:
    """The database work of one poll, then requests per second and CPU time on two workers."""
    with world() as made:
        yield from _counted(made)
        yield from _loaded(made)


def _counted(made: World) -> Iterator[Measure]:
    """One poll in a process that has not seen the game yet."""
    table = made.open(SLUGS[0])
    player, path = table.people[0].player_id, f"/api/games/{table.game.id}"
    _, headers = made.answer(made.request("GET", path, player), "200")
    cold = World(made.folder, tokens=made.tokens)
    poll = cold.request("GET", path, player, headers={"If-None-Match": headers["ETag"]})
    with cold.app.app_context(), statements() as heard, calls("act", Ruleset) as replayed:
        cold.answer(poll, "304")
    yield Measure("idle poll: statements", len(heard), "", most=1)
    yield Measure("idle poll: events replayed", len(replayed), "", most=0)
    plan = [row.detail for row in db.session.execute(text(f"EXPLAIN QUERY PLAN {heard[0]}"))]
    scans = sum(not step.startswith("SEARCH") or "USING" not in step for step in plan)
    yield Measure("idle poll: steps of its query plan without an index", scans, "", most=0)


def _loaded(made: World) -> Iterator[Measure]:
    with beside_bare_flask(made) as (tegami, flask):
        polls = _polls(made)
        ours, bare = _callers(tegami), _callers(flask)
        _, *rounds = in_turns(  # the first round warms up both sides
            lambda _: tegami.load(lambda: _round(ours, polls)),
            lambda _: flask.load(lambda: _round(bare, polls)),
            range(1 + ROUNDS),
        )
        for caller in ours + bare:
            caller.close()
    speed = 1 / ratio(rounds, lambda load: load.seconds)
    yield Measure("idle poll: requests per second / bare Flask 304", speed, least=0.5)
    yield Measure("idle poll: CPU / bare Flask 304", ratio(rounds, lambda load: load.cpu))


def _callers(server: Server) -> list[Caller]:
    return [Caller(server.address) for _ in range(CALLERS)]


def _polls(made: World) -> list[bytes]:
    """A poll for each caller: half of them are programs with a token, half pages with a cookie."""
    polls: list[bytes] = []
    while len(polls) < CALLERS:
        table = made.open(SLUGS[0])
        for person in table.people:
            path = f"/api/games/{table.game.id}"
            _, answer = made.answer(made.request("GET", path, person.player_id), "200")
            who = _cookie(made, person.player_id) if len(polls) % 2 else _token(made, person)
            polls.append(request("GET", path, {**who, "If-None-Match": answer["ETag"]}))
    return polls[:CALLERS]


def _token(made: World, person: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {made.tokens[person.player_id]}"}


def _cookie(made: World, player: str) -> dict[str, str]:
    with transaction():
        secret = credentials.create(made.services.runtime, player, "cookie").secret
    return {"Cookie": f"{made.services.config.cookie}={secret}"}


def _round(callers: list[Caller], polls: list[bytes]) -> None:
    """Every caller polls TURNS times, all of them concurrently."""
    for _ in range(TURNS):
        for caller, poll in zip(callers, polls, strict=True):
            caller.send(poll)
        for caller in callers:
            assert caller.status() == 304
