"""Nudges: a player reminds the person for whom the table has waited longest, by a mail at most once a day."""

from __future__ import annotations

from sqlalchemy import select, update

from service.core.database import db, transaction
from service.core.problems import NotPossible, NotRunning, TooManyRequests
from service.core.time_and_random import Runtime
from service.core.units import DAY, SECOND
from service.game.table import Holder, Table, find
from service.models.games import Tenure
from service.outbox import queue
from service.people import blocks


def nudge(runtime: Runtime, game_id: str, player_id: str) -> int:
    """Nudge the person for whom the table has waited longest; returns the seat, and never whether a mail is sent.

    Raises NotFound, NotRunning, NotSeated, NotPossible, TooManyRequests.
    """
    with transaction():
        table = find(game_id, lock=True)
        if table.game.status != "running":
            raise NotRunning
        table.seated(player_id)
        person = longest_waiting(table, player_id, runtime.now())
        _once_a_day(person.tenure, runtime.now())
        if not blocks.has_blocked(person.player_id, player_id):
            _put(runtime, table, person)
        return person.seat


def longest_waiting(table: Table, player_id: str, now: int) -> Holder:
    """The other person for whom the table has waited longest and who is not on vacation. Raises NotPossible."""
    late = [
        holder
        for holder in table.holders
        if holder.waiting and holder.player_id not in (None, player_id) and not _away(holder, now)
    ]
    if not late or table.game.paused_at is not None:
        raise NotPossible
    return min(late, key=lambda holder: (holder.since, holder.seat))


def _away(holder: Holder, now: int) -> bool:
    begins, ends = holder.away_from, holder.away_until
    return begins is not None and ends is not None and begins <= now < ends


def _once_a_day(tenure_id: str, now: int) -> None:
    this = Tenure.id == tenure_id
    last = db.session.scalar(select(Tenure.nudged_at).where(this))
    if last is not None and now - last < DAY:
        raise TooManyRequests({"Retry-After": str(1 + (last + DAY - now) // SECOND)})
    db.session.execute(update(Tenure).where(this).values(nudged_at=now))


def _put(runtime: Runtime, table: Table, person: Holder) -> None:
    now = runtime.now()
    queue.put_at_table(
        runtime, "nudge", table.game.key, person, person.asked, run_at=now, unique=str(now)
    )
