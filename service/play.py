"""Playing: an action, the chance it leads to and all that follows are one commit under a lock on the game's row.

A seat answers a *question*: it posts back `asked`, the number of the last event that changed what it is asked. A
legal answer to the present question is logged; the same answer again is acknowledged with the event it is; anything
else is stale. So repeats, double clicks and answers that came too late are one rule, and `UNIQUE (game, seat, asked)`
proves it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select, update

from rules.kernel import Illegal, Json, Ruleset, State, same
from service import reminders, waits
from service.chance import shuffle
from service.database import db, transaction
from service.letters import letters_due
from service.log import States, append
from service.models import Event, Game, Seat, Tenure
from service.models_clock import Proposal
from service.outside import Outside
from service.problems import IllegalAction, NotRunning, OtherAnswer, Stale
from service.table import Table, find
from service.waits import Answered


class Played(NamedTuple):
    """An acknowledged answer: its event, whether it is new, and the table afterwards."""

    number: int
    new: bool
    table: Table
    state: State


class Course(NamedTuple):
    """What one decision leads to: the events, the state after them, and the question each seat is asked then."""

    events: list[Json]
    state: State
    asked: list[int]
    closed: Json | None = None
    """The result, if the last event closes the game outside the rules."""

    def result(self, ruleset: Ruleset) -> Json | None:
        """How the game has ended, or None."""
        found = ruleset.result(self.state)
        return found._asdict() if found else self.closed

    def waiting(self, ruleset: Ruleset) -> tuple[int, ...]:
        """The seats that are waited for then."""
        return () if self.closed else ruleset.turn(self.state).waiting

    @property
    def answered(self) -> Answered:
        """Whose answer it began with."""
        first = self.events[0]
        return Answered(first["seat"], first["by"]) if first["kind"] == "action" else Answered()


def play(
    outside: Outside, states: States, table: Table, player_id: str, asked: int, action: Any
) -> Played:
    """A person's answer to question `asked`. Raises NotSeated, NotRunning, Stale, OtherAnswer, IllegalAction."""
    table.seated(player_id)
    if table.game.status == "running":
        states.load(
            db.session, table.game
        )  # before the lock; under it only what is new is folded in
    with transaction():
        table = find(table.game.id, lock=True)
        seat = table.seated(player_id)
        if table.game.status == "open":
            raise NotRunning
        state = states.load(db.session, table.game)
        if asked != seat.asked or answered(table, seat, asked):
            return repeated(table, state, seat, asked, action)
        played = answer(outside, table, state, seat, action, by="seat")
    states.put(played.table.game.id, played.table.game.number, played.state)
    return played


def answered(table: Table, seat: Any, asked: int) -> Json | None:
    """The event that answered this question, if there is one. Only a seat that is not waiting can have answered."""
    if seat.waiting and asked == seat.asked:
        return None
    query = select(Event.body).where(
        Event.game_key == table.game.key, Event.seat == seat.seat, Event.asked == asked
    )
    body = db.session.scalar(query)
    return json.loads(body) if body else None


def repeated(table: Table, state: State, seat: Any, asked: int, action: Any) -> Played:
    """The acknowledgement of an answer that is logged already. Raises OtherAnswer or Stale."""
    event = answered(table, seat, asked)
    if event is None:
        raise Stale(table=table, state=state)
    if not same(event["action"], action):
        raise OtherAnswer(table=table, state=state, number=event["number"])
    return Played(event["number"], False, table, state)


def answer(
    outside: Outside, table: Table, state: State, seat: Any, action: Any, *, by: str
) -> Played:
    """Log a seat's answer to its present question, and what follows. The caller owns lock and commit."""
    ruleset = table.ruleset
    if table.game.status == "over":
        raise NotRunning
    try:
        listed = ruleset.listed(state, seat.seat, action)
    except Illegal as illegal:
        raise IllegalAction(table=table, state=state, seat=seat.seat, why=illegal.why) from None
    event = {"kind": "action", "seat": seat.seat, "action": listed, "by": by, "asked": seat.asked}
    held = sorted(table.people, key=lambda person: person.seat)
    course = follow(table, state, event, [person.asked for person in held])
    number = table.game.number + 1
    return Played(number, True, record(outside, table, course), course.state)


def follow(table: Table, state: State, event: Json, asked: list[int]) -> Course:
    """Play `event` and every shuffle that it leads to."""
    game, ruleset = table.game, table.ruleset
    events, asked = [event], list(asked)
    while True:
        number, before = game.number + len(events), state
        if event["kind"] != "start":
            state = ruleset.act(before, event)
        for seat in range(game.players):
            if event.get("seat") == seat or changed(ruleset, before, state, seat):
                asked[seat] = number
        chance = ruleset.turn(state).chance
        if chance is None:
            return Course(events, state, asked)
        outcome = shuffle(game.seed, game.id, table.nonces, number + 1, chance.items)
        event = {"kind": "chance", "name": chance.name, "outcome": outcome}
        events.append(event)


def changed(ruleset: Ruleset, before: State, after: State, seat: int) -> bool:
    """Whether the seat is asked something else: more than who has committed or passed."""
    return ruleset.question(before, seat) != ruleset.question(after, seat)


def record(outside: Outside, table: Table, course: Course, **more: Any) -> Table:
    """Write a course of events and what follows from it; `more` are further values of the game's row."""
    now = outside.now()
    values = append(db.session, table.game, course.events, outside.entropy, now)
    values |= {"revision": table.game.revision + 1} | more
    result = course.result(table.ruleset)
    if result:
        values |= {"status": "over", "ended_at": now, "result": result, "asking": 0}
        write_results(table, result, now)
    db.session.execute(_GAME, {"of": table.game.key, **values})
    people = asked_now(table, course, now)
    write_questions(table, people)
    after = Table(Row(table.game, values), people)
    letters_due(outside, table, after, course.events)
    known = {(person.seat, person.asked, person.due) for person in table.people}
    new = [each for each in people if (each.seat, each.asked, each.due) not in known]
    reminders.plan(outside, {(table.game.key, each.seat) for each in new if each.due is not None})
    return after


def asked_now(table: Table, course: Course, now: int) -> tuple[Any, ...]:
    """The people after the course: a new question, or a wait that begins, is a new wait."""
    waiting, answered = course.waiting(table.ruleset), course.answered
    people, lines, at = [], [], waits.moment(table.game, now)
    for person in table.people:
        question = course.asked[person.seat], person.seat in waiting
        new, why = waits.following(table.game, person, at, *question, answered)
        people.append(Row(person, new))
        lines += why
    waits.write_lines(lines)
    return tuple(people)


def write_questions(table: Table, people: tuple[Any, ...]) -> None:
    """Store what has changed of the questions."""
    before = {person.tenure: (person.asked, person.waiting) for person in table.people}
    rows = [
        {"game": table.game.key, "of": person.seat}
        | {name: getattr(person, name) for name in _QUESTION_COLUMNS}
        for person in people
        if (person.asked, person.waiting) != before[person.tenure]
    ]
    if rows:
        db.session.execute(_QUESTION, rows)


def write_results(table: Table, result: Json, now: int) -> None:
    """Keep for each tenure how its game ended, as ratings will ask; what the table was asked is asked no more."""
    if table.game.asking:
        db.session.execute(_LAPSE, {"of": table.game.key, "ended_at": now})
    winners = result["winners"]
    rows = [
        {"of": person.tenure, "result": "won" if person.seat in winners else "lost"}
        for person in table.people
    ]
    db.session.execute(_RESULT, rows if winners else [{**row, "result": "none"} for row in rows])


_QUESTION_COLUMNS = ("asked", "waiting", "misses", *waits.TIME)
_games, _seats = Game.metadata.tables["games"], Seat.metadata.tables["seats"]
_GAME = update(_games).where(_games.c.key == bindparam("of"))
_QUESTION = update(_seats).where(
    _seats.c.game_key == bindparam("game"), _seats.c.seat == bindparam("of")
)
_tenures = Tenure.metadata.tables["tenures"]
_RESULT = update(_tenures).where(_tenures.c.id == bindparam("of"))
_proposals = Proposal.metadata.tables["proposals"]
_LAPSE = update(_proposals).where(
    _proposals.c.game_key == bindparam("of"), _proposals.c.status == "open"
)
_LAPSE = _LAPSE.values(status="lapsed", ended_at=bindparam("ended_at"))


class Row:
    """A row of the database with some values that have just been written."""

    def __init__(self, row: Any, values: Json) -> None:
        self._row = row
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, name)
