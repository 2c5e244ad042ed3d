"""Answers given for a seat without its player, timed so that nobody can tell them from other answers.

A seat *acts alone* if its player has asked for that (service/tables/play/orders/). The worker looks at each new
question of such a seat (`looks_at`). If it finds an answer, it waits for 2 to 20 minutes. The wait is derived from a
key of the server, the game, the seat and the question, so it does not depend on anything that anybody did or holds. If
much less time is left before the deadline, it waits for a part of that time, derived in the same way. So the length of
the wait reveals nothing about the answer. After a pause or an outage, or if no worker was there when the wait was over,
it waits again, for another time derived in the same way; otherwise all missed answers would come at the same moment.

The seed and the record, which are published when the game is over, do not help anybody to compute the wait: the key
stays secret.
"""

from __future__ import annotations

import hmac
from dataclasses import replace

from sqlalchemy import ColumnElement, update

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Seat
from service.core.runtime.units import MINUTE, SECOND
from service.log.table_rows.table import Holder

SHORTEST, LONGEST = 2 * MINUTE, 20 * MINUTE
"""The shortest and the longest wait before an answer (ms)."""
MISSED, LONGEST_MISSED = 2 * SECOND, 2 * MINUTE
"""An answer that is later than the first (ms) waits again, unless the deadline is as near: otherwise somebody who
notices when the worker comes back could tell that no person gave this answer. The older the question, the later the
answer may be, up to the second (ms).
"""
PART_MISSED = 60
"""The part of a question's age by which its answer may be late: without it, a worker that always comes some seconds
late would never answer.
"""
LATEST = 0.95
"""The greatest part of the remaining time that an answer waits, if that is shorter than the longest wait."""


def wait(
    secret: bytes, game_id: str, seat: int, asked: int, left: int | None, begin: int | None = None
) -> int:
    """The time (ms) that an answer waits after the question, or after a later `begin` of the wait (ms UTC).

    `left` is the time to the deadline (ms); None: there is none.
    """
    what = f"own answer {game_id} {seat} {asked}" + (f" {begin}" if begin is not None else "")
    digest = hmac.digest(secret, what.encode(), "sha256")
    part = int.from_bytes(digest[:8], "big") / 2**64
    longest = LONGEST if left is None else min(LONGEST, max(0, int(left * LATEST)))
    shortest = SHORTEST * longest // LONGEST
    return shortest + int(part * (longest - shortest))


def answers_at(secret: bytes, game_id: str, holder: Holder) -> int:
    """The time (ms UTC) at which the service would answer the present question."""
    begin = max(holder.since, holder.acts_from or 0)
    left = None if holder.due is None else holder.due - begin
    later = begin if begin != holder.since else None
    return begin + wait(secret, game_id, holder.seat, holder.asked, left, later)


def begun_again(secret: bytes, game_id: str, holder: Holder, now: int) -> Holder:
    """The holder, whose wait begins again if the time of the answer was missed and the deadline leaves some time."""
    missed = min(max(MISSED, (now - holder.since) // PART_MISSED), LONGEST_MISSED)
    is_late = now - answers_at(secret, game_id, holder) > missed
    has_time = holder.due is None or holder.due - now > MISSED
    return replace(holder, acts_from=now) if is_late and has_time else holder


def looks_at(holder: Holder, now: int, asked: int, waiting: bool) -> Json:
    """The columns of a seat that say when the worker looks at its question, after a commit that leaves it with the
    question `asked`.

    The worker looks at a new question at once, in a way that the player who caused it cannot measure.
    """
    if not waiting or not holder.acts_alone or holder.player_id is None:
        return {"acts_from": None, "acts_at": None}
    if asked == holder.asked and holder.waiting:
        return {"acts_from": holder.acts_from, "acts_at": holder.acts_at}
    return {"acts_from": now, "acts_at": now}


def look_again(now: int, *seats: ColumnElement[bool]) -> None:
    """Make the worker look at the present questions of these seats as if they had just been asked.

    The caller owns the commit. The answer then comes after the same wait as it would after the question.
    """
    asked = update(Seat).where(Seat.waiting, *seats).values(acts_from=now, acts_at=now)
    db.session.execute(asked.execution_options(synchronize_session=False))


def wait_anew(now: int, *seats: ColumnElement[bool]) -> None:
    """Restart the wait for seats for which the service may have an answer that it could not play until now."""
    look_again(now, Seat.acts_at.is_not(None), *seats)
