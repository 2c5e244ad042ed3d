"""The verification of take-backs: which actions may be undone, and the state in which the game then continues."""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel import Json, Ruleset, State, only_chosen, turned
from service.log.events import FOR_RULES
from service.log.records.record_text import demand


class Played(NamedTuple):
    """An action that has not been undone, with the states before and after it."""

    before: State
    event: Json
    after: State


class Recent:
    """The actions since the last shuffle that have not been undone. Methods that check raise VerificationError."""

    def __init__(self) -> None:
        self._played: list[Played] = []
        self._began: dict[int, int] = {}
        """The event that gave each seat to its present holder."""
        self._due: Json | None = None
        """The last take-back, while events that complete it are still missing."""

    def check(self, event: Json) -> None:
        """Check that actions that are undone together are undone by consecutive events."""
        due, number = self._due, event["number"]
        if due is not None:
            goes_on = event["kind"] == "void" and event["seat"] == due["seat"]
            demand(goes_on and event["why"] == "agreed", f"what is undone before event {number}")

    @property
    def is_whole(self) -> bool:
        """Whether the last take-back is complete."""
        return self._due is None

    def note(self, before: State, event: Json, after: State) -> None:
        """Note the next event, which leads from `before` to `after` and is not a take-back."""
        if event["kind"] == "action":
            self._played.append(Played(before, event, after))
        elif event["kind"] in ("chance", "clock", "version"):
            self._played = []
        elif event["kind"] == "handover":
            self._began[event["seat"]] = event["number"]

    def undo(self, ruleset: Ruleset, void: Json) -> State:
        """The state without the action that this event takes back."""
        number, played = void["number"], self._played
        at = [n for n, each in enumerate(played) if each.event["number"] == void["event"]]
        demand(len(at) == 1, f"what event {number} takes back")
        undone, since = played[at[0]], played[at[0] :]
        if void["why"] == "free":
            self._check_own(void, undone)
            alone = not any(each.event["seat"] == void["seat"] for each in since[1:])
            unseen = all(only_chosen(ruleset, *each) for each in since)
            demand(alone and unseen, f"what event {number} takes back was seen")
        else:
            demand(len(since) == 1, f"what event {number} takes back is not the last")
            demand(not turned(*undone), f"what event {number} takes back was turned")
            is_own = undone.event["seat"] == void["seat"]
            self._due = None if is_own else void
            if is_own:
                self._check_own(void, undone)
        return self._without(ruleset, at[0])

    def _check_own(self, void: Json, undone: Played) -> None:
        """Check that a person who takes an action back has chosen it."""
        seat, action, number = void["seat"], undone.event, void["number"]
        own = action["seat"] == seat and action["by"] == "seat"
        present = action["number"] > self._began.get(seat, 0)
        demand(own and present, f"who takes back in event {number}")

    def _without(self, ruleset: Ruleset, at: int) -> State:
        """The state after playing all of these actions again except the one at this index."""
        state, later = self._played[at].before, self._played[at + 1 :]
        del self._played[at:]
        for each in later:
            seen = {name: each.event[name] for name in FOR_RULES["action"]}
            before, state = state, ruleset.apply(state, seen)
            self._played.append(Played(before, each.event, state))
        return state
