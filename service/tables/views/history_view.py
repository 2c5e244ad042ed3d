"""The history of a game as the viewer may know it, in the viewer's language; each page takes one fold.

Somebody who gave up a seat sees events up to then as that seat saw them, and later ones as a spectator. Lines name the
people who held the seats at the time.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import columns, db, rows
from service.core.models.games import Tenure
from service.core.models.people import Player
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.core.words.words import YOU, Reader, You, duration
from service.log.event_log import States
from service.log.events import Event
from service.tables.views.game_view import GameAnswer
from service.tables.views.people_names import name_in_list

PUBLIC_MEMBERS = ("number", "kind", "seat", "by")
"""What everybody sees of an event: in every ruleset the number of events and who acted are public."""
SERVICE_MEMBERS = {
    "handover": ("seat", "house", "why"),
    "extend": ("seat", "seconds"),
    "version": ("from", "to"),
    "close": ("seat", "why", "winners"),
}
"""What else everybody sees of events that the rules do not see."""


def page(
    states: States, answer: GameAnswer, after: int, limit: int
) -> tuple[list[Json], int | None]:
    """The events after number `after`, at most `limit`, and the number to continue after, if there are more."""
    found = states.page(db.session, answer.game, after, limit)
    seats, entries = SeatHistory(answer), list[Json]()
    for passed in found.passed:
        event, reader = passed.event, seats.reader(passed.number)
        if passed.after is passed.before:
            lines = [seats.own_line(event, reader)]
        else:
            lines = answer.lines(passed.after, (seats.viewer(passed.number), reader))
        if event["kind"] == "action" and event["by"] == "timeout":
            lines.insert(0, _line(answer, "timeout", {"seat": event["seat"]}, reader))
        entry = _entry(event, passed.at, lines)
        if event["kind"] == "action":
            ruleset, viewer = answer.table.ruleset, seats.viewer(passed.number)
            known = ruleset.taken(passed.before, {**event}, passed.after, viewer)
            entry |= {"action": known.action, "opened": [each._asdict() for each in known.opened]}
        entries.append(entry)
    return entries, found.following


class SeatTenure(NamedTuple):
    """Who held a seat, from which event to which."""

    id: str
    seat: int
    player_id: str | None
    began: int | None
    ended: int | None
    sat_at: int
    name: str | None
    house_name: str | None
    house_level: str | None
    program: bool | None


_tenure, _player = Tenure.metadata.tables["tenures"], Player.metadata.tables["players"]


class SeatHistory:
    """Who held the seats of a game, and when."""

    def __init__(self, answer: GameAnswer) -> None:
        self._answer = answer

    @cached_property
    def _tenures(self) -> list[SeatTenure]:
        """Every tenure that held a seat, in the order in which they began."""
        query = (
            select(*columns(SeatTenure, _tenure, _player))
            .outerjoin(Player, Player.id == Tenure.player_id)
            .where(Tenure.game_key == self._answer.game.key, Tenure.seat.is_not(None))
            .order_by(Tenure.seat, Tenure.place)
        )
        return rows(SeatTenure, query)

    @cached_property
    def _changed(self) -> bool:
        return any(tenure.ended for tenure in self._tenures)

    def viewer(self, number: int) -> int | None:
        """The seat from whose view the viewer may see event `number`."""
        held = self._answer.viewer.held
        return held.seat if held and number <= held.until else self._answer.seat

    def reader(self, number: int) -> Reader:
        """The viewer, and those who held the seats when event `number` was logged."""
        if not self._changed:
            return self._answer.reader
        present = [
            each
            for each in self._tenures
            if (each.began or 1) <= number and (each.ended is None or number < each.ended)
        ]
        return self._reader(present)

    def reader_at(self, at: int, *, before: bool) -> Reader:
        """The same at a time (ms UTC); just at a handover, with the former holder if `before`."""
        held: dict[int, SeatTenure] = {}
        for each in self._tenures:
            began = each.sat_at if each.began and each.began > 1 else 0
            if began < at or (began == at and not before):
                held[each.seat] = each
        return self._reader(held.values())

    def _reader(self, present: Collection[SeatTenure]) -> Reader:
        """The viewer, who may hold one of these, by seat."""
        own = next((each.seat for each in present if self._is_own(each)), None)
        return Reader(self._answer.names_of(present), own)

    def _is_own(self, tenure: SeatTenure) -> bool:
        who = self._answer.viewer.player_id
        return who is not None and tenure.player_id == who

    def own_line(self, event: Event, reader: Reader) -> Json:
        """The line for an event that the rules do not see."""
        kind, words = event["kind"], self._answer.words
        members: Json = {**event}
        fields = {
            name: members[name]
            for name in SERVICE_MEMBERS.get(kind, ())
            if members[name] is not None
        }
        read = dict(fields)
        if event["kind"] == "handover":
            called = {each.id: self._called(each) for each in self._tenures}
            read |= {"old": called[event["from"]], "new": called[event["to"]]}
        if event["kind"] == "extend":
            read["time"] = duration(event["seconds"] * SECOND, words)
        return _line(self._answer, kind, fields, reader, read)

    def _called(self, tenure: SeatTenure) -> str | You:
        """A name where somebody is introduced."""
        if self._is_own(tenure):
            return YOU
        return self._answer.as_read(name_in_list(tenure, self._answer.words))


def _line(
    answer: GameAnswer, name: str, fields: Json, reader: Reader, read: Json | None = None
) -> Json:
    key = f"event.{name}" + (f".{fields['why']}" if "why" in fields else "")
    words = answer.words.say(key, read or fields, reader)
    return {"line": name, **fields, "words": words}


def _entry(event: Event, at: int, lines: list[Json]) -> Json:
    keys = (*PUBLIC_MEMBERS, *SERVICE_MEMBERS.get(event["kind"], ()))
    members: Json = {**event}
    return {
        **{name: members[name] for name in keys if name in members},
        "at": rfc3339(at),
        "lines": lines,
    }
