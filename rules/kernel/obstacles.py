"""Obstacles: why something on the table or in a hand cannot be chosen now, in the rules' own words.

People who touch something need not know the rules. The touched thing can mean values in several actions. Each of these
meanings is tried, in this order:

1. together with earlier choices, before the touched thing alone;
2. in actions that are legal now, before others; the usual actions come first, and those that destroy something last;
3. within one action, the parameters in the order of their declaration.

The first meaning for which the phase gives a reason (`State.obstacle`) decides. If the phase gives none, the list of
legal actions provides one: the thing does not go with the earlier choices, it belongs to somebody else, or other values
or other types of actions are possible.

Everything is computed from the blind state of the seat, so it reveals only what the seat may know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.actions import Param
from rules.kernel.looks import Looks, Spot
from rules.kernel.ruleset import Ruleset
from rules.kernel.states import State
from rules.kernel.values import Action, Json, JsonValue, distinct, same

CARDS = ("card", "cards", "sequence")
COMPANIES = "shdc"
"""The suits, in the order of the numbered zones that a `company` names (looks.py)."""
TURN, THEIRS, CHOSEN, VALUES, TYPES = "turn", "theirs", "chosen", "values", "types"
"""The names of the reasons that the list of legal actions provides if the phase gives none."""


@dataclasses.dataclass(frozen=True)
class Touched:
    """The touched thing: a card, a zone, a place in a zone, or a seat if nothing but `seat` is given."""

    card: str | None = None
    zone: str | None = None
    seat: int | None = None
    index: int | None = None
    place: int | None = None


class Draft(NamedTuple):
    """The seat's choices so far: a type, values of parameters, and cards for the first parameter without a value."""

    type: str | None = None
    values: Mapping[str, Any] = {}
    picked: tuple[str, ...] = ()


class Obstacle(NamedTuple):
    """A reason: the name of the message that words it, and the things that the message names.

    `general` means that `why` is one of the five names above. Of these, VALUES has the fields `type`, `parameter` and
    `may`, TYPES has `types`, and THEIRS has `seat`.
    """

    why: str
    general: bool
    fields: Json


NOTHING_CHOSEN = Draft()


def obstacle(
    ruleset: Ruleset, state: State, seat: int, chosen: Draft, touched: Touched
) -> Obstacle | None:
    """The reason why the seat cannot choose the touched thing; None if the legal actions allow it."""
    blind = ruleset.blind(state, seat)
    legal = ruleset.legal(blind, seat)
    if not legal:
        return Obstacle(TURN, True, {})
    if not _lies(ruleset.view(blind, seat), state.players, touched):
        return Obstacle(TYPES, True, {"types": distinct(action["type"] for action in legal)})
    meant = [*_meant(ruleset, legal, seat, touched)]
    draft = chosen if _is_draft(ruleset, legal, chosen) else NOTHING_CHOSEN
    beside = [*_beside(ruleset, meant, draft)]
    if any(_is_legal(ruleset, legal, each) for each in beside):
        return None
    possible = [each for each in meant if _is_legal(ruleset, legal, each)]
    tried = beside if possible else [*beside, *meant]
    for each in tried:
        if why := blind.obstacle(seat, each):
            return Obstacle(why["why"], False, {k: v for k, v in why.items() if k != "why"})
    return _listed(ruleset, legal, seat, touched, meant, possible=bool(possible))


def _listed(
    ruleset: Ruleset,
    legal: Sequence[Json],
    seat: int,
    touched: Touched,
    meant: Sequence[Json],
    *,
    possible: bool,
) -> Obstacle:
    """The reason that the list of legal actions provides."""
    if possible:
        return Obstacle(CHOSEN, True, {})
    if touched.seat not in {None, seat} and touched.zone:
        return Obstacle(THEIRS, True, {"seat": touched.seat})
    types = distinct(action["type"] for action in legal)
    for each in meant:
        name = next(reversed(each))
        may = _values(legal, each["type"], name)
        if each["type"] in types and len(may) > 0:
            return Obstacle(VALUES, True, {"type": each["type"], "parameter": name, "may": may})
    return Obstacle(TYPES, True, {"types": types})


def _lies(view: Json, players: int, touched: Touched) -> bool:
    """Whether the touched thing lies where the seat sees it; nothing else is examined."""
    if touched.zone is None and touched.card is None:
        return touched.seat is not None and touched.seat < players
    zones = [
        zone
        for zone in view["zones"]
        if touched.zone is None
        or (touched.zone, touched.seat, touched.index)
        == (zone["name"], zone.get("seat"), zone.get("index"))
    ]
    if touched.card:
        return any(touched.card in map(_code, zone.get("cards", ())) for zone in zones)
    return any(touched.place is None or 0 <= touched.place < zone["count"] for zone in zones)


def _code(face: Any) -> object:
    return face.get("card") if isinstance(face, dict) else face


def _is_draft(ruleset: Ruleset, legal: Sequence[Json], chosen: Draft) -> bool:
    """Whether the seat's choices so far lead to a legal action; if not, they are ignored."""
    beside = (_beside(ruleset, [Action(type=kind)], chosen) for kind in ruleset.actions)
    return any(_is_legal(ruleset, legal, each) for found in beside for each in found)


def _values(legal: Sequence[Json], kind: str, name: str) -> list[JsonValue]:
    """The different values that a parameter has in legal actions of this type; for lists, their members."""
    found = [action[name] for action in legal if action["type"] == kind and name in action]
    return distinct(each for value in found for each in (value if _many(value) else [value]))


def _many(value: object) -> bool:
    return isinstance(value, list | tuple)


def _meant(
    ruleset: Ruleset, legal: Sequence[Json], seat: int, touched: Touched
) -> Iterator[Action]:
    """The possible meanings of the touched thing, the most usual first: each is an action with its type and one
    parameter's value, or with its type alone.
    """
    looks, now = ruleset.looks, {action["type"] for action in legal}
    rank = lambda kind: (kind not in now, kind in looks.destroys, kind in looks.aside)  # noqa: E731
    for kind in sorted(ruleset.actions, key=rank):
        spot = looks.spots.get(kind)
        if spot and touched.zone == spot.zone and touched.seat in {None, seat}:
            yield Action(type=kind)
        for param in ruleset.actions[kind]:
            for values in _values_of(looks, kind, param, ruleset.actions[kind], seat, touched):
                yield Action(type=kind, **values)


def _values_of(
    looks: Looks,
    kind: str,
    param: Param,
    params: Sequence[Param],
    seat: int,
    touched: Touched,
) -> Iterator[Json]:
    """The values of one parameter that the touched thing can mean; for a list, a list with that one member."""
    spot = looks.spots.get(f"{kind}.{param.name}")
    own = touched.seat in {None, seat}
    if param.kind in CARDS and touched.card:
        yield {param.name: touched.card if param.kind == "card" else (touched.card,)}
    elif param.kind == "seat" and touched.seat is not None and touched.zone is None:
        yield {param.name: touched.seat}
    elif spot and own:
        yield from _values_at(looks, kind, param, params, spot, touched)


def _values_at(
    looks: Looks,
    kind: str,
    param: Param,
    params: Sequence[Param],
    spot: Spot,
    touched: Touched,
) -> Iterator[Json]:
    """The values of a parameter that a place on the table means, according to the parameter's spot."""
    at, here = touched.index, touched.zone == spot.zone
    if spot.by == "zone" and not spot.zone and touched.zone:
        yield {param.name: touched.zone}
    elif spot.by == "index" and here and at is not None:
        yield {param.name: (at,) if param.size else at}
    elif spot.by == "place" and here and touched.place is not None:
        yield {param.name: touched.place}
    elif spot.by == "suit" and here and touched.card:
        yield {param.name: touched.card[1]}
    elif spot.by == "company" and touched.zone in param.values:
        yield {param.name: touched.zone}
    elif spot.by == "gap" and here and at is not None and touched.place is not None:
        row = next(
            each.name
            for each in params
            if looks.spots.get(f"{kind}.{each.name}") == Spot(spot.zone, "index")
        )
        yield {row: at, param.name: touched.place + 1}


def _beside(ruleset: Ruleset, meant: Sequence[Json], draft: Draft) -> Iterator[Json]:
    """The same meanings together with the earlier choices, where one action can have both."""
    for each in meant:
        params = {param.name: param for param in ruleset.actions[each["type"]]}
        picked = _picked(params, draft)
        if (
            draft.type in {None, each["type"]}
            and draft.values.keys() <= params.keys()
            and picked is not None
        ):
            given = _together({**draft.values, **picked}, each)
            yield Action(
                type=each["type"], **{name: given[name] for name in params if name in given}
            )


def _together(given: Json, meant: Json) -> Json:
    """The values of two actions in one; where both have a list, it contains the members of both."""
    found = dict(given)
    for name, value in meant.items():
        held: Any = given.get(name)
        both = _many(held) and _many(value) and value[0] not in held
        found[name] = (*held, *value) if both else value
    return found


def _picked(params: Mapping[str, Param], chosen: Draft) -> Json | None:
    """The picked cards as the value of the first parameter for cards that has none.

    An empty object if no cards are picked; None if no parameter can take them.
    """
    if not chosen.picked:
        return {}
    for name, param in params.items():
        if param.kind in CARDS and name not in chosen.values:
            if param.kind == "card":
                return {name: chosen.picked[0]} if len(chosen.picked) == 1 else None
            return {name: chosen.picked}
    return None


def _is_legal(ruleset: Ruleset, legal: Sequence[Json], given: Json) -> bool:
    """Whether a legal action has these values; for lists, whether it has these members."""
    params = {each.name: each for each in ruleset.actions[given["type"]]}
    return any(
        action["type"] == given["type"]
        and all(
            _has(params[name], action.get(name), given[name]) for name in given if name != "type"
        )
        for action in legal
    )


def _has(param: Param, value: Any, given: Any) -> bool:
    if not _many(given):
        return same(value, given)
    if not _many(value) or len(given) > len(value):
        return False
    if param.kind == "sequence":
        return all(one == other for one, other in zip(value, given, strict=False))
    return all(list(value).count(each) >= list(given).count(each) for each in given)
