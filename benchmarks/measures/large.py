"""Growth to 100,000 games and 5 million events. Filling the database takes minutes, and some GB of disk."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.measures import durable, house_players
from benchmarks.measures.growth import FEW, grown, growth, requests_in
from benchmarks.measures.idle import running, share_of_a_core
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import served
from benchmarks.world import World

GAMES = 100_000
BEGUN = 65
"""The moves of each game, unless it ends before that."""
MOST = 1.2
IDLE_ROUNDS, IDLE_SECONDS = 6, 10.0
HOUSE_ROUNDS = 12


def measures(kind: str) -> Iterator[Measure]:
    """Measurements like those of `growth`, but with more games, with a target, and with running servers and workers."""
    with grown(kind, GAMES, BEGUN) as (large, small):
        yield from requests_in(large, small, GAMES, MOST)
        for what, of in (
            ("durable moves in one game: time by the clock", partial(_durable, 1)),
            (
                f"durable moves in {durable.GAMES} games at once: time",
                partial(_durable, durable.GAMES),
            ),
            ("an idle server: CPU", _idle),
            ("answer of a house player: time", _house_player),
        ):
            yield Measure(f"{what} with {GAMES:,} games / with {FEW}", of(large, small), most=MOST)


def _durable(games: int, large: World, small: World) -> float:
    with (
        served("service.web.app:create_app()", large.environment) as on_large,
        served("service.web.app:create_app()", small.environment) as on_small,
    ):
        servers = {large: on_large, small: on_small}

        def taken(made: World, number: int) -> float:
            return durable.played(made, number, servers[made], games)

        growth(large, small, taken, 2)  # with one connection, one of the processes would stay cold
        return growth(large, small, taken, durable.ROUNDS)


def _idle(large: World, small: World) -> float:
    """The ratio of the idle loads of both, which run all the time."""
    with running(large) as on_large, running(small) as on_small:
        found = in_turns(
            lambda _: share_of_a_core(on_large, IDLE_SECONDS),
            lambda _: share_of_a_core(on_small, IDLE_SECONDS),
            range(IDLE_ROUNDS),
        )
    return ratio(found, lambda share: share)


def _house_player(large: World, small: World) -> float:
    with house_players.worker(large), small.app.app_context(), house_players.worker(small):
        return growth(large, small, lambda made, _: house_players.wait(made)[0], HOUSE_ROUNDS)
