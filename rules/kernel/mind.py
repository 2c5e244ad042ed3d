"""The mind of a house player: a game's knowledge about cards that a seat does not see, and about sensible play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.declarations import Viewer
from rules.kernel.randomness import Random
from rules.kernel.values import Json

Cards = tuple[str, ...]


class Address(NamedTuple):
    """The place of unseen cards: a field, the seat and index of the zone, and a position only if that is known, too."""

    field: str
    seat: int | None = None
    index: int | None = None  # type: ignore[assignment]  # mypy: this hides a method of tuples
    position: int | None = None


Dealt = Mapping[Address, Sequence[str]]
"""Cards, by the places where they lie."""


class Hidden(NamedTuple):
    """A game's constraints on cards that a seat does not see, beyond the places where each card can lie.

    `reserve(blind, seat, unseen, rng)` deals the places that have to hold certain cards together, from `unseen`, which
    is in random order. `complete(state, seat, rng)` sets the fields that follow from hidden cards. `lacking(before,
    after, line)` returns the cards that a place cannot have, according to a told line; positions and line are as the
    seat sees them. `learn(notes, before, after, line)` returns the notes that the game makes in addition; they are None
    at first. `recall(notes, blind, seat, unseen, rng)` deals cards that, according to the notes, have to be somewhere;
    it takes them from those that are not known to lie elsewhere. `own_packs` means that each seat has a pack of its
    own, whose cards stay at its places.
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
"""No constraints beyond the declarations of the zones."""


class Mind(NamedTuple):
    """A search's knowledge of a game beyond its rules.

    `hidden` says which unseen cards have to be together (`Hidden`). `policy(state, seat, legal)` returns the weight of
    each legal action for a sensible player with that seat's knowledge, proportional to its probability; absurd actions
    have 0. If others are `unforeseen`, a search assumes that they may do anything. `estimate(state)`, for long games,
    returns the value of the game to each seat at a shuffle, from 0 to 1.
    """

    hidden: Hidden = NOTHING
    # The state is Any, since each ruleset has its own table.
    policy: Callable[[Any, int, list[Json]], Sequence[float]] | None = None
    unforeseen: bool = False
    estimate: Callable[[Any], Sequence[float]] | None = None


MINDLESS = Mind()
"""A mind without knowledge: each card may lie wherever its zone allows, and all actions are equally likely."""
