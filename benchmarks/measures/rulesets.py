"""Every ruleset: replay and random play, compared with bare Boomerang Auction, and the longest `legal` lists."""

from __future__ import annotations

import functools
import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import rules
from benchmarks import bare_boomerang
from benchmarks.played_games import Played, Step, next_event, played
from benchmarks.report import Measure, in_turns, ratio
from rules.common.cards import Cards, canonical, deck
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, settle
from rules.kernel import Ruleset

GAMES = 20
"""The number of games for each ruleset, with its numbers of players in turn and the shortest usual length."""
ROUNDS = 9
SLOWEST = {"abbott-auction": 30}
"""The maximum ratio to the bare engine's time per event; 12 for the other rulesets."""
LEAST = {"caravan": 0.21, "abbott-auction": 0.2}
"""The least number of random actions per second, for each event per second of the bare engine."""
BEFORE = {"caravan": "0.105", "abbott-auction": "0.1"}
CANDIDATES = 20
HAND = 16
"""The number of cards in the largest hands."""


def measures() -> Iterator[Measure]:
    """The ratios for each ruleset and their geometric mean; then milliseconds."""
    bare = [played(rules.load("boomerang-auction"), 3, {}, random.Random(n)) for n in range(GAMES)]
    ratios, widest = [], []
    for slug in rules.slugs():
        games = _games(rules.load(slug))
        ratios.append(_beside_bare(games, bare))
        yield Measure(f"{slug}: `act` / bare engine", ratios[-1], most=SLOWEST.get(slug, 12))
        widest.append((_widest(games), slug))
    yield Measure("geometric mean of the above", statistics.geometric_mean(ratios), most=5)
    yield from _random_play(bare)
    yield Measure(f"widest `legal` ({max(widest)[1]})", max(widest)[0] * 1e3, "ms", most=2)
    yield Measure(f"settlement of {HAND} cards, slowest", _settlement() * 1e3, "ms", most=20)


def _random_play(bare: list[Played]) -> Iterator[Measure]:
    """The actions per second with `turn`, `legal` and `act`, for each event per second of the bare engine's replay."""
    ratios = []
    for slug in rules.slugs():
        ruleset = rules.load(slug)
        rounds = in_turns(
            functools.partial(_an_action, ruleset, sum(len(game.steps) for game in bare)),
            lambda _: _an_event(bare, _replayed_bare),
            range(ROUNDS),
        )
        ratios.append(1 / ratio(rounds, lambda each: each))
        found, least, before = ratios[-1], LEAST.get(slug), BEFORE.get(slug, "")
        yield Measure(f"{slug}: random play / bare engine", found, least=least, before=before)
    mean = statistics.geometric_mean(ratios)
    yield Measure("geometric mean of random play", mean, least=0.4, before="0.26")


def _an_action(ruleset: Ruleset, least: int, number: int) -> float:
    """The CPU seconds per action of random games, not counting shuffles.

    So many games are played that there are this many actions, with the numbers of players in turn: as much work as the
    bare engine does in a round, because one or two games would mostly measure empty caches.
    """
    began, actions = time.process_time(), 0
    for game, players in enumerate(itertools.cycle(ruleset.players)):
        if actions >= least and game % len(ruleset.players) == 0:
            break
        rng = random.Random(f"{number} {game}")
        state = ruleset.initial(players, ruleset.looks.lengths(players)[0].options)
        while not (turn := ruleset.turn(state)).over:
            if turn.chance:
                paused = time.process_time()
                event = next_event(ruleset, state, rng)
                began += time.process_time() - paused
            else:
                seat = turn.waiting[int(rng.random() * len(turn.waiting))]
                legal = ruleset.legal(state, seat)
                action = legal[int(rng.random() * len(legal))]
                event = {"kind": "action", "seat": seat, "action": action}
                actions += 1
            state = ruleset.act(state, event)
    return (time.process_time() - began) / actions


def _games(ruleset: Ruleset) -> list[Played]:
    tables = itertools.cycle(ruleset.players)
    return [
        played(ruleset, players, ruleset.looks.lengths(players)[0].options, random.Random(number))
        for number, players in zip(range(GAMES), tables, strict=False)
    ]


def _beside_bare(games: list[Played], bare: list[Played]) -> float:
    rounds = in_turns(
        lambda _: _an_event(games, lambda game: game.replay()),
        lambda _: _an_event(bare, _replayed_bare),
        range(ROUNDS),
    )
    return ratio(rounds, lambda each: each)


def _an_event(games: list[Played], replay: Callable[[Played], Any]) -> float:
    """The CPU seconds per event."""
    began = time.process_time()
    for game in games:
        replay(game)
    return (time.process_time() - began) / sum(len(game.steps) for game in games)


def _replayed_bare(game: Played) -> bare_boomerang.State:
    state = bare_boomerang.State()
    for step in game.steps:
        state = bare_boomerang.step(state, step.event)
    return state


def _widest(games: list[Played]) -> float:
    """The CPU seconds of the slowest of the longest lists."""
    actions = [step for game in games for step in game.steps if step.event["kind"] == "action"]
    actions.sort(key=lambda step: len(_legal(step)), reverse=True)
    return max(_quickest(lambda: _legal(step)) for step in actions[:CANDIDATES])  # noqa: B023


def _legal(step: Step) -> list[Any]:
    return step.state.legal(step.event["seat"])


def _settlement() -> float:
    """The CPU seconds for the slowest of several hands, with and without bozu."""
    rng, cards, bozu = random.Random(16), deck("A23456789T"), deck("JQK")
    found = []
    for number in range(GAMES):
        hand = canonical(tuple(rng.sample(cards, HAND)))
        own = tuple(Bozu(each, ()) for each in rng.sample(bozu, number % 5))
        found.append(_quickest(lambda: _settled_anew(hand, own)))  # noqa: B023
    return max(found)


def _settled_anew(hand: Cards, own: tuple[Bozu, ...]) -> None:
    settle.cache_clear()
    settle(hand, own)


def _quickest(work: Callable[[], Any], times: int = 3) -> float:
    """The CPU seconds of the fastest of several calls, which excludes other load on the machine."""
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)
