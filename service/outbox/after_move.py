"""Mails about a game in progress: queued in the commit of the events that cause them.

A turn mail belongs to one question to one tenure: when the question changes, its mail is replaced. People who have
used the service in the last minutes get their mail a little later, and only if it still matters then.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sqlalchemy import select

from service.core.database import rows
from service.core.time_and_random import Runtime
from service.core.units import MINUTE
from service.game.events import Event
from service.game.table import Holder, Table
from service.models.games import Tenure
from service.models.mail import Outbox
from service.outbox import queue
from service.outbox.recipients import last_seen

ONLINE_FOR = 3 * MINUTE
"""Ms after their last request for which somebody counts as being online."""
ONLINE_DELAY = 5 * MINUTE
"""Ms that people who are online have to see the news on the page before they are mailed."""
ANNOUNCED = {"handover", "pause", "resume", "extend"}
"""Events that are announced to everybody; `close` is mailed as the end of the game."""


class Addressed(NamedTuple):
    """A mail of a kind to a person at the table, about a question or an event."""

    kind: str
    person: Holder
    player_id: str
    number: int


class LostSeat(NamedTuple):
    """A tenure that ended because of time-outs, and its player."""

    tenure_id: str
    player_id: str | None


def queue_mails(runtime: Runtime, before: Table, after: Table, events: Sequence[Event]) -> None:
    """Queue the mails that these events cause; cancel those that no longer apply. The caller owns lock and commit."""
    _cancel_answered(runtime, before, after)
    mails = [*_announcements(before, after, events), *_turns(before, after, events)]
    if after.game.status == "over" and before.game.status != "over":
        mails = _to_all(after, "over", after.game.number)
    acted = {event["seat"] for event in events if event["kind"] == "action"}
    online = {mail.player_id for mail in mails if mail.person.seat in acted}
    times = due_times(runtime, {mail.player_id for mail in mails}, online)
    for mail in mails:
        if mail.player_id in times:
            _put(runtime, after, mail, times[mail.player_id])
    for lost in _lost_seats(events):
        _put_taken_over(runtime, after, lost)


def _put(runtime: Runtime, table: Table, mail: Addressed, run_at: int) -> None:
    person, key = mail.person, table.game.key
    if mail.kind == "told":
        unique, recipient = f"told {person.tenure} {mail.number}", (mail.player_id, person.tenure)
        queue.put_news(runtime, unique, key, recipient, {"event": mail.number}, run_at=run_at)
    else:
        queue.put_at_table(runtime, mail.kind, key, person, mail.number, run_at=run_at)


def due_times(
    runtime: Runtime, player_ids: AbstractSet[str], online: AbstractSet[str] = frozenset()
) -> dict[str, int]:
    """When a mail to each of these players is due (ms UTC); players without a verified address are left out.

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
        Addressed("turn", each, each.player_id, each.asked)
        for each in after.holders
        if each.player_id and each.waiting
        if each.tenure in new or previous.get(each.tenure) != (each.asked, True)
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
    return [
        Addressed(kind, each, each.player_id, number) for each in table.holders if each.player_id
    ]


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


def _cancel_answered(runtime: Runtime, before: Table, after: Table) -> None:
    """Cancel mails about questions that have been answered or have changed."""
    asked = {each.tenure: each.asked for each in after.holders if each.waiting}
    answered = [
        each.tenure
        for each in before.holders
        if each.waiting and each.player_id and asked.get(each.tenure) != each.asked
    ]
    if answered:
        queue.cancel(runtime, Outbox.kind == "turn", Outbox.tenure_id.in_(answered))


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
