"""A nudge: somebody at the table asks whoever is waited for longest to play. That person gets a mail, once a day."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from service import blocks, outbox
from service.clock import DAY, SECOND
from service.database import db, transaction
from service.models import Tenure
from service.outside import Outside
from service.problems import NotPossible, NotRunning, TooManyRequests
from service.table import Table, find


def nudge(outside: Outside, game_id: str, player_id: str) -> int:
    """Ask whoever is waited for longest to play: the seat. Nobody learns whether that person gets mails.

    Raises NotFound, NotRunning, NotSeated, NotPossible, TooManyRequests.
    """
    with transaction():
        table = find(game_id, lock=True)
        if table.game.status != "running":
            raise NotRunning
        table.seated(player_id)
        person = longest(table, player_id, outside.now())
        _once_a_day(person.tenure, outside.now())
        if not blocks.has_blocked(person.player_id, player_id):
            _put(outside, table, person)
        return int(person.seat)


def longest(table: Table, player_id: str, now: int) -> Any:
    """The other person who has been waited for longest and is not on vacation. Raises NotPossible."""
    late = [
        person
        for person in table.people
        if person.waiting and person.player_id not in (None, player_id) and not _away(person, now)
    ]
    if not late or table.game.paused_at is not None:
        raise NotPossible
    return min(late, key=lambda person: (person.since, person.seat))


def _away(person: Any, now: int) -> bool:
    return person.away_from is not None and person.away_from <= now < person.away_until


def _once_a_day(tenure_id: str, now: int) -> None:
    this = Tenure.id == tenure_id
    last = db.session.scalar(select(Tenure.nudged_at).where(this))
    if last is not None and now - last < DAY:
        raise TooManyRequests({"Retry-After": str(1 + (last + DAY - now) // SECOND)})
    db.session.execute(update(Tenure).where(this).values(nudged_at=now))


def _put(outside: Outside, table: Table, person: Any) -> None:
    outbox.put(
        outside,
        "nudge",
        f"nudge {person.tenure} {outside.now()}",
        run_at=outside.now(),
        player_id=person.player_id,
        game_key=table.game.key,
        tenure_id=person.tenure,
        number=person.asked,
    )
