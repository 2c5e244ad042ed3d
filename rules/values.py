"""Values as JSON has them: how states hold them, and when two of them are the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]


def plain(value: Any) -> Any:
    """`value` as JSON has it: lists for tuples."""
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


def frozen(value: Any) -> Any:
    """`value` with tuples for arrays."""
    if isinstance(value, list):
        return tuple(frozen(each) for each in value)
    if isinstance(value, dict):
        return {key: frozen(each) for key, each in value.items()}
    return value


def text(value: Any) -> str:
    """The canonical JSON text of a value whose numbers are integers or short decimals (RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def same(listed: Any, sent: Any) -> bool:
    """Whether two JSON values have the same canonical text.

    Text is compared only of what is `==`: it alone is slow, and `==` alone takes `True` for `1`.
    """
    return bool(listed == sent) and text(listed) == text(_whole(sent))


def distinct(values: Iterable[Any]) -> list[Any]:
    """`values` in their order, each once."""
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(text(value), value)
    return list(found.values())


def permutes(outcome: Any, items: tuple[str, ...]) -> bool:
    """Whether `outcome` is a list of `items` in some order."""
    if not isinstance(outcome, list) or not all(isinstance(item, str) for item in outcome):
        return False
    return sorted(outcome) == sorted(items)


def _whole(value: Any) -> Any:
    """`value` with 1 for 1.0, as canonical text has it."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    return value
