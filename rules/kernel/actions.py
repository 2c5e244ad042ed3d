"""Actions: the declarations of their parameters, the JSON Schemas that follow, and who knows what was done.

Only here is it declared who knows a parameter: everybody or, if it is `secret`, only the acting seat, even after the
game. A choice is sealed until the event that opens it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.kernel.declarations import Viewer
from rules.kernel.states import State, is_open
from rules.kernel.values import Json, JsonValue, plain, same

_CARD = r"([A2-9TJQK][shdc]|Jk)"
_TYPES: Mapping[str, Json] = {
    "card": {"type": "string", "pattern": f"^{_CARD}$"},
    "cards": {"type": "string", "pattern": f"^{_CARD}$"},
    "sequence": {"type": "string", "pattern": f"^{_CARD}$"},
    "seat": {"type": "integer"},
    "number": {"type": "integer"},
    "position": {"type": "integer"},
    "tile": {"type": "string", "pattern": "^[0-9]{1,2}-[0-9]{1,2}$"},
    "suit": {"type": "string", "enum": ["s", "h", "d", "c"]},
    "rank": {"type": "string", "enum": list("A23456789TJQK")},
    "choice": {},
    "flag": {"type": "boolean"},
}
"""The JSON Schema of a value, or of a member of a list, by kind; `values` of a parameter narrow it."""
_PYTHON = {"string": str, "integer": int, "boolean": bool}
"""The Python types that correspond to the types in JSON Schemas."""


class Param(NamedTuple):
    """A parameter of an action. Its kind is card, cards, sequence, seat, number, position, suit, rank, choice or flag.

    `values` are the possible values of the parameter, or of a member of its list; `size` is the possible length of a
    list. `optional` means that not every action of its type has it. `secret` means that only the acting seat ever knows
    it; the others are not even told whether the action had it.
    """

    name: str
    kind: str
    values: Sequence[JsonValue] = ()
    size: tuple[int, int] | None = None
    optional: bool = False
    secret: bool = False


class Chosen(NamedTuple):
    """A sealed choice, as far as a viewer may know it, and the seat that made it."""

    seat: int
    action: Json


class Taken(NamedTuple):
    """A viewer's knowledge of an action (None while it is sealed), and of the choices that its event opened."""

    action: Json | None
    opened: tuple[Chosen, ...]


Types = Mapping[str, tuple[Param, ...]]
"""The parameters of each type of action."""


def taken(actions: Types, before: State, event: Json, after: State, viewer: Viewer) -> Taken:
    """The part of an event's action that `viewer` may know, and the choices that the event opened."""
    seat, action = event["seat"], event["action"]
    own = viewer is not None and viewer == seat
    shown = None
    if own or is_open(before, action):
        shown = _known(actions, action, own=own)
    opened = [
        Chosen(other, _known(actions, choice, own=viewer is not None and viewer == other))
        for other, choice in enumerate(before.opens(event, after))
        if choice is not None
    ]
    return Taken(shown, tuple(opened))


def _known(actions: Types, action: Mapping[str, Any], *, own: bool) -> Json:
    """The action without its secret parameters; the whole action if it is the viewer's `own`."""
    secret = {each.name for each in actions[action["type"]] if each.secret and not own}
    known: Json = {name: plain(value) for name, value in action.items() if name not in secret}
    return known


def is_declared(actions: Types, action: Json, players: int, *, whole: bool = True) -> bool:
    """Whether an action fits the schema of its type at a table for this number of players.

    Unless the action has to be `whole`, parameters may be missing.
    """
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in actions:
        return False
    known = {each.name: each for each in actions[kind]}
    given = action.keys() - {"type"}
    needed = {name for name, each in known.items() if whole and not each.optional}
    may_be = (_may_be(known[name], action[name], players) for name in given if name in known)
    return needed <= given <= known.keys() and all(may_be)


def _may_be(parameter: Param, value: object, players: int) -> bool:
    if parameter.size is None:
        return _is_value(parameter, value, players)
    least, most = parameter.size
    if not isinstance(value, list) or not least <= len(value) <= most:
        return False
    return all(_is_value(parameter, each, players) for each in value)


def _is_value(parameter: Param, value: object, players: int) -> bool:
    schema = value_schema(parameter.kind, parameter.values, players)
    if "enum" in schema:
        return any(same(each, value) for each in schema["enum"])
    if "type" in schema and type(value) is not _PYTHON[schema["type"]]:
        return False
    if isinstance(value, str) and "pattern" in schema:
        return re.fullmatch(schema["pattern"], value) is not None
    if isinstance(value, int) and "minimum" in schema:
        return bool(schema["minimum"] <= value <= schema["maximum"])
    return not isinstance(value, dict | list)


def action_schema(kind: str, parameters: tuple[Param, ...], players: Sequence[int]) -> Json:
    """The JSON Schema (Draft 2020-12) that fits every action of a type, at tables for any of these numbers of
    players.
    """
    required = [each.name for each in parameters if not each.optional]
    return {
        "type": "object",
        "properties": {
            "type": {"const": kind},
            **{each.name: _schema(each, max(players)) for each in parameters},
        },
        "required": ["type", *required],
        "additionalProperties": False,
    }


def _schema(parameter: Param, players: int) -> Json:
    value = value_schema(parameter.kind, parameter.values, players)
    if parameter.size is None:
        return value
    least, most = parameter.size
    return {
        "type": "array",
        "items": value,
        "minItems": least,
        "maxItems": most,
        "uniqueItems": True,
    }


def value_schema(kind: str, values: Sequence[JsonValue], players: int) -> Json:
    """The JSON Schema of a value of this kind, limited to the declared values; for lists, the schema of a member."""
    schema = _TYPES[kind]
    values = range(players) if kind == "seat" else values
    if isinstance(values, range):
        return {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if not values:
        return schema
    types = {"type": schema["type"]} if "type" in schema else {}
    return {**types, "enum": list(values)}
