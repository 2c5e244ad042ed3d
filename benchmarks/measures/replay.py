"""Replay with `act`, compared with an engine in bare Python (bare_boomerang.py), and the cost of each function."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import rules
from benchmarks import bare_boomerang
from benchmarks.played_games import Played, Step, played
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS
from rules.kernel import Json, Ruleset, State

GAMES = 100
ROUNDS = 15


def measures() -> Iterator[Measure]:
    """The comparison with the bare engine, then the cost of each function of the contract."""
    for slug in SLUGS:
        ruleset = rules.load(slug)
        players = ruleset.players[0]
        games = [played(ruleset, players, {}, random.Random(number)) for number in range(GAMES)]
        if slug == SLUGS[0]:
            yield _beside_bare(games)
        yield from _each(ruleset, [step for game in games for step in game.steps])


def _beside_bare(games: list[Played]) -> Measure:
    logs = [[step.event for step in game.steps] for game in games]
    for log in logs:
        _compare(games[0].ruleset, log)
    rounds = in_turns(
        lambda _: _seconds(lambda: [game.replay() for game in games]),
        lambda _: _seconds(lambda: [_bare(log) for log in logs]),
        range(ROUNDS),
    )
    return Measure("replay with `act` / bare engine", ratio(rounds, lambda each: each), most=4)


def _compare(ruleset: Ruleset, log: list[Json]) -> None:
    """Check that both engines agree on hands, cards and stock after every event, and on the scores."""
    ours: Any = ruleset.initial(3, {})
    bare = bare_boomerang.State()
    for event in log:
        ours, bare = ruleset.act(ours, event), bare_boomerang.step(bare, event)
        assert (ours.hands, ours.won, ours.stock) == (bare.hands, bare.won, bare.stock)
    result = ruleset.result(ours)
    assert result is not None
    assert result.scores == bare_boomerang.scores(bare)


def _bare(log: list[Json]) -> bare_boomerang.State:
    state = bare_boomerang.State()
    for event in log:
        state = bare_boomerang.step(state, event)
    return state


def _each(ruleset: Ruleset, steps: list[Step]) -> Iterator[Measure]:
    """The microseconds per call, on states without cached results (`apply` includes `legal`)."""
    tried: dict[str, Callable[[State, Json], Any]] = {
        "act": ruleset.act,
        "apply": ruleset.apply,
        "legal": lambda state, event: ruleset.legal(state, event.get("seat")),
        "view": lambda state, event: ruleset.view(state, event.get("seat")),
    }
    for name, call in tried.items():
        fresh = [Step(step.state.change(), step.event) for step in steps]
        seconds = _seconds(lambda: _call_all(call, fresh))  # noqa: B023 - called at once
        yield Measure(f"{ruleset.slug}: {name}", seconds / len(steps) * 1e6, "µs")


def _call_all(call: Callable[[State, Json], Any], steps: list[Step]) -> None:
    for state, event in steps:
        call(state, event)


def _seconds(work: Callable[[], Any]) -> float:
    """The CPU time (seconds) of the work."""
    began = time.process_time()
    work()
    return time.process_time() - began
