"""Taking an action back: what anybody has learned from it, found by comparing declared views.

Both public functions are the same for everybody, and a program that knows the rules can check them (docs/record.md).
"""

from __future__ import annotations

from collections import Counter

from rules.kernel.declarations import Viewer, changed_zones
from rules.kernel.ruleset import Ruleset
from rules.kernel.states import State
from rules.kernel.turns import Turn
from rules.kernel.values import Json


def only_chosen(ruleset: Ruleset, before: State, event: Json, after: State) -> bool:
    """Whether an action has revealed to nobody, not even to its own seat, more than that a choice was made.

    The others see that it is committed; the seat also sees its own choice.
    """
    seat, chosen = event["seat"], [{"line": "chosen", "seat": event["seat"]}]
    if before.phase != after.phase or [*after.told] != chosen:
        return False
    if _others(ruleset.turn(before), seat) != _others(ruleset.turn(after), seat):
        return False
    for viewer in (None, *range(before.players)):
        old, new = ruleset.view(before, viewer), ruleset.view(after, viewer)
        if viewer == seat:
            new["facts"] = _without_own(new["facts"], event)
        if seat in old["committed"] or new["committed"] != sorted([*old["committed"], seat]):
            return False
        if {**old, "committed": None} != {**new, "committed": None}:
            return False
        if viewer != seat and ruleset.legal(before, viewer) != ruleset.legal(after, viewer):
            return False
    return True


def turned(before: State, event: Json, after: State) -> bool:
    """Whether an action has shown anybody a card that the acting seat did not see before, or opened others' choices.

    A seat may show what it knows itself, and take that back if the others agree. But if something was turned up, drawn
    or opened, somebody has learned it, and nobody can forget it.
    """
    seat = event["seat"]
    opened = before.opens(event, after)
    if any(choice for other, choice in enumerate(opened) if other != seat):
        return True
    own = _cards(before, after, seat)
    for viewer in (None, *range(before.players)):
        shown = _cards(after, before, viewer)
        if shown - own and shown - (own | _cards(before, after, viewer)):
            return True
    return False


def _others(turn: Turn, seat: int) -> Turn:
    """The turn without `seat` among its waiting and optional seats."""
    waiting, optional = (
        tuple(each for each in seats if each != seat) for seats in (turn.waiting, turn.optional)
    )
    return turn._replace(waiting=waiting, optional=optional)


def _without_own(facts: list[Json], event: Json) -> list[Json]:
    """The facts of a view without the choice that the seat committed in this event."""
    action = event["action"]
    own = {**action, "name": action["type"], "of": event["seat"]}
    del own["type"]
    return [fact for fact in facts if fact != own]


def _cards(state: State, other: State, viewer: Viewer) -> Counter[str]:
    """The number of each card that a viewer sees, in those zones that may differ from the other state."""
    shown = Counter[str]()
    for zone in changed_zones(state, other, viewer):
        for place in zone.get("cards", ()):
            card = place.get("card") if isinstance(place, dict) else place
            if card is not None:
                shown[card] += 1
    return shown
