"""Turns and results: what can happen in a game now, and how it ended."""

from __future__ import annotations

import functools
from typing import NamedTuple


class Chance(NamedTuple):
    """A shuffle that is due: the service puts `items` in a random order."""

    name: str
    items: tuple[str, ...]


class Turn(NamedTuple):
    """The things that can happen now: a chance, actions of waiting and optional seats, an outside clock, or nothing."""

    chance: Chance | None = None
    waiting: tuple[int, ...] = ()
    optional: tuple[int, ...] = ()
    over: bool = False
    clock: str | None = None


@functools.lru_cache(maxsize=1024)
def waits_for(waiting: tuple[int, ...], optional: tuple[int, ...] = ()) -> Turn:
    """The turn of these seats. Each is made once, since games have many states but few different turns."""
    return Turn(waiting=waiting, optional=optional)


OVER = Turn(over=True)


@functools.cache
def all_seats(players: int) -> tuple[int, ...]:
    """The seats of a table for this number of players."""
    return tuple(range(players))


class Result(NamedTuple):
    """The end of a game: the winning seats, a score for each seat, and one of the ruleset's reasons for ending."""

    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    reason: str
