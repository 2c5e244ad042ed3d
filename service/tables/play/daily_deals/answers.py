"""Immediate answers of house players in a try at a daily deal: what they chose before in the same position.

They answer in the commit of the move that leads to the position. If nobody has thought about it yet, the worker asks a
thinker, and keeps the thought (service/operations/worker/house_players.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import State
from service.core.runtime.problems import Stale
from service.log import events
from service.log.event_log import read
from service.log.events import Action, Event
from service.log.table_rows.asked_first import PERSON, asked_first
from service.log.table_rows.table import Holder, Table
from service.tables.play.daily_deals import thoughts


def come_first(table: Table, holder: Holder) -> bool:
    """Whether this person has to wait until house players have answered."""
    waits = any(each.waiting for each in table.holders if each.seat != PERSON)
    return table.game.deal is not None and holder.seat == PERSON and waits


def refuse_early(table: Table, holder: Holder, state: State) -> None:
    """Raise Stale if this person has to wait until house players have answered."""
    if come_first(table, holder):
        raise Stale(table=table, state=state)


class KeptAnswers:
    """The kept answers for one table, whose log is read when it is first needed. Only tries at daily deals have any."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._past: Sequence[Event] | None = None

    def answer(self, state: State, logged: Sequence[Event]) -> Action | None:
        """The answer of the house player that is asked in `state`, which follows the events `logged` since the table
        was read. None if no house player has thought about it yet, or if it is the person's turn.
        """
        game, ruleset = self._table.game, self._table.ruleset
        if game.deal is None:
            return None
        asked = asked_first(game, ruleset.turn(state).waiting)
        if not asked or asked[0] == PERSON:
            return None
        if self._past is None:
            self._past = read(game.key, 0, game.number)
        key = thoughts.digest(game, asked[0], [*self._past, *logged])
        kept = thoughts.kept(ruleset, state, asked[0], key)
        return None if kept is None else events.action(asked[0], kept, "house")
