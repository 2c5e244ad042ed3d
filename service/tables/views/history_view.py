"""The history of a game as the viewer may know it, in the viewer's language: its events, and the table after each.

Somebody who gave up a seat sees the events up to that moment as that seat saw them, and later events as a spectator.
Lines name the people who held the seats at the time. Once a game is over, all its tables can be shown openly, as in its
record. Each page takes a single fold of the log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Row, select

from rules.kernel import Json
from service.core.database.database import columns, db, rows
from service.core.models.games import Tenure, TimeEntry
from service.core.models.people import Player
from service.core.runtime.problems import NotFound, NotOver
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.core.words.pieces import Piece, without_cards, worded
from service.core.words.words import YOU, Phrases, Reader, You, duration
from service.log.event_log import Passed, last_of_seat, read
from service.log.events import Event
from service.tables.clocks import paces
from service.tables.play.orders import orders
from service.tables.services import Services
from service.tables.views import clock_view, told_history
from service.tables.views.game_view import GameAnswer
from service.tables.views.news import is_news
from service.tables.views.orders import orders_view
from service.tables.views.people_names import name_in_list
from service.tables.views.told_history import (
    Section,
    last_told,
    latest,
    sealed_choices,
    sections,
)

PUBLIC_MEMBERS = ("number", "kind", "seat", "by")
"""The members of an event that everybody sees: in every ruleset, the number of events and their actors are public."""
SERVICE_MEMBERS = {
    "handover": ("seat", "house", "why"),
    "extend": ("seat", "seconds"),
    "void": ("seat", "event", "why"),
    "version": ("from", "to"),
    "close": ("seat", "why", "winners"),
}
"""The further members that everybody sees, by the kind of event that the rules do not see."""
ENDINGS = ("answered", "late", "changed", "withdrawn")
"""The kinds of entries about the end of a wait. They come before a handover at the same time."""
MOST_LINES = 30
"""The most lines that are shown about what happened since a turn."""
MOST_EVENTS = 200
"""The most events that are read for these lines."""


class History(NamedTuple):
    """Some events, the number after which to continue (None: there are no more), and the parts in which the first event
    happened.
    """

    events: list[Json]
    following: int | None
    parts: list[Json]


def page(services: Services, answer: GameAnswer, after: int, limit: int) -> History:
    """The history with at most `limit` events after number `after`."""
    found, following = services.states.page(answer.game, after, limit)
    seats, entries = SeatHistory(answer, bare=True), list[Json]()
    for passed in found:
        event, reader = passed.event, seats.reader(passed.number)
        past = seats.viewer(passed.number), reader
        if passed.number in answer.game.taken_back:
            entries.append(_undone(answer, passed))
            continue
        own = passed.after is passed.before
        lines = seats.own_lines(event, reader) if own else answer.lines(passed.after, past)
        told = entry(answer, passed, past, lines)
        entries.append(told | _headings(answer, passed, told["lines"], reader))
    return History(entries, following, _parts_before(answer, seats, found))


def _undone(answer: GameAnswer, passed: Passed) -> Json:
    """The entry for an action that was taken back. It says who acted, but nothing about the action or what it
    showed.
    """
    void = answer.game.taken_back[passed.number]
    nothing: Json = {"action": None, "opened": [], "moment": None, "news": False}
    return _entry(passed.event, passed.at, []) | nothing | {"undone": void}


def _headings(answer: GameAnswer, passed: Passed, lines: list[Json], reader: Reader) -> Json:
    """The member `headings` of an event in which a part of the game begins. Lines that repeat a heading are marked."""
    told = 0 if passed.after is passed.before else len(passed.after.told)
    own, ruleset = len(lines) - told, answer.table.ruleset
    begun = ruleset.headings(None if passed.number == 1 else passed.before, passed.after)
    told_history.note_repeats(ruleset, begun, lines[own:])
    found = told_history.headings(begun, own, answer.words, reader)
    return {"headings": found} if found else {}


def _parts_before(answer: GameAnswer, seats: SeatHistory, found: list[Passed]) -> list[Json]:
    """The parts of the game in which the first of these events happened, outer parts first."""
    if not found or found[0].number == 1:
        return []
    reader = seats.reader(found[0].number)
    parts = enumerate(found[0].before.parts())
    return [told_history.part(each, depth, answer.words, reader) for depth, each in parts]


def entry(
    answer: GameAnswer, passed: Passed, past: tuple[int | None, Reader], lines: list[Json]
) -> Json:
    """The entry for an event with these lines; `past` is the seat whose view is used, together with the holders of the
    seats then.
    """
    event, (viewer, reader) = passed.event, past
    if event["kind"] == "action" and event["by"] == "timeout":
        lines = [_line(answer, "timeout", {"seat": event["seat"]}, reader), *lines]
    told = _entry(event, passed.at, lines)
    if event["kind"] == "action":
        known = answer.table.ruleset.taken(passed.before, {**event}, passed.after, viewer)
        told |= {"action": known.action, "opened": [each._asdict() for each in known.opened]}
        told["moment"] = _moment(answer, passed)
        if told["moment"]:
            told_history.note_outcomes(answer.table.ruleset, lines)
    return told | {"news": is_news(told, told.get("action"), lines, reader.seat)}


def _moment(answer: GameAnswer, passed: Passed) -> str | None:
    """The kind of moment at which the table stops after an event; None if it does not."""
    if passed.number in answer.game.taken_back:
        return None
    return answer.table.ruleset.moment(passed.before, {**passed.event}, passed.after)


class SeatTenure(NamedTuple):
    """The holder of a seat, with the first and the last event of the tenure."""

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


class SeatHistory:
    """The holders of a game's seats over time.

    With `bare`, names do not say which holders are programs, because other members of the response do.
    """

    def __init__(self, answer: GameAnswer, *, bare: bool = False) -> None:
        self._answer = answer
        self._names_of = answer.bare_names_of if bare else answer.names_of

    @cached_property
    def _tenures(self) -> list[SeatTenure]:
        """Every tenure that held a seat, in the order in which they began."""
        query = (
            select(*columns(SeatTenure, Tenure.__table__, Player.__table__))
            .outerjoin(Player, Player.id == Tenure.player_id)
            .where(Tenure.game_key == self._answer.game.key, Tenure.seat.is_not(None))
            .order_by(Tenure.seat, Tenure.place)
        )
        return rows(SeatTenure, query)

    def viewer(self, number: int) -> int | None:
        """The seat as which the viewer may see event `number`; None for a spectator."""
        held = self._answer.viewer.held
        return held.seat if held and number <= held.until else self._answer.seat

    def reader(self, number: int) -> Reader:
        """The viewer as a reader, with the people who held the seats when event `number` was logged."""
        if not any(each.ended for each in self._tenures):
            return Reader(self._names_of(self._answer.table.people), self._answer.seat)
        present = [
            each
            for each in self._tenures
            if (each.began or 1) <= number and (each.ended is None or number < each.ended)
        ]
        return self._reader(present)

    def reader_at(self, at: int, *, before: bool) -> Reader:
        """The viewer as a reader at a time (ms UTC); exactly at a handover, with the former holder if `before`."""
        held: dict[int, SeatTenure] = {}
        for each in self._tenures:
            began = each.sat_at if each.began and each.began > 1 else 0
            if began < at or (began == at and not before):
                held[each.seat] = each
        return self._reader(held.values())

    def _reader(self, present: Collection[SeatTenure]) -> Reader:
        """The viewer as a reader, with these holders of the seats; the viewer may be one of them."""
        own = next((each.seat for each in present if self._is_own(each)), None)
        return Reader(self._names_of(present), own)

    def _is_own(self, tenure: SeatTenure) -> bool:
        who = self._answer.viewer.player_id
        return who is not None and tenure.player_id == who

    def own_lines(self, event: Event, reader: Reader) -> list[Json]:
        """The lines for an event that the rules do not see; none for actions that are undone together with somebody's
        own.
        """
        if event["kind"] == "void":
            game, undone = self._answer.game, event["event"]
            (action,) = read(game.key, undone - 1, undone)
            if action["kind"] != "action" or action["seat"] != event["seat"]:
                return []
        return [self._own_line(event, reader)]

    def _own_line(self, event: Event, reader: Reader) -> Json:
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
        """A person's name for a sentence in which they are introduced, or `You` for the viewer."""
        if self._is_own(tenure):
            return YOU
        return self._answer.as_read(name_in_list(tenure, self._answer.words))


def _line(
    answer: GameAnswer, name: str, fields: Json, reader: Reader, read: Json | None = None
) -> Json:
    key = f"event.{name}" + (f".{fields['why']}" if "why" in fields else "")
    return {"line": name, **fields, **worded(answer.words, key, read or fields, reader)}


def _entry(event: Event, at: int, lines: list[Json]) -> Json:
    keys = (*PUBLIC_MEMBERS, *SERVICE_MEMBERS.get(event["kind"], ()))
    members: Json = {**event}
    return {
        **{name: members[name] for name in keys if name in members},
        "at": rfc3339(at),
        "lines": lines,
    }


def past_tables(
    services: Services, answer: GameAnswer, after: int, limit: int, *, everything: bool
) -> tuple[list[Json], int | None]:
    """The table after each of at most `limit` events after number `after`, and the number after which to continue, if
    any.

    With `everything`, all cards are face up; then NotOver is raised while the game is running.
    """
    if everything and not answer.game.is_over:
        raise NotOver
    found, following = services.states.page(answer.game, after, limit)
    seats = SeatHistory(answer)
    tables = [
        table_after(
            answer, each, (seats.viewer(each.number), seats.reader(each.number)), everything
        )
        for each in found
    ]
    return tables, following


def past_table(services: Services, answer: GameAnswer, number: int, *, everything: bool) -> Json:
    """The table after event `number`. Raises NotFound if there is no such event yet, and NotOver like `past_tables`."""
    found, _ = past_tables(services, answer, number - 1, 1, everything=everything)
    if not found:
        raise NotFound
    return found[0]


def table_after(
    answer: GameAnswer, passed: Passed, past: tuple[int | None, Reader], everything: bool
) -> Json:
    """The table after an event, with what lay there at its moment; `past` is the seat that sees it, and the reader."""
    ruleset, (seat, reader) = answer.table.ruleset, past
    view = ruleset.open_view(passed.after) if everything else ruleset.view(passed.after, seat)
    then = None if everything else passed.after
    stopped = answer.stopped_at(passed.number, passed.after)
    moment = None
    if kind := _moment(answer, passed):
        course = passed.before, {**passed.event}, passed.after
        seen = ruleset.moment_view(*course, seat, everything=everything)
        moment = answer.worded_moment(seen, kind, reader)
    return {
        "number": passed.number,
        "at": rfc3339(passed.at),
        "seat": None if everything else seat,
        "view": answer.worded_view(view, reader, then, stopped=stopped),
        "moment": moment,
    }


class Since(NamedTuple):
    """The last sections of the history, whether there are earlier ones, and whether the viewer has acted in
    this game.
    """

    sections: list[Section]
    more: bool
    own: bool = False
    last: str = ""
    """The last line in a form that others may see, with the number of cards instead of the cards."""
    orders: Sequence[str] = ()
    """News of the viewer's standing orders, in sentences."""

    @property
    def lines(self) -> list[str]:
        """The lines in order, without headings."""
        return [line for section in self.sections for line in section.lines]


def since_last_turn(services: Services, answer: GameAnswer) -> Since:
    """The news for the viewer since their last action, including its effects; since the start if they have not acted.

    Actions in that seat by a house player or an earlier holder, and actions that the service has played for the viewer,
    are news and not the viewer's own. As long as there is no news, the viewer's own action is shown, so that people who
    play without scripts read that it was accepted.
    """
    me = answer.me
    for_them = orders.numbers(orders.played(me.tenure)) if me is not None else set()
    mine = (Tenure.game_key == answer.game.key) & (Tenure.player_id == answer.viewer.player_id)
    held = select(Tenure.began, Tenure.ended).where(mine, Tenure.began.is_not(None))
    spans = [(row.began, row.ended) for row in db.session.execute(held)]
    last = last_of_seat(answer.game, answer.seat, spans, for_them) if spans else None
    told = since(services, answer, (last or 1) - 1, news=True, for_them=for_them)
    if not told.lines:
        told = since(services, answer, (last or 1) - 1)
    said = orders_view.news(answer, last or 1) if me is not None else []
    return told._replace(own=last is not None, orders=said)


def since(
    services: Services,
    answer: GameAnswer,
    after: int,
    *,
    news: bool = False,
    for_them: Collection[int] = (),
) -> Since:
    """The history after event `after`, or only the `news` in it for the viewer, including moves played for them."""
    first = max(after, answer.game.number - MOST_EVENTS)
    events, _, parts = page(services, answer, first, MOST_EVENTS)
    events = [each | {"news": True} if each["number"] in for_them else each for each in events]
    sealed = sealed_choices(services, answer)
    told = sections(events, parts, sealed, news=news)
    known = [event for event in events if event["news"] or not news]
    shown, last = latest(told, MOST_LINES), last_told(known, sealed)
    in_public = without_cards(answer.words, map(Piece.of, last["pieces"])) if last else ""
    return Since(shown, first > after or shown != told, last=in_public)


def clock(answer: GameAnswer, wish: Json) -> tuple[Json, str | None]:
    """The reasons for everybody's time (Clock in openapi.yaml), and the cursor of the next page, if there is one.

    `wish` can have seat, cursor and limit.
    """
    game, words, then = answer.game, answer.words, SeatHistory(answer).reader_at
    query = select(TimeEntry.__table__).where(TimeEntry.game_key == game.key)
    if "seat" in wish:
        query = query.where(TimeEntry.seat == wish["seat"])
    if "cursor" in wish:
        query = query.where(TimeEntry.key < int(wish["cursor"]))
    query = query.order_by(TimeEntry.key.desc()).limit(wish["limit"] + 1)
    found = db.session.execute(query).all()
    page = found[: wish["limit"]]
    pace = paces.loaded(game.pace)
    clock = {
        "pace": paces.shown(pace, words, game.rest),
        "paused": clock_view.paused(game),
        "entries": [
            _time_entry(
                row, pace.kind == "reserve", words, then(row.at, before=row.kind in ENDINGS)
            )
            for row in page
        ],
    }
    return clock, str(page[-1].key) if found[len(page) :] else None


def _time_entry(row: Row[*tuple[Any, ...]], reserve: bool, words: Phrases, reader: Reader) -> Json:
    fields = {"seat": row.seat, "time": duration(row.ms, words)}
    return {
        "seat": row.seat,
        "at": rfc3339(row.at),
        "kind": row.kind,
        "seconds": row.ms // SECOND,
        "due": row.due and rfc3339(row.due),
        "reserve": row.reserve // SECOND if reserve else None,
        "extra": row.extra // SECOND,
        "words": words.say(f"time.{row.kind}", fields, reader),
    }
