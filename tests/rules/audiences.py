"""Who sees what: the form of the tables that are written by hand from part 2 of each game's specification.

The tables know nothing of the declarations in `rules/`: the declarations are compared with them. They speak of zones
and facts by the names that a view has.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import rules
from rules.kernel import Only, Ruleset, State, Viewer
from rules.kernel import declarations as declare

GAMES = Path(rules.__file__).parent / "games"

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
    """By name: who sees the cards, for all phases, or by phase with "" for all others."""
    facts: Mapping[str, Sees]
    """By name: who is shown a declared fact. A sealed choice is a fact with the name of its action."""
    derived: Mapping[str, str]
    """By name: the zones and facts, all of them public, from which a fact is derived.

    `#name`: from the number of cards alone; `turn`: who has to act; `options`; `past`: what all have seen happen.
    """
    prompt: Mapping[str, str]
    """The same by name of each field of the prompt."""
    lines: Mapping[str, str]
    """By line: its parameters. `*name` is only for the seat of the line; `?name` likewise, unless `open` says
    otherwise.
    """
    open: Mapping[str, Callable[[Any, Any, Any], bool]] = {}
    """By line and parameter: whether everybody is told it, given the states before and after, and the line."""

    def sees(self, zone: str, phase: str) -> Sees:
        """Who sees the cards of a zone in a phase. Raises KeyError for a zone that the table does not have."""
        who = self.zones[zone]
        return (who.get(phase) or who[""]) if isinstance(who, Mapping) else who


def audience_of(ruleset: Ruleset) -> Audience:
    """The table of a version; the table of an older one is in a folder `v<N>`, as its rules are."""
    folder = Path(rules.folder(ruleset.slug, ruleset.version)).relative_to(GAMES)
    where = ".".join(("tests.rules.games", *folder.parts, "audience"))
    table: Audience = importlib.import_module(where).AUDIENCE
    return table


def wrong(audience: Audience, state: State, viewer: Viewer) -> list[Any]:
    """The zones and facts that show a viewer something different from what the table says."""
    shown = declare.shown(state.declared, state, viewer)
    return [
        *_wrong_zones(audience, state, viewer, shown.zones),
        *_wrong_facts(audience, state, viewer, shown.facts),
    ]


def _wrong_zones(
    audience: Audience, state: State, viewer: Viewer, zones: list[Any]
) -> Iterator[Any]:
    for entry in zones:
        sees = audience.sees(entry["name"], state.phase)
        for position, face in enumerate(entry.get("cards", [None] * entry["count"])):
            if isinstance(face, dict) and "vacant" in face["is"]:
                continue
            seen = "card" in face if isinstance(face, dict) else face is not None
            if seen != sees(state, viewer, entry.get("seat"), position):
                yield state.phase, viewer, entry


def _wrong_facts(
    audience: Audience, state: State, viewer: Viewer, facts: list[Any]
) -> Iterator[Any]:
    for fact in facts:
        sees = audience.facts.get(fact["name"], NOBODY)
        if not sees(state, viewer, fact.get("of"), 0):
            yield state.phase, viewer, fact


def wrong_lines(audience: Audience, before: State, after: State) -> list[Any]:
    """The parameters of lines that are told to others than the table says."""
    found = []
    for line in after.told:
        table = {each.lstrip("*?"): each[0] for each in audience.lines[line["line"]].split()}
        for name, value in line.items():
            mark = table.get(name, "")
            if mark == "?":
                mark = "" if audience.open[f"{line['line']} {name}"](before, after, line) else "*"
            secret = value.seats if isinstance(value, Only) else None
            if secret != ((line["seat"],) if mark == "*" else None):
                found.append((line["line"], name, value))
    return found
