"""What is news to whom: decided here for everything that tells of events.

An event belongs to everybody whom it changed, not to whoever acted alone: somebody whose choice was the last one wants
to see what it opened as much as the others. Only what a viewer has chosen is no news to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kernel import Json

WORDED = ("line", "words", "pieces")
"""The members of a line that are none of its values."""


def is_news(event: Json, action: Json | None, lines: Sequence[Json], seat: int | None) -> bool:
    """Whether an event tells a viewer more than what they chose themselves.

    `action` and `lines` are what the viewer may know of it; `seat` is the one that they held then, if any. What a house
    player or the rules decided in that seat is news to them.
    """
    own = event["kind"] == "action" and event["seat"] == seat and event["by"] == "seat"
    return len(lines) > 1 or (bool(lines) and not (own and _repeats(lines[0], action or {})))


def _repeats(line: Json, action: Json) -> bool:
    """Whether a line names nothing, as a card that was drawn, that the action does not name."""
    named = {name: value for name, value in line.items() if name not in WORDED}
    return set(_strings(named)) <= set(_strings(action))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings([*value.values()])
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
