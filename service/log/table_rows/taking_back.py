"""The actions that can still be taken back, as a game's row keeps them: those since the last shuffle that are not
undone.

Nothing is taken back across a shuffle, or after a card was turned up: somebody then knows something new. An action that
has revealed no more than that a choice was made can be taken back by its seat alone. Any other action needs the consent
of the table, and later actions are undone with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from rules.kernel import Json, Ruleset, State, only_chosen, turned

MOST = 16
"""The largest number of actions that can be undone together; this number of actions is kept."""
MOST_OF_A_SEAT = 50
"""The largest number of take-backs of a seat in a game."""


class Standing(NamedTuple):
    """An action that can be taken back."""

    number: int
    seat: int
    is_own: bool
    """Whether the person in the seat chose the action, and not a house player, or the rules at a time-out."""
    only_chosen: bool
    """Whether the action has revealed no more than that a choice was made."""


class Recent(NamedTuple):
    """The last `MOST` actions up to event `number` that can be taken back, in order."""

    number: int = 0
    actions: tuple[Standing, ...] = ()

    @classmethod
    def of(cls, stored: Json | None, number: int) -> Self:
        """The actions that the game's row lists after event `number`; empty if an older release has continued the
        game.
        """
        if stored is None or stored["number"] != number:
            return cls(number)
        return cls(number, tuple(Standing(*each) for each in stored["actions"]))

    @property
    def stored(self) -> Json:
        """The form in which the row of a game stores these actions."""
        return {"number": self.number, "actions": [list(each) for each in self.actions]}

    def after(self, ruleset: Ruleset, before: State, event: Json, after: State) -> Self:
        """The actions after the next event, which leads from the state `before` to the state `after`."""
        kind, number = event["kind"], self.number + 1
        if kind in ("pause", "resume", "extend", "handover", "close"):
            return self._replace(number=number)
        if kind != "action" or ruleset.turn(after).chance is not None:
            return type(self)(number)
        is_sealed = only_chosen(ruleset, before, event, after)
        if not is_sealed and turned(before, event, after):
            return type(self)(number)
        new = Standing(number, event["seat"], event["by"] == "seat", is_sealed)
        return type(self)(number, (*self.actions, new)[-MOST:])

    def without(self, undone: Iterable[int], number: int) -> Self:
        """The actions after event `number`, which has taken the actions in `undone` back."""
        gone = set(undone)
        return type(self)(number, tuple(each for each in self.actions if each.number not in gone))

    def of_seat(self, seat: int, began: int) -> Wish | None:
        """The last action of a seat's holder since event `began`, with the way to take it back; None if there is
        none.
        """
        last = max((n for n, each in enumerate(self.actions) if each.seat == seat), default=None)
        if last is None:
            return None
        own, *later = self.actions[last:]
        if not own.is_own or own.number <= began:
            return None
        is_free = own.only_chosen and all(each.only_chosen for each in later)
        undone = [own.number] if is_free else [each.number for each in (own, *later)]
        return Wish(own.number, is_free, undone[::-1])


class Wish(NamedTuple):
    """The last action of a seat that it can take back: freely, or with the consent of the table."""

    event: int
    is_free: bool
    undone: Sequence[int]
    """The events that are undone with the action, the last first."""
