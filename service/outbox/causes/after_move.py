"""The effects of a commit's events: emails, and the changes that programs are told of. Both are part of the commit.

A turn email belongs to one question to one tenure: when the question changes, the email is replaced. People who have
used the service in the last minutes get their email a little later, if it still matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from sqlalchemy import select

from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.returns import FormerHolder, who_may_return
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE
from service.log import changes
from service.log.changes import AtGame
from service.log.events import Event
from service.log.table_rows.table import Holder, Table
from service.outbox import queue
from service.outbox.causes import own_moves, reminders
from service.outbox.causes.reminders import Deadline
from service.outbox.recipients import last_seen

ONLINE_FOR = 3 * MINUTE
"""The time (ms) after their last request for which people count as online."""
ONLINE_DELAY = 5 * MINUTE
"""The time (ms) for which people who are online can see the news on the page before they are mailed."""
ANNOUNCED = {"handover", "pause", "resume", "extend"}
"""The kinds of events that are announced to everybody; `close` is mailed as the end of the game."""
TOLD = ("handover", "pause", "resume", "extend", "void", "version")
"""The kinds of events that are also changes, with the same name; `close` is the end of the game."""


def queue_mails(runtime: Runtime, before: Table, after: Table, events: Sequence[Event]) -> None:
    """Queue the emails that these events cause; cancel emails that no longer apply. The caller owns lock and commit."""
    answered = [
        each.tenure for each in asked_otherwise(before, than=after) if each.mailed is not None
    ]
    deadlines, key, now = _new_deadlines(before, after), after.game.key, runtime.now()
    queue.cancel_outdated(runtime, answered, [each.tenure for each in deadlines])
    acted = {event["seat"] for event in events if event["kind"] in ("action", "void")}
    due = [
        (each, _due_time(now, now if each.seat in acted else each.mailed))
        for each in after.holders
        if each.mailed is not None
    ]
    ends = after.game.is_over and not before.game.is_over
    if ends:
        number = after.game.number
        told: list[tuple[queue.SeatedPlayer, int]] = [*due, *_former_holders(runtime, after)]
        rows = [queue.row_at_table("over", key, each, number, run_at=at) for each, at in told]
    else:
        _announce(runtime, before, events, due)
        asked = {each.tenure for each in asked_otherwise(after, than=before)}
        asked |= {event["to"] for event in events if event["kind"] == "handover"}
        rows = [
            queue.row_at_table("turn", key, each, each.asked, run_at=_after_a_look(each, at))
            for each, at in due
            if each.waiting and each.tenure in asked
        ]
    for deadline in deadlines:
        rows += reminders.mails_before(deadline, now)
    queue.put_rows(runtime, rows)
    _put_taken_over(runtime, after, events)


def note_events(now: int, before: Table, after: Table, events: Sequence[Event]) -> None:
    """Note the changes that these events make to what people are shown, in the caller's transaction."""
    where = AtGame(after.game.id, after.game.revision, now)
    if not before.game.number:
        changes.note("started", where, after.people)
    for kind in TOLD:
        if any(event["kind"] == kind for event in events):
            changes.note(kind, where, after.people)
    if after.game.is_over:
        changes.note("ended", where, after.people)
        if any(each.is_house for each in after.holders):
            former = who_may_return(after.game.key)
            changes.note_for("ended", where, [each.player_id for each in former])
    else:
        changes.note("turn", where, asked_otherwise(after, than=before))


def tell_former_holders(
    runtime: Runtime, table: Table, lost: Sequence[FormerHolder], number: int
) -> None:
    """Tell the people who could have taken a seat back that event `number` has given it away for good."""
    for player_id, run_at in due_times(runtime, {each.player_id for each in lost}).items():
        key, news = f"told {player_id} {number} {table.game.key}", {"event": number}
        queue.put_news(runtime, key, table.game.key, (player_id, None), news, run_at=run_at)


def _former_holders(runtime: Runtime, table: Table) -> list[tuple[FormerHolder, int]]:
    """The people who can take a seat back, each with the time at which an email to them is due (ms UTC)."""
    if not any(each.is_house for each in table.holders):
        return []
    former = {each.player_id: each for each in who_may_return(table.game.key)}
    return [(former[player], at) for player, at in due_times(runtime, former.keys()).items()]


def _announce(
    runtime: Runtime, before: Table, events: Sequence[Event], due: Sequence[tuple[Holder, int]]
) -> None:
    """Announce the service's own events to everybody except the person who caused them.

    A vote can also be the cause; the response to it tells the voter the result.
    """
    for number, event in enumerate(events, before.game.number + 1):
        for person, run_at in due if _is_announced(event, last=event is events[-1]) else ():
            is_told = person.tenure != event.get("to") and not is_cause(runtime, person.player_id)
            if is_told and person.player_id:
                key, told = f"told {person.tenure} {number}", (person.player_id, person.tenure)
                news = {"event": number}
                queue.put_news(runtime, key, before.game.key, told, news, run_at=run_at)


def _is_announced(event: Event, *, last: bool) -> bool:
    """Whether everybody is told of an event.

    They are told once of moves that were taken back together, and not of a choice that nobody had seen.
    """
    if event["kind"] == "void":
        return last and event["why"] == "agreed"
    return event["kind"] in ANNOUNCED


def is_cause(runtime: Runtime, player_id: str | None) -> bool:
    """Whether this player has sent the present request, whose response tells them the effects."""
    return player_id in (runtime.cause() or "").split()


def _after_a_look(person: Holder, at: int) -> int:
    """The time (ms UTC) of an email about a turn, after the worker has checked whether the service answers for the
    person.
    """
    return at + own_moves.LOOK if person.acts_alone else at


def _due_time(now: int, seen_at: int) -> int:
    """The time (ms UTC) at which an email to a person is due; later if they were seen just now."""
    return now + (ONLINE_DELAY if now - seen_at < ONLINE_FOR else 0)


def due_times(runtime: Runtime, player_ids: AbstractSet[str]) -> dict[str, int]:
    """The times (ms UTC) at which emails to these players are due, by player; players who cannot be told are left
    out.
    """
    seen, now = last_seen(player_ids) if player_ids else {}, runtime.now()
    return {player: _due_time(now, at) for player, at in seen.items()}


def _new_deadlines(before: Table, after: Table) -> list[Deadline]:
    """The new deadlines of people who can be reminded; empty while a table is paused."""
    known = {(each.seat, each.asked, each.due) for each in before.holders}
    game = after.game
    return [
        Deadline(
            *(game.key, each.seat, each.asked, each.since, each.due),
            *(each.tenure, each.player_id, each.reminders, game.rest),
        )
        for each in after.holders
        if each.due is not None and each.player_id is not None and each.mailed is not None
        if game.paused_at is None and (each.seat, each.asked, each.due) not in known
    ]


def _put_taken_over(runtime: Runtime, table: Table, events: Sequence[Event]) -> None:
    """Queue emails to people who have lost their seats by time-outs and can be told: they may not have noticed.

    The email names no tenure, because the tenure has ended and all emails to it are cancelled.
    """
    handovers = (event for event in events if event["kind"] == "handover")
    late = [event["from"] for event in handovers if event["why"] == "timeouts"]
    if not late:
        return
    query = select(Tenure.id, Tenure.player_id).where(Tenure.id.in_(late))
    lost = db.session.execute(query).all()
    seen = last_seen({player_id for _, player_id in lost if player_id})
    for tenure_id, player_id in lost:
        if player_id in seen:
            queue.put(
                runtime,
                "taken-over",
                f"taken-over {tenure_id}",
                player_id=player_id,
                game_key=table.game.key,
                number=table.game.number,
            )


def asked_otherwise(table: Table, than: Table) -> list[Holder]:
    """The holders at `table` who have to act, and at `than` did not have to or had another question."""
    asked = {each.tenure: each.asked for each in than.holders if each.waiting}
    return [each for each in table.holders if each.waiting and asked.get(each.tenure) != each.asked]
