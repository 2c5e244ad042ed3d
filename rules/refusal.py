"""Why an action is not legal, worked out from the list of those that are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.values import Json, distinct, same


def why(
    actions: Mapping[str, Iterable[tuple[str, str]]], legal: list[Json], action: Any
) -> tuple[str, list[Any]]:
    """What is wrong with `action`, and what it may be.

    "type": there is none such now, and these are; or the first parameter, as declared in `actions`, that no legal
    action left shares, and the values it may have.
    """
    types = distinct(member["type"] for member in legal)
    kind = action.get("type") if isinstance(action, dict) else None
    left = [member for member in legal if same(member["type"], kind)]
    if not left:
        return "type", types
    for name, _ in actions[left[0]["type"]]:
        agreed = [member for member in left if _agree(member, action, name)]
        if not agreed:
            return name, distinct(member[name] for member in left if name in member)
        left = agreed
    return "type", types  # a parameter that this type does not have


def _agree(member: Json, action: Json, name: str) -> bool:
    if name not in member or name not in action:
        return (name in member) == (name in action)
    return same(member[name], action[name])
