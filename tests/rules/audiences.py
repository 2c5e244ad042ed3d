"""Who sees what: the form of the tables that are written by hand from part 2 of each game's specification.

The tables know nothing of the declarations in `rules/`: they are what the declarations are held against. They speak of
zones and facts by the names that a view has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rules.kernel import Viewer

Sees = Callable[[Any, Viewer, int | None, int], bool]
"""Whether a viewer sees a card: asked with the state, the viewer, the seat of the place, and the position in it."""


def ALL(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:  # noqa: N802 - a word of the tables
    """Every seat and spectator."""
    return True


def NOBODY(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:  # noqa: N802
    """No seat, and no spectator."""
    return False


def OWNER(state: Any, viewer: Viewer, seat: int | None, position: int) -> bool:  # noqa: N802
    """The seat of the place."""
    return viewer is not None and viewer == seat


class Audience(NamedTuple):
    """The table of a game."""

    zones: Mapping[str, Sees | Mapping[str, Sees]]
    """By name: who sees the cards; where it depends on the phase, by phase, and "" for all others."""
    facts: Mapping[str, Sees]
    """By name: who is shown a declared fact. A sealed choice is a fact with the name of its action."""
    derived: Mapping[str, str]
    """By name: from which zones and facts, all of them public, a fact is worked out.

    `#name`: from the number of cards alone; `turn`: who has to act; `options`; `past`: what all have seen happen.
    """
    prompt: Mapping[str, str]
    """The same by name of each field of the prompt."""
    lines: Mapping[str, str]
    """By line: its parameters. `*name` is for the seat of the line alone, `?name` for it alone or for everybody."""

    def sees(self, zone: str, phase: str) -> Sees:
        """Who sees the cards of a zone in a phase. Raises KeyError for a zone that the table does not have."""
        who = self.zones[zone]
        return (who.get(phase) or who[""]) if isinstance(who, Mapping) else who
