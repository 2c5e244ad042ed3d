"""What happens at a table because time has passed: a seat times out, a pause ends, an unattended game is closed."""

from __future__ import annotations

from service.core.counts import prometheus
from service.core.database.database import db, transaction
from service.core.runtime.time_and_random import Runtime
from service.log.event_log import States
from service.log.table_rows.table import GameRow, Holder, find
from service.tables.play import proposals, service_events
from service.tables.play.leaving import give_to_the_house
from service.tables.play.moves import answer


def time_out_seat(runtime: Runtime, states: States, game_id: str, seat: int) -> bool:
    """Play the fallback for a seat out of time; returns False if it has answered or its deadline has moved."""
    with transaction():
        table = find(game_id, lock=True)
        holder = table.holder(seat)
        if not overdue(table.game, holder, runtime.now()):
            return False
        state = states.load(db.session, table.game)
        action = table.ruleset.fallback(state, seat)
        played = answer(runtime, table, state, holder, action, by="timeout")
        table = played.table
        if table.game.status == "running" and 0 < table.game.takeover <= holder.misses + 1:
            table = give_to_the_house(runtime, states, table, seat, "timeouts")
    states.put(table.game, played.state)
    prometheus.move("timeout")
    return True


def overdue(game: GameRow, holder: Holder, now: int) -> bool:
    """Whether this seat is out of time."""
    running = game.status == "running" and game.paused_at is None
    return running and holder.waiting and holder.due is not None and holder.due <= now


def close_abandoned(runtime: Runtime, states: States, game_id: str, since: int) -> bool:
    """Close a game that no person has attended since `since` (ms UTC); returns whether it did."""
    with transaction():
        table = find(game_id, lock=True)
        gone = table.game.unattended_at
        if table.game.status != "running" or gone is None or gone > since:
            return False
        service_events.close(runtime, states, table, "abandoned")
        return True


def end_pause(runtime: Runtime, states: States, game_id: str) -> bool:
    """End a pause that has lasted as long as the table agreed; returns whether it did."""
    with transaction():
        table = find(game_id, lock=True)
        until = table.game.paused_until
        if table.game.status != "running" or until is None or until > runtime.now():
            return False
        proposals.reconsider(runtime, states, service_events.resume(runtime, states, table))
        return True
