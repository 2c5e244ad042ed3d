"""Games of any ruleset, played by picking among the possible events, for tests that know no game."""

from __future__ import annotations

import ast
import functools
import inspect
import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from hypothesis import strategies as st

import rules
from rules.kernel import Json, Ruleset, State, Viewer
from rules.kernel.declarations import Inner, Zone
from rules.kernel.values import CODE
from tests.rules.pairwise_tables import pairwise

RULESETS = [rules.load(slug, version) for slug in rules.slugs() for version in rules.versions(slug)]
"""Every version of every ruleset: all tests of rulesets use these."""


def called(ruleset: Ruleset) -> str:
    """The tests' name for a version: its slug if it is the newest, otherwise `<name>-v1`."""
    newest = ruleset.version == rules.versions(ruleset.slug)[-1]
    return ruleset.slug if newest else f"{ruleset.slug}-v{ruleset.version}"


IDS = [called(ruleset) for ruleset in RULESETS]
Pick = Callable[[int], int]
"""`pick(n)` is one of 0 … n-1."""


class Step(NamedTuple):
    """An event, with the states before and after it."""

    before: State
    event: Json
    after: State


class Habits(NamedTuple):
    """The way in which a game is played so that it reaches rare states."""

    avoided: Collection[str] = ()
    """Types of actions that are only played if there are no others."""
    last: Collection[str] = ()
    """Cards that lie at the bottom after every shuffle."""
    patient: bool = False
    """Whether seats that need not act wait."""


NO_HABITS = Habits()
Steps = tuple[Step, ...]
Explore = Callable[[Callable[[Any], None]], None]
"""Runs a test of `st.data()` over many games."""


class Game(NamedTuple):
    """A game from its start to its end, or as far as it was played; `name` says how to play it again."""

    name: str
    players: int
    options: Json
    steps: Steps

    @property
    def end(self) -> State:
        """The state after the last event."""
        return self.steps[-1].after


def playout(
    ruleset: Ruleset, players: int, options: Json, pick: Pick, habits: Habits = NO_HABITS
) -> Iterator[Step]:
    """One game from the start to the end."""
    state = ruleset.initial(players, options)
    while not ruleset.turn(state).over:
        event = next_event(ruleset, state, pick, habits)
        after = ruleset.apply(state, event)
        yield Step(state, event, after)
        state = after


def next_event(ruleset: Ruleset, state: State, pick: Pick, habits: Habits = NO_HABITS) -> Json:
    """A shuffle, or an action of a seat that may act (its type picked first, so that rare ones come too)."""
    turn = ruleset.turn(state)
    if turn.chance:
        outcome = list(turn.chance.items)
        random.Random(pick(2**32)).shuffle(outcome)
        outcome.sort(key=lambda item: item in habits.last)
        return {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
    seats = turn.waiting if habits.patient and turn.waiting else turn.waiting + turn.optional
    chosen = pick(len(seats) * AHEAD + 1 if turn.clock else len(seats))
    if chosen == len(seats) * AHEAD:
        return {"kind": "clock", "name": turn.clock}
    seat = seats[chosen % len(seats)]
    legal = ruleset.legal(state, seat)
    types = list(dict.fromkeys(action["type"] for action in legal))
    types = [kind for kind in types if kind not in habits.avoided] or types
    kind = types[pick(len(types))]
    of_kind = [action for action in legal if action["type"] == kind]
    return {"kind": "action", "seat": seat, "action": of_kind[pick(len(of_kind))]}


AHEAD = 20
"""The factor by which each seat is more likely to act than an outside clock is to run out."""


def draw_table(ruleset: Ruleset, data: Any) -> tuple[int, Json]:
    """One of the tables, drawn by `st.data()`."""
    return data.draw(st.sampled_from(pairwise(ruleset)))  # type: ignore[no-any-return]


def picking(data: Any) -> Pick:
    """Picks drawn by `st.data()`, all at once: a failure shrinks towards the first entries of lists.

    Shuffles and the late picks of a long game follow a seed, for what `st.data()` can draw is limited.
    """
    drawn = iter(data.draw(st.binary(min_size=DRAWN, max_size=DRAWN)))
    rng = random.Random(data.draw(st.integers(0, 2**32 - 1)))

    def pick(n: int) -> int:
        return rng.randrange(n) if n > FEW else next(drawn, rng.randrange(FEW)) % n

    return pick


DRAWN, FEW = 300, 256
"""The number of picks of a game that `st.data()` draws, a byte each, and the most entries to pick from."""


def modules(ruleset: Ruleset) -> list[ModuleType]:
    """The modules in the folder of a ruleset."""
    folder = Path(rules.folder(ruleset.slug, ruleset.version))
    files = {module: getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return [module for module, file in files.items() if file and Path(file).parent == folder]


def syntax_trees(ruleset: Ruleset) -> list[ast.Module]:
    """The source of these modules, parsed."""
    return [syntax_tree(module) for module in modules(ruleset)]


@functools.cache
def syntax_tree(module: ModuleType) -> ast.Module:
    """The source of a module, parsed."""
    return ast.parse(inspect.getsource(module))


def phases(ruleset: Ruleset) -> list[type[State]]:
    """The phases of a ruleset: the classes of states in its modules that have no subclass there."""
    own = [
        each
        for module in modules(ruleset)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, State) and each.__module__ == module.__name__
    ]
    return [each for each in own if not any(other in each.__subclasses__() for other in own)]


@functools.cache
def is_code(word: str) -> bool:
    return bool(CODE.fullmatch(word))


def codes(value: Any) -> list[str]:
    """Every card in a value of a state."""
    found: list[str] = []
    gather(value, found)
    return found


def gather(value: Any, found: list[str]) -> None:
    """Add every card in a value to `found`."""
    if isinstance(value, str):
        if is_code(value):
            found.append(value)
    elif isinstance(value, tuple | list):
        for each in value:
            gather(each, found)


def actors(ruleset: Ruleset, state: State) -> tuple[int, ...]:
    """The seats that may act."""
    turn = ruleset.turn(state)
    return turn.waiting + turn.optional


def viewers(state: State) -> tuple[Viewer, ...]:
    """Every seat, and a spectator."""
    return (*range(state.players), None)


def moved(ruleset: Ruleset, state: Any, seat: int, kind: str, **parameters: Any) -> Any:
    """The state after an action; `as_` stands for `as`."""
    action = {"type": kind, **{name.rstrip("_"): value for name, value in parameters.items()}}
    return ruleset.apply(state, {"kind": "action", "seat": seat, "action": action})


def shuffled(ruleset: Ruleset, state: Any, *outcome: str) -> Any:
    """The state after the chance that is due, with this outcome."""
    chance = ruleset.turn(state).chance
    assert chance is not None
    event = {"kind": "chance", "name": chance.name, "outcome": list(outcome)}
    return ruleset.apply(state, event)


def told(ruleset: Ruleset, state: State, viewer: Viewer = None) -> list[str]:
    """The names of the lines of the last event."""
    return [line["line"] for line in ruleset.lines(state, viewer)]


def holding(state: State) -> list[str]:
    """The fields that can hold cards. (A sealed choice names cards that have not moved yet.)"""
    holds = (attr for attr, declaration in state.declared if isinstance(declaration, Zone | Inner))
    return [attr for attr in holds if attr != "told"]


def lying(state: State) -> Counter[str]:
    """The number of copies of each card on the table."""
    return Counter(card for attr in holding(state) for card in codes(getattr(state, attr)))
