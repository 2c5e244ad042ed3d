"""Nudges: a player reminds, by email, the person for whom the table has waited longest.

Nobody can be nudged immediately: their turn was mailed to them, and they need time.
"""

from __future__ import annotations

from sqlalchemy import update

from service.core.database.database import db, transaction
from service.core.models.games import Tenure
from service.core.runtime.problems import NotPossible, TooEarly, TooManyRequests
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.runtime.units import DAY, SECOND
from service.log.table_rows.rests import Rest
from service.log.table_rows.table import Holder, Table, raise_revision
from service.outbox import queue
from service.people.circles import blocks
from service.tables.play.proposals import running

PATIENCE = DAY
"""How long (ms) a person can take before anybody may nudge them, unless half of their time is shorter."""


def nudge(runtime: Runtime, game_id: str, player_id: str) -> int:
    """Nudge the person for whom the table has waited longest; returns their seat, but never whether an email is sent.

    Raises NotFound, NotRunning, NotSeated, NotPossible, TooEarly, TooManyRequests.
    """
    with transaction():
        table, now = running(game_id), runtime.now()
        table.seated(player_id)
        person = longest_waiting(table, player_id, now)
        this = update(Tenure).where(Tenure.id == person.tenure)
        db.session.execute(this.values(nudged_at=now))
        raise_revision(runtime, table)
        if not blocks.has_blocked(person.player_id, player_id):
            of, number = (table.game.key, person), person.asked
            mail = queue.row_at_table("nudge", *of, number, run_at=now, unique=str(now))
            queue.put_rows(runtime, [mail])
        return person.seat


def nudge_from(table: Table, holder: Holder, player_id: str | None) -> int | None:
    """The time (ms UTC) from which this player may nudge the person in a seat; None if they may not nudge at all.

    It is at least a day after the last nudge, and neither during the table's rest nor during the person's vacation.
    """
    people = (None, player_id)
    if not holder.waiting or holder.player_id in people or table.game.paused_at is not None:
        return None
    if table.person(player_id) is None:
        return None
    patience = PATIENCE if holder.due is None else min(PATIENCE, (holder.due - holder.since) // 2)
    at = max(holder.since + patience, (holder.nudged_at or 0) + DAY)
    if (rest := Rest.of(table.game.rest)) is not None:
        at = rest.end(at)
    begins, ends = holder.away_from, holder.away_until
    away = begins is not None and ends is not None and begins <= at < ends
    return ends if away else at


def longest_waiting(table: Table, player_id: str, now: int) -> Holder:
    """The person for whom the table has waited longest and who may be nudged.

    Raises NotPossible, TooEarly, TooManyRequests.
    """
    possible = ((nudge_from(table, each, player_id), each) for each in table.holders)
    late = [(at, holder) for at, holder in possible if at is not None]
    ready = [holder for at, holder in late if at <= now]
    if ready:
        return min(ready, key=lambda holder: (holder.since, holder.seat))
    if not late:
        raise NotPossible("nobody-to-nudge")
    at, holder = min(late, key=lambda each: each[0])
    if now - (holder.nudged_at or 0) < DAY:
        raise TooManyRequests({"Retry-After": str(1 + (at - now) // SECOND)})
    raise TooEarly(nudge_from=rfc3339(at))
