"""The mind of a house player: what it supposes of cards that it does not see, and takes for sensible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rules.kernel.hidden import NOTHING, Hidden
from rules.kernel.values import Json


class Mind(NamedTuple):
    """What a search knows of a game beyond its rules.

    `hidden` says what unseen cards have to be together (hidden.py). `policy(state, seat, legal)` is how likely a
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
