"""The history of a game in the caller's words and eyes: one fold for a page.

Who gave up a seat reads what happened until then as that seat saw it, and the rest as a spectator. Lines speak of
people by the names of those who held the seats at that time.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from sqlalchemy import select

from rules.kernel import Json
from service import paces
from service.answers import GameAnswer, people_names
from service.clock import SECOND
from service.database import db
from service.log import States, fold
from service.models import Event, Player, Tenure
from service.outside import rfc3339

PUBLIC = ("number", "kind", "seat", "by")
"""What of an event everybody is told: how many there are and who acted is public in every ruleset."""
TOLD = {
    "handover": ("seat", "house", "why"),
    "extend": ("seat", "seconds"),
    "close": ("seat", "why", "winners"),
}
"""What else is told of events that the rules do not see."""


def page(
    states: States, answer: GameAnswer, after: int, limit: int
) -> tuple[list[Json], int | None]:
    """The events after number `after`, at most `limit`, and the number to go on after (None: that was all)."""
    query = (
        select(Event.body, Event.at)
        .where(Event.game_key == answer.game.key, Event.number > after)
        .where(Event.number <= min(after + limit, answer.game.number))
        .order_by(Event.number)
    )
    rows = db.session.execute(query).all()
    state = states.load(db.session, answer.game, min(after, answer.game.number))
    seats, told = Holders(answer), list[Json]()
    for row in rows:
        event: Json = json.loads(row.body)
        before, state = state, fold(answer.table.ruleset, state, [event])
        number = event["number"]
        names = seats.names(number)
        if state is before:
            lines = [seats.own_line(event, names)]
        else:
            lines = answer.lines(state, (seats.viewer(number), names))
        if event.get("by") == "timeout":
            lines.insert(0, _line(answer, "timeout", {"seat": event["seat"]}, names))
        told.append(_entry(event, row.at, lines))
    last = after + len(rows)
    return told, last if rows and last < answer.game.number else None


class Holders:
    """Who held the seats of a game, and when."""

    def __init__(self, answer: GameAnswer) -> None:
        self._answer = answer

    @cached_property
    def _tenures(self) -> list[Any]:
        """Every tenure that held a seat, in the order in which they began."""
        named = ("id", "seat", "began", "ended", "sat_at", "player_id", "erased")
        query = (
            select(*(getattr(Tenure, name) for name in named), Player.name)
            .outerjoin(Player, Player.id == Tenure.player_id)
            .where(Tenure.game_key == self._answer.game.key, Tenure.seat.is_not(None))
            .order_by(Tenure.seat, Tenure.place)
        )
        return list(db.session.execute(query))

    @cached_property
    def _changed(self) -> bool:
        return any(tenure.ended for tenure in self._tenures)

    def viewer(self, number: int) -> int | None:
        """The seat through whose eyes the caller may see event `number`."""
        held = self._answer.viewer.held
        return held.seat if held and number <= held.until else self._answer.seat

    def names(self, number: int) -> list[str]:
        """The names of those who held the seats when event `number` was logged, by seat."""
        if not self._changed:
            return self._answer.names
        present = [
            each
            for each in self._tenures
            if (each.began or 1) <= number and (each.ended is None or number < each.ended)
        ]
        return people_names(present, self._answer.words)

    def then(self, at: int, *, before: bool) -> list[str]:
        """Their names at a time (ms UTC), by seat; `before`: of two who held a seat at that very time, the first."""
        held: dict[int, Any] = {}
        for each in self._tenures:
            began = each.sat_at if each.began and each.began > 1 else 0
            if began < at or (began == at and not before):
                held[each.seat] = each
        return people_names(held.values(), self._answer.words)

    def own_line(self, event: Json, names: list[str]) -> Json:
        """What the service tells of an event that the rules do not see."""
        kind, words = event["kind"], self._answer.words
        fields: Json = {key: event[key] for key in TOLD.get(kind, ()) if event[key] is not None}
        read = dict(fields)
        if kind == "handover":
            nameless = {True: words.say("person.gone"), False: words.say("house.some")}
            called = {each.id: each.name or nameless[each.erased] for each in self._tenures}
            read |= {"old": called[event["from"]], "new": called[event["to"]]}
        if kind == "extend":
            read["time"] = paces.duration(event["seconds"] * SECOND, words)
        return _line(self._answer, kind, fields, names, read)


def _line(
    answer: GameAnswer, name: str, fields: Json, names: list[str], read: Json | None = None
) -> Json:
    key = f"event.{name}" + (f".{fields['why']}" if "why" in fields else "")
    words = answer.words.say(key, read or fields, names)
    return {"line": name, **fields, "words": words}


def _entry(event: Json, at: int, lines: list[Json]) -> Json:
    keys = (*PUBLIC, *TOLD.get(event["kind"], ()))
    public: dict[str, Any] = {key: event[key] for key in keys if key in event}
    return {**public, "at": rfc3339(at), "lines": lines}
