"""Games of any ruleset, played by picks among what is possible, for tests that know no game."""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

from hypothesis import strategies as st

import rules
from rules.kernel import Json, Ruleset, State, Viewer
from rules.proof import CODE
from tests.rules.covering import Table, pairwise

RULESETS = [rules.load(slug) for slug in rules.slugs()]
Pick = Callable[[int], int]
"""`pick(n)` is one of 0 … n-1."""


class Step(NamedTuple):
    """An event, the state it met and the state it led to."""

    before: State
    event: Json
    after: State


Steps = tuple[Step, ...]
Played = tuple[Steps, ...]
Explore = Callable[[Callable[[Any], None]], None]
"""Runs a test of `st.data()` over many games."""


def tables(ruleset: Ruleset) -> tuple[Table, ...]:
    """Tables at which every two values of options meet."""
    return pairwise(ruleset)


def playout(ruleset: Ruleset, players: int, options: Json, pick: Pick) -> Iterator[Step]:
    """One game from the start to the end."""
    state = ruleset.initial(players, options)
    while not ruleset.turn(state).over:
        event = next_event(ruleset, state, pick)
        after = ruleset.apply(state, event)
        yield Step(state, event, after)
        state = after


def next_event(ruleset: Ruleset, state: State, pick: Pick) -> Json:
    """A shuffle, or an action of a seat that may act (its type picked first, so that rare ones come too)."""
    turn = ruleset.turn(state)
    if turn.chance:
        outcome = list(turn.chance.items)
        random.Random(pick(2**32)).shuffle(outcome)
        return {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
    seats = turn.waiting + turn.optional
    chosen = pick(len(seats) + (turn.clock is not None))
    if chosen == len(seats):
        return {"kind": "clock", "name": turn.clock}
    legal = ruleset.legal(state, seats[chosen])
    types = list(dict.fromkeys(action["type"] for action in legal))
    kind = types[pick(len(types))]
    of_kind = [action for action in legal if action["type"] == kind]
    return {"kind": "action", "seat": seats[chosen], "action": of_kind[pick(len(of_kind))]}


@functools.cache
def games(ruleset_number: int, count: int) -> Played:
    """`count` games of `RULESETS[ruleset_number]` at its tables in turn, one at each at least, always the same ones."""
    ruleset = RULESETS[ruleset_number]
    everywhere = itertools.cycle(tables(ruleset))
    return tuple(
        tuple(playout(ruleset, players, options, random.Random(seed).randrange))
        for seed in range(max(count, len(tables(ruleset))))
        for players, options in itertools.islice(everywhere, 1)
    )


def steps(played: Played) -> Iterator[Step]:
    """Every step of every game."""
    return itertools.chain.from_iterable(played)


@functools.cache
def moments(ruleset_number: int, count: int, most: int) -> Steps:
    """`most` steps of these games, or more: some of each sort, then any, in no order."""
    met: Counter[Any] = Counter()
    every = list(steps(games(ruleset_number, count)))
    random.Random(most).shuffle(every)
    rare, others = [], []
    for step in every:
        met.update([sort_of(step)])
        (rare if met[sort_of(step)] <= OF_EACH_SORT else others).append(step)
    return tuple(rare + others[: max(0, most - len(rare))])


OF_EACH_SORT = 2
"""Steps that are kept of every sort, however rare."""


def sort_of(step: Step) -> Any:
    """What kind of event it was, from which phase to which, and what was told of it."""
    told = frozenset((line["line"], *line) for line in step.after.told)
    kind = step.event.get("action", {}).get("type")
    return step.before.phase, kind, step.after.phase, told


def draw_table(ruleset: Ruleset, data: Any) -> tuple[int, Json]:
    """One of the tables, as `st.data()` draws it."""
    return data.draw(st.sampled_from(tables(ruleset)))  # type: ignore[no-any-return]


def picking(data: Any) -> Pick:
    """Picks as `st.data()` draws them: a failure is shrunk towards the first of everything.

    What `st.data()` can draw is limited: the late picks of a long game follow a seed.
    """
    drawn, rng = itertools.count(), random.Random(data.draw(st.integers(0, 2**32 - 1)))

    def pick(n: int) -> int:
        if next(drawn) < DRAWN:
            return data.draw(st.integers(0, n - 1))  # type: ignore[no-any-return]
        return rng.randrange(n)

    return pick


DRAWN = 300
"""Picks of a game that `st.data()` draws."""


def module_of(ruleset: Ruleset) -> ModuleType:
    return sys.modules[ruleset.start.__module__]


def phases(ruleset: Ruleset) -> list[type[State]]:
    """The phases of a ruleset: the classes of states in its module on which no other is built."""
    name = ruleset.start.__module__
    found = [each for each in vars(module_of(ruleset)).values() if isinstance(each, type)]
    own = [each for each in found if issubclass(each, State) and each.__module__ == name]
    return [each for each in own if not any(other in each.__subclasses__() for other in own)]


def codes(value: Any) -> Iterator[str]:
    """Every card in a value of a state."""
    if isinstance(value, str):
        yield from [value] if CODE.fullmatch(value) else []
    elif isinstance(value, tuple | list):
        for each in value:
            yield from codes(each)


def viewers(state: State) -> tuple[Viewer, ...]:
    """Every seat, and a spectator."""
    return (*range(state.players), None)


def moved(ruleset: Ruleset, state: Any, seat: int, kind: str, **parameters: Any) -> Any:
    """The state after an action; `as_` stands for `as`."""
    action = {"type": kind, **{name.rstrip("_"): value for name, value in parameters.items()}}
    return ruleset.apply(state, {"kind": "action", "seat": seat, "action": action})


def fallen(ruleset: Ruleset, state: Any, *outcome: str) -> Any:
    """The state after the chance that is due fell as `outcome`."""
    chance = ruleset.turn(state).chance
    assert chance is not None
    event = {"kind": "chance", "name": chance.name, "outcome": list(outcome)}
    return ruleset.apply(state, event)


def told(ruleset: Ruleset, state: State, viewer: Viewer = None) -> list[str]:
    """The names of the lines of the last event."""
    return [line["line"] for line in ruleset.lines(state, viewer)]
