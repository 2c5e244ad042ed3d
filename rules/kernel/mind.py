"""The mind of a house player: what a game says about cards that a seat does not see, and what it takes for sensible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.declarations import Viewer
from rules.kernel.randomness import Random
from rules.kernel.values import Json

Cards = tuple[str, ...]


class Address(NamedTuple):
    """Where unseen cards lie: a field, its seat and index; a position only if it is known too."""

    field: str
    seat: int | None = None
    index: int | None = None  # type: ignore[assignment]  # hides a method of tuples
    position: int | None = None


Dealt = Mapping[Address, Sequence[str]]
"""Cards, and where they lie."""


class Hidden(NamedTuple):
    """What a game says about cards that a seat does not see, beyond where each can lie.

    `reserve(blind, seat, unseen, rng)` deals the places that have to hold certain cards together, from `unseen`, which
    is in random order; `complete(state, seat, rng)` sets what follows from hidden cards. `lacking(before, after, line)`
    says which cards a place cannot have because of what was told: positions and line as the seat sees them.
    `learn(notes, before, after, line)` is what the game notes besides, None at first; `recall(notes, blind, seat,
    unseen, rng)` deals cards that have to be somewhere because of that, from those that are not known to lie elsewhere.
    `own_packs`: each seat has a pack of its own, whose cards stay at its places.
    """

    reserve: Callable[[Any, Viewer, Cards, Random], Dealt] = lambda blind, seat, unseen, rng: {}
    complete: Callable[[Any, Viewer, Random], Any] = lambda state, seat, rng: state
    lacking: Callable[[Any, Any, Json], Iterable[tuple[Address, Iterable[str]]]] = (
        lambda before, after, line: ()
    )
    learn: Callable[[Any, Any, Any, Json], Any] = lambda notes, before, after, line: notes
    recall: Callable[[Any, Any, Viewer, Cards, Random], Dealt] = (
        lambda notes, blind, seat, unseen, rng: {}
    )
    own_packs: bool = False


NOTHING = Hidden()
"""Nothing more than what the zones say."""


class Mind(NamedTuple):
    """What a search knows of a game beyond its rules.

    `hidden` says what unseen cards have to be together (`Hidden`). `policy(state, seat, legal)` is how likely a
    sensible player with that seat's knowledge is to play each legal action: weights, 0 for what is absurd; if others
    are `unforeseen`, a search supposes that they do anything at all instead. `estimate(state)`, where games are long,
    is what the game is worth to each seat at a shuffle, from 0 to 1.
    """

    hidden: Hidden = NOTHING
    # the state is Any: each ruleset's own table
    policy: Callable[[Any, int, list[Json]], Sequence[float]] | None = None
    unforeseen: bool = False
    estimate: Callable[[Any], Sequence[float]] | None = None


MINDLESS = Mind()
"""Every card may lie anywhere where its zone lets it, and every action is as likely as the others."""
