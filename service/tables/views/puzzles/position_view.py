"""A position of a finished game as a puzzle, for everybody who may see that game; and what was played there."""

from __future__ import annotations

from rules.kernel import Json, text
from rules.players.appraisal import Valued, compared
from service.core.words.words import Reader
from service.tables.play.analyses.analyses import Appraised
from service.tables.play.puzzles.positions import Decided
from service.tables.views.game_view import GameAnswer
from service.tables.views.puzzles.puzzle_view import MOST_SHOWN, position, worded


def shown(answer: GameAnswer, decided: Decided) -> Json:
    """The puzzle (Puzzle in openapi.yaml), as the seat saw it then: it does not say what was played."""
    table = answer.table
    at = position(
        table.ruleset, decided.state, decided.seat, answer.words, _reader(answer, decided)
    )
    about = {"id": None, "game": table.game.id, "number": decided.number}
    return {**about, **at, "difficulty": None, "state": "new"}


def verdict(
    answer: GameAnswer, decided: Decided, action: Json | None, found: Appraised | None
) -> Json:
    """What was played, and what a house player thinks of the answer (PuzzleVerdict in openapi.yaml).

    `found` is the caller's own analysis of the decision; without it, nothing says which action is best.
    """
    tried = [Valued(**each) for each in found.tried] if found else []
    mine = next((each for each in tried if action and text(each.action) == text(action)), None)
    return {
        "right": None if action is None or not tried else mine == tried[0],
        "cost": round(compared(tried[0], mine)[0], 3) if mine else None,
        "state": "new",
        "played": {"action": decided.played, "words": _words(answer, decided, decided.played)},
        "solution": _solution(answer, decided, tried) if tried else None,
    }


def _solution(answer: GameAnswer, decided: Decided, tried: list[Valued]) -> Json:
    return {
        "choices": [
            {
                "action": each.action,
                "words": _words(answer, decided, each.action),
                "cost": round(compared(tried[0], each)[0], 3),
            }
            for each in tried[:MOST_SHOWN]
        ],
        "reasons": [],
    }


def _words(answer: GameAnswer, decided: Decided, action: Json) -> str:
    listed = answer.table.ruleset.listed(decided.state, decided.seat, action)
    reader = _reader(answer, decided)
    return worded(decided.state, decided.seat, answer.words, reader, listed)


def _reader(answer: GameAnswer, decided: Decided) -> Reader:
    """A reader who sits where the decision was made."""
    return Reader(answer.bare_names_of(answer.table.people), decided.seat)
