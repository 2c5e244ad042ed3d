"""The puzzles of a collection in words: what the seat sees and may choose and, afterwards, which action is best, and
why.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Json, Ruleset, State, text
from rules.kernel.puzzles import Follows, Puzzle
from service.core.words.words import Phrases, Reader, phrases
from service.tables.play.puzzles.puzzles import Posed
from service.tables.views.game_view import worded_view
from service.tables.views.rulesets.rules_page_view import example_names
from service.tables.views.rulesets.ruleset_view import layout_of

MOST_SHOWN = 6
"""The most actions that a solution shows, the best first."""


def entry(puzzle: Puzzle, state: str) -> Json:
    """A puzzle in a list (PuzzleEntry in openapi.yaml)."""
    return {
        "id": puzzle.id,
        "difficulty": puzzle.difficulty,
        "players": puzzle.course.players,
        "state": state,
    }


def shown(posed: Posed, state: str, language: str) -> Json:
    """A puzzle without its solution (Puzzle in openapi.yaml): nothing in it depends on what the seat does not see."""
    words, reader = _reader(posed, language)
    puzzle = posed.puzzle
    table = position(posed.ruleset, posed.state, puzzle.seat, words, reader)
    about = {"id": puzzle.id, "game": None, "number": None}
    return {**about, **table, "difficulty": puzzle.difficulty, "state": state}


def position(ruleset: Ruleset, state: State, seat: int, words: Phrases, reader: Reader) -> Json:
    """The members with what the seat sees, and with the actions among which it chooses."""
    view = worded_view(ruleset.view(state, seat), words, reader, ruleset.turn(state))
    legal = ruleset.legal(state, seat)
    return {
        "ruleset": {"slug": ruleset.slug, "version": ruleset.version, "name": words.say("name")},
        "names": list(reader.names),
        "seat": seat,
        "layout": layout_of(ruleset, words),
        "view": view,
        "legal": [
            {"action": each, "words": worded(state, seat, words, reader, each)} for each in legal
        ],
    }


def worded(state: State, seat: int, words: Phrases, reader: Reader, action: Json) -> str:
    """A legal action in words."""
    fields = {**action, **state.beside(seat, action)}
    return words.say_most_specific(f"action.{action['type']}", fields, reader)


def verdict(posed: Posed, place: int | None, state: str, language: str) -> Json:
    """The verdict on an answer (PuzzleVerdict in openapi.yaml); without an answer, the solution.

    The verdict contains the solution once the puzzle is solved, or the solution was shown.
    """
    costs = posed.puzzle.costs
    right = None if place is None else posed.is_best(place)
    return {
        "right": right,
        "cost": None if place is None else costs[place],
        "state": state,
        "played": None,
        "solution": solution(posed, language) if place is None or right else None,
    }


def solution(posed: Posed, language: str) -> Json:
    """The best actions, what the others cost, and the reasons (PuzzleSolution in openapi.yaml)."""
    words, reader = _reader(posed, language)
    puzzle, seat = posed.puzzle, posed.puzzle.seat
    by_cost = sorted(zip(puzzle.costs, posed.legal, strict=True), key=lambda each: each[0])
    return {
        "choices": [
            {
                "action": action,
                "words": worded(posed.state, seat, words, reader, action),
                "cost": cost,
            }
            for cost, action in by_cost[:MOST_SHOWN]
        ],
        "reasons": _reasons(posed, words, reader),
    }


def _reader(posed: Posed, language: str) -> tuple[Phrases, Reader]:
    words = phrases(language, posed.ruleset.slug)
    names = example_names(posed.puzzle.course.players, words)
    return words, Reader(names, posed.puzzle.seat)


def _reasons(posed: Posed, words: Phrases, reader: Reader) -> list[str]:
    puzzle, why = posed.puzzle, posed.puzzle.reason
    said = [
        worded(posed.state, puzzle.seat, words, reader, each)
        for each in (puzzle.best, why.tempting)
    ]
    cost = min(
        cost
        for cost, each in zip(puzzle.costs, posed.legal, strict=True)
        if text(each) == text(why.tempting)
    )
    worth: Json = {"best": said[0], "other": said[1]}
    worth |= {"n": _percent(why.worth), "m": _percent(why.worth - cost)}
    return [
        words.say("puzzle.worth", worth),
        *_follow(why.then, said[0], words, reader),
        *_follow(why.instead, said[1], words, reader),
    ]


def _follow(follows: Sequence[Follows], action: str, words: Phrases, reader: Reader) -> list[str]:
    """Sentences about what becomes more likely after an action, in the words of the history."""
    found = []
    for each in follows:
        line = words.say_most_specific(f"line.{each.line['line']}", each.line, reader)
        often = {"n": _percent(each.often), "m": _percent(each.otherwise)}
        found.append(words.say("puzzle.follows", {"action": action, "line": line, **often}))
    return found


def _percent(part: float) -> int:
    return max(0, round(100 * part))
