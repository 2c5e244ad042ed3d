"""The origin of scores: an entry for everything that changed a seat's score, or might have.

A ruleset finds the entries of an event from the states before and after it; those of a whole game add up to its scores.
They may name hidden cards, so nobody is shown any before the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.kernel.lines import Only
from rules.kernel.parts import Part
from rules.kernel.states import State
from rules.kernel.values import Json, plain


class Entry(NamedTuple):
    """The points that a seat got in a part, and the reason; `fields` fill in the words."""

    part: Part
    of: int
    name: str
    value: int
    fields: Json


def entry(part: Part, of: int, name: str, value: int, /, **fields: object) -> Entry:
    """An entry; its words are the message `entry.<name>`."""
    return Entry(part, of, name, value, {key: plain(each) for key, each in fields.items()})


def lines_of(state: State, name: str) -> Iterator[dict[str, Any]]:
    """The lines of this name that the last event told, including their hidden parts."""
    for each in state.told:
        if each["line"] == name:
            yield {
                key: value.value if isinstance(value, Only) else value
                for key, value in each.items()
            }
