"""Mails about a game in progress: queued in the commit of the events that cause them.

A turn mail belongs to one question to one tenure: when the question changes, its mail is replaced. People who have
used the service in the last minutes get their mail a little later, and only if it still matters then.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sqlalchemy import select

from service.core.database.database import rows
from service.core.models.games import Tenure
from service.core.models.returns import FormerHolder, who_may_return
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE
from service.log.events import Event
from service.log.table_rows.table import Holder, Table
from service.outbox import queue
from service.outbox.causes import reminders
from service.outbox.causes.reminders import Deadline
from service.outbox.recipients import last_seen

ONLINE_FOR = 3 * MINUTE
"""Ms after their last request for which somebody counts as being online."""
ONLINE_DELAY = 5 * MINUTE
"""Ms that people who are online have to see the news on the page before they are mailed."""
ANNOUNCED = {"handover", "pause", "resume", "extend"}
"""Events that are announced to everybody; `close` is mailed as the end of the game."""


class Addressed(NamedTuple):
    """A mail of a kind to a person at the table, who gets mail, about a question or an event."""

    kind: str
    person: Holder
    number: int


class LostSeat(NamedTuple):
    """A tenure that ended because of time-outs, and its player."""

    tenure_id: str
    player_id: str | None


def queue_mails(runtime: Runtime, before: Table, after: Table, events: Sequence[Event]) -> None:
    """Queue the mails that these events cause; cancel those that no longer apply. The caller owns lock and commit."""
    asked = _newly_asked(before, after)
    queue.cancel_outdated(runtime, _answered(before, after), [each.tenure for each in asked])
    told, mails = _announcements(before, after, events), _turns(before, after, events)
    if ends(before, after):
        told, mails = [], _to_all(after, "over", after.game.number)
    acted, now = {event["seat"] for event in events if event["kind"] == "action"}, runtime.now()
    for each in told:
        _put_news(runtime, after, each, _due_time(each.person, now, acted))
    rows = [
        queue.row_at_table(
            *(each.kind, after.game.key, each.person, each.number),
            run_at=_due_time(each.person, now, acted),
        )
        for each in mails
    ]
    for deadline in asked:
        rows += reminders.mails_before(deadline, now)
    queue.put_rows(runtime, rows)
    for lost in _lost_seats(events):
        _put_taken_over(runtime, after, lost)
    if ends(before, after):
        _put_end(runtime, after)


def ends(before: Table, after: Table) -> bool:
    """Whether the game ends with this commit."""
    return after.game.status == "over" and before.game.status != "over"


def tell_former_holders(
    runtime: Runtime, table: Table, lost: Sequence[FormerHolder], number: int
) -> None:
    """Tell those who could have taken a seat back that event `number` has given it to somebody else for good."""
    for player_id, run_at in due_times(runtime, {each.player_id for each in lost}).items():
        queue.put_news(
            runtime,
            f"told {player_id} {number} {table.game.key}",
            table.game.key,
            (player_id, None),
            {"event": number},
            run_at=run_at,
        )


def _put_end(runtime: Runtime, table: Table) -> None:
    """The end, to those who might have taken a seat back."""
    if not any(each.is_house for each in table.holders):
        return
    former = {each.player_id: each for each in who_may_return(table.game.key)}
    rows = [
        queue.row_at_table("over", table.game.key, former[player], table.game.number, run_at=run_at)
        for player, run_at in due_times(runtime, former.keys()).items()
    ]
    queue.put_rows(runtime, rows)


def _put_news(runtime: Runtime, table: Table, mail: Addressed, run_at: int) -> None:
    person, news = mail.person, {"event": mail.number}
    unique = f"told {person.tenure} {mail.number}"
    if person.player_id:
        recipient = person.player_id, person.tenure
        queue.put_news(runtime, unique, table.game.key, recipient, news, run_at=run_at)


def _due_time(person: Holder, now: int, acted: AbstractSet[int]) -> int:
    """When a mail to this person, who gets mail, is due: later for whoever is online, as those who `acted` are."""
    online = person.seat in acted or now - (person.mailed or 0) < ONLINE_FOR
    return now + (ONLINE_DELAY if online else 0)


def due_times(
    runtime: Runtime, player_ids: AbstractSet[str], online: AbstractSet[str] = frozenset()
) -> dict[str, int]:
    """When a mail to each of these players is due (ms UTC); players who cannot be told are left out.

    It is due later for players who are online: seen just now, or listed in `online` by a caller who knows better.
    """
    seen, now = last_seen(player_ids) if player_ids else {}, runtime.now()
    return {
        player: now + (ONLINE_DELAY if player in online or now - at < ONLINE_FOR else 0)
        for player, at in seen.items()
    }


def _turns(before: Table, after: Table, events: Sequence[Event]) -> list[Addressed]:
    """For each person who is newly asked something, or has taken over a seat that is."""
    previous = {each.tenure: (each.asked, each.waiting) for each in before.holders}
    new = {event["to"] for event in events if event["kind"] == "handover"}
    return [
        Addressed("turn", each, each.asked)
        for each in after.holders
        if each.mailed is not None and each.waiting
        if each.tenure in new or previous.get(each.tenure) != (each.asked, True)
    ]


def _newly_asked(before: Table, after: Table) -> list[Deadline]:
    """The new deadlines of people who can be reminded; while a table is paused nobody is."""
    known = {(each.seat, each.asked, each.due) for each in before.holders}
    game = after.game
    return [
        Deadline(
            *(game.key, each.seat, each.asked, each.since, each.due),
            *(each.tenure, each.player_id, each.reminders),
        )
        for each in after.holders
        if each.due is not None and each.player_id is not None and each.mailed is not None
        if game.paused_at is None and (each.seat, each.asked, each.due) not in known
    ]


def _announcements(before: Table, after: Table, events: Sequence[Event]) -> list[Addressed]:
    """The service's own events, to everybody but the person who caused them."""
    return [
        mail
        for number, event in enumerate(events, before.game.number + 1)
        if event["kind"] in ANNOUNCED
        for mail in _to_all(after, "told", number)
        if mail.person.tenure != event.get("to")
    ]


def _to_all(table: Table, kind: str, number: int) -> list[Addressed]:
    return [Addressed(kind, each, number) for each in table.holders if each.mailed is not None]


def _lost_seats(events: Sequence[Event]) -> list[LostSeat]:
    """The seats lost by time-outs whose players can be mailed: they may not have noticed."""
    late = [
        event["from"]
        for event in events
        if event["kind"] == "handover" and event["why"] == "timeouts"
    ]
    if not late:
        return []
    lost = rows(LostSeat, select(Tenure.id, Tenure.player_id).where(Tenure.id.in_(late)))
    seen = last_seen({each.player_id for each in lost if each.player_id})
    return [each for each in lost if each.player_id in seen]


def _answered(before: Table, after: Table) -> list[str]:
    """The tenures whose questions have been answered or have changed, of those who are mailed."""
    asked = {each.tenure: each.asked for each in after.holders if each.waiting}
    return [
        each.tenure
        for each in before.holders
        if each.waiting and each.mailed is not None and asked.get(each.tenure) != each.asked
    ]


def _put_taken_over(runtime: Runtime, table: Table, lost: LostSeat) -> None:
    """This mail names no tenure: the tenure has ended, and all mails to it are cancelled."""
    queue.put(
        runtime,
        "taken-over",
        f"taken-over {lost.tenure_id}",
        run_at=runtime.now(),
        player_id=lost.player_id,
        game_key=table.game.key,
        number=table.game.number,
    )
