"""Moves: an action, its shuffles and all its other effects are one commit under a lock on the game's row.

The effects of a person's answer are computed before the lock, from the table that was read. The first statement under
the lock takes the row only in the revision that was read, and every change of a table raises its revision. If somebody
was faster, everything is computed again, this time under the lock.

A seat answers a *question*: it sends back `asked`, the number of the last event that changed its question. A legal
answer to the present question is logged; the same answer again is acknowledged with the event that logged it; any other
answer is stale. This one rule covers repetitions, double clicks and late answers, and `UNIQUE (game, seat, asked)`
enforces it.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple, cast

from sqlalchemy import TextClause, bindparam, select, text, update

from rules.kernel import (
    Draft,
    Foreseen,
    Illegal,
    Json,
    Obstacle,
    State,
    Touched,
    foresee,
    obstacle,
    same,
)
from service.core.counts import prometheus
from service.core.database.batches import Overtaken
from service.core.database.database import batch, db, transaction, write
from service.core.models.games import Game, Seat, Tenure
from service.core.models.proposals import Proposal
from service.core.runtime.problems import IllegalAction, NotRunning, OtherAnswer, Stale
from service.core.runtime.time_and_random import Runtime
from service.log import events
from service.log.event_log import answer_to, append, chained, fold
from service.log.events import Action, By, Clock, Event, Start
from service.log.table_rows.asked_first import asked_first
from service.log.table_rows.table import Holder, Table, find
from service.log.table_rows.taking_back import Recent
from service.outbox.causes import after_move
from service.people.ratings import results
from service.tables.clocks import own_answers, seat_clocks
from service.tables.clocks.arithmetic import GivenBack, Wait
from service.tables.play import outside_clocks, scripted_moves
from service.tables.play.daily_deals import answers, tries
from service.tables.services import Services


class Played(NamedTuple):
    """An acknowledged answer: the number of its event, whether it is new, and the table afterwards."""

    number: int
    new: bool
    table: Table
    state: State
    shown: Json | None = None
    """The person's view of the game, if it was requested."""


Show = Callable[[Table, State], Json]


class Effects(NamedTuple):
    """The effects of one event: the events, the state after them, and the question of each seat then."""

    events: list[Event]
    state: State
    asked: list[int]
    answers: int | None = None
    """The question that the first event answers, if it is an action."""
    closed: Json | None = None
    """The result, if the last event closes the game outside the rules."""
    lesson: int | None = None
    """The progress of a lesson (service/tables/play/scripted_moves.py)."""
    recent: Recent | None = None
    """The actions that can be taken back afterwards; None if they are the same as before."""
    given_back: Mapping[int, GivenBack] = {}
    """The clocks of seats whose answers are taken back."""


def play(
    services: Services,
    table: Table,
    player_id: str,
    asked: int,
    action: object,
    show: Show | None = None,
    write_beside: Callable[[], None] = lambda: None,
) -> Played:
    """Log a person's answer to a question, and return the acknowledgement.

    Raises NotSeated, NotRunning, Stale, OtherAnswer, IllegalAction and, while an outside clock runs, TooManyRequests.

    `show` makes the person's view of the table; if that fails, nothing is played. `write_beside` writes further rows in
    the same commit.
    """
    given = player_id, asked, action, show, write_beside
    try:
        played = _play(services, table, *given)
    except Overtaken:
        with transaction():
            table = find(table.game.id, lock=True)
            played = _play(services, table, *given, locked=True)
    services.states.put(played.table.game, played.state)
    if played.new:
        prometheus.move("seat")
    return played


def _play(
    services: Services,
    table: Table,
    player_id: str,
    asked: int,
    action: object,
    show: Show | None,
    write_beside: Callable[[], None],
    *,
    locked: bool = False,
) -> Played:
    """Like `play`; also raises Overtaken, unless the caller has `locked` the table and owns the commit."""
    holder = table.holding(player_id)
    state = services.states.load(table.game)
    if earlier := repeated(table, state, holder, asked, action):
        return earlier._replace(shown=show and show(table, state))
    answers.refuse_early(table, holder, state)
    outside_clocks.refuse(table, holder, services.now())
    effects = effects_of(table, state, holder, action, by="seat")
    change = changed_by(services, table, effects)
    shown = show and show(change.after, effects.state)
    unlocked = transaction if is_told(change) else batch  # what is told is numbered, so read
    with nullcontext() if locked else unlocked():
        write_change(services, change)
        write_beside()
    return Played(table.game.number + 1, True, change.after, effects.state, shown)


def preview(
    services: Services, table: Table, player_id: str, asked: int, action: object
) -> Foreseen:
    """The changes that a person's answer would cause, as far as their seat can know.

    Raises whatever `play` raises, and writes nothing. The result is the same for everybody who knows as much, because
    its randomness has fixed seeds. An answer that is already logged changes nothing more.
    """
    holder = table.holding(player_id)
    state = services.states.load(table.game)
    if repeated(table, state, holder, asked, action):
        return Foreseen([], [])
    listed = listed_action(table, state, holder, action)
    return foresee(table.ruleset, state, holder.seat, listed, random.Random)


def why_not(
    services: Services, table: Table, player_id: str, asked: int, draft: Draft, touched: Touched
) -> Obstacle | None:
    """The reason why a person cannot choose what they have touched, as far as their seat can know; None if they can.

    Raises NotSeated, NotRunning and Stale, and writes nothing.
    """
    holder = table.holding(player_id)
    state = services.states.load(table.game)
    if asked != holder.asked:
        raise Stale(table=table, state=state)
    if table.game.is_over:
        raise NotRunning
    return obstacle(table.ruleset, state, holder.seat, draft, touched)


def answered(table: Table, holder: Holder, asked: int) -> Action | None:
    """The event that answered this question; None if there is none.

    A seat that has to act has not answered.
    """
    if holder.waiting and asked == holder.asked:
        return None
    event = answer_to(table.game, holder.seat, asked)
    stands = event is not None and event["number"] not in table.game.taken_back
    return event if event and stands and event["kind"] == "action" else None


def repeated(
    table: Table, state: State, holder: Holder, asked: int, action: object
) -> Played | None:
    """The acknowledgement of an answer that is already logged; None if this is the first answer to the present
    question.

    Raises OtherAnswer for another answer to an answered question, otherwise Stale.
    """
    event = answered(table, holder, asked)
    if event is None and asked == holder.asked:
        return None
    if event is None:
        raise Stale(table=table, state=state)
    if not same(event["action"], action):
        raise OtherAnswer(table=table, state=state, number=event["number"])
    return Played(event["number"], False, table, state)


def answer(
    runtime: Runtime, table: Table, state: State, holder: Holder, action: object, *, by: By
) -> Played:
    """Log a seat's answer and its effects. The caller owns lock and commit. Raises NotRunning, IllegalAction."""
    effects = effects_of(table, state, holder, action, by=by)
    after = record(runtime, table, effects)
    return Played(table.game.number + 1, True, after, effects.state)


def effects_of(table: Table, state: State, holder: Holder, action: object, *, by: By) -> Effects:
    """The effects of a seat's answer to its present question. Raises NotRunning and IllegalAction."""
    event = events.action(holder.seat, listed_action(table, state, holder, action), by)
    effects = follow(table, state, event, [each.asked for each in table.holders])
    return effects._replace(answers=holder.asked)


def listed_action(table: Table, state: State, holder: Holder, action: object) -> Json:
    """The entry of `legal` that equals this action. Raises NotRunning and IllegalAction."""
    if table.game.is_over:
        raise NotRunning
    try:
        return table.ruleset.listed(state, holder.seat, action)
    except Illegal as illegal:
        raise IllegalAction(table=table, state=state, why=illegal.why, action=action) from None


def follow(table: Table, state: State, event: Start | Action | Clock, asked: list[int]) -> Effects:
    """The effects of `event`: the shuffles that follow, and answers of house players in lessons and daily deals.

    `asked` are the questions before it, by seat.
    """
    game, ruleset, lesson = table.game, table.ruleset, table.game.lesson
    logged, asked, recent = list[Event](), list(asked), game.recent
    following, kept = cast(Event, event), answers.KeptAnswers(table)
    while True:
        number, before = game.number + len(logged) + 1, state
        state, actor = fold(ruleset, before, [following]), None
        if following["kind"] == "action":
            actor = following["seat"]
            lesson = scripted_moves.after(table, lesson, following)
        at_once = outside_clocks.act_at_once(ruleset, before, state)
        for seat in range(game.players):
            if seat == actor or (not at_once and ruleset.asks_anew(before, state, seat)):
                asked[seat] = number
        logged.append(following)
        recent = recent.after(ruleset, before, {**following}, state)
        due = ruleset.turn(state).chance
        if due is not None:
            ordinal = 1 + game.shuffles + shuffles_in(logged)
            outcome = table.shuffler.outcome(due.items, number=number + 1, ordinal=ordinal)
            following = events.chance(due.name, outcome)
            continue
        at_hand = scripted_moves.answer(table, lesson, state) or kept.answer(state, logged)
        if at_hand is None:
            return Effects(logged, state, asked, lesson=lesson, recent=recent)
        following = at_hand


def shuffles_in(logged: list[Event]) -> int:
    """The number of shuffles among these events."""
    return sum(event["kind"] == "chance" for event in logged)


def record(runtime: Runtime, table: Table, effects: Effects, **more: object) -> Table:
    """Write events and their effects, and return the table afterwards; `more` are other columns of the game to set.

    The caller owns the lock and the commit.
    """
    change = changed_by(runtime, table, effects, **more)
    write_change(runtime, change)
    return change.after


class TableChange(NamedTuple):
    """Everything that a commit writes about a game, except mail."""

    before: Table
    after: Table
    effects: Effects
    columns: Json
    """The new values of the game's row."""
    logged: list[Json]
    """The rows of the log."""
    lines: list[Json]
    """The reasons for changes of clocks."""
    now: int
    outdated: list[int]
    """The keys of proposals to take back actions that can no longer be taken back."""


def outdated_requests(table: Table, standing: Json) -> list[int]:
    """The keys of open proposals to take back actions other than the `standing` one, which can still be taken back."""
    if not table.game.asking:
        return []
    recent, found = Recent.of(standing, standing["number"]), list[int]()
    for key, terms in db.session.execute(_REQUESTS, {"game": table.game.key}):
        wish = recent.of_seat(terms["seat"], table.holders[terms["seat"]].began or 1)
        if wish is None or wish.event != terms["event"]:
            found.append(key)
    return found


def changed_by(runtime: Runtime, table: Table, effects: Effects, **more: object) -> TableChange:
    """The changes that `effects` make; nothing is written."""
    now, game = runtime.now(), table.game
    tip, logged = chained(game, effects.events, runtime.entropy, now, answers=effects.answers)
    shuffles = game.shuffles + shuffles_in(effects.events)
    columns: Json = {**tip._asdict(), "shuffles": shuffles, "revision": game.revision + 1, **more}
    columns["standing"] = recent_after(table, effects).stored
    if effects.lesson is not None:
        columns["lesson"] = effects.lesson
    ended = table.ruleset.result(effects.state)
    result = ended._asdict() if ended else effects.closed
    if result:
        columns |= {"status": "over", "ended_at": now, "result": result, "asking": 0}
        columns["standing"] = None
    clock_due = outside_clocks.due_after(table, effects.state, now, over=bool(result))
    if clock_due != game.clock_due:
        columns["clock_due"] = clock_due
    holders, lines = asked_now(table, effects, now)
    outdated = [] if result else outdated_requests(table, columns["standing"])
    if outdated:
        columns["asking"] = game.asking - len(outdated)
    after = replace(table, game=game._replace(**columns), people=holders)
    return TableChange(table, after, effects, columns, logged, lines, now, outdated)


def recent_after(table: Table, effects: Effects) -> Recent:
    """The actions that can be taken back after `effects`."""
    if effects.recent is not None:
        return effects.recent
    recent = table.game.recent
    for event in effects.events:  # the rules do not see this event
        recent = recent.after(table.ruleset, effects.state, {**event}, effects.state)
    return recent


def write_change(runtime: Runtime, change: TableChange) -> None:
    """Write a change. Raises Overtaken if the table no longer has the revision for which it was computed."""
    before, after = change.before, change.after
    of = {"of": before.game.key, "read": before.game.revision}
    write(_GAME, {**of, **change.columns}, only_if_found=True)
    append(change.logged)
    for key in change.outdated:
        write(_OUTDATED, {"of": key, "ended_at": change.now})
    if "result" in change.columns:
        write_results(before, change.columns["result"], change.now)
        is_closed = change.effects.closed is not None
        results.note(before, change.columns["result"], change.now, closed=is_closed)
        tries.note(before.game, change.columns["result"], change.now, closed=is_closed)
    seat_clocks.write_lines(change.lines)
    write_questions(before, after.holders)
    after_move.queue_mails(runtime, before, after, change.effects.events)
    if is_told(change):
        after_move.note_events(change.now, before, after, change.effects.events)


def is_told(change: TableChange) -> bool:
    """Whether this change concerns somebody whose programs may follow it: somebody at the table or, at the end,
    somebody who could still return.
    """
    return "result" in change.columns or any(each.listens for each in change.after.people)


def asked_now(table: Table, effects: Effects, now: int) -> tuple[tuple[Holder, ...], list[Json]]:
    """The holders after `effects`, and the reasons for changes of their clocks.

    A new question begins a new wait, and so does a seat that now has to act.
    """
    turn = table.ruleset.turn(effects.state)
    waiting = () if effects.closed else asked_first(table.game, turn.waiting)
    first = effects.events[0]
    answer = first if first["kind"] == "action" else None
    holders, lines, at = list[Holder](), list[Json](), seat_clocks.clock_moment(table, now)
    for holder in table.holders:
        question = effects.asked[holder.seat], holder.seat in waiting
        back = effects.given_back.get(holder.seat)
        new, why = seat_clocks.after_commit(table.game, holder, at, *question, answer, back)
        new |= own_answers.looks_at(holder, now, *question)
        holders.append(replace(holder, **new))
        lines += why
    return tuple(holders), lines


def write_questions(table: Table, holders: tuple[Holder, ...]) -> None:
    """Store the questions that have changed."""
    before = {each.seat: (each.asked, each.waiting) for each in table.holders}
    changed = [each for each in holders if (each.asked, each.waiting) != before[each.seat]]
    values = {
        f"{name}_{n}": getattr(holder, name)
        for n, holder in enumerate(changed)
        for name in ("seat", *_QUESTION_COLUMNS)
    }
    if changed:
        write(_questions(len(changed)), {"game": table.game.key, **values})


@functools.cache  # one statement for each number of seats that a game can have
def _questions(count: int) -> TextClause:
    """The UPDATE for this number of questions. One statement for each seat would cost as much for every seat."""
    names = ("seat", *_QUESTION_COLUMNS)
    rows = (", ".join(f":{name}_{n}" for name in names) for n in range(count))
    query = f"""
        WITH new ({", ".join(names)}) AS (VALUES {", ".join(f"({row})" for row in rows)})
        UPDATE seats SET {", ".join(f"{name} = new.{name}" for name in _QUESTION_COLUMNS)}
        FROM new WHERE seats.game_key = :game AND seats.seat = new.seat
    """  # noqa: S608 - names of columns
    typed = [
        bindparam(f"{name}_{n}", type_=_seats.c[name].type) for n in range(count) for name in names
    ]
    return text(query).bindparams(bindparam("game", type_=_seats.c.game_key.type), *typed)


def write_results(table: Table, result: Json, now: int) -> None:
    """Store how the game ended for each tenure, for the ratings; open proposals lapse."""
    if table.game.asking:
        write(_LAPSE, {"of": table.game.key, "ended_at": now})
    winners = result["winners"]
    for holder in table.holders:
        has_won = "won" if holder.seat in winners else "lost"
        write(_RESULT, {"of": holder.tenure, "result": has_won if winners else "none"})


_QUESTION_COLUMNS = ("asked", "waiting", "misses", "acts_from", "acts_at", *Wait._fields)
_games, _seats = Game.metadata.tables["games"], Seat.metadata.tables["seats"]
_GAME = update(_games).where(
    _games.c.key == bindparam("of"), _games.c.revision == bindparam("read")
)
_tenures = Tenure.metadata.tables["tenures"]
_RESULT = update(_tenures).where(_tenures.c.id == bindparam("of"))
_proposals = Proposal.metadata.tables["proposals"]
_LAPSE = update(_proposals).where(
    _proposals.c.game_key == bindparam("of"), _proposals.c.status == "open"
)
_LAPSE = _LAPSE.values(status="lapsed", ended_at=bindparam("ended_at"))
_REQUESTS = select(_proposals.c.key, _proposals.c.terms).where(
    _proposals.c.game_key == bindparam("game"),
    _proposals.c.status == "open",
    _proposals.c.kind == "takeback",
)
_OUTDATED = update(_proposals).where(_proposals.c.key == bindparam("of"))
_OUTDATED = _OUTDATED.values(status="lapsed", ended_at=bindparam("ended_at"))
