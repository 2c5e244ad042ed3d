"""Questions about games that are played at random, for tests of thinking."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Iterator
from typing import Any

import rules
from rules.kernel import Illegal, Json, Ruleset, State
from service.operations.thinking.questions import Question


def settled(ruleset: Ruleset) -> tuple[int, Json]:
    """The smallest number of players, and the shortest options for them."""
    players = ruleset.players[0]
    return players, ruleset.settle(players, ruleset.looks.lengths(players)[0].options)


def played(ruleset: Ruleset, seed: int = 1) -> Iterator[tuple[list[Json], State]]:
    """A game played at random: its log so far and its state, each time seats are waited for."""
    rng, log = random.Random(seed), list[Json]()
    state = ruleset.initial(*settled(ruleset))
    while not (turn := ruleset.turn(state)).over:
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            log.append({"kind": "chance", "name": turn.chance.name, "outcome": outcome})
        else:
            yield list(log), state
            seat = rng.choice(turn.waiting or turn.optional)
            action = rng.choice(ruleset.legal(state, seat))
            log.append({"kind": "action", "seat": seat, "action": action})
        state = ruleset.act(state, log[-1])


def question(ruleset: Ruleset, log: list[Json], seat: int, **other: Any) -> Question:
    """The question that this seat has after a log, for an agent that knows nothing yet."""
    players, options = settled(ruleset)
    asked = Question(
        game="g_1",
        seat=seat,
        asked=len(log),
        ruleset=ruleset.slug,
        version=ruleset.version,
        players=players,
        options=options,
        after=0,
        number=len(log),
        head="",
        events=log,
        level="normal",
        share=1.0,
        seed=2459,
    )
    return asked._replace(**other)


def first_question(slug: str = "boomerang-auction", **other: Any) -> Question:
    """The first question of a game."""
    ruleset = rules.load(slug)
    log, state = next(played(ruleset))
    return question(ruleset, log, ruleset.turn(state).waiting[0], **other)


def other_truths(ruleset: Ruleset, log: list[Json], seat: int) -> Iterator[list[Json]]:
    """Logs with other deals or choices that look the same to this seat."""
    seen = list(_seen(ruleset, log, seat))
    state = ruleset.initial(*settled(ruleset))
    for n, event in enumerate(log):
        for other in _others(ruleset, state, event):
            changed = [*log[:n], other, *log[n + 1 :]]
            if _fits(ruleset, changed, seat, seen):
                yield changed
        state = ruleset.act(state, event)


def _others(ruleset: Ruleset, state: State, event: Json) -> Iterator[Json]:
    """The alternatives: two cards of a shuffle exchanged, or another action."""
    if event["kind"] == "action":
        actions = ruleset.legal(state, event["seat"])
        yield from ({**event, "action": each} for each in actions if each != event["action"])
        return
    for one, two in itertools.combinations(range(len(event["outcome"])), 2):
        cards = list(event["outcome"])
        cards[one], cards[two] = cards[two], cards[one]
        if cards != event["outcome"]:
            yield {**event, "outcome": cards}


def _fits(ruleset: Ruleset, log: list[Json], seat: int, seen: list[State]) -> bool:
    """Whether the seat's view fits this log, which need not be possible."""
    try:
        return all(map(operator.eq, _seen(ruleset, log, seat), seen))
    except Illegal:
        return False


def _seen(ruleset: Ruleset, log: list[Json], seat: int) -> Iterator[State]:
    state = ruleset.initial(*settled(ruleset))
    for event in log:
        state = ruleset.apply(state, event)
        yield ruleset.blind(state, seat)
