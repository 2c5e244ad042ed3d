"""Refusals: the exceptions for what the rules do not accept, and reasons from the list of legal actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.kernel.actions import Param
from rules.kernel.values import Json, JsonValue, distinct, same


class Invalid(ValueError):
    """Raised for a number of players or options that this ruleset does not have.

    `wrong` names the option that is at fault; None if it is not a single one.
    """

    def __init__(self, what: str, wrong: str | None = None) -> None:
        super().__init__(what)
        self.wrong = wrong


class Illegal(ValueError):
    """Raised for an event that cannot happen now; `why` is `{"wrong": what, "may": [possible values]}`."""

    def __init__(self, wrong: str, may: Sequence[JsonValue]) -> None:
        super().__init__(f"illegal {wrong}")
        self.why: Json = {"wrong": wrong, "may": list(may)}


def why(
    actions: Mapping[str, Sequence[Param]], legal: Sequence[Json], action: object
) -> tuple[str, list[JsonValue]]:
    """The part of `action` that is at fault, and the values that would be possible there.

    The part is "type", with the types of the legal actions. Or it is the first parameter, in the order declared in
    `actions`, whose value occurs in none of the remaining legal actions, with the values that do occur.
    """
    types = distinct(member["type"] for member in legal)
    sent = action if isinstance(action, dict) else {}
    left = [member for member in legal if same(member["type"], sent.get("type"))]
    if not left:
        return "type", types
    for name in [each.name for each in actions[left[0]["type"]]]:
        agreed = [member for member in left if _agree(member, sent, name)]
        if not agreed:
            return name, distinct(member[name] for member in left if name in member)
        left = agreed
    return "type", types  # it has a parameter that is unknown to its type


def _agree(member: Json, sent: Json, name: str) -> bool:
    if name not in member or name not in sent:
        return (name in member) == (name in sent)
    return same(member[name], sent[name])
