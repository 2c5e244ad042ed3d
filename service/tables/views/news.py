"""Which events are news to a player, for everything that reports events.

An event concerns everybody for whom it changed something, not only the others: a player whose choice was the last one
wants to see its results, too. Only a viewer's own choice is no news to the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kernel import Json

WORDED = ("line", "words", "pieces")
"""The members of a line that are not among its values."""


def is_news(event: Json, action: Json | None, lines: Sequence[Json], seat: int | None) -> bool:
    """Whether an event tells a viewer more than their own choice.

    `action` and `lines` are the parts that the viewer may know; `seat` is the seat that the viewer held then, if any.
    What a house player or the rules decided in that seat is news to the viewer.
    """
    if event["kind"] == "void" and event["why"] == "free" and event["seat"] == seat:
        return False
    own = event["kind"] == "action" and event["seat"] == seat and event["by"] == "seat"
    return len(lines) > 1 or (bool(lines) and not (own and _repeats(lines[0], action or {})))


def _repeats(line: Json, action: Json) -> bool:
    """Whether a line names nothing (such as a drawn card) that the action does not name."""
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
