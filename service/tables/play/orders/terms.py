"""The terms of an order, and its effect at a question. They are computed only from what its own seat sees.

*What*: the `name` of an order that the ruleset declares, ONLY (to play while there is no choice), or an `action`
itself; `most` limits it. *When*: the question is of the same phase as the one at which the order was made, and offers
no other types of actions; each number that `when` names, in the prompt or in a fact, is as large as required; and
others have answered as `when` says (answers_of_others.py). *Until*: a part of the game is over, the order has been
played a certain number of times, or a certain time has come.

Something that nobody could foresee ends an order: another question, other choices, or a move that is not legal. If the
order merely does not apply, for example because a bid is too low for it, it stays in force and leaves the question to
its player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel import Json, JsonValue, Ruleset, Standing, State, is_declared, plain, same
from rules.kernel.parts import Part
from service.core.models.orders import SEAT_LOST, UNDONE
from service.tables.play.orders import answers_of_others

ONLY = "no-choice"
"""The name of the order that every game has: to play while there is no choice."""
PART, TIMES, DATE = "part", "times", "date"
OTHER_ANSWER = "other-answer"
"""The reason for an intended end: another seat has answered otherwise."""
OTHER_QUESTION, OTHER_CHOICES, NOT_POSSIBLE = "other-question", "other-choices", "not-possible"
"""The reasons for an unexpected end, of which the player is told."""
TAKEN_BACK, WITHDRAWN = "taken-back", "withdrawn"
SURPRISES = (OTHER_QUESTION, OTHER_CHOICES, NOT_POSSIBLE, TAKEN_BACK, SEAT_LOST, UNDONE)


class Question(NamedTuple):
    """The parts of a question that an order keeps from the time when it was made."""

    phase: str
    types: tuple[str, ...]
    parts: tuple[JsonValue, ...]


class Verdict(NamedTuple):
    """The move to play now, or the reason why the order has ended; neither if the order does not apply to this
    question.
    """

    action: Json | None = None
    ended: str | None = None


NOTHING = Verdict()


def question(ruleset: Ruleset, state: State, seat: int) -> Question:
    """The present question of a seat."""
    types = dict.fromkeys(action["type"] for action in ruleset.legal(state, seat))
    return Question(state.phase, tuple(types), parts_of(state))


def parts_of(state: State) -> tuple[JsonValue, ...]:
    """The present parts of the game, as JSON."""
    return tuple(plain(_written(part)) for part in state.parts())


def _written(part: Part) -> list[object]:
    return [part.name, part.number, [list(each) for each in part.about]]


def verdict(
    ruleset: Ruleset,
    state: State,
    seat: int,
    terms: Json,
    asked: Question,
    played: int,
    now: int,
    others: bool | None = True,
) -> Verdict:
    """The effect of an order at the present question of its seat; `asked` is the question at which it was made."""
    present = question(ruleset, state, seat)
    if ended := over(terms, asked, present.parts, played, now):
        return Verdict(ended=ended)
    if present.phase != asked.phase:
        return Verdict(ended=OTHER_QUESTION)
    if not set(present.types) <= set(asked.types):
        return Verdict(ended=OTHER_CHOICES)
    if others is False:
        return Verdict(ended=OTHER_ANSWER)
    if others is None or not holds(ruleset.view(state, seat), on_numbers(terms)):
        return NOTHING
    legal = ruleset.legal(state, seat)
    found = chosen(ruleset, asked.phase, terms, legal)
    if found is None:
        return NOTHING if terms.get("most") is not None else Verdict(ended=NOT_POSSIBLE)
    return Verdict(action=found)


def over(
    terms: Json, asked: Question, parts: Sequence[JsonValue], played: int, now: int
) -> str | None:
    """The reason why an order has ended as intended; None if it has not."""
    until = terms.get("until", {})
    if until.get("at") is not None and now >= until["at"]:
        return DATE
    if until.get("times") is not None and played >= until["times"]:
        return TIMES
    if until.get("part") is not None:
        kept = _down_to(until["part"], asked.parts)
        if list(parts[: len(kept)]) != kept:
            return PART
    return None


def names(parts: Sequence[JsonValue]) -> list[str]:
    """The names of these parts of a game, without repetition, the shortest part first."""
    return [str(each[0]) for each in parts if isinstance(each, list | tuple)][::-1]


def _down_to(name: str, parts: Sequence[JsonValue]) -> list[JsonValue]:
    """The parts of the game down to the part with this name."""
    for depth, part in enumerate(parts):
        if isinstance(part, list | tuple) and part[0] == name:
            return list(parts[: depth + 1])
    return list(parts)


def on_numbers(terms: Json) -> list[Json]:
    """The conditions of an order on numbers that its seat sees."""
    return [each for each in terms.get("when", ()) if "answer" not in each]


def holds(view: Json, conditions: Sequence[Json]) -> bool:
    """Whether each number, as the seat sees it, meets its condition."""
    return all(_holds(number_of(view, each), each) for each in conditions)


def _holds(value: object, condition: Json) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    least, most = condition.get("least"), condition.get("most")
    return (least is None or value >= least) and (most is None or value <= most)


def number_of(view: Json, condition: Json) -> object:
    """The number that a condition is about: a member of the prompt, or the value of a fact."""
    if "prompt" in condition:
        return view["prompt"].get(condition["prompt"])
    values = (
        fact.get("value")
        for fact in view["facts"]
        if fact["name"] == condition["fact"] and fact.get("of") == condition.get("of")
    )
    return next(values, None)


def chosen(ruleset: Ruleset, phase: str, terms: Json, legal: Sequence[Json]) -> Json | None:
    """The legal action that an order means; None if there is none."""
    if "action" in terms:
        return next((each for each in legal if same(each, terms["action"])), None)
    if terms["name"] == ONLY:
        return legal[0] if len(legal) == 1 else None
    standing = declared(ruleset, phase, terms["name"])
    if standing is None:
        return None
    found = next((each for each in legal if each["type"] == standing.type), None)
    most = terms.get("most")
    if found is not None and most is not None:
        value = found.get(standing.most)
        return found if isinstance(value, int) and value <= most else None
    return found


def declared(ruleset: Ruleset, phase: str, name: str) -> Standing | None:
    """The order of this name that a phase declares; None if there is none."""
    orders = ruleset.looks.orders
    return next((each for each in orders if (each.phase, each.name) == (phase, name)), None)


def fits(ruleset: Ruleset, state: State, seat: int, terms: Json) -> bool:
    """Whether an order can be made at the present question: everything that it names exists there."""
    legal, view = ruleset.legal(state, seat), ruleset.view(state, seat)
    part = terms.get("until", {}).get("part")
    if part is not None and part not in [each.name for each in state.parts()]:
        return False
    if any(number_of(view, each) is None for each in on_numbers(terms)):
        return False
    asks = answers_of_others.of(terms)
    if not all(answers_of_others.can_be_asked(ruleset, state.players, seat, each) for each in asks):
        return False
    if "action" in terms:
        is_known = any(same(each, terms["action"]) for each in legal)
        later = bool(asks) and is_declared(ruleset.actions, terms["action"], state.players)
        return (is_known or later) and "most" not in terms
    if terms["name"] == ONLY:
        return "most" not in terms
    standing = declared(ruleset, state.phase, terms["name"])
    return standing is not None and (bool(standing.most) or "most" not in terms)
