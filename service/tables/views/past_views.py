"""The table as it was after past events, in the viewer's language; a page of them takes one fold.

During a game everybody sees what they may see: those at the table what their seat saw, others what spectators saw. Once
it is over everything can be shown, as in its record.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.database.database import db
from service.core.runtime.problems import NotFound, NotOver
from service.core.runtime.time_and_random import rfc3339
from service.log.event_log import Passed, States
from service.tables.views.game_view import GameAnswer
from service.tables.views.history_view import SeatHistory


def page(
    states: States, answer: GameAnswer, after: int, limit: int, *, everything: bool
) -> tuple[list[Json], int | None]:
    """The table after each event after number `after`, at most `limit`, and the number to continue after, if any.

    With `everything` all cards lie open. Raises NotOver for that as long as the game goes on.
    """
    if everything and answer.game.status != "over":
        raise NotOver
    found, seats = states.page(db.session, answer.game, after, limit), SeatHistory(answer)
    return [_shown(answer, seats, each, everything) for each in found.passed], found.following


def one(states: States, answer: GameAnswer, number: int, *, everything: bool) -> Json:
    """The table after event `number`. Raises NotFound if there is none yet, and NotOver."""
    found, _ = page(states, answer, number - 1, 1, everything=everything)
    if not found:
        raise NotFound
    return found[0]


def _shown(answer: GameAnswer, seats: SeatHistory, passed: Passed, everything: bool) -> Json:
    ruleset, seat = answer.table.ruleset, seats.viewer(passed.number)
    view = ruleset.open_view(passed.after) if everything else ruleset.view(passed.after, seat)
    then = None if everything else passed.after
    return {
        "number": passed.number,
        "at": rfc3339(passed.at),
        "seat": None if everything else seat,
        "view": answer.worded_view(view, seats.reader(passed.number), then),
    }
