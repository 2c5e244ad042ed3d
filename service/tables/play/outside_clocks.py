"""Outside clocks: the rules of live games ask for one, and for an event once it has run for a number of seconds.

It starts in the commit of the event after which the rules ask for it, and its end is one of the game's due times. While
it runs, everybody who may act can do so at any time, each seat at most twice a second.
"""

from __future__ import annotations

from rules.kernel import Ruleset, State
from service.core.runtime.problems import NotRunning, TooManyRequests
from service.core.runtime.units import SECOND
from service.log.table_rows.table import Holder, Table
from service.tables.clocks.seat_clocks import shown_at

BETWEEN = SECOND // 2
"""The least time (ms) between two actions of a seat, and before its first, so that no program outruns people."""


def due_after(table: Table, state: State, now: int, *, over: bool) -> int | None:
    """The end (ms UTC) of the outside clock that the rules ask for in this state; None if they ask for none, or if the
    game is `over`.

    A running clock continues.
    """
    if over or table.ruleset.turn(state).clock is None:
        return None
    if table.game.clock_due is not None:
        return table.game.clock_due
    game = table.game
    return now + int(table.ruleset.lasts(game.players, game.options) * SECOND)


def act_at_once(ruleset: Ruleset, before: State, after: State) -> bool:
    """Whether an outside clock runs before and after an event, and the game waits for nobody.

    The question of a seat then stays the same until the seat itself acts: each action is judged when it arrives.
    """
    turns = ruleset.turn(before), ruleset.turn(after)
    return all(turn.clock is not None and not turn.waiting for turn in turns)


def has_run_out(table: Table, now: int) -> bool:
    """Whether the outside clock of this table has run out. During an outage it stands still."""
    due = table.game.clock_due
    return due is not None and due <= shown_at(table, now)


def refuse(table: Table, holder: Holder, now: int) -> None:
    """Raise a problem for an action that comes after the end of the clock, or too soon after the seat's last action.

    Raises NotRunning, TooManyRequests. Only the seat that acts gets a new question, so `since` is the time of its last
    action; after a wrong clock it may lie in the future, and then does not count.
    """
    if table.game.clock_due is None:
        return
    if has_run_out(table, now):
        raise NotRunning
    if 0 <= now - holder.since < BETWEEN:
        raise TooManyRequests({"Retry-After": "1"})
