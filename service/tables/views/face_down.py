"""Sealed choices on the table: where cards were put face down, and how many, as far as everybody may know.

This follows from the ruleset's declarations and from who has chosen, never from the choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.kernel import Json, Param, Ruleset

_CARDS = ("card", "cards", "sequence")
"""The kinds of parameters whose values are cards."""


def face_down(ruleset: Ruleset, view: Json, seats: int) -> list[Json]:
    """The cards that lie face down, by seat and place; a seat that has not chosen yet has 0 cards in a zone."""
    places = _places(ruleset, view)
    return [
        {"of": seat, **place, "count": place["count"] if seat in view["committed"] else 0}
        for seat in range(seats)
        for place in places
        if place["zone"] is not None or seat in view["committed"]
    ]


def _places(ruleset: Ruleset, view: Json) -> list[Json]:
    """The places where every choice of the phase puts its cards; none if choices differ, because the type of a choice
    is secret.

    Without a zone, the cards lie in front of the seat; `count` is null if their number is secret.
    """
    sealed = ruleset.looks.vocabulary.choices.items()
    types = next((types for phase, types in sealed if phase.phase == view["phase"]), ())
    found = [list(_of_type(ruleset, each, view)) for each in types]
    return found[0] if found and found.count(found[0]) == len(found) else []


def _of_type(ruleset: Ruleset, kind: str, view: Json) -> Iterator[Json]:
    for param in ruleset.actions[kind]:
        if param.kind not in _CARDS:
            continue
        spot = ruleset.looks.spots.get(f"{kind}.{param.name}")
        if spot is None:
            yield {"zone": None, "count": _size(param)}
        elif spot.by == "each":
            indexes = {zone["index"] for zone in view["zones"] if zone["name"] == spot.zone}
            yield from ({"zone": spot.zone, "index": n, "count": 1} for n in sorted(indexes))
        else:
            yield {"zone": spot.zone, "count": _size(param)}


def _size(param: Param) -> int | None:
    """The number of cards in a value of the parameter; None if it varies."""
    if param.size is None:
        return 1
    least, most = param.size
    return least if least == most else None
