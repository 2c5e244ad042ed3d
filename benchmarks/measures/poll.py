"""An idle poll: a signed-in player requests a game that has not changed, and gets a 304."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import text

from benchmarks.counting import calls, statements
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import Caller, Load, Server, request
from benchmarks.world import SLUGS, World, beside, world
from rules.kernel import Ruleset
from service.core.database.database import db, transaction
from service.people.credentials import credentials

CALLERS = 16
TURNS = 60
"""The number of polls of each caller in each round."""
ROUNDS = 9
LEAST = {"sqlite": (0.85, "0.75"), "postgresql": (0.7, "0.53")}
"""The least ratio of polls to bare WSGI responses (per second), and an earlier result."""


def measures(kind: str) -> Iterator[Measure]:
    """The database work of one poll, then the requests per second and the CPU time on two workers."""
    with world(kind) as made:
        if kind == "sqlite":
            yield from _counted(made)
        yield from _loaded(made)


def _counted(made: World) -> Iterator[Measure]:
    """The statements of one poll in a process that has not seen the game yet."""
    table = made.open(SLUGS[0])
    player, path = table.people[0].player_id, f"/api/games/{table.game.id}"
    _, headers = made.answer(made.request("GET", path, player), "200")
    cold = made.another_process()
    poll = cold.request("GET", path, player, headers={"If-None-Match": headers["ETag"]})
    with cold.app.app_context(), statements() as heard, calls("act", Ruleset) as replayed:
        cold.answer(poll, "304")
    yield Measure("idle poll: statements", len(heard), "", most=1)
    yield Measure("idle poll: events replayed", len(replayed), "", most=0)
    plan = [row.detail for row in db.session.execute(text(f"EXPLAIN QUERY PLAN {heard[0]}"))]
    scans = sum(not step.startswith("SEARCH") or "USING" not in step for step in plan)
    yield Measure("idle poll: steps of its query plan without an index", scans, "", most=0)


def _loaded(made: World) -> Iterator[Measure]:
    polls, (least, before) = idle_polls(made), LEAST[made.kind]
    for what, bare in (("WSGI", "wsgi_304"), ("Flask", "create_app()")):
        with beside(made, bare) as servers:
            rounds = _rounds(*servers, polls)
        speed = 1 / ratio(rounds, lambda load: load.seconds)
        name = f"idle poll: requests per second / bare {what} 304"
        if what == "WSGI":
            yield Measure(name, speed, least=least, before=before)
        else:
            yield Measure(name, speed)
        cpu = ratio(rounds, lambda load: load.cpu)
        yield Measure(f"idle poll: CPU / bare {what} 304", cpu)


def _rounds(tegami: Server, bare: Server, polls: list[bytes]) -> list[tuple[Load, Load]]:
    ours, theirs = _callers(tegami), _callers(bare)
    _, *rounds = in_turns(  # the first round warms up both sides
        lambda _: tegami.load(lambda: _round(ours, polls)),
        lambda _: bare.load(lambda: _round(theirs, polls)),
        range(1 + ROUNDS),
    )
    for caller in ours + theirs:
        caller.close()
    return rounds


def _callers(server: Server) -> list[Caller]:
    return [Caller(server.address) for _ in range(CALLERS)]


def idle_polls(made: World) -> list[bytes]:
    """A poll for each caller: half of them are programs with tokens, half pages with cookies."""
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


def _cookie(made: World, player: str | None) -> dict[str, str]:
    with transaction():
        secret = credentials.create(made.services, str(player), "cookie").secret
    return {"Cookie": f"{made.services.config.cookie}={secret}"}


def _round(callers: list[Caller], polls: list[bytes]) -> None:
    """Have every caller poll TURNS times, all of them at the same time."""
    for _ in range(TURNS):
        for caller, poll in zip(callers, polls, strict=True):
            caller.send(poll)
        for caller in callers:
            assert caller.status() == 304
