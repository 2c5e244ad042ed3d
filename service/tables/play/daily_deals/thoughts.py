"""Thoughts of house players in positions of daily deals: each position is thought about once, and answered at once
after that.

An answer depends on what its seat has seen of the log, on the seed of the day and on the number of iterations. Its key
is a digest of everything in the log that the rules see, so it covers all of that. A thought begins when that log is
committed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable

from sqlalchemy import bindparam, select, update

from rules.kernel import Illegal, Json, Ruleset, State, text
from service.core.database.database import (
    db,
    delete_some,
    insert_unless_there,
    read_alone,
    transaction,
)
from service.core.models.daily_deals import DailyThought
from service.core.runtime import days
from service.core.runtime.units import DAY
from service.log import events
from service.log.events import Event
from service.log.table_rows.table import GameRow, Table

KEPT = 3 * DAY
"""How long (ms) after their day thoughts are kept. In later tries, house players think again, with the same results."""

_thought = DailyThought.metadata.tables["daily_thoughts"]
_KEPT = select(_thought.c.action).where(_thought.c.digest == bindparam("digest"))


def digest(game: GameRow, seat: int, past: Iterable[Event]) -> bytes:
    """The key of the answer that this seat gives after this past, the same in every try at the deal."""
    seen = [told for each in past if (told := events.for_rules(each)) is not None]
    return hashlib.sha256(text([game.deal, game.version, seat, seen]).encode()).digest()


def seed(game: GameRow, seat: int, past: Iterable[Event], line: str | None = None) -> int:
    """The seed of a thought. Of everything in the log, it depends only on how often the seat has acted.

    In the place of the person, it differs from one line of the strongest house player to another.
    """
    count = sum(each["kind"] == "action" and each["seat"] == seat for each in past)
    of = f"line {line}" if line else f"thought {seat}"
    drawn = hmac.digest(game.seed, f"tegami daily {of} {count}".encode(), "sha256")
    return int.from_bytes(drawn[:16], "big")


def kept(ruleset: Ruleset, state: State, seat: int, key: bytes) -> Json | None:
    """The kept answer with this key, as this seat may give it in this state.

    Returns None if nobody has thought about it yet, or if the answer cannot be played, because its row is damaged or
    belongs to other rules.
    """
    found = read_alone(_KEPT, {"digest": key})
    try:
        return ruleset.listed(state, seat, json.loads(found[0][0])) if found else None
    except (Illegal, ValueError):
        return None


def keep(table: Table, state: State, seat: int, key: bytes, action: Json) -> Json:
    """Store an answer; returns the one that is stored now, which may come from another process.

    It replaces an answer that cannot be played.
    """
    assert table.game.deal is not None, "others have nothing to keep"
    with transaction():
        made = {"digest": key, "day": table.game.deal, "action": text(action)}
        insert_unless_there(_thought, made)
    found = kept(table.ruleset, state, seat, key)
    if found is not None:
        return found
    with transaction():
        spoiled = update(_thought).where(_thought.c.digest == key)
        db.session.execute(spoiled.values(action=text(action)))
    return action


def purge(now: int, most: int) -> int:
    """Delete at most `most` thoughts of days that are over; returns their number."""
    return delete_some(_thought, most, _thought.c.day < days.day_of(now - KEPT))
