"""The verification of events outside the rules: who acts, handovers, pauses, extra time, newer versions, early ends."""

from __future__ import annotations

from rules.kernel import Json, Result, Ruleset, State, same
from service.log.records.record_text import demand

CHECKED = ("handover", "pause", "resume", "extend", "void", "version", "close")
"""The kinds of events outside the rules, which are checked here."""


class TableCheck:
    """The state of the table apart from the game's state. Every method that checks raises VerificationError.

    The form of all events has been checked before (verify_form.py).
    """

    def __init__(self, start: Json) -> None:
        self._holders = list(start["seats"])
        brought = (each["tenure"] for each in start["nonces"] if isinstance(each, dict))
        self._known = {*self._holders, *brought}
        self._house: dict[int, bool] = dict(enumerate(start.get("house", ())))
        """Whether a house player holds each seat. Up to format 2, only for seats that have acted or changed hands."""
        self._left: dict[int, str] = {}
        """The reason why a person last gave up each seat."""
        self._played_by: int = start["version"]
        """The version of the rules."""
        self._paused = False
        self._late: int | None = None
        """The seat that acted last, if that was a time-out and the seat has not changed hands since."""
        self.result: Result | None = None

    def check(self, ruleset: Ruleset, state: State, event: Json) -> None:
        """Check the next event, which follows `state`. Raises VerificationError if it cannot follow."""
        number, kind = event["number"], event["kind"]
        demand(self.result is None, f"event {number} comes after the end")
        if kind == "action":
            self._action(ruleset, state, event)
        elif kind == "clock":
            demand(not self._paused, f"the clock of event {number}: the clocks are stopped")
        elif kind in CHECKED:
            demand(ruleset.result(state) is None, f"event {number} comes after the end")
            demand(ruleset.turn(state).chance is None, f"a shuffle is due before event {number}")
            getattr(self, f"_{kind}")(event)

    def _action(self, ruleset: Ruleset, state: State, event: Json) -> None:
        """Check that people act for people's seats and house players for theirs, and that a time-out plays the
        fallback.
        """
        by, seat, number = event["by"], self._seat(event), event["number"]
        house = self._house.setdefault(seat, by == "house")
        demand(house == (by == "house"), f"who played event {number}")
        if by == "timeout":
            demand(not self._paused, f"the time-out of event {number}: the clocks are stopped")
            fallback = ruleset.fallback(state, seat)
            demand(same(fallback, event["action"]), f"the time-out of event {number}")
        self._late = seat if by == "timeout" else None

    def _handover(self, event: Json) -> None:
        """Check that a person's seat goes to a house player or the other way round, and that every tenure is new."""
        number, seat, tenure = event["number"], self._seat(event), event["to"]
        demand(event["from"] == self._holders[seat], f"who gave up the seat in event {number}")
        demand(tenure not in self._known, f"who took the seat in event {number}")
        house, why, was_house = event["house"], event["why"], self._house.get(seat)
        demand(house == (why not in ("returned", "substitute")), f"the reason in event {number}")
        demand(was_house is not house, f"who gave up the seat in event {number}")
        resigns = why == "resigned" and len(self._holders) == 2  # that ends the game
        demand(not resigns, f"the reason in event {number}")
        returns = self._left.get(seat, "left") != "left"
        demand(why != "returned" or returns, f"who returned in event {number}")
        demand(why != "timeouts" or self._late == seat, f"the reason in event {number}")
        self._holders[seat], self._house[seat] = tenure, house
        self._known.add(tenure)
        self._left |= {seat: why} if house else {}
        self._late = None if self._late == seat else self._late

    def _pause(self, event: Json) -> None:
        demand(not self._paused, f"the pause of event {event['number']}")
        self._paused = True

    def _resume(self, event: Json) -> None:
        demand(self._paused, f"there was no pause before event {event['number']}")
        self._paused = False

    def _extend(self, event: Json) -> None:
        self._seat(event)
        demand(event["seconds"] > 0, f"the time of event {event['number']}")

    def _void(self, event: Json) -> None:
        """Check the seat of the event; verify_voids.py checks the rest."""
        self._seat(event)
        self._late = None

    def _version(self, event: Json) -> None:
        number, old, new = event["number"], event["from"], event["to"]
        demand(old == self._played_by, f"the version before event {number}")
        demand(new > old, f"the version of event {number} is not newer")
        self._played_by = new

    def _close(self, event: Json) -> None:
        """Check that, in a game of two, one player resigns and the other wins; any other early end has no winner."""
        why, number = event["why"], event["number"]
        if why == "resigned":
            seat = self._seat(event)
            demand(self._house.get(seat) is not True, f"who resigned in event {number}")
            demand(len(self._holders) == 2, f"who wins in event {number}")
            demand(event["winners"] == [1 - seat], f"who wins in event {number}")
        else:
            demand(event["seat"] is None and event["winners"] == [], f"who wins in event {number}")
        scores = (None,) * len(self._holders)
        self.result = Result(tuple(event["winners"]), scores, why)

    def holders(self) -> list[tuple[str, bool | None]]:
        """The holder of each seat: the tenure, and whether it is a house player's; None if the log does not say."""
        return [(tenure, self._house.get(seat)) for seat, tenure in enumerate(self._holders)]

    @property
    def paused(self) -> bool:
        """Whether the clocks of the table are stopped."""
        return self._paused

    def _seat(self, event: Json) -> int:
        """The seat that the event names. Raises VerificationError if there is no such seat."""
        seat = event["seat"]
        there = seat is not None and 0 <= seat < len(self._holders)
        demand(there, f"the seat of event {event['number']}")
        return int(seat)
