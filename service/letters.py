"""What people are told of a game by mail: rows of the outbox, written in the commit of their cause.

A turn mail belongs to a wait (a tenure that is asked something): a new question takes the place of the old one's mail.
Whoever was here in the last minutes is written to a little later, and only if the mail still matters then.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from sqlalchemy import select

from rules.kernel import Json
from service import outbox
from service.clock import MINUTE
from service.database import db
from service.mail.readers import last_seen
from service.models import Tenure
from service.models_mail import Outbox
from service.outside import Outside
from service.table import Table

HERE = 3 * MINUTE
"""Ms after which somebody who was seen is no longer here."""
LATER = 5 * MINUTE
"""Ms that somebody who is here is given to see it on the page."""
TOLD = {"handover", "pause", "resume", "extend"}
"""Events of the service that everybody is written to about; `close` is told as the end of the game."""


class Due(NamedTuple):
    """A letter of a kind to somebody at the table, about a question or an event."""

    kind: str
    person: Any
    number: int


def letters_due(outside: Outside, before: Table, after: Table, events: list[Json]) -> None:
    """Write what a commit with these events makes people wait for. The caller owns lock and commit."""
    _call_back(outside, before, after)
    due = [*_news(before, after, events), *_turns(before, after, events)]
    if after.game.status == "over" and before.game.status != "over":
        due = [Due("over", each, after.game.number) for each in _persons(after)]
    acted = {event["seat"] for event in events if event["kind"] == "action"}
    busy = {each.person.player_id for each in due if each.person.seat in acted}
    times = when(outside, {each.person.player_id for each in due}, busy)
    for each in due:
        if each.person.player_id in times:
            _put(outside, after, each, times[each.person.player_id])
    for tenure_id, player_id in _lost(events):
        _put_lost(outside, after, tenure_id, player_id)


def when(
    outside: Outside, player_ids: AbstractSet[str], busy: AbstractSet[str] = frozenset()
) -> dict[str, int]:
    """When (ms UTC) a letter to each of these players is due; left out is who cannot be written to.

    Who is here, or `busy` here as others know, is written to a little later.
    """
    seen, now = last_seen(player_ids) if player_ids else {}, outside.now()
    return {
        player: now + (LATER if player in busy or now - at < HERE else 0)
        for player, at in seen.items()
    }


def _turns(before: Table, after: Table, events: list[Json]) -> list[Due]:
    """Waits that have begun, and those that somebody has taken over."""
    was = {each.tenure: (each.asked, each.waiting) for each in before.people}
    came = {event["to"] for event in events if event["kind"] == "handover"}
    return [
        Due("turn", each, each.asked)
        for each in _persons(after)
        if each.waiting and (each.tenure in came or was.get(each.tenure) != (each.asked, True))
    ]


def _news(before: Table, after: Table, events: list[Json]) -> list[Due]:
    """What the service's own events tell everybody but whose doing it is."""
    return [
        Due("told", each, before.game.number + number)
        for number, event in enumerate(events, 1)
        if event["kind"] in TOLD
        for each in _persons(after)
        if each.tenure != event.get("to")
    ]


def _lost(events: list[Json]) -> list[Any]:
    """Tenures that ended because time was over, and whose they were: these people may not know."""
    late = [event["from"] for event in events if event.get("why") == "timeouts"]
    if not late:
        return []
    query = select(Tenure.id, Tenure.player_id).where(Tenure.id.in_(late))
    found = list(db.session.execute(query))
    seen = last_seen({each.player_id for each in found if each.player_id})
    return [each for each in found if each.player_id in seen]


def _persons(table: Table) -> list[Any]:
    return [each for each in table.people if each.player_id]


def _call_back(outside: Outside, before: Table, after: Table) -> None:
    """Mails about questions that have been answered or have changed are not sent."""
    asked = {each.tenure: each.asked for each in after.people if each.waiting}
    gone = [
        each.tenure
        for each in before.people
        if each.waiting and each.player_id and asked.get(each.tenure) != each.asked
    ]
    if gone:
        outbox.cancel(outside, Outbox.kind == "turn", Outbox.tenure_id.in_(gone))


def _put(outside: Outside, table: Table, due: Due, run_at: int) -> None:
    outbox.put(
        outside,
        due.kind,
        f"{due.kind} {due.person.tenure} {due.number}",
        run_at=run_at,
        player_id=due.person.player_id,
        game_key=table.game.key,
        tenure_id=due.person.tenure,
        number=due.number,
    )


def _put_lost(outside: Outside, table: Table, tenure_id: str, player_id: str) -> None:
    """The tenure has ended, and with it all its mails: this one is about the game alone."""
    outbox.put(
        outside,
        "taken-over",
        f"taken-over {tenure_id}",
        run_at=outside.now(),
        player_id=player_id,
        game_key=table.game.key,
        number=table.game.number,
    )
