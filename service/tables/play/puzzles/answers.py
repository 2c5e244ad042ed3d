"""People's answers to puzzles: the puzzles that they have solved, and those whose solution they have been shown."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, select

from rules.kernel import Json
from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.puzzles import PuzzleAnswer
from service.core.runtime.exports import exported_rows
from service.people import players
from service.tables.services import Services

NEW, SOLVED, SHOWN = "new", "solved", "shown"
"""The states of a puzzle for a person."""

_answer = PuzzleAnswer.metadata.tables["puzzle_answers"]


def states(player_id: str | None, puzzles: Iterable[str]) -> dict[str, str]:
    """The state of each of these puzzles for this person; all are NEW for a visitor (None)."""
    found = dict.fromkeys(puzzles, NEW)
    if player_id is None:
        return found
    mine = select(_answer.c.puzzle, _answer.c.solved).where(_answer.c.player_id == player_id)
    for row in db.session.execute(mine.where(_answer.c.puzzle.in_(found))):
        found[row.puzzle] = SOLVED if row.solved else SHOWN
    return found


def remember(services: Services, player_id: str, puzzle: str, *, solved: bool) -> None:
    """Remember that somebody has solved a puzzle, or has had its solution shown. The first of the two stays."""
    given = {"player_id": player_id, "puzzle": puzzle, "answered_at": services.now()}
    with transaction():
        players.prevent_erasure(player_id)
        insert_unless_there(_answer, {**given, "solved": solved})


def exported(player_id: str) -> list[Json]:
    """The player's answers, for the export."""
    query = select(*(_answer.c[name] for name in ("puzzle", "answered_at", "solved")))
    mine = query.where(_answer.c.player_id == player_id)
    return exported_rows(mine.order_by(_answer.c.answered_at, _answer.c.puzzle))


def erase(player_id: str) -> None:
    """Delete the player's answers. The caller owns the commit."""
    db.session.execute(delete(_answer).where(_answer.c.player_id == player_id))
