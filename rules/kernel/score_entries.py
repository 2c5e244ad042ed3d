"""The origin of scores: an entry for everything that changed a seat's score, or might have changed it.

A ruleset finds the entries of an event from the states before and after it. The entries of a whole game add up to its
scores. They may name hidden cards, so nobody is shown any entry before the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.kernel.lines import Only
from rules.kernel.parts import Part
from rules.kernel.states import State
from rules.kernel.values import Json, plain


class Entry(NamedTuple):
    """The points that a seat got in a part, and the reason for them; `fields` fill in its words."""

    part: Part
    of: int
    name: str
    value: int
    fields: Json


def entry(part: Part, of: int, name: str, value: int, /, **fields: object) -> Entry:
    """An entry for the seat `of`; its words are the message `entry.<name>`."""
    return Entry(part, of, name, value, {key: plain(each) for key, each in fields.items()})


def lines_of(state: State, name: str) -> Iterator[dict[str, Any]]:
    """The lines named `name` that the last event told, including their hidden parts."""
    for each in state.told:
        if each["line"] == name:
            yield {
                key: value.value if isinstance(value, Only) else value
                for key, value in each.items()
            }
