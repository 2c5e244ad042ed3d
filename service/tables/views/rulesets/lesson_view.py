"""The words for the learner of a lesson: the next thing to try, and comments on the last one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import rules
from rules.kernel import Json, same
from rules.kernel.lessons import LEARNER, Move
from service.core.words.words import Phrases, Reader
from service.log.table_rows.table import GameRow
from service.tables.play import scripted_moves

Stage = Literal["trying", "left", "finished"]
"""How far the learner is: told what to try, playing after having moved in another way, or done with everything."""


def shown(game: GameRow, words: Phrases, reader: Reader, legal: Sequence[Json]) -> Json | None:
    """The lesson (Lesson in openapi.yaml); None for a game that is not a lesson, and for everybody except the learner.

    `legal` has the learner's legal actions.
    """
    lesson = None if game.lesson is None else rules.lesson(game.ruleset, game.version)
    if lesson is None or reader.seat != LEARNER:
        return None
    made = scripted_moves.made(game)
    tried = [move for move in lesson.moves[:made] if move.step]
    following = next((move for move in lesson.moves[made:] if move.step), None)
    stage = _stage(game, following)
    return {
        "stage": stage,
        "step": min(len(tried) + 1, len(lesson.steps)),
        "steps": len(lesson.steps),
        "words": _words(game, stage, following, words, reader),
        "said": _said(tried[-1], words, reader) if tried and stage != "left" else None,
        "action": _listed(following, legal) if following and stage == "trying" else None,
    }


def _stage(game: GameRow, following: Move | None) -> Stage:
    if game.lesson is not None and game.lesson < 0:
        return "left"
    return "trying" if following and not game.is_over else "finished"


def _words(
    game: GameRow, stage: Stage, following: Move | None, words: Phrases, reader: Reader
) -> str:
    """The next thing to try, in the game's words; at the end of every lesson, in the service's words."""
    if stage == "trying" and following:
        return words.say(f"lesson.{following.step}", following.action, reader)
    return words.say("lesson.over" if game.is_over else f"lesson.{stage}")


def _said(tried: Move, words: Phrases, reader: Reader) -> str | None:
    """The comment on the last step; None if there is none."""
    key = f"lesson.{tried.step}.done"
    return words.say(key, tried.action, reader) if key in words.messages else None


def _listed(following: Move, legal: Sequence[Json]) -> Json | None:
    """The entry of `legal` that the learner is to try; None if there is none."""
    return next((each["action"] for each in legal if same(each["action"], following.action)), None)
