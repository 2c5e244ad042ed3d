"""The moves of a lesson: how far they have been made, and what house players answer at once.

A game that is a lesson counts the moves of its script that were made (service/core/models/games.py). Whoever moves in
another way leaves the script for good: from then on house players think.
"""

from __future__ import annotations

import rules
from rules.kernel import Illegal, State
from rules.kernel.lessons import LEARNER, Lesson
from service.log import events
from service.log.events import Action
from service.log.table_rows.table import GameRow, Table


def script(game: GameRow) -> Lesson | None:
    """The script by which this game goes; None if it goes by none, or no longer."""
    if game.lesson is None or game.lesson < 0:
        return None
    return rules.lesson(game.ruleset, game.version)


def made(game: GameRow) -> int:
    """How many moves of its script were made at a lesson."""
    count = game.lesson or 0
    return count if count >= 0 else -1 - count


def after(table: Table, count: int | None, event: Action) -> int | None:
    """What a game counts that counted `count` before this event."""
    lesson = script(table.game)
    if count is None or count < 0 or lesson is None or count >= len(lesson.moves):
        return count
    goes_on = lesson.moves[count].is_made_by(event["seat"], event["action"])
    return count + 1 if goes_on else -1 - count


def answer(table: Table, count: int | None, state: State) -> Action | None:
    """What a house player answers at once, if the script says so and the rules allow it."""
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
