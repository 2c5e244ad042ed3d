"""Conditions of an order on the answers of others, such as "if they bid, I pass": a short tree of moves that hide
nothing.

Only what everybody sees counts, in the form in which spectators are told it: open moves, and sealed choices once they
have been opened, after the event at which the order was left. So playing such an order reveals nothing that others have
not seen. A condition cannot ask for anything that the rules keep secret about an action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import rules
from rules.kernel import Json, Ruleset, is_declared, same
from service.log.event_log import States
from service.log.table_rows.table import GameRow

MOST = 64
"""How many events after an order was left are counted."""
LATEST = 4
"""A condition can refer to this many first answers of a seat."""
Answers = Mapping[int, Sequence[Json]]
"""The answers by seat, in order."""


def of(terms: Json) -> list[Json]:
    """The conditions of an order on answers of others. In each, `of` is the seat, and `nth` is the number of its answer
    (by default 1).
    """
    return [each for each in terms.get("when", ()) if "answer" in each]


def can_be_asked(ruleset: Ruleset, players: int, seat: int, condition: Json) -> bool:
    """Whether another seat can give such an answer, and whether everybody sees what the condition asks about it."""
    other, answer = condition.get("of"), condition["answer"]
    if other is None or other == seat or not 0 <= other < players:
        return False
    if not is_declared(ruleset.actions, answer, players, whole=False):
        return False
    secret = {each.name for each in ruleset.actions[answer["type"]] if each.secret}
    return secret.isdisjoint(answer)


def since(states: States, game: GameRow, number: int) -> Answers:
    """The answers that everybody has seen since event `number`, except answers that were taken back."""
    found, undone = dict[int, list[Json]](), game.taken_back
    ruleset = rules.load(game.ruleset, game.version)
    for passed in states.course(game, number, min(game.number, number + MOST)):
        event = passed.event
        if event["kind"] != "action" or passed.number in undone:
            continue
        taken = ruleset.taken(passed.before, {**event}, passed.after, None)
        for seat, action in taken.opened:
            found.setdefault(seat, []).append(action)
        if taken.action is not None:
            found.setdefault(event["seat"], []).append(taken.action)
    return found


def are_given(conditions: Sequence[Json], answers: Answers) -> bool | None:
    """Whether others have given the answers of the conditions; None if some answers are still missing."""
    judged = [_is_given(each, answers) for each in conditions]
    if False in judged:
        return False
    return None if None in judged else True


def _is_given(condition: Json, answers: Answers) -> bool | None:
    given, nth = answers.get(condition["of"], ()), condition.get("nth", 1)
    if len(given) < nth:
        return None
    answer = given[nth - 1]
    asked = condition["answer"]
    return same({name: answer.get(name) for name in asked}, asked)
