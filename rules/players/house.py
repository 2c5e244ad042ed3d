"""House players: they see what their seat sees, choose among its legal actions, and know nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Json, Random


def choose(view: Json, legal: Sequence[Json], random: Random) -> Json:
    """One of `legal`, at random, for a seat that sees `view`."""
    return random.choice(legal)
