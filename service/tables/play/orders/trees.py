"""Orders that wait for answers of others, built of parts that the server words: what to play, and which answers to wait
for.

Several of them are a short tree: if Carol passes, bid; if she bids, pass. The lists of what can be played and what can
be waited for follow from the declarations of the ruleset and the player's own question, so they reveal nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rules.kernel import Json, Ruleset, State
from service.tables.play.orders import offers

DEEPEST = 3
"""The most answers for which an order that is built with a form can wait."""
OF_ONE_SEAT = 2
"""The number of answers of each other seat for which an order can wait: its first and its second answer."""
MOST_PLAYED = 200
"""The most actions that a form offers; programs can send any action."""


def played(ruleset: Ruleset, state: State, seat: int) -> list[Json]:
    """The possible terms of an order that waits for answers: the declared orders of this question, then its legal
    actions that none of them covers.
    """
    legal = ruleset.legal(state, seat)
    if not legal or seat not in ruleset.turn(state).waiting:
        return []
    named = [*offers.declared_here(ruleset, state, seat)]
    ordered = {each.type for each in named}
    kinds = Counter(each["type"] for each in legal)
    others = [each for each in legal if each["type"] not in ordered or kinds[each["type"]] > 1]
    return [
        *({"name": each.name} for each in named),
        *({"action": each} for each in others[:MOST_PLAYED]),
    ]


def conditions(ruleset: Ruleset, state: State, seat: int) -> list[Json]:
    """The answers of each other seat for which an order can wait, as types of actions that no phase keeps secret. The
    next seat comes first, and the types of this question come first.

    There are none where all answers are alike, or everybody chooses in secret.
    """
    kinds = open_types(ruleset)
    here = {each["type"] for each in ruleset.legal(state, seat)}
    kinds.sort(key=lambda kind: kind not in here)
    is_open = not here.isdisjoint(kinds)
    return [*_answers(kinds, state.players, seat)] if is_open and len(kinds) > 1 else []


def open_types(ruleset: Ruleset) -> list[str]:
    """The types of actions that are sealed in no phase."""
    sealed = {kind for kinds in ruleset.looks.vocabulary.choices.values() for kind in kinds}
    return [kind for kind in ruleset.actions if kind not in sealed]


def _answers(kinds: Sequence[str], players: int, seat: int) -> Iterator[Json]:
    for nth in range(1, OF_ONE_SEAT + 1):
        for after in range(1, players):
            for kind in kinds:
                answer: Json = {"answer": {"type": kind}, "of": (seat + after) % players}
                yield answer if nth == 1 else {**answer, "nth": nth}


def order(play: Json, waits_for: Sequence[Json]) -> Json:
    """The terms of an order that plays `play` once, after these answers."""
    return {**play, "when": [*waits_for], "until": {}}
