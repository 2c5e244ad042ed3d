"""The moves of a lesson's script: how many have been made, and the house players' immediate answers.

A lesson's game counts the moves of its script that were made (service/core/models/games.py). A learner who moves in
another way leaves the script for good: from then on, house players think.
"""

from __future__ import annotations

import rules
from rules.kernel import Illegal, State
from rules.kernel.lessons import LEARNER, Lesson
from service.log import events
from service.log.events import Action
from service.log.table_rows.table import GameRow, Table


def script(game: GameRow) -> Lesson | None:
    """The script that this game follows; None if it never followed one, or no longer does."""
    if game.lesson is None or game.lesson < 0:
        return None
    return rules.lesson(game.ruleset, game.version)


def made(game: GameRow) -> int:
    """The number of moves of the script that have been made in the game of a lesson."""
    count = game.lesson or 0
    return count if count >= 0 else -1 - count


def after(table: Table, count: int | None, event: Action) -> int | None:
    """The number of moves made after this event, if it was `count` before; None once the game no longer follows the
    script.
    """
    lesson = script(table.game)
    if count is None or count < 0 or lesson is None or count >= len(lesson.moves):
        return count
    goes_on = lesson.moves[count].is_made_by(event["seat"], event["action"])
    return count + 1 if goes_on else -1 - count


def answer(table: Table, count: int | None, state: State) -> Action | None:
    """A house player's immediate answer, if the script has one and the rules allow it; otherwise None."""
    lesson = script(table.game)
    if lesson is None or count is None or not 0 <= count < len(lesson.moves):
        return None
    move = lesson.moves[count]
    if move.seat == LEARNER:
        return None
    try:
        listed = table.ruleset.listed(state, move.seat, move.action)
    except Illegal:
        return None
    return events.action(move.seat, listed, "house")
