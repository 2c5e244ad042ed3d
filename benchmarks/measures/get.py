"""GET of a seat's table, compared with bare Flask that sends as many bytes from a dict after one SELECT.

After each move, every seat requests the table, which is new to it (a first look), and then requests it again without a
tag, like simple programs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from benchmarks import bare_app
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import Caller, Load, Server, request
from benchmarks.world import SLUGS, Move, World, beside, world

GAMES, MOVES = 6, 8
"""The number of games of a round, and of the moves of each."""
ROUNDS = 12
AGAIN = 2
"""The number of repeated requests of each seat."""
MOST = {"sqlite": 1.6, "postgresql": 2.0}


class Looks(NamedTuple):
    """The costs of the first looks of a round, and of all other looks, per request."""

    first: Load
    again: Load


def measures(kind: str) -> Iterator[Measure]:
    """The ratios of CPU time, with two workers."""
    with world(kind, rate_limits=False) as made:
        for number, slug in enumerate(SLUGS, 1):
            bodies = sorted(_bodies(made, slug), key=len)
            bare_app.store(made.home.bare, number, bodies[len(bodies) // 2])
            with beside(made) as (tegami, flask):
                yield from _of(made, slug, (tegami, flask), f"/entries/{number}")


def _of(made: World, slug: str, servers: tuple[Server, Server], path: str) -> Iterator[Measure]:
    tegami, flask = servers
    _, *rounds = in_turns(  # the first round warms up both sides
        lambda games: _looks(made, tegami, games),
        lambda games: _bare(flask, path, sum(len(moves[0].table.people) for moves in games)),
        ([_moves(made, slug, number) for _ in range(GAMES)] for number in range(1 + ROUNDS)),
    )
    for name in Looks._fields:
        pairs = [(getattr(ours, name), getattr(bare, name)) for ours, bare in rounds]
        cpu = ratio(pairs, lambda load: load.cpu)
        what = f"GET of a seat's table, {slug}, {name}: CPU / bare Flask GET"
        yield Measure(what, cpu, most=MOST[made.kind])


def _moves(made: World, slug: str, number: int) -> list[Move]:
    return list(islice(made.course(made.open(slug), random.Random(number)), MOVES))


def _bodies(made: World, slug: str) -> Iterator[bytes]:
    """The responses to the seats of a game, without filling caches of the servers."""
    for move in _moves(made, slug, 0):
        made.play(move)
        for person in move.table.people:
            path = f"/api/games/{move.table.game.id}"
            yield made.answer(made.request("GET", path, str(person.player_id)), "200")[0]


def _looks(made: World, server: Server, games: list[list[Move]]) -> Looks:
    """Play a move in every game, then have all seats look, and so on; returns the costs of the looks alone."""
    callers = {who: Caller(server.address) for who in _players(games)}
    tokens = {who: {"Authorization": f"Bearer {made.tokens[who]}"} for who in callers}
    gets = [
        (callers[who], request("GET", f"/api/games/{moves[0].table.game.id}", tokens[who]))
        for moves in games
        for who in _players([moves])
    ]
    first, again = [], []
    for step in zip(*games, strict=True):
        for move in step:
            post = request("POST", move.path, tokens[move.player], move.body)
            callers[move.player].send(post)
            assert callers[move.player].status() == 201
        first.append(server.load(lambda: _ask(gets)))
        again.append(server.load(lambda: _ask_again(gets)))
    for caller in callers.values():
        caller.close()
    return Looks(_each(first, len(gets)), _each(again, len(gets) * AGAIN))


def _players(games: list[list[Move]]) -> list[str]:
    return [str(person.player_id) for moves in games for person in moves[0].table.people]


def _bare(server: Server, path: str, seats: int) -> Looks:
    gets = [(Caller(server.address), request("GET", path, {})) for _ in range(seats)]
    loads = [server.load(lambda: _ask_again(gets)) for _ in range(MOVES)]
    for caller, _ in gets:
        caller.close()
    load = _each(loads, len(gets) * AGAIN)
    return Looks(load, load)


def _ask_again(gets: list[tuple[Caller, bytes]]) -> None:
    for _ in range(AGAIN):
        _ask(gets)


def _ask(gets: list[tuple[Caller, bytes]]) -> None:
    """Send all requests at once."""
    for caller, get in gets:
        caller.send(get)
    for caller, _ in gets:
        assert caller.status() == 200


def _each(loads: list[Load], requests: int) -> Load:
    """The average cost of a request."""
    number = len(loads) * requests
    return Load(
        sum(load.seconds for load in loads) / number, sum(load.cpu for load in loads) // number
    )
