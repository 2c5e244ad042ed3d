"""The moments of a game that a walk looks at, the same in every run: each time something new is asked, and the end."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

from rules.kernel import Json, Ruleset, State
from tests.rules.pairwise_tables import pairwise
from tests.rules.playouts import Step, Steps, actors, playout

MOST_GAMES = 30
"""The number of games after which only what is too rare for a walk has not occurred."""


class Moment(NamedTuple):
    """A position in which a seat may do something that no seat might do before."""

    state: State
    seat: int
    types: tuple[str, ...]
    """The types of actions that are offered for the first time."""


def played(ruleset: Ruleset, players: int) -> Iterator[Steps]:
    """Whole games: first those of a host who chooses no options, then others."""
    usual: Json = dict(ruleset.looks.lengths(players)[0].options)
    others = [options for number, options in pairwise(ruleset) if number == players]
    for seed, options in zip(range(MOST_GAMES), itertools.cycle([usual, *others]), strict=False):
        yield tuple(playout(ruleset, players, options, random.Random(seed).randrange))


def moments(ruleset: Ruleset, players: int) -> list[Moment]:
    """One moment for each phase and for each type of action, in the order in which they occur."""
    found, seen = list[Moment](), set[str]()
    for game in played(ruleset, players):
        for step in game:
            for seat in actors(ruleset, step.after):
                types, phase = _offered(ruleset, step, seat)
                fresh = tuple(sorted(types - seen))
                if fresh or f"phase {phase}" not in seen:
                    found.append(Moment(step.after, seat, fresh))
                    seen |= {*types, f"phase {phase}"}
        if set(ruleset.actions) <= seen:
            return found
    return found


def _offered(ruleset: Ruleset, step: Step, seat: int) -> tuple[set[str], str]:
    """The types of actions that a seat may choose from, and the phase."""
    types = {action["type"] for action in ruleset.legal(step.after, seat)}
    return types, ruleset.view(step.after, seat)["phase"]
