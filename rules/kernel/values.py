"""JSON values: how states hold them, and when two of them are the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, overload

JsonValue: TypeAlias = "Scalar | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
"""Anything that JSON can hold."""

Scalar = str | int | float | bool
"""A value without parts, such as the value of an option."""

_PLAIN, _ARRAYS = (str, int), (tuple, list)
"""Tuples of types for `isinstance`, which is faster with them than with unions; most values have no parts."""

_EXACT = frozenset({str, int, bool})
"""The types whose equal values always have equal JSON texts."""

Json = dict[str, Any]
"""A JSON object. Its values are Any: only the reader knows which members its `type`, `kind` or `name` implies."""


def _refuse(self: object, *args: object, **named: object) -> NoReturn:
    raise TypeError("what is legal cannot be changed; a copy of it can")


class Action(dict[str, Any]):
    """A legal action: a JSON object that nobody can change, since games list the same objects again and again.

    A copy of it is a plain dict, whose arrays are still `Array`s.
    """

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Json], tuple[Json]]:
        return dict, (dict(self),)


class Array(list[JsonValue]):
    """An array in a legal action, which cannot be changed either; a copy of it is a plain list."""

    __slots__ = ()

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[type[list[JsonValue]], tuple[list[JsonValue]]]:
        return list, (list(self),)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)

CODE = re.compile(r"[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+")
"""The pattern of the code of a card or a domino (specification of the rules, Notation)."""


@overload
def plain(value: Json) -> Json: ...
@overload
def plain(value: object) -> JsonValue: ...
def plain(value: object) -> JsonValue:
    """`value` in the form of JSON: lists instead of tuples."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, _ARRAYS):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value  # type: ignore[return-value]  # a scalar: states hold nothing else


@overload
def frozen(value: Json) -> Json: ...
@overload
def frozen(value: object) -> object: ...
def frozen(value: object) -> object:
    """`value` with tuples instead of lists."""
    kind = value.__class__
    if kind is str or kind is int:
        return value
    if isinstance(value, list):
        return tuple([each if each.__class__ is str else frozen(each) for each in value])
    if isinstance(value, dict):
        return {key: each if each.__class__ is str else frozen(each) for key, each in value.items()}
    return value


def text(value: object) -> str:
    """The canonical JSON text of a value whose numbers are integers or short decimals (RFC 8785)."""
    return _CANONICAL.encode(value)


def same(listed: object, sent: object) -> bool:
    """Whether two JSON values have the same canonical text.

    Texts are only compared if the values are `==`: texts alone would be slow, and `==` alone takes `True` for `1`.
    """
    if listed.__class__ is sent.__class__ and listed.__class__ in _EXACT:
        return bool(listed == sent)
    return bool(listed == sent) and text(listed) == text(_whole(sent))


def distinct(values: Iterable[JsonValue]) -> list[JsonValue]:
    """`values` in their order, without repetitions."""
    found: dict[str, JsonValue] = {}
    for value in values:
        found.setdefault(text(value), value)
    return list(found.values())


def permutes(outcome: object, items: tuple[str, ...]) -> bool:
    """Whether `outcome` is a list of `items` in some order."""
    if not isinstance(outcome, list) or not all(isinstance(item, str) for item in outcome):
        return False
    return sorted(outcome) == sorted(items)


def _whole(value: object) -> object:
    """`value` with integers in place of equal floats, such as 1 for 1.0, as in canonical text."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    return value
