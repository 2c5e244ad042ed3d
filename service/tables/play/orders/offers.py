"""The orders that a seat can leave at its present question, as its ruleset declares them, the most useful first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from rules.kernel import Json, JsonValue, Ruleset, Standing, State
from service.tables.play.orders import terms

BESIDE = 3
"""The number of orders shown next to the choices."""
ROOM = 2
"""How far the limit of an offered order is above the least value that can be chosen now; players can send another
limit.
"""


def offers(ruleset: Ruleset, state: State, seat: int) -> list[Json]:
    """The terms of the orders on offer; empty if the seat has no question."""
    legal = ruleset.legal(state, seat)
    if not legal or seat not in ruleset.turn(state).waiting:
        return []
    parts = [each.name for each in state.parts()]
    prompt = ruleset.view(state, seat)["prompt"]
    fitting = [
        [*_variants(each, legal, parts, prompt)] for each in declared_here(ruleset, state, seat)
    ]
    mixed = chain.from_iterable(zip_longest(*fitting))
    alone: list[Json] = [{"name": terms.ONLY, "until": {}}] if len(legal) == 1 else []
    return [*filter(None, mixed), *alone]


def declared_here(ruleset: Ruleset, state: State, seat: int) -> list[Standing]:
    """The declared orders that could be played at the present question."""
    types = {action["type"] for action in ruleset.legal(state, seat)}
    phase = state.phase
    return [each for each in ruleset.looks.orders if each.phase == phase and each.type in types]


def _variants(
    standing: Standing, legal: Sequence[Json], parts: Sequence[str], prompt: Json
) -> Iterator[Json]:
    """The terms of a declared order, with each way in which it can end, the shortest first."""
    limit: Json = {}
    if standing.most:
        offered = [each for each in legal if each["type"] == standing.type]
        values = [_number(each.get(standing.most)) for each in offered]
        limit = {"most": min(max(values), min(values) + ROOM)}
    until: list[Json] = [{"part": part} for part in standing.until if part in parts] or [{}]
    for each in until:
        yield {"name": standing.name, **limit, "until": each}
    high = prompt.get(standing.compare)
    if isinstance(high, int) and high > 0:
        when = [{"prompt": standing.compare, "least": high}]
        yield {"name": standing.name, "when": when, "until": until[-1]}


def _number(value: JsonValue | None) -> int:
    return value if isinstance(value, int) else 0
